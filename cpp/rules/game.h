// What a game is. A game is an immutable object that holds its parameters; a state is a small value
// that only the game can read. Every algorithm of the core is a template over this concept, so a new
// game is one header (docs/add-a-game.md walks through the smallest of them).
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rules/random.h"

namespace dicezero {

// Actions and chance outcomes have ids from 0, each in a range of its own, as in OpenSpiel.
using Action = std::int32_t;

inline constexpr Action kNoAction = -1;
inline constexpr int kChancePlayer = -1;
inline constexpr int kTerminalPlayer = -4;

struct Outcome {
  Action action;
  double probability;
};

struct Parameter {
  std::string name;
  int value;
};

template <class G>
concept Game = std::copyable<typename G::State> &&
               requires(const G& game, const typename G::State& state, typename G::State& changed,
                        Action action, int player, std::vector<Action>& actions,
                        std::vector<Outcome>& outcomes, std::span<float> tensor) {
                 { game.name() } -> std::same_as<std::string>;
                 { game.parameters() } -> std::same_as<std::vector<Parameter>>;

                 // Shape of the game.
                 { game.num_actions() } -> std::same_as<int>;          // choice actions are 0..num_actions-1
                 { game.num_chance_outcomes() } -> std::same_as<int>;  // 0 for a game without chance
                 { game.num_players() } -> std::same_as<int>;          // 1 or 2
                 { game.max_game_length() } -> std::same_as<int>;  // upper bound, or 0 where there is none
                 { game.observation_shape() } -> std::same_as<std::vector<int>>;

                 // Rules. `apply` trusts its caller: the bindings check the action first.
                 { game.initial_state() } -> std::same_as<typename G::State>;
                 { game.player(state) } -> std::same_as<int>;  // 0, 1, kChancePlayer or kTerminalPlayer
                 {
                   game.legal_actions(state, actions)
                 } -> std::same_as<void>;                                   // choice nodes; sorted, replaces
                 { game.outcomes(state, outcomes) } -> std::same_as<void>;  // chance nodes; sorted, replaces
                 { game.apply(changed, action) } -> std::same_as<void>;
                 { game.first_player_return(state) } -> std::same_as<double>;  // at the end; zero-sum

                 // How it looks. `observe` writes the tensor from that player's view.
                 { game.observe(state, player, tensor) } -> std::same_as<void>;
                 { game.action_string(state, action) } -> std::same_as<std::string>;
                 { game.to_string(state) } -> std::same_as<std::string>;

                 // Two states have one key if and only if the game goes on alike from both.
                 { game.key(state) } -> std::equality_comparable;
               };

// The name as it is written: nannon(points=6,checkers=3,sides=6).
template <Game G>
std::string full_name(const G& game) {
  std::string text;
  for (const Parameter& p : game.parameters()) {
    if (!text.empty()) text += ',';
    text += p.name + "=" + std::to_string(p.value);
  }
  return text.empty() ? game.name() : game.name() + "(" + text + ")";
}

// One uniformly random legal action of a choice node. Games with bitboards offer a faster one.
template <Game G>
Action random_action(const G& game, const typename G::State& state, Rng& rng, std::vector<Action>& buffer) {
  if constexpr (requires {
                  { game.random_action(state, rng) } -> std::same_as<Action>;
                }) {
    return game.random_action(state, rng);
  } else {
    game.legal_actions(state, buffer);
    return buffer[rng.below(static_cast<std::uint32_t>(buffer.size()))];
  }
}

// Roulette: one outcome drawn by its probability.
inline Action sample_outcome(std::span<const Outcome> outcomes, Rng& rng) {
  double u = rng.uniform();
  for (const Outcome& outcome : outcomes) {
    if (u < outcome.probability) return outcome.action;
    u -= outcome.probability;
  }
  return outcomes.back().action;  // rounding left a sliver above the last cumulative sum
}

// One outcome of a chance node. Games with a plain die offer a faster one.
template <Game G>
Action random_outcome(const G& game, const typename G::State& state, Rng& rng, std::vector<Outcome>& buffer) {
  if constexpr (requires {
                  { game.random_outcome(state, rng) } -> std::same_as<Action>;
                }) {
    return game.random_outcome(state, rng);
  } else {
    game.outcomes(state, buffer);
    return sample_outcome(buffer, rng);
  }
}

// Plays to the end at random. Returns the first player's return. Games may offer a faster one.
template <Game G>
double play_out(const G& game, typename G::State state, Rng& rng, std::vector<Action>& actions,
                std::vector<Outcome>& outcomes) {
  if constexpr (requires {
                  { game.random_return(state, rng) } -> std::same_as<double>;
                }) {
    return game.random_return(state, rng);
  } else {
    for (int player; (player = game.player(state)) != kTerminalPlayer;) {
      game.apply(state, player == kChancePlayer ? random_outcome(game, state, rng, outcomes)
                                                : random_action(game, state, rng, actions));
    }
    return game.first_player_return(state);
  }
}

}  // namespace dicezero
