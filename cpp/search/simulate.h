// One search: the descent, the expansion and the backup, over any world. It runs until it needs a network,
// names the nodes to evaluate, and goes on when they are; a batch of searches is thereby driven in lock step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/path.h"
#include "search/pick.h"
#include "search/world.h"

namespace dicezero {

template <World W>
class Search {
 public:
  Search(W world, const PlanConfig& config, std::uint64_t seed)
      : world_(std::move(world)),
        config_(config),
        leads_(knows_leads(config)),
        rng_(seed),
        picker_(config, world_.num_actions(), seed) {}

  Tree& tree() { return tree_; }
  const Tree& tree() const { return tree_; }
  W& world() { return world_; }
  const W& world() const { return world_; }
  Rng& rng() { return rng_; }
  RootChoice& root_rule() { return picker_.root_rule(); }
  const RootChoice& root_rule() const { return picker_.root_rule(); }
  Selector& selector() { return picker_.selector(); }
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
    root_rule().begin(tree_, gumbel, rng_);
  }

  // The root itself may await the network: ask about it first, then `root_filled`.
  void await_root() { pending_.push_back(Tree::kRoot); }
  void root_filled() { pending_.clear(); }

  // Nodes that await the network's evaluation; filled through `fill` in this order, then `advance` again.
  std::span<const Index> pending() const { return pending_; }
  void fill(std::size_t i, const Evaluation& evaluation) {
    if constexpr (requires { world_.expect_visits(0, 0.0); })
      world_.expect_visits(config_.simulations - spent_, picker_.tie_break_offset());
    world_.fill(tree_, pending_[i], evaluation);
  }

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

  // Goes on from at_ until the simulation ends (true) or must wait for the network (false).
  bool descend() {
    while (true) {
      if (leads_) at_ = path_.follow_leads(tree_, at_);
      // Step 1. The end of a line, met anew or again.
      const NodeKind kind = tree_.node(at_).kind;
      if (kind == NodeKind::terminal) return back_up(leaf_value(at_));
      if (tree_.node(at_).exact && at_ != Tree::kRoot) return back_up(leaf_value(at_));
      // Step 2. A chance node seen for the first time may have all its outcomes evaluated at once.
      if (kind == NodeKind::chance && wants_opening(at_)) {
        open_chance(at_);
        return pending_.empty() ? opened_chance() : false;
      }
      // An untrained model may name chance for ever: after so many in a row its value has to do.
      if (kind == NodeKind::identity && path_.chance_run() >= kMaxChanceRun && !config_.paper_budget) {
        return back_up(last_mover_sign() * tree_.node(at_).raw);
      }
      // A model is not unrolled deeper than it is trusted: its value of the last position has to do.
      if (config_.max_depth > 0 && path_.depth() >= config_.max_depth &&
          (kind == NodeKind::choice || is_valued_chance(at_))) {
        return back_up(leaf_value(at_));
      }
      // A flat search plays out from everything below the root again and again.
      if (config_.flat && at_ != Tree::kRoot && kind == NodeKind::choice) {
        world_.evaluate_now(tree_, at_, rng_);
        return back_up(leaf_value(at_));
      }
      // Step 3. Pick an edge and follow it.
      const int edge = picker_.pick(world_, tree_, at_, rng_);
      path_.push(tree_, at_, edge);
      const Index child = tree_.edges(at_)[edge].child;
      if (child != kNone) {
        at_ = child;
        continue;
      }
      // Step 4. It leads nowhere yet: make the node.
      if (kind == NodeKind::identity) {
        at_ = make_identity_child(at_, edge);
        if (tree_.node(at_).kind == NodeKind::choice || is_valued_chance(at_))
          return back_up(leaf_value(at_));
      } else {
        at_ = world_.expand(tree_, at_, edge);
        const bool valued_chance = is_valued_chance(at_);
        if (valued_chance) tree_.node(at_).player = path_.last_choice(tree_).player;
        if (valued_chance || world_.awaits(tree_, at_)) {
          if (const std::optional<double> value = world_.evaluate_now(tree_, at_, rng_)) {
            return back_up(arriving(at_, tree_.sign(tree_.node(at_).player) * *value));
          }
          pending_.push_back(at_);
          return false;
        }
      }
      // The paper's simulation ends with the first node it adds.
      if (config_.paper_budget && tree_.node(at_).kind == NodeKind::chance) return finish(false);
    }
  }

  // The network has evaluated the pending nodes.
  void resume() {
    evaluations_ += static_cast<int>(pending_.size());
    cost_ += static_cast<int>(pending_.size());
    pending_.clear();
    if (opening_) {
      opened_chance();
    } else if (tree_.node(at_).kind == NodeKind::choice || is_valued_chance(at_)) {
      back_up(leaf_value(at_));
    } else if (config_.paper_budget) {
      finish(false);  // an identity node: the paper's simulation ends here with nothing to back up
    }
  }

