// Connect Four: threats, open lines, and the moves that can matter.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "rules/connect_four.h"
#include "search/knowledge.h"

namespace dicezero {

template <>
struct Knowledge<ConnectFour> {
  static constexpr bool kEvaluates = true;
  using State = ConnectFour::State;

  explicit Knowledge(const ConnectFour& game) : rows_(game.rows()), columns_(game.columns()) {
    for (int c = 0; c < columns_; ++c) {
      bottom_ |= bit(c, 0);
      for (int r = 0; r < rows_; ++r) {
        for (const auto& [dc, dr] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
          const int last_row = r + 3 * dr;
          if (c + 3 * dc >= columns_ || last_row < 0 || last_row >= rows_) continue;
          std::uint64_t line = 0;
          for (int i = 0; i < 4; ++i) line |= bit(c + i * dc, r + i * dr);
          lines_.push_back(line);
        }
      }
    }
    board_ = bottom_ * ((1ULL << rows_) - 1);
    for (int r = 0; r < rows_; ++r) centre_ |= bit(columns_ / 2, r) | bit((columns_ - 1) / 2, r);
  }

  // Lines only one side can still fill count by the side's stones on them; stones in the centre a little.
  double evaluate(const State& s) const {
    static constexpr double kWeights[4] = {0.0, 0.004, 0.02, 0.08};
    static constexpr double kCentre = 0.02;
    double sum = kCentre * (std::popcount(s.stones[0] & centre_) - std::popcount(s.stones[1] & centre_));
    for (const std::uint64_t line : lines_) {
      const std::uint64_t first = s.stones[0] & line;
      const std::uint64_t second = s.stones[1] & line;
      if (second == 0) sum += kWeights[std::popcount(first) & 3];
      if (first == 0) sum -= kWeights[std::popcount(second) & 3];
    }
    return std::clamp(sum, -kMostEvaluation, kMostEvaluation);
  }

  // Quiet: nobody can complete four with the next stone.
  bool is_quiet(const State& s) const {
    return (landing(s) & (winning_squares(s, 0) | winning_squares(s, 1))) == 0;
  }

  // Leaves only moves that can matter two plies deep, without changing the value: a win if there is one, else
  // the answers to the other side's threats, else what does not hand it a win on top of the stone just
  // played. At least one move is left.
  void keep_relevant(const State& s, std::vector<Action>& actions) const {
    const int mover = s.plies & 1;
    const std::uint64_t open = landing(s);
    if (const std::uint64_t wins = open & winning_squares(s, mover)) return keep(wins & -wins, actions);
    const std::uint64_t threats = winning_squares(s, 1 - mover);
    const std::uint64_t forced = open & threats;
    std::uint64_t sound = open & ~(threats >> 1);
    if (forced != 0) sound = std::has_single_bit(forced) ? sound & forced : 0;
    keep(sound != 0 ? sound : forced != 0 ? forced & -forced : open & -open, actions);
  }

  // More is tried earlier: new threats first, then the centre.
  int promise(const State& s, Action column) const {
    const int mover = s.plies & 1;
    const std::uint64_t column_mask = ((1ULL << rows_) - 1) << (column * (rows_ + 1));
    State after = s;
    after.stones[mover] |= landing(s) & column_mask;
    return 16 * std::popcount(winning_squares(after, mover)) - std::abs(2 * column - (columns_ - 1));
  }

 private:
  std::uint64_t bit(int column, int row) const { return 1ULL << (column * (rows_ + 1) + row); }

  std::uint64_t landing(const State& s) const { return ((s.stones[0] | s.stones[1]) + bottom_) & board_; }

  void keep(std::uint64_t squares, std::vector<Action>& actions) const {
    actions.clear();
    for (; squares != 0; squares &= squares - 1) actions.push_back(std::countr_zero(squares) / (rows_ + 1));
  }

  // Empty squares, reachable now or later, that would complete four stones of the side.
  std::uint64_t winning_squares(const State& s, int side) const {
    const std::uint64_t p = s.stones[side];
    std::uint64_t squares = (p << 1) & (p << 2) & (p << 3);  // up a column
    for (const int step : {rows_, rows_ + 1, rows_ + 2}) {
      const std::uint64_t after_two = (p << step) & (p << 2 * step);   // two stones before the square
      const std::uint64_t before_two = (p >> step) & (p >> 2 * step);  // two stones behind it
      squares |= after_two & ((p << 3 * step) | (p >> step));
      squares |= before_two & ((p >> 3 * step) | (p << step));
    }
    return squares & board_ & ~(s.stones[0] | s.stones[1]);
  }

  int rows_;
  int columns_;
  std::uint64_t bottom_ = 0;
  std::uint64_t board_ = 0;
  std::uint64_t centre_ = 0;  // the middle column, or both middle ones
  std::vector<std::uint64_t> lines_;
};

}  // namespace dicezero
