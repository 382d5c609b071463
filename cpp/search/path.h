// The way from the root to where a descent stands, and the walk of a value back along it.
#pragma once

#include <vector>

#include "search/chance.h"
#include "search/config.h"
#include "search/tree.h"
#include "search/world.h"

namespace dicezero {

class Path {
 public:
  void clear() {
    steps_.clear();
    chance_run_ = 0;
    depth_ = 0;
  }

  void push(Tree& tree, Index node, int edge) {
    add_step(node, edge);
    const NodeKind kind = tree.node(node).kind;
    depth_ += kind != NodeKind::identity;
    chance_run_ = kind == NodeKind::choice ? 0 : chance_run_ + (kind == NodeKind::chance);
    // Choice edges count what comes back; chance and identity edges how often they were taken, so that the
    // low-variance rule also moves on after a descent without a backup.
    if (kind != NodeKind::choice) tree.edges(node)[edge].visits += 1;
  }

  // The same for a node known to be a choice.
  void push_choice(Index node, int edge) {
    add_step(node, edge);
    depth_ += 1;
    chance_run_ = 0;
  }

  // Choices and chance outcomes taken: steps of the model.
  int depth() const { return depth_; }

  // Chance edges taken since the last choice.
  int chance_run() const { return chance_run_; }

  // Does the path end on an outcome of a chance node, identities aside?
  bool below_chance(const Tree& tree) const {
    std::size_t i = steps_.size();
    while (i > 0 && tree.node(steps_[i - 1].node).kind == NodeKind::identity) --i;
    return i > 0 && tree.node(steps_[i - 1].node).kind == NodeKind::chance;
  }

  // The last choice node on the path; the root where there is none yet.
  const Node& last_choice(const Tree& tree) const { return last_choice(tree, steps_.size()); }

  // Walks `gain`, what coming to the end of the path is worth to the root's player, up to the root. Over an
  // edge G = reward + G; over a choice node, where the next step begins, G = discount G.
  template <World W>
  void back_up(Tree& tree, const W& world, const PlanConfig& config, double gain) const {
    const int root_player = tree.root_player();
    for (std::size_t i = steps_.size(); i-- > 0;) {
      Node& node = tree.node(steps_[i].node);
      if (node.kind == NodeKind::identity) continue;
      Edge& edge = tree.edges(steps_[i].node)[steps_[i].edge];
      if constexpr (W::kHasTime) {
        if (edge.reward != 0.0f) gain += tree.sign(last_choice(tree, i + 1).player) * edge.reward;
      }
      if (node.kind == NodeKind::chance) {
        edge.value_sum += gain;
        if (edge.visits == 1) edge.logit = static_cast<float>(gain);
        if (node.opened) {
          gain = expectation(tree.edges(steps_[i].node));
        } else if (config.chance_value != ChanceValue::mean) {
          gain = revalue(tree, i, W::values_chance(config.chance_value), world.expectation_mass());
        }
        continue;
      }
      // The one place where a value changes sides: by who moves here, never by depth.
      const double own = node.player == root_player ? gain : -gain;
      edge.visits += 1;
      edge.value_sum += own;
      node.value_sum += own;
      node.visits += 1;
      if (config.q_normalisation == QNormalisation::tree) tree.note_q(edge.q());
      if constexpr (W::kHasTime) gain *= config.discount;
    }
  }

 private:
  // Values the chance node of step i anew, for the root's player, and returns what this changes in the sum
  // of its visits: so the edge above it has the newest value as its mean, and every mean above stays one.
  double revalue(Tree& tree, std::size_t i, bool has_own, double whole) const {
    Node& node = tree.node(steps_[i].node);
    const double own = tree.sign(node.player) * node.raw;
    node.visits += 1;
    const double before = node.value_sum;
    node.value_sum = node.visits * completed_expectation(tree.edges(steps_[i].node), has_own, own, whole);
    return node.value_sum - before;
  }

  struct Step {
    Index node;
    int edge;
  };

  // Field by field where it stays: a copy would wait for both halves to be stored.
  void add_step(Index node, int edge) {
    Step& step = steps_.emplace_back();
    step.node = node;
    step.edge = edge;
  }

  const Node& last_choice(const Tree& tree, std::size_t length) const {
    while (length > 0 && tree.node(steps_[length - 1].node).kind != NodeKind::choice) --length;
    return tree.node(length > 0 ? steps_[length - 1].node : Tree::kRoot);
  }

  std::vector<Step> steps_;
  int chance_run_ = 0;
  int depth_ = 0;
};

}  // namespace dicezero
