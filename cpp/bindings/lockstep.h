// Many native games played in lock step: dice by address, moves, and what players see, for a list of states
// at once.
#pragma once

#include <stdexcept>
#include <string>

#include "bindings/arrays.h"
#include "bindings/state.h"

namespace dicezero {

// Extends the address that led to `seed` by one part, as dicezero.selfplay.seeds does.
inline std::uint64_t extended_address(std::uint64_t seed, std::uint64_t part) {
  return mix64(seed ^ ((part + 1) * 0xd1342543de82ef95ULL));
}

// The outcome whose share of the total holds `uniform`; one of probability zero is never drawn.
inline Action drawn_outcome(const std::vector<Outcome>& outcomes, double uniform) {
  double total = 0.0;
  for (const Outcome& o : outcomes) total += o.probability;
  const double at = uniform * total;
  double end = 0.0;
  Action last = kNoAction;
  for (const Outcome& o : outcomes) {
    end += o.probability;
    if (at < end) return o.action;
    if (o.probability > 0.0) last = o.action;
  }
  return last;
}

inline void check_length(const char* name, std::size_t length, std::size_t states) {
  if (length == states) return;
  throw std::invalid_argument(std::string(name) + " has " + std::to_string(length) + " numbers for " +
                              std::to_string(states) + " states; there must be one number a state");
}

template <Game G>
nb::tuple roll_dice(const G& game, nb::list states, const Array<std::uint64_t, 1>& seeds,
                    const Array<std::int64_t, 1>& steps, std::uint64_t use) {
  const std::size_t count = nb::len(states);
  check_length("seeds", seeds.shape(0), count);
  check_length("steps", steps.shape(0), count);
  std::vector<std::int32_t> row, outcome, player;
  std::vector<double> paid;
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < count; ++i) {
    PyState<G>& s = held_state(game, states[i]);
    for (auto step = static_cast<std::uint64_t>(steps.data()[i]); game.player(s.state) == kChancePlayer;
         ++step) {
      game.outcomes(s.state, outcomes);
      const std::uint64_t lot = extended_address(extended_address(seeds.data()[i], step), use);
      const Action action = drawn_outcome(outcomes, static_cast<double>(lot >> 11) * 0x1p-53);
      game.apply(s.state, action);
      s.history.push_back(action);
      row.push_back(static_cast<std::int32_t>(i));
      outcome.push_back(action);
      paid.push_back(last_reward(game, s.state));
    }
    player.push_back(game.player(s.state));
  }
  return nb::make_tuple(column(std::move(row)), column(std::move(outcome)), column(std::move(player)),
                        column(std::move(paid)));
}

template <Game G>
nb::tuple observe_states(const G& game, nb::list states) {
  const std::size_t rows = nb::len(states);
  const std::size_t size = observation_size(game);
  const auto choices = static_cast<std::size_t>(game.num_actions());
  std::vector<float> observation(rows * size);
  std::vector<std::uint8_t> legal(rows * choices);
  std::vector<Action> actions;
  for (std::size_t i = 0; i < rows; ++i) {
    const PyState<G>& s = held_state(game, states[i]);
    const int player = game.player(s.state);
    if (player < 0) {
      throw std::invalid_argument("states[" + std::to_string(i) + "] has no player to move");
    }
    game.observe(s.state, player, {observation.data() + i * size, size});
    game.legal_actions(s.state, actions);
    for (const Action a : actions) legal[i * choices + static_cast<std::size_t>(a)] = 1;
  }
  return nb::make_tuple(table_of_rows(std::move(observation), rows, size),
                        table_of_rows(std::move(legal), rows, choices));
}

// Returns what each move paid player 0. An illegal one throws; the moves before it are made.
template <Game G>
Column<double> apply_moves(const G& game, nb::list states, const Array<std::int32_t, 1>& actions) {
  const std::size_t count = nb::len(states);
  check_length("actions", actions.shape(0), count);
  std::vector<double> paid(count);
  for (std::size_t i = 0; i < count; ++i) {
    PyState<G>& s = held_state(game, states[i]);
    if (game.player(s.state) < 0) {
      throw std::invalid_argument("states[" + std::to_string(i) + "] has no player to move");
    }
    check_action(s, actions.data()[i]);
    game.apply(s.state, actions.data()[i]);
    s.history.push_back(actions.data()[i]);
    paid[i] = last_reward(game, s.state);
  }
  return column(std::move(paid));
}

// What each of the players sees, [B, O]; zeros where the game is over.
template <Game G>
Matrix2<float> observe_by(const G& game, nb::list states, const Array<std::int32_t, 1>& players) {
  const std::size_t rows = nb::len(states);
  check_length("players", players.shape(0), rows);
  const std::size_t size = observation_size(game);
  std::vector<float> observation(rows * size);
  for (std::size_t i = 0; i < rows; ++i) {
    const PyState<G>& s = held_state(game, states[i]);
    const int viewer = checked_viewer(s, players.data()[i]);
    if (game.player(s.state) == kTerminalPlayer) continue;
    game.observe(s.state, viewer, {observation.data() + i * size, size});
  }
  return table_of_rows(std::move(observation), rows, size);
}

}  // namespace dicezero
