// What a search may know of a game beyond its rules: a weighted linear evaluation, which positions are quiet,
// which moves can matter and which to try first. A game without an entry of its own is searched without; an
// entry stands in a header of the game's own, which the game's unit includes.
#pragma once

#include "rules/game.h"

namespace dicezero {

// The largest absolute evaluation: a position that is not over is never worth a whole win or loss.
inline constexpr double kMostEvaluation = 0.99;

// What a glance tells of the rest of the game, without changing what the moves are worth: bounds of the value
// (first player's view), and whether a single move can matter, so that the position itself need not be
// remembered. A game's entry may offer `Foresight foresee(state)`.
struct Foresight {
  double low, high;
  bool forced = false;
};

template <Game G>
struct Knowledge {
  static constexpr bool kEvaluates = false;
  explicit Knowledge(const G&) {}

  // First player's view, within [-kMostEvaluation, kMostEvaluation].
  double evaluate(const typename G::State&) const { return 0.0; }
  // No move from here would change the evaluation radically.
  bool is_quiet(const typename G::State&) const { return true; }
};

}  // namespace dicezero
