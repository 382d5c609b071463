// Exact values for any finite game, state by state: the general twin of the table for Nannon.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "solve/components.h"
#include "solve/policy.h"
#include "solve/results.h"
#include "solve/state_graph.h"

namespace dicezero {

template <Game G>
class StateTable {
 public:
  using GameType = G;
  using State = typename G::State;

  StateTable(const G& game, std::uint64_t max_states, const Monitor& monitor)
      : graph_(game, max_states, monitor),
        components_(find_components(graph_.size(), [&](std::uint32_t v) { return graph_.targets(v); })) {}

  std::uint64_t states() const { return graph_.size(); }
  std::uint64_t reachable() const { return graph_.size(); }
  const G& game() const { return graph_.game(); }
  const StateGraph<G>& graph() const { return graph_; }

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
    Solved solved;
    solved.values = iterate({nullptr, nullptr}, false, limits, monitor, "solve", solved);
    return solved;
  }

  Evaluated evaluate(Rule a, Rule b, const IterationLimits& limits, int, const Monitor& monitor) const {
    Evaluated result;
    const bool both = a != nullptr && b != nullptr;
    result.value.first = iterate({a, b}, false, limits, monitor, "evaluate", result)[0];
    if (both) result.turns.first = iterate({a, b}, true, limits, monitor, "count turns", result)[0];
    if (game().num_players() == 1) {  // there is no second seat
      result.value.second = result.value.first;
      result.turns.second = result.turns.first;
      return result;
    }
    result.value.second = -iterate({b, a}, false, limits, monitor, "evaluate", result)[0];
    if (both) result.turns.second = iterate({b, a}, true, limits, monitor, "count turns", result)[0];
    return result;
  }

  // How often a game comes to each decision of side a, when a plays against b; seats averaged.
  std::vector<double> visits(Rule a, Rule b, const IterationLimits& limits, const Monitor& monitor) const {
    std::vector<double> result(decisions(), 0.0);
    const int seats = game().num_players() == 1 ? 1 : 2;
    for (int seat = 0; seat < seats; ++seat) {
      const std::vector<double> weights = move_weights(seat == 0 ? Rules{a, b} : Rules{b, a});
      std::vector<double> waiting(graph_.size(), 0.0);
      waiting[0] = 1.0 / seats;
      for (std::size_t c = components_.starts.size() - 1; c-- > 0;) {  // the start of the game first
        const auto nodes =
            std::span(components_.nodes)
                .subspan(components_.starts[c], components_.starts[c + 1] - components_.starts[c]);
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
            const auto targets = graph_.targets(node);
            const double* weight =
                player == kChancePlayer ? graph_.probabilities(node) : &weights[graph_.first_edge(node)];
            for (std::size_t i = 0; i < targets.size(); ++i) waiting[targets[i]] += weight[i] * mass;
          }
          if (c % 4096 == 0) monitor({"visits", graph_.size() - components_.starts[c], graph_.size(), moved});
        } while (repeats(nodes) && moved > limits.tolerance);
      }
    }
    return result;
  }

  // Values of the legal actions of a decision for its player.
  void action_values(std::uint64_t decision, const double* values, std::vector<Action>& actions,
                     std::vector<double>& result) const {
    const std::uint32_t node = graph_.decision_node(decision);
    const double sign = graph_.player(node) == 0 ? 1.0 : -1.0;
    actions.assign(graph_.actions(node).begin(), graph_.actions(node).end());
    result.clear();
    for (const std::uint32_t target : graph_.targets(node)) result.push_back(sign * values[target]);
  }

 private:
  using Rules = std::array<Rule, 2>;  // by player

  // Probabilities of the moves of the sides that follow a policy, [edges].
  std::vector<double> move_weights(const Rules& rules) const {
    if (rules[0] == nullptr && rules[1] == nullptr) return {};
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

  // One state from its successors: values for player 0, or turns still to come.
  double backup(std::uint32_t node, const Rules& rules, bool turns, const std::vector<double>& weights,
                const std::vector<double>& x) const {
    const int player = graph_.player(node);
    if (player == kTerminalPlayer) return turns ? 0.0 : graph_.final_return(node);
    const auto targets = graph_.targets(node);
    if (player >= 0 && rules[static_cast<std::size_t>(player)] == nullptr) {
      double best = x[targets[0]];
      for (const std::uint32_t t : targets.subspan(1))
        best = player == 0 ? std::max(best, x[t]) : std::min(best, x[t]);
      return best;
    }
    const double* weight =
        player == kChancePlayer ? graph_.probabilities(node) : &weights[graph_.first_edge(node)];
    double sum = turns && player >= 0 ? 1.0 : 0.0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (weight[i] != 0.0) sum += weight[i] * x[targets[i]];
    }
    return sum;
  }

  // Component by component, ends of the game first. One backup is exact where nothing repeats; where
  // positions repeat, sweeps in place until nothing changes by more than the tolerance.
  template <class Result>
  std::vector<double> iterate(const Rules& rules, bool turns, const IterationLimits& limits,
                              const Monitor& monitor, const char* phase, Result& result) const {
    const std::vector<double> weights = move_weights(rules);
    std::vector<double> x(graph_.size(), 0.0);
    result.iterations = std::max<std::uint64_t>(result.iterations, 1);
    for (std::size_t c = 0; c + 1 < components_.starts.size(); ++c) {
      const auto nodes =
          std::span(components_.nodes)
              .subspan(components_.starts[c], components_.starts[c + 1] - components_.starts[c]);
      std::uint64_t sweeps = 0;
      double change = 0.0;
      do {
        check_iterations(sweeps, change, limits);
        change = 0.0;
        for (const std::uint32_t node : nodes) {
          const double value = backup(node, rules, turns, weights, x);
          change = std::max(change, std::fabs(value - x[node]));
          x[node] = value;
        }
        ++sweeps;
        if (c % 4096 == 0 || nodes.size() > 1) monitor({phase, components_.starts[c], graph_.size(), change});
      } while (repeats(nodes) && change > limits.tolerance);
      if (repeats(nodes)) result.residual = std::max(result.residual, change);
      result.iterations = std::max(result.iterations, sweeps);
    }
    return x;
  }

  bool repeats(std::span<const std::uint32_t> nodes) const {
    if (nodes.size() > 1) return true;
    const auto targets = graph_.targets(nodes[0]);
    return std::find(targets.begin(), targets.end(), nodes[0]) != targets.end();
  }

  StateGraph<G> graph_;
  Components components_;
};

}  // namespace dicezero
