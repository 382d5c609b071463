// The world of the true rules: nodes are game states, chance is the rules', ends are exact. What the
// game pays is divided by `value_scale`: on the way it goes to the edges and an end is worth nothing more,
// else the end is worth its return.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rules/game.h"
#include "search/select.h"
#include "search/world.h"

namespace dicezero {

template <Game G>
class RulesWorld {
 public:
  using State = typename G::State;

  explicit RulesWorld(const G& game, double value_scale = 1.0)
      : game_(game), num_actions_(game.num_actions()), pays_(pays_on_the_way(game)), scale_(value_scale) {}

  static constexpr bool kHasTime = true;
  static constexpr bool values_chance(ChanceValue way) { return way == ChanceValue::afterstate; }

  int num_actions() const { return num_actions_; }
  const G& game() const { return game_; }
  const State& state(const Tree& tree, Index node) const { return states_[tree.node(node).payload]; }
  double expectation_mass() const { return 1.0 - 1e-6; }

  // The root is a choice node; its value and priors come through `fill`, like any other's.
  Index make_root(Tree& tree, const State& state) { return add_node(tree, State(state)); }

  Index adopt(const RulesWorld& other, Index payload) {
    states_.push_back(other.states_[payload]);
    return static_cast<Index>(states_.size() - 1);
  }

  Index expand(Tree& tree, Index parent, int edge) {
    State next = states_[tree.node(parent).payload];
    game_.apply(next, tree.edges(parent)[edge].action);
    const Index child = add_node(tree, std::move(next));
    tree.edges(parent)[edge].child = child;
    if constexpr (kMayPay<G>) {
      if (pays_) pay(tree, parent, edge, child);
    }
    return child;
  }

  bool awaits(const Tree& tree, Index node) const {
    return tree.node(node).kind == NodeKind::choice && tree.node(node).visits == 0;
  }
  std::optional<double> evaluate_now(Tree&, Index, Rng&) const { return std::nullopt; }
  void open_edges(Tree&, Index) const {}

  // An outcome that leads to another roll has no value of its own to average.
  bool can_open(const Tree& tree, Index node) const {
    for (const Edge& edge : tree.edges(node)) {
      State next = states_[tree.node(node).payload];
      game_.apply(next, edge.action);
      if (game_.player(next) == kChancePlayer) return false;
    }
    return true;
  }

  void fill(Tree& tree, Index node, const Evaluation& evaluation) {
    Node& n = tree.node(node);
    if (!n.exact) n.raw = evaluation.value;  // an adopted root may be proved already
    n.visits = 1;
    if (n.kind == NodeKind::chance) {
      n.value_sum = tree.sign(n.player) * evaluation.value;  // chance nodes keep theirs for the root's player
      return;
    }
    n.value_sum = evaluation.value;
    const std::span<Edge> edges = tree.edges(node);
    for (Edge& e : edges) e.logit = evaluation.policy_logits[e.action];
    softmax_priors(edges);
  }

  Index expand_identity(Tree&, Index, int) { return kNone; }  // the rules know who moves

  std::size_t bytes() const { return states_.capacity() * sizeof(State); }

  // All games and states that the world holds.
  template <class F>
  void each_held(F&& f) const {
    f(game_);
    for (const State& state : states_) f(state);
  }

 protected:
  Index add_node(Tree& tree, State&& state) {
    states_.push_back(std::move(state));
    const int player = game_.player(states_.back());
    const bool counts = player == kTerminalPlayer && !pays_;
    return add_newest(tree, player, counts ? game_.first_player_return(states_.back()) / scale_ : 0.0);
  }

  // A reward is for the player of the nearest choice node at or above it: chance nodes remember who that is.
  void pay(Tree& tree, Index parent, int edge, Index child) const {
    const int mover = tree.node(parent).player;
    const double first = game_.reward(states_[tree.node(child).payload]) / scale_;
    tree.edges(parent)[edge].reward = static_cast<float>(mover == 0 ? first : -first);
    if (tree.node(child).kind == NodeKind::chance) tree.node(child).player = static_cast<std::int8_t>(mover);
  }

  // A node for the newest state; `end` is what it is worth to player 0 if the game is over there.
  Index add_newest(Tree& tree, int player, double end) {
    const auto payload = static_cast<Index>(states_.size() - 1);
    if (player == kTerminalPlayer) {
      const Index node = tree.add_node(NodeKind::terminal, 0, payload);
      tree.node(node).raw = static_cast<float>(end);
      return node;
    }
    if (player == kChancePlayer) {
      game_.outcomes(states_.back(), outcomes_);
      const Index node = tree.add_node(NodeKind::chance, 0, payload);
      const std::span<Edge> edges = tree.add_edges(node, static_cast<int>(outcomes_.size()));
      for (std::size_t i = 0; i < edges.size(); ++i) {
        edges[i].action = outcomes_[i].action;
        edges[i].prior = static_cast<float>(outcomes_[i].probability);
      }
      return node;
    }
    const Index node = tree.add_node(NodeKind::choice, player, payload);
    add_action_edges(tree, node);
    return node;
  }

  void add_action_edges(Tree& tree, Index node) {
    game_.legal_actions(states_[tree.node(node).payload], actions_);
    const std::span<Edge> edges = tree.add_edges(node, static_cast<int>(actions_.size()));
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i].action = actions_[i];
  }

  G game_;  // by value: parameters only, and the tree may outlive the caller's
  int num_actions_;
  bool pays_;
  double scale_;
  std::vector<State> states_;
  std::vector<Action> actions_;
  std::vector<Outcome> outcomes_;
};

}  // namespace dicezero
