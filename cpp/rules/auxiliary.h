// Targets of a finished game beside its result, so that a network learns from more than one number a game:
// for each of `planes` a number a cell of the board, row by row, then `numbers` more. All are in [-1, 1], for
// player 0; for player 1 they are the other way round. A game offers them by auxiliary_shape() and
// auxiliary_targets(state, targets).
#pragma once

#include <span>
#include <stdexcept>

#include "rules/game.h"

namespace dicezero {

struct AuxiliaryShape {
  int planes = 0;
  int numbers = 0;
};

template <Game G>
AuxiliaryShape auxiliary_shape_of(const G& game) {
  if constexpr (requires { game.auxiliary_shape(); }) {
    return game.auxiliary_shape();
  } else {
    return {};
  }
}

// Numbers among the targets of a finished game.
template <Game G>
std::size_t auxiliary_size(const G& game) {
  const AuxiliaryShape shape = auxiliary_shape_of(game);
  if (shape.planes == 0) return static_cast<std::size_t>(shape.numbers);
  const std::vector<int> seen = game.observation_shape();  // channels, height, width
  return static_cast<std::size_t>(shape.planes) * seen[1] * seen[2] + shape.numbers;
}

template <Game G>
void auxiliary_targets(const G& game, const typename G::State& state, std::span<float> targets) {
  if (game.player(state) != kTerminalPlayer) {
    throw std::invalid_argument("the game is not over; auxiliary targets are those of its end");
  }
  if constexpr (requires { game.auxiliary_targets(state, targets); }) game.auxiliary_targets(state, targets);
}

}  // namespace dicezero
