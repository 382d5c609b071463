// How a game pays: within which range, and what each step.
#pragma once

#include <limits>
#include <stdexcept>
#include <string>

#include "rules/game.h"

namespace dicezero {

struct UtilityRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// What the action or outcome that led from `before` to `after` paid player 0, where a game pays on the way.
template <Game G>
double paid_between(const G& game, const typename G::State& before, const typename G::State& after) {
  if constexpr (requires { game.reward(before, after); }) {
    return game.reward(before, after);
  } else {
    return last_reward(game, after);
  }
}

// The least and the greatest return of a player, as the game says; infinite where it does not.
template <Game G>
UtilityRange utility_range(const G& game) {
  const UtilityRange range{game.min_utility(), game.max_utility()};
  if (!(range.low <= range.high))
    throw std::invalid_argument(full_name(game) + ": min_utility()=" + std::to_string(range.low) +
                                " is not below max_utility()=" + std::to_string(range.high));
  return range;
}

}  // namespace dicezero
