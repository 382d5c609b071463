// UCB1: the edge with the best W / N + c sqrt(ln N(node) / N).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "search/tree.h"

namespace dicezero {

// sqrt(ln n) and 1 / sqrt(n), from a table as far as it goes: this is where UCT spends its time.
class Roots {
 public:
  static constexpr std::int32_t kSize = 1 << 17;

  Roots() {
    for (std::int32_t n = 1; n < kSize; ++n) of_log_[n] = root_of_log(n), inverse_[n] = inverse_root(n);
  }
  double of_log(std::int32_t n) const { return n < kSize ? of_log_[n] : root_of_log(n); }
  double inverse(std::int32_t n) const { return n < kSize ? inverse_[n] : inverse_root(n); }
  double inverse_in_table(std::int32_t n) const { return inverse_[n]; }

 private:
  static double root_of_log(std::int32_t n) { return std::sqrt(std::log(static_cast<double>(n))); }
  static double inverse_root(std::int32_t n) { return 1.0 / std::sqrt(static_cast<double>(n)); }

  double of_log_[kSize] = {};
  double inverse_[kSize] = {};
};
inline const Roots kRoots;

// Both are inlined by force: with one search a game the compiler thinks them too large, at a tenth of UCT's
// speed.
template <class InverseRoot>
[[gnu::always_inline]] inline int best_ucb1(std::span<const Edge> edges, double explore,
                                            InverseRoot&& inverse_root) {
  const Edge* best = nullptr;
  double best_score = -std::numeric_limits<double>::infinity();
  for (const Edge* e = edges.data(); e != edges.data() + edges.size(); ++e) {
    const double root = inverse_root(e->visits);
    const double score = root * (e->value_sum * root + explore);
    best = __builtin_expect_with_probability(score > best_score, 1, 0.5) ? e : best;
    best_score = score > best_score ? score : best_score;
  }
  return static_cast<int>(best - edges.data());
}

// Among edges that were all tried, below a node of that many visits; the first of equals.
[[gnu::always_inline]] inline int best_ucb1(std::span<const Edge> edges, std::int32_t visits, double c) {
  const double explore = c * kRoots.of_log(visits);
  if (visits >= Roots::kSize) {
    return best_ucb1(edges, explore, [](std::int32_t n) { return kRoots.inverse(n); });
  }
  return best_ucb1(edges, explore, [](std::int32_t n) { return kRoots.inverse_in_table(n); });
}

// The first edge not tried yet, if any: they are tried in order, so the last one decides.
inline int first_untried(std::span<const Edge> edges, std::int32_t visits) {
  if (edges.back().visits > 0) return -1;
  // Most often each of the others was tried once, and the node itself once or (the root) never.
  for (const std::int32_t guess : {visits - 1, visits}) {
    if (guess < 0 || guess >= static_cast<std::int32_t>(edges.size())) continue;
    if (edges[guess].visits == 0 && (guess == 0 || edges[guess - 1].visits > 0)) return guess;
  }
  int i = 0;
  while (edges[i].visits > 0) ++i;
  return i;
}

}  // namespace dicezero
