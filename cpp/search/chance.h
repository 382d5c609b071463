// How chance and identity nodes pick, and what a chance node is worth once all its outcomes have a value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "search/tree.h"

namespace dicezero {

// The edge most behind its share: argmax p - N / (1 + sum N). Keeps visits proportional to p without
// sampling. Ties go to the first edge from `start` on, round about.
inline int most_behind(std::span<const Edge> edges, std::span<const float> p, std::size_t start = 0) {
  std::int64_t total = 1;
  for (const Edge& e : edges) total += e.visits;
  int best = 0;
  double best_score = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const std::size_t i = start + k < edges.size() ? start + k : start + k - edges.size();
    const double score = p[i] - static_cast<double>(edges[i].visits) / static_cast<double>(total);
    if (score > best_score) best_score = score, best = static_cast<int>(i);
  }
  return best;
}

// The edge whose share of the probability holds u in [0, 1); outcomes that cannot come do not count.
inline std::size_t edge_at(std::span<const Edge> edges, double u) {
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    if (u < edges[i].prior) return i;
    u -= edges[i].prior;
  }
  return edges.size() - 1;
}

// Roulette over probabilities given by a function of the edge's index.
template <class P>
int roulette(std::size_t count, P&& probability, Rng& rng) {
  double u = rng.uniform();
  for (std::size_t i = 0; i < count; ++i) {
    const double p = probability(i);
    if (u < p) return static_cast<int>(i);
    u -= p;
  }
  return static_cast<int>(count) - 1;
}

// What progressive widening allows a node of that many visits.
inline std::size_t most_children(double k, double alpha, std::int64_t visits) {
  const double most = std::ceil(k * std::pow(static_cast<double>(visits), alpha));
  return most < 1.0 ? 1 : most > 1e9 ? 1'000'000'000 : static_cast<std::size_t>(most);
}

// The most probable edges up to that mass, in the order of the edges.
inline void most_probable(std::span<const Edge> edges, double mass, std::vector<int>& chosen) {
  chosen.resize(edges.size());
  std::iota(chosen.begin(), chosen.end(), 0);
  const auto likelier = [&](int a, int b) { return edges[a].prior > edges[b].prior; };
  std::stable_sort(chosen.begin(), chosen.end(), likelier);
  double sum = 0.0;
  std::size_t kept = 0;
  while (kept < chosen.size() && sum < mass) sum += edges[chosen[kept++]].prior;
  chosen.resize(kept);
  std::sort(chosen.begin(), chosen.end());
}

// sum p Q over the edges that have a value.
inline double expectation(std::span<const Edge> edges) {
  double sum = 0.0;
  for (const Edge& e : edges) {
    if (e.visits > 0) sum += e.prior * e.q();
  }
  return sum;
}

// What a chance node is worth while not all of its outcomes have been seen. Without a value of its own: sum p
// Q, the unseen standing at the mean of the seen. With one, that value and, for each outcome seen, p times
// what search has changed since its first visit: which rolls happened to come first does not count. Once the
// outcomes seen make up `whole` of the probability, sum p Q.
inline double completed_expectation(std::span<const Edge> edges, bool has_own, double own, double whole) {
  double mass = 0.0;
  double sum = 0.0;
  double first = 0.0;
  for (const Edge& e : edges) {
    if (e.visits == 0) continue;
    mass += e.prior;
    sum += e.prior * e.q();
    first += e.prior * e.logit;
  }
  if (!has_own) return sum / mass;
  return mass < whole ? own + sum - first : sum + (1.0 - mass) * own;
}

}  // namespace dicezero
