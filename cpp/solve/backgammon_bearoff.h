// Bearing off without contact, exactly: how long one side takes, and who wins the race of two.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/backgammon_moves.h"
#include "rules/memory.h"

namespace dicezero {

// The positions of up to n checkers on a side's six home points. The number of a position does not depend on
// n: those with fewer checkers come first, number 0 is the empty board.
class BearoffPositions {
 public:
  static constexpr int kPoints = 6;
  using Counts = std::array<std::uint8_t, kPoints>;  // checkers on points 1..6

  explicit BearoffPositions(int checkers) {
    if (checkers < 1 || checkers > 15) {
      throw std::invalid_argument("checkers=" + std::to_string(checkers) + " is out of range; give 1..15");
    }
    counts_.resize(static_cast<std::size_t>(choose(checkers + kPoints, kPoints)));
    Counts counts{};
    enumerate(counts, 0, checkers);
    by_pips_.resize(counts_.size());
    std::iota(by_pips_.begin(), by_pips_.end(), 0u);
    std::stable_sort(by_pips_.begin(), by_pips_.end(), [&](auto a, auto b) { return pips(a) < pips(b); });
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(counts_.size()); }
  const Counts& counts(std::uint32_t position) const { return counts_[position]; }
  const std::vector<std::uint32_t>& by_pips() const { return by_pips_; }  // nearest to the end first

  // The partial sums, each pushed one further than the one before, are a choice of 6 numbers; this is its
  // rank.
  static std::uint32_t number(const Counts& counts) {
    std::uint32_t rank = 0;
    int sum = 0;
    for (int k = 0; k < kPoints; ++k) {
      sum += counts[static_cast<std::size_t>(k)];
      rank += static_cast<std::uint32_t>(choose(sum + k, k + 1));
    }
    return rank;
  }

  // Positions after a roll, each once.
  std::vector<std::uint32_t> after(std::uint32_t position, int large, int small) const {
    BackgammonBoard board;
    for (std::size_t p = 1; p <= kPoints; ++p) board.checkers[0][p] = counts_[position][p - 1];
    std::vector<std::uint32_t> found;
    std::vector<Action> actions;
    if (large != small) {
      backgammon::mixed_pairs(BackgammonView(board, 0), large, small).list(actions);
      for (const Action action : actions) found.push_back(number(moved(board, action, large, small)));
      return found;
    }
    backgammon::double_pairs(BackgammonView(board, 0), large, kPoints, 4).list(actions);
    std::vector<Action> rest;
    for (const Action action : actions) {
      BackgammonBoard half = board;
      move(half, action, large, small);
      const int limit = BackgammonPairs::second(action);
      if (limit == 0) {
        found.push_back(number(home(half)));
        continue;
      }
      backgammon::double_pairs(BackgammonView(half, 0), large, limit, 2).list(rest);
      for (const Action second : rest) found.push_back(number(moved(half, second, large, small)));
    }
    return found;
  }

 private:
  static int choose(int n, int k) {
    if (k > n) return 0;
    std::int64_t result = 1;
    for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
    return static_cast<int>(result);
  }

  void enumerate(Counts& counts, std::size_t point, int left) {
    if (point == kPoints) {
      counts_[number(counts)] = counts;
      return;
    }
    for (int n = 0; n <= left; ++n) {
      counts[point] = static_cast<std::uint8_t>(n);
      enumerate(counts, point + 1, left - n);
    }
    counts[point] = 0;
  }

  int pips(std::uint32_t position) const {
    int sum = 0;
    for (int p = 0; p < kPoints; ++p) sum += (p + 1) * counts_[position][static_cast<std::size_t>(p)];
    return sum;
  }

  static void move(BackgammonBoard& board, Action action, int large, int small) {
    if (const int from = BackgammonPairs::first(action); from != 0) board.move(0, from, large);
    if (const int from = BackgammonPairs::second(action); from != 0) board.move(0, from, small);
  }
  static Counts home(const BackgammonBoard& board) {
    Counts counts;
    for (std::size_t p = 1; p <= kPoints; ++p) counts[p - 1] = board.checkers[0][p];
    return counts;
  }
  static Counts moved(BackgammonBoard board, Action action, int large, int small) {
    move(board, action, large, small);
    return home(board);
  }

