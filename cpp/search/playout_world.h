// The world of Monte Carlo search: the true rules, with a new position valued by playing it to the end. A
// position gets its edges when it is visited for the second time, so that a leaf costs its state and no more.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "search/over_rules.h"
#include "search/playout.h"

namespace dicezero {

struct PlayoutSettings {
  int playouts = 1;          // averaged into a leaf's value
  bool random_order = true;  // untried actions come in random order, else by id
  double low = -1.0;         // what the game may return
  double high = 1.0;
  double widen_chance_k = 0.0;  // as in PlanConfig
  double widen_chance_alpha = 0.5;
};

template <Game G>
class PlayoutWorld : public RulesWorld<G> {
 public:
  using Base = RulesWorld<G>;
  using State = typename G::State;
  // Called while an exception is under way, with the state at which the rules or the policy threw.
  using OnError = std::function<void(const State&)>;

  PlayoutWorld(const G& game, const PlayoutSettings& settings, PlayoutPolicy<G> policy, std::uint64_t seed,
               OnError on_error)
      : Base(game),
        settings_(settings),
        discount_(discount_of(game)),
        playout_(game, std::move(policy)),
        order_(seed, 1),
        on_error_(std::move(on_error)) {}

  // Without a discount a value is that of the whole game, with all that was paid before: the end counts the
  // same however far it is, and edges pay nothing. With one it is what is still to come.
  static constexpr bool kHasTime = kMayDiscount<G>;
  bool counts_time() const { return kHasTime && discount_ != 1.0; }

  template <class F>
  void each_held(F&& f) const {
    Base::each_held(f);
    f(playout_.game());
  }

  // Takes over another world's memory, not what is in it.
  void recycle(PlayoutWorld& other) {
    this->states_ = std::move(other.states_);
    this->states_.clear();
  }

  Index make_root(Tree& tree, const State& state) {
    this->states_.push_back(state);
    return add_lazy_node(tree);
  }

  Index expand(Tree& tree, Index parent, int edge) {
    this->states_.push_back(this->states_[tree.node(parent).payload]);
    State& next = this->states_.back();
    Index child = kNone;
    guarded(next, [&] {
      this->game_.apply(next, tree.edges(parent)[edge].action);
      child = add_lazy_node(tree);
    });
    tree.edges(parent)[edge].child = child;
    if constexpr (kHasTime) {
      if (counts_time() && this->pays_) this->pay(tree, parent, edge, child);
    }
    return child;
  }

  // Plays out, and counts that as one more visit of the node's own.
  [[gnu::always_inline]] std::optional<double> evaluate_now(Tree& tree, Index node, Rng& rng) {
    Node& n = tree.node(node);
    double first = play(this->states_[n.payload], rng);
    if (settings_.playouts > 1) {
      for (int i = 1; i < settings_.playouts; ++i) first += play(this->states_[n.payload], rng);
      first /= settings_.playouts;
    }
    const double own = n.player == 0 ? first : -first;
    n.raw = static_cast<float>(own);
    n.value_sum += own;
    n.visits += 1;
    return own;
  }

  void open_edges(Tree& tree, Index node) {
    guarded(this->states_[tree.node(node).payload], [&] { this->add_action_edges(tree, node); });
    if (!settings_.random_order) return;
    const std::span<Edge> edges = tree.edges(node);
    Rng local = order_;
    for (std::size_t i = edges.size(); i-- > 1;) {
      std::swap(edges[i].action, edges[local.below(static_cast<std::uint32_t>(i + 1))].action);
    }
    order_ = local;
  }

  // Progressive widening of chance: while the node has fewer outcomes than its visits allow, one is drawn
  // from all of them, else from those there are.
  int widened_outcome(Tree& tree, Index node, Rng& rng) {
    const std::span<const Edge> known = tree.edges(node);
    std::int64_t visits = 0;
    for (const Edge& e : known) visits += e.visits;
    if (known.size() >= most_children(settings_.widen_chance_k, settings_.widen_chance_alpha, visits)) {
      double mass = 0.0;
      for (const Edge& e : known) mass += e.prior;
      return roulette(known.size(), [&](std::size_t i) { return known[i].prior / mass; }, rng);
    }
    const State& state = this->states_[tree.node(node).payload];
    guarded(state, [&] { this->game_.outcomes(state, this->outcomes_); });
    const std::vector<Outcome>& all = this->outcomes_;
    const Outcome drawn = all[roulette(all.size(), [&](std::size_t i) { return all[i].probability; }, rng)];
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i].action == drawn.action) return static_cast<int>(i);
    }
    Edge& made = tree.append_edge(node);
    made.action = drawn.action;
    made.prior = static_cast<float>(drawn.probability);
    return tree.node(node).num_edges - 1;
  }

 private:
  double play(const State& start, Rng& rng) {
    if constexpr (kHasTime) {
      if (counts_time()) return play_discounted(start, rng);
    }
    if (!on_error_ && playout_.is_random()) return checked(playout_.run_random(start, rng));
    return play_by_policy(start, rng);
  }

  double play_by_policy(State state, Rng& rng) {
    double first = 0.0;
    guarded(state, [&] { first = checked(playout_.run(state, rng)); });
    return first;
  }

  double play_discounted(State state, Rng& rng) {
    double first = 0.0;
    guarded(state, [&] {
      first = playout_.run_discounted(state, discount_, rng);
      checked(this->game_.first_player_return(state));
    });
    return first;
  }

  // For the newest state.
  Index add_lazy_node(Tree& tree) {
    const State& state = this->states_.back();
    const int player = this->game_.player(state);
    double end = player == kTerminalPlayer ? checked(this->game_.first_player_return(state)) : 0.0;
    if (counts_time() && this->pays_) end = 0.0;  // all was paid on the way
    const bool lazy = player >= 0 || (player == kChancePlayer && settings_.widen_chance_k > 0.0);
    if (!lazy) return this->add_newest(tree, player, end);
    const auto payload = static_cast<Index>(this->states_.size() - 1);
    return player >= 0 ? tree.add_node(NodeKind::choice, player, payload)
                       : tree.add_node(NodeKind::chance, 0, payload);
  }

  double checked(double first) const {
    if (!(first >= settings_.low && first <= settings_.high)) refuse(first);
    return first;
  }

  [[noreturn]] void refuse(double first) const {
    throw std::invalid_argument("the game returned " + std::to_string(first) + ", outside its utilities [" +
                                std::to_string(settings_.low) + ", " + std::to_string(settings_.high) +
                                "]; correct min_utility() and max_utility(), or give utility_range");
  }

  template <class F>
  void guarded(const State& state, F&& f) {
    try {
      f();
    } catch (...) {
      if (on_error_) on_error_(state);
      throw;
    }
  }

  PlayoutSettings settings_;
  double discount_;
  Playout<G> playout_;
  Rng order_;
  OnError on_error_;
};

}  // namespace dicezero
