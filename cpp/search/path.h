// The way from the root to where a descent stands, and the walk of a value back along it.
#pragma once

#include <vector>

#include "search/chance.h"
#include "search/config.h"
#include "search/proof.h"
#include "search/tree.h"
#include "search/ucb1.h"
#include "search/world.h"

namespace dicezero {

class Path {
 public:
  void clear() {
    length_ = 0;
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

  // Takes the edges that lead on from a node, as far as backups found them; returns where that ends.
  Index follow_leads(Tree& tree, Index at) {
    const std::span<const Lead> leads = tree.leads();
    const Node* const nodes = tree.nodes().data();
    const Edge* const edges = tree.all_edges().data();
    const std::size_t before = length_;
    while (static_cast<std::size_t>(at) < leads.size() && leads[at].child != kNone) {
      const Lead& lead = leads[at];
      add_step(at, lead.edge);
      // The backup will read these: two edges a line, and mostly no more lines than that.
      const Edge* run = edges + nodes[at].first_edge;
      for (int i = 0; i < 6; i += 2) __builtin_prefetch(run + i, 1);
      at = lead.child;
    }
    if (length_ > before) depth_ += static_cast<int>(length_ - before), chance_run_ = 0;
    return at;
  }

  // Choices and chance outcomes taken: steps of the model.
  int depth() const { return depth_; }

  // Chance edges taken since the last choice.
  int chance_run() const { return chance_run_; }

  // Does the path end on an outcome of a chance node, identities aside?
  bool below_chance(const Tree& tree) const {
    std::size_t i = length_;
    while (i > 0 && tree.node(steps_[i - 1].node).kind == NodeKind::identity) --i;
    return i > 0 && tree.node(steps_[i - 1].node).kind == NodeKind::chance;
  }

  // The last choice node on the path; the root where there is none yet.
  const Node& last_choice(const Tree& tree) const { return last_choice(tree, length_); }

  // Walks `gain`, what coming to the end of the path is worth to the root's player, up to the root. Over an
  // edge G = reward + G; over a choice node, where the next step begins, G = discount G.
  //
  // With kLeads, where `Search::knows_leads`, it also finds where UCB1 with exploration c goes next from each
  // choice node that has tried all its actions. Here no node's scores wait for another's, while a descent
  // would have to know them one after the other.
  template <bool kLeads, World W>
  void back_up(Tree& tree, const W& world, const PlanConfig& config, double gain, double c = 0.0) const {
    // Without time and with plain means every step gets the same gain: then the root, from which the next
    // descent starts, comes first.
    constexpr bool kDown = kLeads && !W::kHasTime;
    const int root_player = tree.root_player();
    const bool notes_q = !kLeads && config.q_normalisation == QNormalisation::tree;
    Node* const nodes = tree.nodes().data();
    Edge* const edges = tree.all_edges().data();
    for (std::size_t n = 0; n < length_; ++n) {
      const std::size_t i = kDown ? n : length_ - 1 - n;
      const Index at = steps_[i].node;
      Node& node = nodes[at];
      if (node.kind == NodeKind::identity) continue;
      Edge& edge = edges[node.first_edge + steps_[i].edge];
      if constexpr (W::kHasTime) {
        if (edge.reward != 0.0f) gain += tree.sign(last_choice(tree, i + 1).player) * edge.reward;
      }
      if (node.kind == NodeKind::chance) {
        edge.value_sum += gain;
        if (edge.visits == 1) edge.logit = static_cast<float>(gain);
        if constexpr (kLeads) continue;
        if (node.opened) {
          gain = expectation(tree.edges(at));
        } else if (config.chance_value != ChanceValue::mean) {
          gain = revalue(tree, i, W::values_chance(config.chance_value), world.expectation_mass());
        }
        continue;
      }
      // The one place where a value changes sides: by who moves here, never by depth.
      double own = node.player == root_player ? gain : -gain;
      edge.visits += 1;
      if constexpr (!kLeads) {
        // All that ever came back over an edge counts as what it is now known to be worth.
        if (config.prove && leads_to_exact(tree, edge)) {
          own = edge.visits * exact_worth(tree, node, edge, config.discount) - edge.value_sum;
          gain = node.player == root_player ? own : -own;
        }
      }
      edge.value_sum += own;
      node.value_sum += own;
      const std::int32_t visits = node.visits += 1;
      if constexpr (!kLeads) {
        if (config.prove && leads_to_exact(tree, edge)) prove(tree, at, config);
      }
      if constexpr (kLeads) {
        const std::span<const Edge> run{edges + node.first_edge, static_cast<std::size_t>(node.num_edges)};
        if (run.back().visits > 0) tree.set_lead(at, run, best_ucb1(run, visits, c));
      }
      if (notes_q) tree.note_q(edge.q());
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
    if (length_ == steps_.size()) steps_.resize(2 * length_ + 16);
    Step& step = steps_[length_++];
    step.node = node;
    step.edge = edge;
  }

  const Node& last_choice(const Tree& tree, std::size_t length) const {
    while (length > 0 && tree.node(steps_[length - 1].node).kind != NodeKind::choice) --length;
    return tree.node(length > 0 ? steps_[length - 1].node : Tree::kRoot);
  }

  std::vector<Step> steps_;  // the first length_ of them
  std::size_t length_ = 0;
  int chance_run_ = 0;
  int depth_ = 0;
};

}  // namespace dicezero
