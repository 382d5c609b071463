// The world of a learned model: nodes are hidden states (rows that only the model reads), and the network
// predicts who moves, or the caller sets it.
#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "search/candidates.h"
#include "search/config.h"
#include "search/outcomes.h"
#include "search/rows.h"
#include "search/select.h"
#include "search/world.h"

namespace dicezero {

// Identities of a model with two players: 0 the root's mover, 1 the other, then chance, then terminal.
class LearnedWorld {
 public:
  LearnedWorld(const PlanConfig& config, int num_actions, int row_size, int num_identities)
      : players_(config.players),
        num_actions_(num_actions),
        num_identities_(num_identities),
        hidden_(row_size),
        candidates_(order_for(config, num_actions)),
        outcomes_(outcome_edges_for(config, num_actions), num_actions),
        heads_(heads_width()) {}

  // In which order choice nodes below the root make edges when they are first taken; none is all at once.
  static Candidates::Order order_for(const PlanConfig& config, int num_actions) {
    if (num_actions <= config.edges_on_need_above || !needs_likeliest_only(config.interior))
      return Candidates::Order::none;
    const bool first_blind = config.interior == InteriorRule::puct && config.puct_form == PuctForm::ndmz;
    return first_blind ? Candidates::Order::lowest_first : Candidates::Order::likeliest;
  }

  static Outcomes::Edges outcome_edges_for(const PlanConfig& config, int num_actions) {
    if (num_actions <= config.edges_on_need_above) return Outcomes::Edges::at_once;
    return config.chance == ChanceRule::roulette ? Outcomes::Edges::drawn : Outcomes::Edges::likeliest;
  }

  // How often a node made now can still be visited, and where its ties among outcomes begin.
  void expect_visits(int visits, double tie_break_offset) {
    visits_to_come_ = visits;
    tie_break_offset_ = tie_break_offset;
  }

  static constexpr bool kHasTime = true;
  static constexpr bool values_chance(ChanceValue way) { return way != ChanceValue::mean; }

  int num_actions() const { return num_actions_; }
  double expectation_mass() const { return 0.99; }

  float* hidden(Index row) { return hidden_.row(row); }

  // What the search needs to ask the model about a new node: its parent's row, the action, its own row.
  struct Request {
    float* hidden;
    Action action;
    float* next_hidden;
  };
  Request request(const Tree& tree, Index node) {
    const Origin& origin = origins_[tree.node(node).payload];
    const Edge& edge = tree.edges(origin.parent)[origin.edge];
    return {hidden_.row(tree.node(origin.parent).payload), edge.action, hidden_.row(tree.node(node).payload)};
  }

  // The root: only the legal actions have edges; its hidden row is the caller's to write.
  void make_root(Tree& tree, const float* policy_logits, const std::uint8_t* legal, float value) {
    const Index root = tree.add_node(NodeKind::choice, 0, add_row({kNone, 0}));
    const int count =
        static_cast<int>(std::count_if(legal, legal + num_actions_, [](auto x) { return x != 0; }));
    const std::span<Edge> edges = tree.add_edges(root, count);
    std::size_t i = 0;
    for (Action a = 0; a < num_actions_; ++a) {
      if (!legal[a]) continue;
      edges[i].action = a;
      edges[i++].logit = policy_logits[a];
    }
    softmax_priors(edges);
    set_value(tree.node(root), value);
  }

  // A root taken over from an earlier search: the network's logits of the true position now, legal actions
  // only.
  void refresh_root(Tree& tree, const float* policy_logits, const std::uint8_t* legal, float value) {
    std::vector<Edge> kept;
    for (Action a = 0; a < num_actions_; ++a) {
      if (!legal[a]) continue;
      Edge& edge = kept.emplace_back();
      for (const Edge& e : tree.edges(Tree::kRoot)) {
        if (e.action == a) edge = e;
      }
      edge.action = a;
      edge.logit = policy_logits[a];
    }
    const std::span<Edge> edges = tree.add_edges(Tree::kRoot, static_cast<int>(kept.size()));
    std::copy(kept.begin(), kept.end(), edges.begin());
    softmax_priors(edges);
    tree.node(Tree::kRoot).raw = value;
  }

  // Copies a row of another search's world; identity nodes share theirs with the nodes below them.
  Index adopt(const LearnedWorld& other, Index row) {
    if (other.hidden_.width() != hidden_.width()) {
      throw std::invalid_argument("reuse: the trees keep " + std::to_string(other.hidden_.width()) +
                                  " numbers a node, this simulator " + std::to_string(hidden_.width()) +
                                  "; give trees that the same simulator searched");
    }
    const auto [known, fresh] = adopted_.try_emplace(row, kNone);
    if (!fresh) return known->second;
    known->second = add_row({kNone, 0});
    std::copy_n(other.hidden_.row(row), hidden_.width(), hidden_.row(known->second));
    if (heads_.width() > 0) std::copy_n(other.heads_.row(row), heads_.width(), heads_.row(known->second));
    if (players_ == Players::learned && outcomes_.on_need())
      outcomes_.copy(known->second, other.outcomes_, row);
    if (candidates_.used()) candidates_.copy(known->second, other.candidates_, row);
    return known->second;
  }

  Index expand(Tree& tree, Index parent, int edge) {
    const Node& from = tree.node(parent);
    const NodeKind kind = players_ == Players::learned ? NodeKind::identity : NodeKind::choice;
    const int player = players_ == Players::alternate ? 1 - from.player : 0;
    const Index child = tree.add_node(kind, player, add_row({parent, edge}));
    tree.edges(parent)[edge].child = child;
    return child;
  }

