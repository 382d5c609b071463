// A lower bound of a set's size from independent samples of it: where they hardly ever meet, the set is
// large.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace dicezero {

// A state that sample `run` holds, found so many moves from the start.
struct Draw {
  std::uint64_t key;
  std::uint32_t depth;
  std::uint32_t run;
};

// The states that `runs` independent samples of a game, all drawn in one way, hold; no sample one twice.
//
// Give each draw a weight, and let x(s) be the mean weight with which a sample holds state s. Two samples
// then share sum x(s)^2 on average, and by Cauchy and Schwarz there are at least (sum x(s))^2 / sum x(s)^2
// states. That holds for any way to draw samples and for any weights that depend on the depth; the bound is
// tight where x is even, so each depth weighs as much as it seems to have states for each of its draws.
class Overlap {
 public:
  explicit Overlap(std::uint32_t runs) : runs_(runs) {}

  // Sorts `draws`.
  //
  // The bound exceeds the truth by chance alone. What samples share is therefore taken at four standard
  // errors above what was seen, and at `kCaution` meetings more, for what was never seen has no error either.
  double states_at_least(std::vector<Draw>& draws) {
    if (draws.empty()) return 0.0;
    std::sort(draws.begin(), draws.end(), [](const Draw& a, const Draw& b) { return a.key < b.key; });
    count(draws);
    choose_weights();
    // Step 1. What each sample shares with all others.
    std::vector<double> shared_by(runs_, 0.0);
    each_state(draws, [&](std::size_t first, std::size_t last) {
      double all = 0.0;
      for (std::size_t i = first; i < last; ++i) all += weights_[stratum(draws[i].depth)];
      for (std::size_t i = first; i < last; ++i) {
        const double own = weights_[stratum(draws[i].depth)];
        shared_by[draws[i].run] += own * (all - own);
      }
    });
    double shared = 0.0, spread = 0.0, heaviest = 0.0, held = 0.0;
    for (const double of_run : shared_by) shared += of_run / 2.0;
    const double mean = 2.0 * shared / runs_;
    for (const double of_run : shared_by) spread += (of_run - mean) * (of_run - mean) / (runs_ - 1.0);
    for (std::size_t c = 0; c < kStrata; ++c) {
      held += weights_[c] * held_[c];
      heaviest = std::max(heaviest, weights_[c]);
    }
    // Step 2. A pair counts in the sums of two samples: the sum's variance is that of `runs` of them.
    const double most = shared + 4.0 * std::sqrt(runs_ * spread) + kCaution * heaviest * heaviest;
    const double pairs = runs_ * (runs_ - 1.0) / 2.0;
    return most > 0.0 ? pairs * (held / runs_) * (held / runs_) / most : 0.0;
  }

 private:
  static constexpr double kCaution = 10.0;
  static constexpr std::size_t kStrata = 64 + 16 * 12;
  static constexpr int kRefinements = 40;
  static constexpr double kFewestMeetings = 50.0;

  // Depths are told apart up to 64, and to a sixteenth of an octave beyond.
  static std::size_t stratum(std::uint32_t depth) {
    if (depth < 64) return depth;
    return std::min(kStrata - 1, 64 + static_cast<std::size_t>(16.0 * std::log2(depth / 64.0)));
  }

  template <class Visit>
  static void each_state(const std::vector<Draw>& draws, const Visit& visit) {
    for (std::size_t first = 0, last = 0; first < draws.size(); first = last) {
      while (last < draws.size() && draws[last].key == draws[first].key) ++last;
      visit(first, last);
    }
  }

  void count(const std::vector<Draw>& draws) {
    held_.assign(kStrata, 0.0);
    met_.assign(kStrata * kStrata, 0.0);
    for (const Draw& s : draws) held_[stratum(s.depth)] += 1.0;
    each_state(draws, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        for (std::size_t j = first; j < last; ++j)
          if (i != j) met_[stratum(draws[i].depth) * kStrata + stratum(draws[j].depth)] += 0.5;
    });
  }

  // The weights w >= 0 that maximise (w·held)^2 / w'·met·w: where the gradient is zero w = w held / (met w),
  // and this is iterated (Lee and Seung's update for nonnegative quadratic programs).
  //
  // Depths with few meetings count for nothing: all states of a sample may descend from one that few samples
  // hold, and those that do hold it share thousands.
  void choose_weights() {
    weights_.assign(kStrata, 0.0);
    for (std::size_t c = 0; c < kStrata; ++c) {
      const auto row = met_.begin() + static_cast<std::ptrdiff_t>(c * kStrata);
      if (std::accumulate(row, row + kStrata, 0.0) >= kFewestMeetings) weights_[c] = 1.0;
    }
    std::vector<double> next(kStrata);
    for (int i = 0; i < kRefinements; ++i) {
      for (std::size_t c = 0; c < kStrata; ++c) {
        double product = 0.0;
        for (std::size_t other = 0; other < kStrata; ++other)
          product += met_[c * kStrata + other] * weights_[other];
        next[c] = product > 0.0 ? weights_[c] * held_[c] / product : 0.0;
      }
      weights_ = next;
    }
  }

  std::uint32_t runs_;
  std::vector<double> held_;     // [strata] draws
  std::vector<double> met_;      // [strata, strata] pairs of samples that share a state, by its depth in each
  std::vector<double> weights_;  // [strata]
};

}  // namespace dicezero
