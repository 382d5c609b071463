// Many random games in a row: the speed of the rules, and nothing else.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/game.h"

namespace dicezero {

struct Playouts {
  std::uint64_t moves = 0;          // actions and chance outcomes, all games together
  double first_player_returns = 0;  // their sum
};

// `count` uniformly random games from the start, one after the other from one stream of random numbers.
template <Game G>
Playouts random_playouts(const G& game, std::uint64_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Action> actions;
  std::vector<Outcome> outcomes;
  Playouts total;
  for (std::uint64_t i = 0; i < count; ++i) {
    typename G::State state = game.initial_state();
    if constexpr (requires { game.random_game(state, rng, total.moves); }) {
      total.first_player_returns += game.random_game(state, rng, total.moves);
      continue;
    }
    for (int player; (player = game.player(state)) != kTerminalPlayer; ++total.moves) {
      game.apply(state, player == kChancePlayer ? random_outcome(game, state, rng, outcomes)
                                                : random_action(game, state, rng, actions));
    }
    total.first_player_returns += game.first_player_return(state);
  }
  return total;
}

}  // namespace dicezero
