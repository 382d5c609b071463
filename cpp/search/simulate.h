// One search: the descent, the expansion and the backup, over any world. It runs until it needs a network,
// says what it needs, and goes on when it has been told; a batch of searches is thereby driven in lock step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "search/root.h"
#include "search/select.h"
#include "search/world.h"

namespace dicezero {

template <World W>
class Search {
 public:
  Search(W world, const PlanConfig& config, std::uint64_t seed)
      : world_(std::move(world)),
        config_(config),
        rng_(seed),
        root_rule_(config, world_.num_actions()),
        selector_(config, world_.num_actions()) {}

  Tree& tree() { return tree_; }
  const Tree& tree() const { return tree_; }
  W& world() { return world_; }
  const W& world() const { return world_; }
  Rng& rng() { return rng_; }
  RootChoice& root_rule() { return root_rule_; }
  Selector& selector() { return selector_; }
  const PlanConfig& config() const { return config_; }
  int evaluations() const { return evaluations_; }
  int simulations() const { return simulations_; }

  // Once, when the root has its edges, priors and value.
  void begin(std::span<const double> gumbel) {
    Node& root = tree_.node(Tree::kRoot);
    root.visits = 1;  // itself, and what an adopted root has seen before
    root.value_sum = root.raw;
    for (const Edge& e : tree_.edges(Tree::kRoot)) {
      root.visits += e.visits;
      root.value_sum += e.value_sum;
    }
    root_rule_.begin(tree_, gumbel, rng_);
  }

  // The root itself may await the network: ask about it first, then `root_filled`.
  void await_root() { pending_.push_back(Tree::kRoot); }
  void root_filled() { pending_.clear(); }

  // Nodes that await the network's word; filled through `fill` in this order, then `advance` again.
  std::span<const Index> pending() const { return pending_; }
  void fill(std::size_t i, const Evaluation& evaluation) { world_.fill(tree_, pending_[i], evaluation); }

  // Searches on until it needs the network (true) or its budget is spent (false).
  bool advance() {
    if (!pending_.empty()) resume();
    while (spent_ < config_.simulations) {
      if (!descend()) return true;
    }
    return false;
  }

  // One simulation over a world that needs no network; for searches that count or time for themselves.
  void simulate() { descend(); }

 private:
  static constexpr int kMaxChanceRun = 32;

  struct Step {
    Index node;
    int edge;
  };

  // Goes on from at_ until the simulation ends (true) or must wait for the network (false).
  bool descend() {
    while (true) {
      // Step 1. The end of a line, met anew or again.
      if (tree_.node(at_).kind == NodeKind::terminal) {
        back_up(leaf_value(at_), path_.size());
        return finish(true);
      }
      // Step 2. A chance node seen for the first time may have all its outcomes evaluated at once.
      if (tree_.node(at_).kind == NodeKind::chance && wants_opening(at_)) {
        open_chance(at_);
        if (!pending_.empty()) return false;
        opened_chance();
        return finish(true);
      }
      // An untrained model may name chance for ever: after so many in a row its value has to do.
      if (tree_.node(at_).kind == NodeKind::identity && chance_run_ >= kMaxChanceRun &&
          !config_.paper_budget) {
        back_up(tree_.sign(tree_.node(last_choice(path_.size())).player) * tree_.node(at_).raw, path_.size());
        return finish(true);
      }
      // A flat search plays out from everything below the root again and again.
      if (config_.flat && at_ != Tree::kRoot && tree_.node(at_).kind == NodeKind::choice) {
        world_.evaluate_now(tree_, at_, rng_);
        back_up(leaf_value(at_), path_.size());
        return finish(true);
      }
      // Step 3. Pick an edge and follow it.
      const int edge = pick(at_);
      path_.push_back({at_, edge});
      note_taken(at_, edge);
      const Index child = tree_.edges(at_)[edge].child;
      if (child != kNone) {
        at_ = child;
        continue;
      }
      // Step 4. It leads nowhere yet: make the node.
      if (tree_.node(at_).kind == NodeKind::identity) {
        const Index from = at_;
        at_ = make_identity_child(from, edge);
        const NodeKind kind = tree_.node(at_).kind;
        if (kind == NodeKind::choice) {
          back_up(leaf_value(at_), path_.size());
          return finish(true);
        }
        if (config_.paper_budget && kind == NodeKind::chance) return finish(false);
        continue;
      }
      at_ = world_.expand(tree_, at_, edge);
      if (world_.awaits(tree_, at_)) {
        if (!world_.evaluate_now(tree_, at_, rng_)) {
          pending_.push_back(at_);
          return false;
        }
        back_up(leaf_value(at_), path_.size());
        return finish(true);
      }
      if (config_.paper_budget && tree_.node(at_).kind == NodeKind::chance) return finish(false);
    }
  }

