// Exact values for any finite game, state by state: the general twin of the table for Nannon.
//
// A state is worth what is still to be paid to player 0, on average. Everything paid between two decisions
// counts alike; what is paid after one more decision of either player counts `discount` times as much.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "solve/components.h"
#include "solve/endless.h"
#include "solve/policy.h"
#include "solve/progress.h"
#include "solve/results.h"
#include "solve/state_graph.h"
#include "solve/sweeps.h"

namespace dicezero {

template <Game G>
class StateTable {
 public:
  using GameType = G;
  using State = typename G::State;

  StateTable(const G& game, std::uint64_t max_states, const Monitor& monitor)
      : graph_(game, max_states, monitor),
        components_(find_components(graph_.size(), [&](std::uint32_t v) { return graph_.targets(v); })),
        cyclic_(components_.cyclic()) {
    if (discount() != 1.0) graph_.make_up_for_discount(paid_before_deciding(monitor));
  }

  std::uint64_t states() const { return graph_.size(); }
  std::uint64_t reachable() const { return graph_.size(); }
  const G& game() const { return graph_.game(); }
  const StateGraph<G>& graph() const { return graph_; }
  double discount() const { return graph_.discount(); }
  UtilityRange range() const { return graph_.range(); }
  bool paid() const { return graph_.paid(); }
  bool pays_on_the_way() const { return graph_.pays_on_the_way(); }
  bool decisive() const { return graph_.decisive(); }
  bool cyclic() const { return cyclic_; }  // do positions repeat?

  std::optional<std::uint64_t> find(const State& s) const {
    const std::uint32_t node = graph_.find(s);
    return node == graph_.size() ? std::nullopt : std::optional<std::uint64_t>(node);
  }

  // Whose value is stored: always player 0's.
  int viewer(const State&) const { return 0; }

  std::uint64_t decisions() const { return graph_.decisions(); }
  const State& decision_state(std::uint64_t i) const { return graph_.decision_state(i); }
  std::vector<Action> history(std::uint64_t i) const { return graph_.history(graph_.decision_node(i)); }
  std::optional<std::uint64_t> find_decision(const State& s) const {
    const std::uint32_t node = graph_.find(s);
    if (node == graph_.size() || graph_.player(node) < 0) return std::nullopt;
    return graph_.decision(node);
  }

  // Values for player 0, in the order the states were found.
  Solved solve(const IterationLimits& limits, int, const Monitor& monitor) const {
    if (could_grow()) {
      const PolicyView anything(PolicyView::Uniform{}, game().num_actions());
      refuse_payment_without_end(endless_play(move_weights({&anything, &anything})));
    }
    Solved solved;
    solved.values = values_of({nullptr, nullptr}, {}, {limits, monitor, "solve", could_grow()}, solved);
    return solved;
  }

  Evaluated evaluate(Rule a, Rule b, const IterationLimits& limits, int, const Monitor& monitor) const {
    Evaluated result;
    const bool alone = game().num_players() == 1;
    const SweepOptions options{limits, monitor, "evaluate", could_grow()};
    const auto play = [&](const Rules& rules, double& value, double& turns) {
      const std::vector<double> weights = move_weights(rules);
      const bool fixed = rules[0] != nullptr && (alone || rules[1] != nullptr);
      const Endless endless = fixed && cyclic_ ? endless_play(weights) : Endless{};
      if (could_grow()) refuse_payment_without_end(endless);
      value = values_of(rules, weights, options, result, endless.seen)[0];
      if (!fixed) return;
      turns = endless.reached ? std::numeric_limits<double>::infinity()
                              : turns_of(weights, options, result, endless.seen);
    };
    play({a, b}, result.value.first, result.turns.first);
    if (alone) {  // there is no second seat
      result.value.second = result.value.first;
      result.turns.second = result.turns.first;
      return result;
    }
    play({b, a}, result.value.second, result.turns.second);
    result.value.second = -result.value.second;
    return result;
  }

