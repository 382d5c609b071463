// Backgammon with one to three checkers a side, exactly: every position before a roll, seen by who rolls.
// Both sides have the same positions, so a table of them [own, other] is all there is.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/afterstates.h"
#include "rules/backgammon.h"
#include "solve/backgammon_bearoff.h"

namespace dicezero {

// The places of one side's checkers: borne off, 24 points, the bar. Their number does not depend on others.
class HyperSides {
 public:
  static constexpr int kPlaces = 26;
  using Counts = std::array<std::uint8_t, kPlaces>;

  explicit HyperSides(int checkers) {
    Counts counts{};
    enumerate(counts, 0, checkers);
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(counts_.size()); }
  const Counts& counts(std::uint32_t side) const { return counts_[side]; }

  // The places, each pushed one further than the one before, are a choice of numbers; this is its rank.
  static std::uint32_t number(const Counts& counts) {
    std::uint32_t rank = 0, taken = 0;
    for (std::uint32_t place = 0; place < kPlaces; ++place) {
      for (int n = counts[place]; n > 0; --n, ++taken) rank += choose(place + taken, taken + 1);
    }
    return rank;
  }

  int pips(std::uint32_t side) const {
    int sum = 0;
    for (int place = 1; place < kPlaces; ++place)
      sum += place * counts_[side][static_cast<std::size_t>(place)];
    return sum;
  }

 private:
  static std::uint32_t choose(std::uint32_t n, std::uint32_t k) {  // k is 1..3
    return k == 1 ? n : k == 2 ? n * (n - 1) / 2 : n * (n - 1) * (n - 2) / 6;
  }

  void enumerate(Counts& counts, std::size_t place, int left) {
    if (place + 1 == kPlaces) {
      counts[place] = static_cast<std::uint8_t>(left);
      const std::uint32_t at = number(counts);
      if (counts_.size() <= at) counts_.resize(at + 1);
      counts_[at] = counts;
      counts[place] = 0;
      return;
    }
    for (int n = 0; n <= left; ++n) {
      counts[place] = static_cast<std::uint8_t>(n);
      enumerate(counts, place + 1, left - n);
    }
    counts[place] = 0;
  }

  std::vector<Counts> counts_;
};

// Value iteration in place, over positions with few pips first: only who is hit goes back.
class HyperTable {
 public:
  explicit HyperTable(int checkers) : game_(start_of(checkers), "full", "classical"), sides_(checkers) {
    const std::uint32_t n = sides_.size();
    std::vector<int> pips(n);
    for (std::uint32_t side = 0; side < n; ++side) pips[side] = sides_.pips(side);
    for (std::uint32_t own = 0; own < n; ++own) {
      for (std::uint32_t other = 0; other < n; ++other) {
        if (possible(own, other)) order_.push_back(own * n + other);
      }
    }
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return pips[a / n] + pips[a % n] < pips[b / n] + pips[b % n];
    });
    counts_.reserve(21 * order_.size());
    equity_.assign(static_cast<std::size_t>(n) * n, 0.0);
  }

  const HyperSides& sides() const { return sides_; }
  std::size_t positions() const { return order_.size(); }
  std::size_t built() const { return built_; }
  std::size_t bytes() const {
    std::size_t sum = 4 * order_.capacity() + 2 * counts_.capacity() + 8 * equity_.capacity();
    for (const auto& part : next_) sum += 4 * part.capacity();
    return sum;
  }
  const std::vector<double>& equity() const { return equity_; }

  // Lists the turns of so many more positions.
  void build(std::size_t positions) {
    const std::uint32_t n = sides_.size();
    std::vector<std::uint32_t> found, all;
    for (const std::size_t end = std::min(order_.size(), built_ + positions); built_ < end; ++built_) {
      Backgammon::State state = game_.initial_state();
      state.opening = 0;
      state.board.checkers = {sides_.counts(order_[built_] / n), sides_.counts(order_[built_] % n)};
      each_roll([&](int large, int small, double) {
        Backgammon::State rolled = state;
        rolled.large = static_cast<std::uint8_t>(large);
        rolled.small = static_cast<std::uint8_t>(small);
        found.clear();
        for_each_turn(game_, rolled, [&](Action, const Backgammon::State& after, double) {
          const auto& boards = after.board.checkers;
          found.push_back(after.points != 0
                              ? kWon + after.points
                              : HyperSides::number(boards[1]) * n + HyperSides::number(boards[0]));
        });
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        counts_.push_back(static_cast<std::uint16_t>(found.size()));
        all.insert(all.end(), found.begin(), found.end());
      });
    }
    next_.emplace_back(all);  // no larger than it is: one vector for all would take twice its room to grow
    ends_.push_back(built_);
  }

  // Every value once more from those that follow it; returns by how much the one that changed most did.
  double sweep() {
    std::array<double, 21> probability;
    std::size_t roll = 0;
    each_roll([&](int, int, double p) { probability[roll++] = p; });
    double residual = 0.0;
    const std::uint16_t* count = counts_.data();
    std::size_t at = 0;
    for (std::size_t part = 0; part < next_.size(); ++part) {
      const std::uint32_t* next = next_[part].data();
      for (; at < ends_[part]; ++at) {
        double value = 0.0;
        for (std::size_t r = 0; r < 21; ++r, ++count) {
          double best = -kMostPoints;
          for (int i = 0; i < *count; ++i, ++next) {
            best = std::max(best, *next >= kWon ? static_cast<double>(*next - kWon) : -equity_[*next]);
          }
          value += probability[r] * best;
        }
        residual = std::max(residual, std::abs(value - equity_[order_[at]]));
        equity_[order_[at]] = value;
      }
    }
    return residual;
  }

 private:
  static constexpr std::uint32_t kWon = 0xfffffff0u;  // and how many points
  static constexpr double kMostPoints = 3.0;
  static constexpr double kBytes[] = {0.1e6, 30e6, 4.4e9};  // of a table whose turns are all listed

  static std::string start_of(int checkers) {
    if (checkers < 1 || checkers > 3) {
      throw std::invalid_argument("checkers=" + std::to_string(checkers) + " is out of range; give 1..3");
    }
    memory::claim(kBytes[checkers - 1], "hypergammon with checkers=" + std::to_string(checkers),
                  "take fewer checkers");
    return checkers == 3 ? "hyper" : "hyper" + std::to_string(checkers);
  }

  // Both have checkers left, and nowhere do they stand on the same point.
  bool possible(std::uint32_t own, std::uint32_t other) const {
    const auto &mine = sides_.counts(own), &theirs = sides_.counts(other);
    for (std::size_t p = 1; p <= 24; ++p) {
      if (mine[p] != 0 && theirs[25 - p] != 0) return false;
    }
    const int all = game_.checkers();
    return mine[0] != all && theirs[0] != all;
  }

  Backgammon game_;
  HyperSides sides_;
  std::vector<std::uint32_t> order_;              // [positions] own * sides + other
  std::vector<double> equity_;                    // [sides * sides]
  std::vector<std::vector<std::uint32_t>> next_;  // turns, in the order of positions and rolls, in parts
  std::vector<std::size_t> ends_;                 // of the parts, in positions
  std::vector<std::uint16_t> counts_;             // [positions * 21] how many turns there are
  std::size_t built_ = 0;
};

}  // namespace dicezero
