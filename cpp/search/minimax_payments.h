// What moves pay on the way and what the discount makes of it: a value is what is still to come, so what a
// move pays is added when the search comes back over it.
#pragma once

#include <algorithm>

#include "search/minimax.h"

namespace dicezero {

// Searches a child unrecorded: what the way to it pays and, a step later if somebody decides there, what the
// child is worth.
template <Game G>
double Minimax<G>::follow(const State& child, Left left, double alpha, double beta, int ply) {
  if constexpr (!kMayPay<G> && !kMayDiscount<G>) {
    return search(child, left, alpha, beta, ply);
  } else {
    const double paid = paid_by_move_to(child);
    const double weight = weight_of(child);
    const double low = (alpha - paid) / weight, high = (beta - paid) / weight;
    const double below = search(child, left, low, high, ply);
    const double value = paid + weight * below;
    // Rounding must not turn a bound into a value inside the window.
    return below >= high ? std::max(value, beta) : below <= low ? std::min(value, alpha) : value;
  }
}

// What the end of a game is still worth: nothing where all was paid on the way.
template <Game G>
double Minimax<G>::end_value(const State& s) const {
  return pays_ ? 0.0 : for_maximiser(game_.first_player_return(s));
}

template <Game G>
double Minimax<G>::paid_by_move_to(const State& s) const {
  if constexpr (kMayPay<G>) {
    if (pays_) return for_maximiser(game_.reward(s));
  }
  return 0.0;
}

// What the value of a state counts in the step that led there.
template <Game G>
double Minimax<G>::weight_of(const State& s) const {
  if constexpr (kMayDiscount<G>) {
    if (discount_ != 1.0 && game_.player(s) >= 0) return discount_;
  }
  return 1.0;
}

// The value a move leads to at once: its utility at the end of the game, else its evaluation.
template <Game G>
double Minimax<G>::static_value(const State& s) const {
  const double worth = game_.player(s) == kTerminalPlayer ? end_value(s) : evaluate(s);
  return paid_by_move_to(s) + weight_of(s) * worth;
}

}  // namespace dicezero
