// Connect Four: what a side can be sure of by answering. Squares are paired so that whoever is to answer
// always can take the other square of a pair: two on top of each other in a column, or two landing squares
// of different columns ("claimeven" and "baseinverse" of Allis 1988, A knowledge-based approach of
// Connect-Four, chapter 3). With an even number of empty squares all of them are paired and the side to move
// is left with one of each pair; with an odd number one column may end below a threat of the side that
// answers, which the other runs out of moves before.
#pragma once

#include <bit>
#include <cstdint>

#include "rules/connect_four.h"

namespace dicezero {

class ConnectFourPairing {
 public:
  explicit ConnectFourPairing(const ConnectFour& game) : game_(game), rows_(game.rows()) {
    for (int c = 0; c < game.columns(); ++c) {
      const int bottom = c * (rows_ + 1);
      column_[c] = ((1ULL << rows_) - 1) << bottom;
      for (int r = 0; r < rows_; ++r) ((rows_ - r) % 2 == 0 ? lower_ : upper_) |= 1ULL << (bottom + r);
    }
  }

  // Can the side that is to move not win? An even number of squares must be empty.
  bool holds(std::uint64_t mover, std::uint64_t empty, std::uint64_t landing) const {
    return holds_against(mover | (empty & lower_), landing & upper_);
  }

  // Does the other side win? It threatens the squares `threats`, none of them a landing square; an odd number
  // of squares must be empty.
  bool wins(std::uint64_t mover, std::uint64_t empty, std::uint64_t landing, std::uint64_t threats) const {
    for (std::uint64_t rest = threats & lower_; rest != 0;) {
      const std::uint64_t threat = rest & -rest;
      const std::uint64_t column = column_[std::countr_zero(threat) / (rows_ + 1)];
      rest &= ~column;
      // In the threat's column the mover has the upper squares, up to the one below the threat. Its landing
      // square is one of them, or is paired with another column's.
      const std::uint64_t below = empty & upper_ & column & (threat - 1);
      const std::uint64_t lone = (landing & upper_) ^ (landing & column);
      if (holds_against(mover | (empty & lower_ & ~column) | below, lone)) return true;
    }
    return false;
  }

 private:
  // No four, though the mover has `sure` and of the landing squares `lone`, paired in some way, one of each
  // pair?
  bool holds_against(std::uint64_t sure, std::uint64_t lone) const {
    if (!game_.has_four(sure | lone)) return true;
    if (std::popcount(lone) > 4 || game_.has_four(sure)) return false;
    const std::uint64_t first = lone & -lone;
    for (std::uint64_t rest = lone ^ first; rest != 0; rest &= rest - 1) {
      const std::uint64_t second = rest & -rest;
      const std::uint64_t third = (lone ^ first ^ second) & -(lone ^ first ^ second);
      const std::uint64_t fourth = lone ^ first ^ second ^ third;
      if (breaks(sure | first, third, fourth) || breaks(sure | second, third, fourth)) continue;
      return true;
    }
    return false;
  }

  bool breaks(std::uint64_t sure, std::uint64_t one, std::uint64_t other) const {
    return game_.has_four(sure | one) || (other != 0 && game_.has_four(sure | other));
  }

  const ConnectFour& game_;
  int rows_;
  std::uint64_t column_[16] = {};
  std::uint64_t lower_ = 0;  // of each pair in a column, pairs counted from the top
  std::uint64_t upper_ = 0;  // the other; a landing square among these has no partner in its column
};

}  // namespace dicezero