  // How often a game comes to each decision of side a, when a plays against b; seats averaged. Discounted:
  // each time counts as much as what is paid then.
  std::vector<double> visits(Rule a, Rule b, bool discounted, const IterationLimits& limits,
                             const Monitor& monitor) const {
    std::vector<double> result(decisions(), 0.0);
    const int seats = game().num_players() == 1 ? 1 : 2;
    const double factor = discounted ? discount() : 1.0;
    for (int seat = 0; seat < seats; ++seat) {
      const std::vector<double> weights = move_weights(seat == 0 ? Rules{a, b} : Rules{b, a});
      if (factor == 1.0 && cyclic_ && endless_play(weights).reached)
        throw NoConvergence("play of these policies may never end, so that visits have no limit");
      std::vector<double> waiting(graph_.size(), 0.0);
      waiting[0] = 1.0 / seats;
      for (std::size_t c = components_.size(); c-- > 0;) {  // the start of the game first
        const auto nodes = components_[c];
        double moved = 0.0;
        std::uint64_t sweeps = 0;
        do {
          check_iterations(sweeps++, moved, limits);
          moved = 0.0;
          for (const std::uint32_t node : nodes) {
            const double mass = waiting[node];
            if (mass == 0.0) continue;
            waiting[node] = 0.0;
            moved += mass;
            const int player = graph_.player(node);
            if (player == kTerminalPlayer) continue;
            if (player == seat) result[graph_.decision(node)] += mass;
            const double passed = player == kChancePlayer ? mass : factor * mass;
            const auto targets = graph_.targets(node);
            const double* weight = weights_at(node, weights);
            for (std::size_t i = 0; i < targets.size(); ++i) waiting[targets[i]] += weight[i] * passed;
          }
          if (c % 4096 == 0) monitor({"visits", graph_.size() - components_.starts[c], graph_.size(), moved});
        } while (components_.repeats[c] && moved > limits.tolerance);
      }
    }
    return result;
  }

  // Values of the legal actions of a decision for its player.
  void action_values(std::uint64_t decision, const double* values, std::vector<Action>& actions,
                     std::vector<double>& result) const {
    const std::uint32_t node = graph_.decision_node(decision);
    edge_values(node, values, actions, result);
    if (graph_.player(node) != 0)
      for (double& value : result) value = -value;
  }

  // Values for player 0 of what can happen at a state that is not final.
  void edge_values(std::uint64_t at, const double* values, std::vector<Action>& actions,
                   std::vector<double>& result) const {
    const auto node = static_cast<std::uint32_t>(at);
    actions.assign(graph_.actions(node).begin(), graph_.actions(node).end());
    result.clear();
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const double value = values[graph_.targets(node)[i]];
      result.push_back(paid() ? graph_.rewards(node)[i] + factor(node) * value : value);
    }
  }

  // Replaces best actions by others as good where the first ones would go round in circles.
  void prefer_progress(const double* values, std::vector<std::int16_t>& chosen) const {
    if (cyclic_ && discount() == 1.0) dicezero::prefer_progress(*this, components_, values, chosen);
  }

 private:
  using Rules = std::array<Rule, 2>;  // by player

  double factor(std::uint32_t node) const { return graph_.player(node) >= 0 ? discount() : 1.0; }

  const double* weights_at(std::uint32_t node, const std::vector<double>& weights) const {
    return graph_.player(node) == kChancePlayer ? graph_.probabilities(node)
                                                : &weights[graph_.first_edge(node)];
  }

  bool could_grow() const { return cyclic_ && paid() && discount() == 1.0; }

  static void refuse_payment_without_end(const Endless& endless) {
    if (endless.paid)
      throw NoConvergence(
          "play may go on for ever and be paid for ever, so that its value has no limit; give the game a "
          "discount below 1, or an end");
  }

  Endless endless_play(const std::vector<double>& weights) const {
    return find_endless(graph_, components_, [&](std::uint32_t node) { return weights_at(node, weights); });
  }