  std::vector<Counts> counts_;
  std::vector<std::uint32_t> by_pips_;
};

// Calls f(large, small, probability) for the 21 rolls.
template <class F>
void each_roll(F&& f) {
  for (int large = 1; large <= 6; ++large) {
    for (int small = 1; small <= large; ++small) f(large, small, large == small ? 1.0 / 36 : 2.0 / 36);
  }
}

// One side alone, moved so that it needs the fewest rolls on average.
struct OneSidedBearoff {
  static constexpr int kMaxRolls = 32;
  std::vector<double> mean_rolls;                         // [positions]
  std::vector<std::array<double, kMaxRolls>> roll_count;  // [positions][rolls] probability of needing so many
};

inline OneSidedBearoff one_sided_bearoff(const BearoffPositions& positions) {
  OneSidedBearoff table{std::vector<double>(positions.size()), {}};
  table.roll_count.resize(positions.size(), {});
  table.roll_count[0][0] = 1.0;
  for (const std::uint32_t position : positions.by_pips()) {
    if (position == 0) continue;
    double mean = 1.0;
    auto& count = table.roll_count[position];
    each_roll([&](int large, int small, double probability) {
      const std::vector<std::uint32_t> after = positions.after(position, large, small);
      const std::uint32_t best = *std::min_element(after.begin(), after.end(), [&](auto a, auto b) {
        return table.mean_rolls[a] < table.mean_rolls[b];
      });
      mean += probability * table.mean_rolls[best];
      for (std::size_t n = 1; n < count.size(); ++n) count[n] += probability * table.roll_count[best][n - 1];
    });
    table.mean_rolls[position] = mean;
  }
  return table;
}

// Two sides that bear off by turns: the rolls of both, and an order in which every pair of positions comes
// after those that it leads to.
class TwoSidedRace {
 public:
  explicit TwoSidedRace(const BearoffPositions& positions)
      : order_(positions.by_pips()), size_(positions.size()), after_(size_ * 21) {
    for (std::uint32_t position = 1; position < size_; ++position) {
      std::size_t roll = 0;
      each_roll([&](int large, int small, double) {
        after_[21 * position + roll++] = positions.after(position, large, small);
      });
    }
    std::size_t roll = 0;
    each_roll([&](int, int, double p) { probability_[roll++] = p; });
  }

  std::size_t size() const { return size_; }

  // Calls settle(own, other) for all pairs of positions in which both have checkers left. A value needs those
  // with the sides changed and fewer pips of the one that moved, so (a, b) and (b, a) are made side by side,
  // in the order of their pips, and each is final when it is made.
  template <class F>
  void each_pair(F&& settle) const {
    for (std::size_t i = 1; i < size_; ++i) {
      for (std::size_t j = 1; j < i; ++j) {
        settle(order_[j], order_[i]);
        settle(order_[i], order_[j]);
      }
      settle(order_[i], order_[i]);
    }
  }

  // The mean over rolls of the best turn of the side to roll; `theirs` [positions * positions] is what the
  // other side may expect when it is to roll.
  double rolled(const std::vector<double>& theirs, std::uint32_t own, std::uint32_t other) const {
    double value = 0.0;
    for (std::size_t r = 0; r < 21; ++r) {
      double best = -std::numeric_limits<double>::infinity();
      for (const std::uint32_t next : after_[21 * own + r]) {
        best = std::max(best, next == 0 ? 1.0 : -theirs[other * size_ + next]);
      }
      value += probability_[r] * best;
    }
    return value;
  }

 private:
  const std::vector<std::uint32_t>& order_;
  std::size_t size_;
  std::vector<std::vector<std::uint32_t>> after_;  // [positions * 21]
  std::array<double, 21> probability_;
};

// Before tables of all pairs of positions are made.
inline void claim_pairs(const BearoffPositions& positions, int tables) {
  const double n = positions.size();
  memory::claim(8.0 * tables * n * n,
                "a race of two sides of " + std::to_string(positions.size()) + " positions",
                "take fewer checkers");
}

// Both sides: [positions * positions], what the side to roll may expect (1 for a win, -1 for a loss, no cube)
// from its own position (row) against the other's (column). Both have borne off a checker, or gammons would
// count.
inline std::vector<double> two_sided_bearoff(const BearoffPositions& positions) {
  claim_pairs(positions, 1);
  const TwoSidedRace race(positions);
  const std::size_t n = race.size();
  std::vector<double> equity(n * n, -1.0);  // who has nothing left when the other is to roll has won
  race.each_pair([&](std::uint32_t own, std::uint32_t other) {
    equity[own * n + other] = race.rolled(equity, own, other);
  });
  return equity;
}

// The same with a doubling cube that both turn perfectly, in money play: [3 * positions * positions], what
// the side to roll may expect if it does not double this time, in units of the cube, for a cube in the
// centre, its own, and the other's.
inline std::vector<double> two_sided_cube(const BearoffPositions& positions) {
  claim_pairs(positions, 9);  // six while it works, three to hand over
  const TwoSidedRace race(positions);
  const std::size_t n = race.size();
  enum { kCentre, kOwn, kOthers };
  std::array<std::vector<double>, 3> stays, best;  // where the cube is not turned, and where it may be
  for (int cube = kCentre; cube <= kOthers; ++cube) {
    stays[static_cast<std::size_t>(cube)] = std::vector<double>(n * n, -1.0);
    best[static_cast<std::size_t>(cube)] = std::vector<double>(n * n, -1.0);
  }
  race.each_pair([&](std::uint32_t own, std::uint32_t other) {
    const std::size_t at = own * n + other;
    stays[kCentre][at] = race.rolled(best[kCentre], own, other);
    stays[kOwn][at] = race.rolled(best[kOthers], own, other);  // mine is the other's in the other's eyes
    stays[kOthers][at] = race.rolled(best[kOwn], own, other);
    const double doubled = std::min(1.0, 2.0 * stays[kOthers][at]);  // taken, or passed
    best[kCentre][at] = std::max(stays[kCentre][at], doubled);
    best[kOwn][at] = std::max(stays[kOwn][at], doubled);
    best[kOthers][at] = stays[kOthers][at];
  });
  std::vector<double> all;
  for (const auto& table : stays) all.insert(all.end(), table.begin(), table.end());
  return all;
}

}  // namespace dicezero
