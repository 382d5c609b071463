// What lies under a tree: a learned model or the true rules. A world makes nodes; the search decides which.
#pragma once

#include <concepts>
#include <optional>

#include "search/config.h"
#include "search/tree.h"

namespace dicezero {

// A network's evaluation of one new node. Pointers live until `fill` returns; null where the model has no
// such head.
struct Evaluation {
  const float* policy_logits = nullptr;  // [A]
  float value = 0.0f;   // for the player to move; at chance nodes for who moved last, in its step
  float reward = 0.0f;  // for the player of the nearest choice node above
  const float* identity_logits = nullptr;  // [N]
  const float* chance_logits = nullptr;    // [A]
};

template <class W>
concept World =
    requires(W& world, const W& constant, Tree& tree, Index node, int edge, Evaluation evaluation, Rng& rng) {
      { constant.num_actions() } -> std::same_as<int>;
      { W::kHasTime } -> std::convertible_to<bool>;  // are there discounts or rewards at all?
      // Does the network value chance nodes too, where their value is to be found in that way?
      { W::values_chance(ChanceValue::completed) } -> std::same_as<bool>;

      // Makes the node behind an edge of a choice or chance node. `awaits` is whether it needs a network
      // before use.
      { world.expand(tree, node, edge) } -> std::same_as<Index>;
      { constant.awaits(tree, node) } -> std::same_as<bool>;
      // Makes the node behind an edge of an identity node.
      { world.expand_identity(tree, node, edge) } -> std::same_as<Index>;
      // Writes the network's evaluation into a node that awaits it, and into the edge that led there.
      { world.fill(tree, node, evaluation) } -> std::same_as<void>;
      // Values a new choice node without a network (a play-out), for who moves there, if this world does
      // that.
      { world.evaluate_now(tree, node, rng) } -> std::same_as<std::optional<double>>;
      // Makes the edges of a node that was made without them.
      { world.open_edges(tree, node) } -> std::same_as<void>;
      // May all outcomes of this chance node be evaluated at once?
      { world.can_open(tree, node) } -> std::same_as<bool>;
      // How much of the probability `expectation` must cover.
      { constant.expectation_mass() } -> std::same_as<double>;
    };

}  // namespace dicezero
