// Keeping what a search knows for the next move: the subtree of the position that was reached is copied into
// a new search.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "search/simulate.h"

namespace dicezero {

// One thing that happened in the game since the old root. `actor`: 0 the old root's mover, 1 the other,
// kChancePlayer. The last entry of a path names only who is to move now.
struct Happened {
  int actor;
  Action action;
};

// The choice node the path leads to, or kNone if the old search never got there.
inline Index find_node(const Tree& tree, std::span<const Happened> path) {
  Index at = Tree::kRoot;
  for (const Happened& step : path) {
    if (tree.node(at).kind == NodeKind::identity) {
      const std::span<const Edge> identities = tree.edges(at);
      const std::size_t who = step.actor == kChancePlayer ? identities.size() - 2
                              : step.actor == 0           ? static_cast<std::size_t>(tree.root_player())
                                                          : static_cast<std::size_t>(1 - tree.root_player());
      at = identities[who].child;
      if (at == kNone) return kNone;
    }
    if (step.action == kNoAction) break;
    Index next = kNone;
    for (const Edge& e : tree.edges(at)) {
      if (e.action == step.action) next = e.child;
    }
    if (next == kNone) return kNone;
    at = next;
  }
  return tree.node(at).kind == NodeKind::choice ? at : kNone;
}

// Copies the subtree at `from` into an empty search; false if there is none. Its root then wants fresh
// priors.
template <World W>
bool adopt_subtree(Search<W>& search, const Search<W>& old, Index from) {
  if (from == kNone || old.tree().node(from).visits == 0) return false;
  Tree& tree = search.tree();
  const Tree& source = old.tree();
  // Chance nodes keep their sums in the root player's view, which may be another one now.
  const double view = source.node(from).player == source.root_player() ? 1.0 : -1.0;
  std::vector<std::pair<Index, Index>> queue;  // (old node, new node), breadth first
  const auto copy_node = [&](Index i) {
    const Node& n = source.node(i);
    const Index made = tree.add_node(n.kind, n.player, search.world().adopt(old.world(), n.payload));
    const std::span<Edge> edges = tree.add_edges(made, n.num_edges);
    std::copy(source.edges(i).begin(), source.edges(i).end(), edges.begin());
    if (n.kind == NodeKind::chance) {
      for (Edge& e : edges) {
        e.value_sum *= view;
        e.logit *= static_cast<float>(view);
      }
    }
    Node& copied = tree.node(made);
    copied.opened = n.opened;
    copied.exact = n.exact;
    copied.visits = n.visits;
    copied.raw = n.raw;
    copied.value_sum = n.kind == NodeKind::chance ? view * n.value_sum : n.value_sum;
    queue.emplace_back(i, made);
    return made;
  };
  copy_node(from);
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const Index made = queue[next].second;
    for (int i = 0; i < tree.node(made).num_edges; ++i) {
      const Edge e = tree.edges(made)[i];
      if (tree.node(made).kind == NodeKind::choice && e.visits > 0) tree.note_q(e.q());
      if (e.child == kNone) continue;
      const Index child = copy_node(e.child);
      tree.edges(made)[i].child = child;
    }
  }
  return true;
}

}  // namespace dicezero
