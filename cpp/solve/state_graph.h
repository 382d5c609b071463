// All states of a game that can be reached, found breadth first and told apart by their key.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rules/game.h"
#include "solve/monitor.h"
#include "solve/payments.h"
#include "solve/probe.h"

namespace dicezero {

template <Game G>
class StateGraph {
 public:
  using State = typename G::State;
  using Key = decltype(std::declval<const G&>().key(std::declval<const State&>()));

  StateGraph(const G& game, std::uint64_t max_states, const Monitor& monitor)
      : game_(game),
        pays_(dicezero::pays_on_the_way(game)),
        discount_(discount_of(game)),
        stated_(utility_range(game)) {
    check_bound(max_states);
    if (game.num_actions() > std::numeric_limits<std::int16_t>::max())
      throw TooLarge(full_name(game) + " has " + std::to_string(game.num_actions()) +
                     " actions; games of up to 32767 can be solved");
    SizeProbe<G> probe(game_, kTooMany * static_cast<double>(max_states));
    const double began = cpu_seconds();
    double probed = 0.0, probe_after = kPatienceSeconds;
    std::uint64_t next_report = 0;
    std::deque<State> frontier;
    add(game.initial_state(), 0, kNoAction, frontier);
    std::vector<Action> actions;
    std::vector<Outcome> outcomes;
    while (!frontier.empty()) {
      const std::uint32_t node = static_cast<std::uint32_t>(first_edge_.size());
      if (targets_.size() >= next_report) {
        next_report = targets_.size() + kEdgesPerReport;
        monitor({"enumerate", keys_.size(), 0, 0.0});
        const double finding = cpu_seconds() - began - probed;
        if (finding > probe_after && probe.undecided()) {
          const double seconds = std::max(0.5 * finding, kFirstProbeSeconds);
          double least = probe.play(seconds, monitor);
          if (least > kPromising * static_cast<double>(max_states)) least = probe.play(seconds, monitor);
          check_probe(least, max_states);
          probed = cpu_seconds() - began - finding;
          probe_after = std::max(probed, 2.0 * finding);  // half of the time goes into finding
        }
      }
      if (keys_.size() > max_states) throw too_large("at least " + std::to_string(keys_.size()), max_states);
      State state = std::move(frontier.front());
      frontier.pop_front();
      first_edge_.push_back(targets_.size());
      if (players_[node] == kTerminalPlayer) {
        extra_.push_back(static_cast<std::uint32_t>(returns_.size()));
        returns_.push_back(pays_ ? 0.0 : checked_return(state));
      } else if (players_[node] == kChancePlayer) {
        extra_.push_back(static_cast<std::uint32_t>(probabilities_.size()));
        game.outcomes(state, outcomes);
        for (const Outcome& outcome : outcomes) {
          follow(node, state, outcome.action, frontier);
          probabilities_.push_back(outcome.probability);
        }
      } else {
        extra_.push_back(static_cast<std::uint32_t>(decision_nodes_.size()));
        game.legal_actions(state, actions);
        for (const Action action : actions) follow(node, state, action, frontier);
        decision_nodes_.push_back(node);
        decision_states_.push_back(std::move(state));
      }
    }
    first_edge_.push_back(targets_.size());
  }

  const G& game() const { return game_; }
  double discount() const { return discount_; }

  // The least and the greatest return: as the game says, else as they were found; infinite where a game pays
  // on the way and does not say.
  UtilityRange range() const {
    const auto [low, high] = std::minmax_element(returns_.begin(), returns_.end());
    const bool known = !pays_ && !returns_.empty();
    return {std::isinf(stated_.low) && known ? *low : stated_.low,
            std::isinf(stated_.high) && known ? *high : stated_.high};
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(keys_.size()); }
  std::uint64_t edges() const { return targets_.size(); }
  const std::vector<Key>& keys() const { return keys_; }

  int player(std::uint32_t node) const { return players_[node]; }
  std::uint64_t first_edge(std::uint32_t node) const { return first_edge_[node]; }
  std::span<const std::uint32_t> targets(std::uint32_t node) const { return slice(targets_, node); }
  std::span<const std::int16_t> actions(std::uint32_t node) const { return slice(actions_, node); }
  bool pays_on_the_way() const { return pays_; }
  // Is every return 1 or -1, a win or a loss?
  bool decisive() const {
    return !pays_ &&
           std::all_of(returns_.begin(), returns_.end(), [](double r) { return std::fabs(r) == 1.0; });
  }
  // Whether edges pay; otherwise all is paid at the end and counts in full.
  bool paid() const { return !rewards_.empty(); }
  // To player 0, [edges of node].
  std::span<const double> rewards(std::uint32_t node) const { return slice(rewards_, node); }
  const double* probabilities(std::uint32_t node) const { return &probabilities_[extra_[node]]; }  // chance
  double final_return(std::uint32_t node) const { return returns_[extra_[node]]; }                 // terminal
  std::uint32_t decision(std::uint32_t node) const { return extra_[node]; }                        // choice

  std::uint64_t decisions() const { return decision_nodes_.size(); }
  std::uint32_t decision_node(std::uint64_t decision) const { return decision_nodes_[decision]; }
  const State& decision_state(std::uint64_t decision) const { return decision_states_[decision]; }

  // Between two decisions everything counts alike. What is paid after a decision and before the next,
  // `soon` [states] on average, would be discounted with the rest of what follows it: edges make up for it.
  void make_up_for_discount(const std::vector<double>& soon) {
    rewards_.resize(targets_.size(), 0.0);
    for (const std::uint32_t node : decision_nodes_)
      for (std::uint64_t edge = first_edge_[node]; edge < first_edge_[node + 1]; ++edge)
        rewards_[edge] += (1.0 - discount_) * soon[targets_[edge]];
  }