  // Choice edges count what comes back; chance and identity edges how often they were taken, so that the
  // low-variance rule also moves on after a descent without a backup.
  void note_taken(Index node, int edge) {
    const NodeKind kind = tree_.node(node).kind;
    if (kind == NodeKind::choice) {
      chance_run_ = 0;
      return;
    }
    tree_.edges(node)[edge].visits += 1;
    chance_run_ += kind == NodeKind::chance;
  }

  // The network has spoken about the pending nodes.
  void resume() {
    evaluations_ += static_cast<int>(pending_.size());
    cost_ += static_cast<int>(pending_.size());
    pending_.clear();
    if (opening_) {
      opened_chance();
      finish(true);
    } else if (tree_.node(at_).kind == NodeKind::choice) {
      back_up(leaf_value(at_), path_.size());
      finish(true);
    } else if (config_.paper_budget) {
      finish(false);  // an identity node: the paper's simulation ends here with nothing to back up
    }
  }

  bool finish(bool backed_up) {
    const int cost = config_.paper_budget ? 1 : std::max(1, cost_);
    spent_ += cost;
    simulations_ += 1;
    root_rule_.simulation_done(cost, backed_up);
    path_.clear();
    chance_run_ = 0;
    cost_ = 0;
    at_ = Tree::kRoot;
    return true;
  }

  int pick(Index node) {
    if (tree_.node(node).kind != NodeKind::choice) return pick_by_chance(node);
    if (tree_.node(node).num_edges == 0) world_.open_edges(tree_, node);
    switch (config_.interior) {  // those that treat the root like any other node
      case InteriorRule::ucb1:
        return selector_.ucb1(tree_, node);
      case InteriorRule::uniform:
        return selector_.least_visited(tree_, node);
      default:
        break;
    }
    if (node == Tree::kRoot) return root_rule_.pick(tree_, selector_, rng_);
    switch (config_.interior) {
      case InteriorRule::puct:
        return selector_.puct(tree_, node);
      case InteriorRule::improved_sampled: {
        const std::span<const float> policy = selector_.improved_policy(tree_, node, false);
        return roulette(policy.size(), [&](std::size_t i) { return policy[i]; }, rng_);
      }
      default:
        return most_behind(tree_.edges(node),
                           selector_.improved_policy(tree_, node, config_.interior == InteriorRule::trpo));
    }
  }

  int pick_by_chance(Index node) {
    if constexpr (requires { world_.widened_outcome(tree_, node, rng_); }) {
      if (config_.widen_chance_k > 0.0) return world_.widened_outcome(tree_, node, rng_);
    }
    const std::span<const Edge> edges = tree_.edges(node);
    if (config_.chance == ChanceRule::roulette) {
      return roulette(edges.size(), [&](std::size_t i) { return edges[i].prior; }, rng_);
    }
    probabilities_.resize(edges.size());
    const bool opened = tree_.node(node).opened;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      probabilities_[i] = opened && edges[i].child == kNone ? -2.0f : edges[i].prior;
    }
    return most_behind(edges, probabilities_);
  }

  // A learned terminal node belongs to whoever moved last, and may take that choice node's value.
  Index make_identity_child(Index node, int edge) {
    const Index child = world_.expand_identity(tree_, node, edge);
    Node& made = tree_.node(child);
    if (made.kind == NodeKind::terminal) {
      const Node& mover = tree_.node(last_choice(path_.size()));
      made.player = mover.player;
      if (config_.ancestor_terminal) made.raw = mover.raw;
    }
    return child;
  }

  Index last_choice(std::size_t length) const {
    while (length > 0 && tree_.node(path_[length - 1].node).kind != NodeKind::choice) --length;
    return length > 0 ? path_[length - 1].node : Tree::kRoot;
  }

  // A leaf's own value, for the root's player.
  double leaf_value(Index node) const {
    const Node& leaf = tree_.node(node);
    return tree_.sign(leaf.player) * leaf.raw;
  }

  // Walks `gain` (for the root's player) up the first `length` steps of the path.
  void back_up(double gain, std::size_t length) {
    for (std::size_t i = length; i-- > 0;) {
      Node& node = tree_.node(path_[i].node);
      Edge& edge = tree_.edges(path_[i].node)[path_[i].edge];
      if (node.kind == NodeKind::identity) continue;
      if (world_.discounts(node.kind)) gain *= config_.discount;
      if (edge.reward != 0.0f) gain += tree_.sign(tree_.node(last_choice(i + 1)).player) * edge.reward;
      if (node.kind == NodeKind::chance) {
        edge.value_sum += gain;
        if (node.opened) gain = expectation(path_[i].node);
        continue;
      }
      // The one place where a value changes sides: by who moves here, never by depth.
      const double own = tree_.sign(node.player) * gain;
      edge.visits += 1;
      edge.value_sum += own;
      node.value_sum += own;
      node.visits += 1;
      if (config_.q_normalisation == QNormalisation::tree) tree_.note_q(edge.q());
    }
  }

