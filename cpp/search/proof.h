// Values that a tree over the true rules has proved (MCTS-Solver, Winands et al. 2008): an end is known, and
// so is a choice whose best move leads to what is known. Chance is not proved: its outcomes are only
// estimated.
#pragma once

#include <algorithm>
#include <limits>

#include "search/config.h"
#include "search/tree.h"

namespace dicezero {

// Is the node's `raw` what it is worth under perfect play, not an estimate?
inline bool is_exact(const Node& node) { return node.exact || node.kind == NodeKind::terminal; }

inline bool leads_to_exact(const Tree& tree, const Edge& edge) {
  return edge.child != kNone && is_exact(tree.node(edge.child));
}

// What an edge of a choice node that leads to an exact node is worth to the player who moves here.
inline double exact_worth(const Tree& tree, const Node& node, const Edge& edge, double discount) {
  const Node& child = tree.node(edge.child);
  const double own = child.player == node.player ? child.raw : -child.raw;
  return edge.reward + (child.kind == NodeKind::choice ? discount * own : own);
}

// A choice node is proved once a move wins all that can be won, or every move leads to what is known.
inline void prove(Tree& tree, Index at, const PlanConfig& config) {
  constexpr double kRounding = 1e-6;  // of values that were stored as floats
  Node& node = tree.node(at);
  if (node.exact) return;
  const bool bounded = config.q_normalisation == QNormalisation::fixed;
  const double most = bounded ? config.q_high - kRounding : std::numeric_limits<double>::infinity();
  double best = -std::numeric_limits<double>::infinity();
  bool all = true;
  for (const Edge& edge : tree.edges(at)) {
    if (leads_to_exact(tree, edge)) {
      best = std::max(best, exact_worth(tree, node, edge, config.discount));
    } else {
      all = false;
    }
  }
  if (!all && best < most) return;
  node.exact = true;
  node.raw = static_cast<float>(best);
}

}  // namespace dicezero