  // The node of a state, or size() if play never comes to it.
  std::uint32_t find(const State& state) const {
    const auto found = numbers_.find(game_.key(state));
    return found == numbers_.end() ? size() : found->second;
  }

  std::vector<Action> history(std::uint32_t node) const {
    std::vector<Action> backwards;
    for (; node != 0; node = parents_[node].first) backwards.push_back(parents_[node].second);
    return {backwards.rbegin(), backwards.rend()};
  }

 private:
  // What a state takes, roughly: its key in the map, its place in the arrays, its moves.
  static constexpr double kBytesPerState = 160.0;
  // A bound is loose; only what is hopeless is refused by it. The rest is counted while it is found.
  static constexpr double kHopeless = 50.0;
  static constexpr std::uint64_t kEdgesPerReport = 256;
  // A game not found through by then is probed, and refused if it is so many times too large.
  static constexpr double kPatienceSeconds = 0.1;
  static constexpr double kFirstProbeSeconds = 1.5;  // with the time to begin, below two
  static constexpr double kTooMany = 1.5;
  static constexpr double kPromising = 0.4;  // a game shown to be so much of the limit is probed on

  TooLarge too_large(const std::string& count, std::uint64_t max_states) const {
    return TooLarge(full_name(game_) + " has " + count +
                    " states; the limit is max_states=" + std::to_string(max_states) + " (about " +
                    memory_text(kBytesPerState * static_cast<double>(max_states)) +
                    "): raise it, or take a smaller game");
  }

  void check_bound(std::uint64_t max_states) const {
    const double bound = state_bound(game_);
    if (std::isinf(bound) || bound <= kHopeless * static_cast<double>(max_states)) return;
    char count[32];
    std::snprintf(count, sizeof(count), "%.1e", bound);
    throw too_large(std::string("up to ") + count + " (" + memory_text(kBytesPerState * bound) + ")",
                    max_states);
  }

  void check_probe(double least, std::uint64_t max_states) const {
    if (least <= kTooMany * static_cast<double>(max_states)) return;
    char count[32];
    std::snprintf(count, sizeof(count), "%.0e", least);
    throw too_large(std::string("more than ") + count, max_states);
  }

  double checked_return(const State& state) const {
    const double value = game_.first_player_return(state);
    const double slack = 1e-9 * std::max(1.0, std::fabs(value));
    if (!std::isfinite(value) || value < stated_.low - slack || value > stated_.high + slack) {
      throw std::invalid_argument(
          full_name(game_) + " returns " + std::to_string(value) + " at: " + game_.to_string(state) +
          "; outside min_utility()=" + std::to_string(stated_.low) +
          " and max_utility()=" + std::to_string(stated_.high) + ": correct these, or the returns");
    }
    return value;
  }

  double checked_reward(const State& before, const State& after) const {
    const double reward = paid_between(game_, before, after);
    if (std::isfinite(reward)) return reward;
    throw std::invalid_argument(full_name(game_) + " pays " + std::to_string(reward) + " on the way to: " +
                                game_.to_string(after) + "; rewards must be finite numbers");
  }

  void follow(std::uint32_t node, const State& state, Action action, std::deque<State>& frontier) {
    State next = state;
    game_.apply(next, action);
    if constexpr (kMayPay<G>) {
      if (pays_) rewards_.push_back(checked_reward(state, next));
    }
    targets_.push_back(add(std::move(next), node, action, frontier));
    actions_.push_back(static_cast<std::int16_t>(action));
  }

  std::uint32_t add(State state, std::uint32_t parent, Action action, std::deque<State>& frontier) {
    const auto [found, fresh] = numbers_.try_emplace(game_.key(state), size());
    if (!fresh) return found->second;
    grown_.add(static_cast<std::size_t>(kBytesPerState), "take a smaller game", [&] {
      return "more than the " + std::to_string(size()) + " states found so far of " + full_name(game_);
    });
    keys_.push_back(found->first);
    players_.push_back(static_cast<std::int8_t>(game_.player(state)));
    parents_.push_back({parent, static_cast<std::int16_t>(action)});
    frontier.push_back(std::move(state));
    return found->second;
  }

  template <class T>
  std::span<const T> slice(const std::vector<T>& all, std::uint32_t node) const {
    return std::span(all).subspan(first_edge_[node], first_edge_[node + 1] - first_edge_[node]);
  }

  G game_;
  memory::Growth grown_;
  bool pays_;
  double discount_;
  UtilityRange stated_;
  std::unordered_map<Key, std::uint32_t, KeyHash> numbers_;
  std::vector<Key> keys_;                                        // [states]
  std::vector<std::int8_t> players_;                             // [states]
  std::vector<std::pair<std::uint32_t, std::int16_t>> parents_;  // [states] one way to come there
  std::vector<std::uint64_t> first_edge_;                        // [states + 1]
  std::vector<std::uint32_t> extra_;    // [states] where the kind of a state keeps what else it has
  std::vector<std::uint32_t> targets_;  // [edges]
  std::vector<std::int16_t> actions_;   // [edges]
  std::vector<double> rewards_;         // [edges], to player 0; none where nothing is paid on the way
  std::vector<double> probabilities_;   // [edges of chance]
  std::vector<double> returns_;         // [final states]; zeros where a game pays on the way
  std::vector<std::uint32_t> decision_nodes_;
  std::vector<State> decision_states_;
};

}  // namespace dicezero
