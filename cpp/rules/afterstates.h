// Afterstates: the positions right after each legal move, before chance or the other player acts.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "rules/game.h"

namespace dicezero {

// Calls f(action, afterstate, reward) for every way to play the turn to its end: `action` is the first of it,
// `reward` what all of it paid player 0. Where no action is only part of a turn, that is every action.
template <Game G, class F>
void for_each_turn(const G& game, const typename G::State& state, F&& f, Action first = kNoAction,
                   double before = 0.0) {
  std::vector<Action> actions;
  game.legal_actions(state, actions);
  for (const Action action : actions) {
    typename G::State after = state;
    game.apply(after, action);
    const Action begun = first == kNoAction ? action : first;
    const double reward = before + last_reward(game, after);
    if (mid_turn(game, after)) {
      for_each_turn(game, after, f, begun, reward);
    } else {
      f(begun, after, reward);
    }
  }
}

// M afterstates of B positions, in the order of the positions and, within one, of the actions' ids. All is
// seen by the player who moved.
struct Afterstates {
  std::vector<std::int32_t> row;     // [M], the position it comes from
  std::vector<std::int32_t> action;  // [M], the move that leads to it; the same for all its ways to go on
  std::vector<float> observation;    // [M, O]; zeros once the game is over
  std::vector<float> result;         // [M], the return once the game is over; NaN while it goes on
  std::vector<float> reward;         // [M], what the move paid (the last move of a game pays its return)
};

template <Game G>
Afterstates afterstates(const G& game, const std::vector<typename G::State>& positions) {
  const std::size_t size = observation_size(game);
  Afterstates found;
  for (std::size_t row = 0; row < positions.size(); ++row) {
    const int mover = game.player(positions[row]);
    if (mover < 0) throw std::invalid_argument("state " + std::to_string(row) + " has no player to move");
    for_each_turn(game, positions[row], [&](Action action, const typename G::State& after, double reward) {
      const bool over = game.player(after) == kTerminalPlayer;
      const std::size_t at = found.observation.size();
      found.row.push_back(static_cast<std::int32_t>(row));
      found.action.push_back(action);
      found.observation.resize(at + size);
      // The one place where a result changes sides: games count for the first player.
      const float sign = mover == 0 ? 1.0f : -1.0f;
      float result = std::numeric_limits<float>::quiet_NaN();
      if (over) {
        result = sign * static_cast<float>(game.first_player_return(after));
      } else {
        game.observe(after, mover, std::span(found.observation).subspan(at, size));
      }
      found.result.push_back(result);
      found.reward.push_back(sign * static_cast<float>(reward));
    });
  }
  return found;
}

}  // namespace dicezero