  // Probabilities of the moves of the sides that follow a policy, [edges].
  std::vector<double> move_weights(const Rules& rules) const {
    std::vector<double> all(graph_.edges(), 0.0);
    std::vector<Action> actions;
    std::vector<double> weights;
    for (std::uint64_t i = 0; i < graph_.decisions(); ++i) {
      const std::uint32_t node = graph_.decision_node(i);
      const Rule rule = rules[static_cast<std::size_t>(graph_.player(node))];
      if (rule == nullptr) continue;
      actions.assign(graph_.actions(node).begin(), graph_.actions(node).end());
      rule->weights(i, actions, weights);
      std::copy(weights.begin(), weights.end(),
                all.begin() + static_cast<std::ptrdiff_t>(graph_.first_edge(node)));
    }
    return all;
  }

  // One state from its successors, for player 0.
  template <bool kPaid>
  double backup(std::uint32_t node, const Rules& rules, const std::vector<double>& weights,
                const std::vector<double>& x) const {
    const int player = graph_.player(node);
    if (player == kTerminalPlayer) return graph_.final_return(node);
    const auto targets = graph_.targets(node);
    const double factor = player >= 0 ? discount() : 1.0;
    const auto worth = [&](std::size_t i) {
      if constexpr (kPaid) return graph_.rewards(node)[i] + factor * x[targets[i]];
      return x[targets[i]];
    };
    if (player >= 0 && rules[static_cast<std::size_t>(player)] == nullptr) {
      double best = worth(0);
      for (std::size_t i = 1; i < targets.size(); ++i)
        best = player == 0 ? std::max(best, worth(i)) : std::min(best, worth(i));
      return best;
    }
    const double* weight = weights_at(node, weights);
    double sum = 0.0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (weight[i] != 0.0) sum += weight[i] * worth(i);
    }
    return sum;
  }

  template <class Result>
  std::vector<double> values_of(const Rules& rules, const std::vector<double>& weights,
                                const SweepOptions& options, Result& result,
                                const std::vector<char>& seen = {}) const {
    const auto run = [&]<bool kPaid>() {
      return sweep_components(
          components_,
          [&](std::uint32_t node, const std::vector<double>& x) {
            return seen.empty() || seen[node] ? backup<kPaid>(node, rules, weights, x) : 0.0;
          },
          options, result);
    };
    return paid() ? run.template operator()<true>() : run.template operator()<false>();
  }

  // Choices still to come from the start. `seen` [states], where play comes at all; empty: everywhere.
  template <class Result>
  double turns_of(const std::vector<double>& weights, const SweepOptions& options, Result& result,
                  const std::vector<char>& seen) const {
    const auto turns = [&](std::uint32_t node, const std::vector<double>& x) {
      const int player = graph_.player(node);
      if (player == kTerminalPlayer || !(seen.empty() || seen[node])) return 0.0;
      const auto targets = graph_.targets(node);
      const double* weight = weights_at(node, weights);
      double sum = player >= 0 ? 1.0 : 0.0;
      for (std::size_t i = 0; i < targets.size(); ++i) {
        if (weight[i] != 0.0) sum += weight[i] * x[targets[i]];
      }
      return sum;
    };
    return sweep_components(components_, turns, {options.limits, options.monitor, "count turns"}, result)[0];
  }

  // What each state pays on average before a player decides again, the end included.
  std::vector<double> paid_before_deciding(const Monitor& monitor) const {
    const auto soon = [&](std::uint32_t node, const std::vector<double>& x) {
      if (graph_.player(node) >= 0) return 0.0;
      if (graph_.player(node) == kTerminalPlayer) return graph_.final_return(node);
      double sum = 0.0;
      for (std::size_t i = 0; i < graph_.targets(node).size(); ++i) {
        const double reward = paid() ? graph_.rewards(node)[i] : 0.0;
        sum += graph_.probabilities(node)[i] * (reward + x[graph_.targets(node)[i]]);
      }
      return sum;
    };
    Solved ignored;
    return sweep_components(components_, soon, {{1e-14, 1'000'000}, monitor, "discount"}, ignored);
  }

  StateGraph<G> graph_;
  Components components_;
  bool cyclic_;
};

}  // namespace dicezero