  // Ends the simulation with a value for the root's player.
  bool back_up(double gain) {
    if (leads_) {
      path_.template back_up<true>(tree_, world_, config_, gain, selector().ucb_scale(tree_));
    } else {
      path_.template back_up<false>(tree_, world_, config_, gain);
    }
    return finish(true);
  }

  bool finish(bool backed_up) {
    const int cost = config_.paper_budget ? 1 : std::max(1, cost_);
    spent_ += cost;
    simulations_ += 1;
    if (!treats_root_alike(config_.interior) && root_rule().simulation_done(cost, backed_up)) {
      root_rule().note(tree_, selector());
    }
    path_.clear();
    cost_ = 0;
    at_ = Tree::kRoot;
    return true;
  }

  // A chance node with a value of its own is a leaf like any other.
  bool is_valued_chance(Index node) const {
    return W::values_chance(config_.chance_value) && tree_.node(node).kind == NodeKind::chance;
  }

  // A learned terminal node belongs to the last mover, and may take that choice node's value. So does a
  // chance node, where it has one.
  Index make_identity_child(Index node, int edge) {
    const Index child = world_.expand_identity(tree_, node, edge);
    Node& made = tree_.node(child);
    if (made.kind == NodeKind::terminal) {
      const Node& mover = path_.last_choice(tree_);
      made.player = mover.player;
      if (config_.ancestor_terminal) made.raw = mover.raw;
    } else if (is_valued_chance(child)) {
      made.player = path_.last_choice(tree_).player;
      made.raw = tree_.node(node).raw;
      made.visits = 1;
      made.value_sum = leaf_value(child);
    }
    return child;
  }

  double last_mover_sign() const { return tree_.sign(path_.last_choice(tree_).player); }

  // What coming to a node of that value is worth within the step that led there: the next decision counts
  // `discount` times, chance and the end belong to the step.
  double arriving(Index node, double value) const {
    if constexpr (W::kHasTime) {
      if (tree_.node(node).kind == NodeKind::choice) return config_.discount * value;
    }
    return value;
  }

  // What coming to a leaf is worth by its own value, for the root's player.
  double leaf_value(Index node) const {
    const Node& leaf = tree_.node(node);
    return arriving(node, tree_.sign(leaf.player) * leaf.raw);
  }

  // --- expectation: all outcomes of a chance node at once ---

  bool wants_opening(Index node) {
    const Node& n = tree_.node(node);
    if (config_.chance != ChanceRule::expectation || n.opened) return false;
    if (path_.below_chance(tree_)) return false;
    for (const Edge& e : tree_.edges(node)) {
      if (e.child != kNone) return false;  // already searched outcome by outcome
    }
    const int left = config_.simulations - spent_ - cost_;
    if constexpr (requires { world_.makes_outcomes_on_need(); }) {
      const bool bare = world_.makes_outcomes_on_need() && tree_.edges(node).empty();
      if (bare && (left < 1 || !world_.make_likeliest(tree_, node, static_cast<std::size_t>(left))))
        return false;
    }
    most_probable(tree_.edges(node), world_.expectation_mass(), outcomes_);
    if (!world_.can_open(tree_, node)) return false;
    return left >= static_cast<int>(outcomes_.size());
  }

  void open_chance(Index node) {
    opening_ = true;
    for (const int edge : outcomes_) {
      const Index child = world_.expand(tree_, node, edge);
      if (world_.awaits(tree_, child) && !world_.evaluate_now(tree_, child, rng_)) pending_.push_back(child);
    }
  }

  bool opened_chance() {
    opening_ = false;
    double mass = 0.0;
    for (const int edge : outcomes_) mass += tree_.edges(at_)[edge].prior;
    for (const int i : outcomes_) {
      double gain = outcome_value(i);
      Edge& edge = tree_.edges(at_)[i];
      gain += last_mover_sign() * edge.reward;
      edge.prior = static_cast<float>(edge.prior / mass);
      edge.visits = 1;
      edge.value_sum = gain;
    }
    tree_.node(at_).opened = true;
    return back_up(expectation(tree_.edges(at_)));
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
    return last_mover_sign() * tree_.node(child).raw;
  }

  // Does what UCB1 takes next at a node depend on nothing but what came back through it?
  static bool knows_leads(const PlanConfig& c) {
    return c.interior == InteriorRule::ucb1 && !c.flat && c.widen_choice_k == 0.0 &&
           c.q_normalisation == QNormalisation::fixed && c.chance != ChanceRule::expectation &&
           c.chance_value == ChanceValue::mean;
  }

  W world_;
  PlanConfig config_;
  bool leads_;
  Rng rng_;
  Picker<W> picker_;
  Tree tree_;
  Path path_;
  std::vector<Index> pending_;
  std::vector<int> outcomes_;
  Index at_ = Tree::kRoot;
  bool opening_ = false;
  int cost_ = 0;  // evaluations of the simulation under way
  int spent_ = 0;
  int simulations_ = 0;
  int evaluations_ = 0;
};

}  // namespace dicezero