  // --- expectation: all outcomes of a chance node at once ---

  bool wants_opening(Index node) {
    const Node& n = tree_.node(node);
    if (config_.chance != ChanceRule::expectation || n.opened || below_chance()) return false;
    for (const Edge& e : tree_.edges(node)) {
      if (e.child != kNone) return false;  // already searched outcome by outcome
    }
    choose_outcomes(node);
    if (!world_.can_open(tree_, node)) return false;
    return config_.simulations - spent_ - cost_ >= static_cast<int>(outcomes_.size());
  }

  bool below_chance() const {
    std::size_t i = path_.size();
    while (i > 0 && tree_.node(path_[i - 1].node).kind == NodeKind::identity) --i;
    return i > 0 && tree_.node(path_[i - 1].node).kind == NodeKind::chance;
  }

  // The most probable outcomes up to the world's mass, in the order of their ids.
  void choose_outcomes(Index node) {
    const std::span<const Edge> edges = tree_.edges(node);
    outcomes_.resize(edges.size());
    std::iota(outcomes_.begin(), outcomes_.end(), 0);
    std::stable_sort(outcomes_.begin(), outcomes_.end(),
                     [&](int a, int b) { return edges[a].prior > edges[b].prior; });
    double mass = 0.0;
    std::size_t kept = 0;
    while (kept < outcomes_.size() && mass < world_.expectation_mass())
      mass += edges[outcomes_[kept++]].prior;
    outcomes_.resize(kept);
    std::sort(outcomes_.begin(), outcomes_.end());
  }

  void open_chance(Index node) {
    opening_ = true;
    for (const int edge : outcomes_) {
      const Index child = world_.expand(tree_, node, edge);
      if (world_.awaits(tree_, child) && !world_.evaluate_now(tree_, child, rng_)) pending_.push_back(child);
    }
  }

  void opened_chance() {
    opening_ = false;
    double mass = 0.0;
    for (const int edge : outcomes_) mass += tree_.edges(at_)[edge].prior;
    const double mover_sign = tree_.sign(tree_.node(last_choice(path_.size())).player);
    for (const int i : outcomes_) {
      double gain = outcome_value(i);
      Edge& edge = tree_.edges(at_)[i];
      if (world_.discounts(NodeKind::chance)) gain *= config_.discount;
      gain += mover_sign * edge.reward;
      edge.prior = static_cast<float>(edge.prior / mass);
      edge.visits = 1;
      edge.value_sum = gain;
    }
    tree_.node(at_).opened = true;
    back_up(expectation(at_), path_.size());
  }

  // An outcome's own value for the root's player; behind an identity node, that of its most probable
  // identity, which counts as taken once.
  double outcome_value(int edge) {
    const Index child = tree_.edges(at_)[edge].child;
    if (tree_.node(child).kind != NodeKind::identity) return leaf_value(child);
    const std::span<const Edge> identities = tree_.edges(child);
    int top = 0;
    for (std::size_t i = 1; i < identities.size(); ++i) {
      if (identities[i].prior > identities[top].prior) top = static_cast<int>(i);
    }
    const bool chance_again = top == static_cast<int>(identities.size()) - 2;
    const Index made = make_identity_child(child, top);
    tree_.edges(child)[top].visits = 1;
    if (!chance_again) return leaf_value(made);
    return tree_.sign(tree_.node(last_choice(path_.size())).player) * tree_.node(child).raw;
  }

  double expectation(Index node) const {
    double sum = 0.0;
    for (const Edge& e : tree_.edges(node)) {
      if (e.visits > 0) sum += e.prior * e.q();
    }
    return sum;
  }

  W world_;
  PlanConfig config_;
  Rng rng_;
  RootChoice root_rule_;
  Selector selector_;
  Tree tree_;
  std::vector<Step> path_;
  std::vector<Index> pending_;
  std::vector<int> outcomes_;
  std::vector<float> probabilities_;
  Index at_ = Tree::kRoot;
  bool opening_ = false;
  int chance_run_ = 0;  // chance edges taken since the last choice
  int cost_ = 0;        // evaluations of the simulation under way
  int spent_ = 0;
  int simulations_ = 0;
  int evaluations_ = 0;
};

}  // namespace dicezero
