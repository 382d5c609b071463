// Connect Four: threats, open lines, and the moves that can matter.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "rules/connect_four.h"
#include "search/connect_four_pairing.h"
#include "search/knowledge.h"

namespace dicezero {

template <>
struct Knowledge<ConnectFour> {
  static constexpr bool kEvaluates = true;
  using State = ConnectFour::State;

  explicit Knowledge(const ConnectFour& game)
      : game_(game), pairing_(game), rows_(game.rows()), columns_(game.columns()) {
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
    if (const std::uint64_t sound = sound_squares(open, threats)) return keep(sound, actions);
    const std::uint64_t forced = open & threats;
    keep(forced != 0 ? forced & -forced : open & -open, actions);
  }

  // Wins and losses within two plies; what cannot be won because no line is open or the other side can always
  // answer.
  Foresight foresee(const State& s) const {
    const int mover = s.plies & 1;
    const std::uint64_t open = landing(s);
    if ((open & winning_squares(s, mover)) != 0) return seen_by(mover, {1.0, 1.0});
    const std::uint64_t threats = winning_squares(s, 1 - mover);
    const std::uint64_t sound = sound_squares(open, threats);
    if (sound == 0) return seen_by(mover, {-1.0, -1.0});
    const std::uint64_t empty = board_ & ~(s.stones[0] | s.stones[1]);
    const std::uint64_t own = s.stones[mover];
    const bool odd = (rows_ * columns_ - s.plies) % 2 != 0;
    if (odd && pairing_.wins(own, empty, open, threats & ~open)) return seen_by(mover, {-1.0, -1.0});
    const bool held = !game_.has_four(own | empty) || (!odd && pairing_.holds(own, empty, open));
    const bool holds = !game_.has_four(s.stones[1 - mover] | empty);
    return seen_by(mover, {holds ? 0.0 : -1.0, held ? 0.0 : 1.0, std::has_single_bit(sound)});
  }

  // More is tried earlier: new threats first, then the centre.
  int promise(const State& s, Action column) const {
    const int mover = s.plies & 1;
    const std::uint64_t column_mask = ((1ULL << rows_) - 1) << (column * (rows_ + 1));
    State after = s;
    after.stones[mover] |= landing(s) & column_mask;
    int threats = 0;  // counted one by one: they are few, and not every processor counts bits itself
    for (std::uint64_t rest = winning_squares(after, mover); rest != 0; rest &= rest - 1) ++threats;
    return 16 * threats - std::abs(2 * column - (columns_ - 1));
  }

 private:
  std::uint64_t bit(int column, int row) const { return 1ULL << (column * (rows_ + 1) + row); }

  std::uint64_t landing(const State& s) const { return ((s.stones[0] | s.stones[1]) + bottom_) & board_; }

  // Landing squares that do not lose within two plies, where there is no win at once: none is left out that
  // could be worth more.
  static std::uint64_t sound_squares(std::uint64_t open, std::uint64_t threats) {
    const std::uint64_t forced = open & threats;
    const std::uint64_t sound = open & ~(threats >> 1);
    if (forced == 0) return sound;
    return std::has_single_bit(forced) ? sound & forced : 0;
  }

  static Foresight seen_by(int mover, Foresight own) {
    return mover == 0 ? own : Foresight{-own.high, -own.low, own.forced};
  }

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

  const ConnectFour& game_;
  ConnectFourPairing pairing_;
  int rows_;
  int columns_;
  std::uint64_t bottom_ = 0;
  std::uint64_t board_ = 0;
  std::uint64_t centre_ = 0;  // the middle column, or both middle ones
  std::vector<std::uint64_t> lines_;
};

}  // namespace dicezero
