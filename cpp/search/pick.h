// Which edge a descent takes at a node of any kind.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/root.h"
#include "search/select.h"
#include "search/world.h"

namespace dicezero {

template <World W>
class Picker {
 public:
  Picker(const PlanConfig& config, int num_actions, std::uint64_t seed)
      : config_(config),
        tie_break_offset_(static_cast<double>(mix64(seed) >> 11) * 0x1p-53),
        root_rule_(config, num_actions),
        selector_(config, num_actions) {}

  RootChoice& root_rule() { return root_rule_; }
  const RootChoice& root_rule() const { return root_rule_; }
  Selector& selector() { return selector_; }

  double tie_break_offset() const { return tie_break_offset_; }

  // Both are inlined by force, as best_ucb1 is.
  [[gnu::always_inline]] int pick(W& world, Tree& tree, Index node, Rng& rng) {
    if (tree.node(node).kind != NodeKind::choice) return pick_by_chance(world, tree, node, rng);
    if (tree.node(node).num_edges == 0) world.open_edges(tree, node);
    if (config_.interior == InteriorRule::ucb1) return selector_.ucb1(tree, node);
    if (config_.interior == InteriorRule::uniform) return selector_.least_visited(tree, node);
    if (node == Tree::kRoot) return root_rule_.pick(tree, selector_, rng);
    if constexpr (requires { world.makes_edges_on_need(node); }) {
      if (world.makes_edges_on_need(node)) return pick_or_make(world, tree, node);
    }
    switch (config_.interior) {
      case InteriorRule::puct:
        return selector_.puct(tree, node);
      case InteriorRule::improved_sampled: {
        const std::span<const float> policy = selector_.improved_policy(tree, node, false);
        return roulette(policy.size(), [&](std::size_t i) { return policy[i]; }, rng);
      }
      default:
        return most_behind(tree.edges(node),
                           selector_.improved_policy(tree, node, config_.interior == InteriorRule::trpo));
    }
  }

 private:
  // Among the edges there are and the likeliest action without one, which then gets its edge.
  int pick_or_make(W& world, Tree& tree, Index node)
    requires requires(W& w) { w.make_edge(std::declval<Tree&>(), Index{}); }
  {
    const NextCandidate next = world.next_candidate(tree, node);
    const int edge = config_.interior == InteriorRule::puct ? selector_.puct(tree, node, next)
                                                            : selector_.improved(tree, node, next);
    return edge >= 0 ? edge : world.make_edge(tree, node);
  }

  [[gnu::always_inline]] int pick_by_chance(W& world, Tree& tree, Index node, Rng& rng) {
    if constexpr (requires { world.widened_outcome(tree, node, rng); }) {
      if (config_.widen_chance_k > 0.0) return world.widened_outcome(tree, node, rng);
    }
    if constexpr (requires { world.pick_outcome(tree, node, rng); }) {
      if (tree.node(node).kind == NodeKind::chance && world.makes_outcomes_on_need())
        return world.pick_outcome(tree, node, rng);
    }
    const std::span<const Edge> edges = tree.edges(node);
    if (config_.chance == ChanceRule::roulette) {
      return roulette(edges.size(), [&](std::size_t i) { return edges[i].prior; }, rng);
    }
    probabilities_.resize(edges.size());
    const bool opened = tree.node(node).opened;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      probabilities_[i] = opened && edges[i].child == kNone ? -2.0f : edges[i].prior;
    }
    // All chance nodes of a search begin at the same place: its moves are compared on the same rolls.
    return most_behind(edges, probabilities_, edge_at(edges, tie_break_offset_));
  }

  PlanConfig config_;
  double tie_break_offset_;  // in [0, 1): with which outcome ties begin, drawn once for a search
  RootChoice root_rule_;
  Selector selector_;
  std::vector<float> probabilities_;
};

}  // namespace dicezero