  // Whether that node makes its edges when they are first taken.
  bool makes_edges_on_need(Index node) const { return candidates_.used() && node != Tree::kRoot; }
  NextCandidate next_candidate(const Tree& tree, Index node) const {
    return candidates_.next(tree.node(node).payload, tree.node(node).num_edges);
  }
  // Makes the edge of the next candidate and returns its index.
  int make_edge(Tree& tree, Index node) const {
    const Candidate next = *next_candidate(tree, node).action;
    Edge& edge = tree.append_edge(node);
    edge.action = next.action;
    edge.logit = next.logit;
    edge.prior = next.prior;
    return tree.node(node).num_edges - 1;
  }

  // The same for the outcomes of chance nodes.
  bool makes_outcomes_on_need() const { return outcomes_.on_need(); }
  int pick_outcome(Tree& tree, Index node, Rng& rng) { return outcomes_.pick(tree, node, rng); }
  bool make_likeliest(Tree& tree, Index node, std::size_t most) const {
    return outcomes_.make_likeliest(tree, node, expectation_mass(), most);
  }

  // Only what `expand` makes is evaluated, and at once.
  bool awaits(const Tree&, Index) const { return true; }
  std::optional<double> evaluate_now(Tree&, Index, Rng&) const { return std::nullopt; }
  bool can_open(const Tree&, Index) const { return true; }
  void open_edges(Tree&, Index) const {}

  void fill(Tree& tree, Index node, const Evaluation& evaluation) {
    const Index row = tree.node(node).payload;
    const Origin origin = origins_[row];
    tree.edges(origin.parent)[origin.edge].reward = evaluation.reward;
    if (tree.node(node).kind == NodeKind::choice) {
      if (candidates_.used()) {
        candidates_.set(row, evaluation.policy_logits, num_actions_, visits_to_come_);
      } else {
        add_action_edges(tree, node, evaluation.policy_logits);
      }
      set_value(tree.node(node), evaluation.value);
      return;
    }
    const std::span<Edge> identities = tree.add_edges(node, num_identities_);
    for (int i = 0; i < num_identities_; ++i) {
      identities[i].action = i;
      identities[i].logit = evaluation.identity_logits[i];
    }
    softmax_priors(identities);
    tree.node(node).raw = evaluation.value;
    // Kept until the identity's choice and chance nodes are made.
    if (candidates_.used()) {
      candidates_.set(row, evaluation.policy_logits, num_actions_, visits_to_come_);
    } else {
      std::copy_n(evaluation.policy_logits, num_actions_, heads_.row(row));
    }
    if (outcomes_.on_need()) {
      outcomes_.set(row, evaluation.chance_logits, visits_to_come_, tie_break_offset_);
    } else {
      std::copy_n(evaluation.chance_logits, num_actions_, chance_logits(row));
    }
  }

  Index expand_identity(Tree& tree, Index node, int identity) {
    const Index row = tree.node(node).payload;
    const float raw = tree.node(node).raw;
    Index child;
    if (identity == num_identities_ - 1) {
      child = tree.add_node(NodeKind::terminal, 0, row);
      tree.node(child).raw = raw;
    } else if (identity == num_identities_ - 2) {
      child = tree.add_node(NodeKind::chance, 0, row);
      if (!outcomes_.on_need()) add_action_edges(tree, child, chance_logits(row));
    } else {
      child = tree.add_node(NodeKind::choice, identity, row);
      if (!candidates_.used()) add_action_edges(tree, child, heads_.row(row));
      set_value(tree.node(child), raw);
    }
    tree.edges(node)[identity].child = child;
    return child;
  }

  std::size_t bytes() const {
    return hidden_.bytes() + heads_.bytes() + candidates_.bytes() + outcomes_.bytes() +
           origins_.capacity() * sizeof(Origin);
  }

 private:
  // The edge that led to a hidden row.
  struct Origin {
    Index parent;
    int edge;
  };

  Index add_row(Origin origin) {
    origins_.push_back(origin);
    if (heads_.width() > 0) heads_.add();
    if (candidates_.used()) candidates_.add_row();
    if (players_ == Players::learned && outcomes_.on_need()) outcomes_.add_row();
    return hidden_.add();
  }

  // Of a model's outputs for a node, what no list keeps: policy logits, then chance logits.
  int heads_width() const {
    if (players_ != Players::learned) return 0;
    return (candidates_.used() ? 0 : num_actions_) + (outcomes_.on_need() ? 0 : num_actions_);
  }
  float* chance_logits(Index row) { return heads_.row(row) + (candidates_.used() ? 0 : num_actions_); }

  void add_action_edges(Tree& tree, Index node, const float* logits) {
    const std::span<Edge> edges = tree.add_edges(node, num_actions_);
    for (Action a = 0; a < num_actions_; ++a) {
      edges[a].action = a;
      edges[a].logit = logits[a];
    }
    softmax_priors(edges);
  }

  static void set_value(Node& node, float value) {
    node.raw = value;
    node.value_sum = value;
    node.visits = 1;
  }

  Players players_;
  int num_actions_;
  int num_identities_;
  RowArena hidden_;
  Candidates candidates_;
  Outcomes outcomes_;
  RowArena heads_;
  int visits_to_come_ = std::numeric_limits<int>::max();
  double tie_break_offset_ = 0.0;
  std::vector<Origin> origins_;
  std::unordered_map<Index, Index> adopted_;  // rows of an earlier search's world, and where they are now
};

static_assert(World<LearnedWorld>);

}  // namespace dicezero
