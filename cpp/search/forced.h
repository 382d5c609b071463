// Forced playouts and policy-target pruning at a PUCT root (Wu 2019, section 3.2): a move that the noise
// brought to the search's attention is looked at long enough to be judged, and what that took is taken off
// the policy again unless the move turned out to be good.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "search/select.h"

namespace dicezero {

inline double total_visits(std::span<const Edge> edges) {
  double total = 0.0;
  for (const Edge& e : edges) total += e.visits;
  return total;
}

// The visits that a tried edge is given whatever PUCT selects: sqrt(k P sum N), rounded up; what lies above a
// whole number by less than a rounding error is that number.
inline int forced_visits(const Edge& edge, double k, double total) {
  constexpr double kRounding = 1e-4;
  return std::max(0, static_cast<int>(std::ceil(std::sqrt(k * edge.prior * total) - kRounding)));
}

// The first tried edge with fewer visits than it is to have, or -1.
inline int first_forced(std::span<const Edge> edges, double k) {
  const double total = total_visits(edges);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].visits > 0 && edges[i].visits < forced_visits(edges[i], k, total))
      return static_cast<int>(i);
  }
  return -1;
}

// The most visits, then the greatest Q, then the lowest id.
inline std::size_t most_visited(std::span<const Edge> edges) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < edges.size(); ++i) {
    const bool better_q = edges[i].visits > 0 && edges[i].q() > edges[best].q();
    if (edges[i].visits > edges[best].visits || (edges[i].visits == edges[best].visits && better_q)) best = i;
  }
  return best;
}

// The visits of each edge without those that were forced and that PUCT, at the end, would not have made: an
// edge gives up to its forced visits back while its PUCT stays below that of the most visited one, all Q and
// their number as they are. One that is left with a single visit has none.
inline void pruned_visits(const Tree& tree, Index node, Selector& selector, double k,
                          std::vector<double>& kept) {
  const std::span<const Edge> edges = tree.edges(node);
  kept.resize(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) kept[i] = edges[i].visits;
  const std::size_t best = most_visited(edges);
  const double total = total_visits(edges);
  const auto [q, exploration] = selector.puct_parts(tree, node);
  const double best_score = q[best] + exploration * edges[best].prior / (1.0 + edges[best].visits);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& e = edges[i];
    if (i == best || e.visits == 0) continue;
    const int least = std::max(0, e.visits - forced_visits(e, k, total));
    int visits = e.visits;
    while (visits > least && q[i] + exploration * e.prior / visits < best_score) --visits;
    if (visits < e.visits) kept[i] = visits <= 1 ? 0 : visits;
  }
}

}  // namespace dicezero
