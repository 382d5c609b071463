// Exact values for Nannon: of perfect play, of fixed policies against each other, of the best reply to one.
#pragma once

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "solve/monitor.h"
#include "solve/nannon_moves.h"
#include "solve/payments.h"
#include "solve/results.h"

namespace dicezero {

class NannonTable {
 public:
  using GameType = Nannon;

  NannonTable(const Nannon& game, std::uint64_t max_states, const Monitor&)
      : index_((check_size(game, max_states), game)) {}

  // The paper's count: every placing of both sides' checkers, finished and unreachable ones included.
  std::uint64_t states() const { return index_.size(); }
  const NannonIndex& index() const { return index_; }
  const Nannon& game() const { return index_.game(); }

  // Positions found when first asked for, as perfect play needs none of it.
  const NannonReach& reach() const {
    std::call_once(reached_, [&] { reach_.emplace(index_); });
    return *reach_;
  }

  // Where the value of a state is stored: positions before an ordinary roll. Others follow by one or two
  // steps.
  std::optional<std::uint64_t> find(const Nannon::State& s) const {
    if (s.opening || s.roll != 0 || s.finished) return std::nullopt;
    return index_.rank(s);
  }

  // Whose value is stored there.
  int viewer(const Nannon::State& s) const { return s.turn; }

  // A win pays 1 and a loss costs it, at the end.
  double discount() const { return 1.0; }
  UtilityRange range() const { return {-1.0, 1.0}; }
  bool pays_on_the_way() const { return false; }
  bool decisive() const { return true; }
  bool cyclic() const { return false; }  // the dice lead on in the end

  std::uint64_t reachable() const { return reach().positions().size(); }
  std::uint64_t decisions() const { return reach().decisions(); }
  Nannon::State decision_state(std::uint64_t i) const { return reach().state(i); }
  std::vector<Action> history(std::uint64_t i) const { return reach().history(i); }
  std::optional<std::uint64_t> find_decision(const Nannon::State& s) const {
    if (s.finished || s.roll == 0 || !reach().contains(index_.rank(s))) return std::nullopt;
    return reach().decision(index_.rank(s), s.roll);
  }

  // Values for the player about to roll, by rank.
  Solved solve(const IterationLimits& limits, int threads, const Monitor& monitor) const {
    Tables<double> tables(index_);
    Solved solved;
    iterate({nullptr, nullptr}, tables, limits, threads, monitor, "solve", solved);
    solved.values = std::move(tables.a);
    return solved;
  }

  // Of `a` playing against `b`; a side without a policy replies as well as it can, and turns are not counted.
  Evaluated evaluate(Rule a, Rule b, const IterationLimits& limits, int threads,
                     const Monitor& monitor) const {
    Evaluated result;
    if (a == nullptr || b == nullptr) {
      Tables<double> tables(index_);
      iterate({a, b}, tables, limits, threads, monitor, "evaluate", result);
      result.value = {root(a, tables.b), -root(b, tables.a)};
    } else {
      Tables<Worth> tables(index_);
      iterate({a, b}, tables, limits, threads, monitor, "evaluate", result);
      const Worth first = root(a, tables.b);
      const Worth second = root(b, tables.a);
      result.value = {first.value, -second.value};
      result.turns = {first.turns, second.turns};
    }
    return result;
  }

  // How often a game comes to each decision with side a to move, when a plays against b; seats averaged.
  // Mass flows from the start through the components, most checkers first, round each until it is gone.
  std::vector<double> visits(Rule a, Rule b, bool, const IterationLimits& limits,
                             const Monitor& monitor) const {
    std::vector<double> waiting_a(index_.size(), 0.0);
    std::vector<double> waiting_b(index_.size(), 0.0);
    std::vector<double> rolled(index_.size(), 0.0);  // times a rolls an ordinary die there
    std::vector<double> result(decisions(), 0.0);
    open(a, waiting_b.data(), result.data());
    open(b, waiting_a.data(), nullptr);
    const auto& strata = index_.strata();
    for (std::size_t i = strata.size(); i-- > 0;) {
      const NannonStratum& y = strata[i];
      if (y.a == 0 || y.b == 0) continue;
      const NannonStratum& x = y.a == y.b ? y : strata[--i];
      const auto flow = [&](const NannonStratum& own, const NannonStratum& other) {
        const auto moves = [&](Rule rule, const NannonStratum& s) {
          return NannonMoves(index_, &reach(), rule, static_cast<std::uint32_t>(s.begin),
                             static_cast<std::uint32_t>(s.end), 1);
        };
        const NannonMoves moves_a = moves(a, own);
        const NannonMoves moves_b = moves(b, other);
        double moved = 0.0;
        std::uint64_t sweeps = 0;
        do {
          check_iterations(sweeps++, moved, limits);
          moved = moves_a.push(waiting_a.data(), waiting_b.data(), rolled.data());
          moved += moves_b.push(waiting_b.data(), waiting_a.data(), nullptr);
          monitor({"visits", index_.size() - y.end, index_.size(), moved});
        } while (moved > limits.tolerance);
      };
      flow(x, y);
      if (x.a != x.b) flow(y, x);
    }
    const int sides = game().sides();
    for (std::uint64_t i = 0; i < result.size(); ++i)
      result[i] += rolled[reach().positions()[i / static_cast<std::uint64_t>(sides)]] / sides;
    return result;
  }

  // Values of the legal actions of a decision for its player.
  void action_values(std::uint64_t decision, const double* values, std::vector<Action>& actions,
                     std::vector<double>& result) const {
    const Nannon::State s = decision_state(decision);
    game().legal_actions(s, actions);
    result.clear();
    for (const Action action : actions) {
      Nannon::State next = s;
      game().apply(next, action);
      result.push_back(-values[index_.rank(next)]);
    }
  }

  // Bytes that solving takes at most: two tables of values and the moves of the largest component.
  static double most_bytes(const Nannon& game) {
    const double states = static_cast<double>(NannonIndex::count(game));
    return states *
           (2 * sizeof(double) + 0.3 * game.sides() * (game.checkers() * 0.7 + 1) * sizeof(std::uint32_t));
  }

 private:
  // Tables of the two sides: a[p] is the worth of p to side a when a rolls, b[p] likewise.
  template <class Entry>
  struct Tables {
    explicit Tables(const NannonIndex& index) : a(index.size()) {
      for (const NannonStratum& s : index.strata()) {
        if (s.a == 0 || s.b == 0)
          std::fill(a.begin() + s.begin, a.begin() + s.end, Entry{s.b == 0 ? -1.0 : 1.0});
      }
      b = a;
    }
    std::vector<Entry> a;
    std::vector<Entry> b;
  };

  struct Rules {
    Rule a;
    Rule b;
    bool alike() const { return a == b; }
  };

  static void check_size(const Nannon& game, std::uint64_t max_states) {
    const std::uint64_t states = NannonIndex::count(game);
    if (states <= max_states)
      return memory::claim(most_bytes(game), full_name(game), "take fewer points or checkers");
    throw TooLarge(full_name(game) + " has " + std::to_string(states) + " states and would take " +
                   memory_text(most_bytes(game)) + "; the limit is max_states=" + std::to_string(max_states) +
                   ": raise it, or take fewer points or checkers");
  }

  // Component by component, fewest checkers first: everything a component's moves lead to outside of it is
  // already final.
  template <class Entry, class Result>
  void iterate(Rules rules, Tables<Entry>& tables, const IterationLimits& limits, int threads,
               const Monitor& monitor, const char* phase, Result& result) const {
    const auto& strata = index_.strata();
    for (std::size_t i = 0; i < strata.size(); ++i) {
      const NannonStratum& x = strata[i];
      if (x.a == 0 || x.b == 0) continue;
      const NannonStratum& y = x.a == x.b ? x : strata[++i];  // its mirror image
      const auto report = [&](double residual) { monitor({phase, x.begin, index_.size(), residual}); };
      alternate(rules, x, y, tables, limits, threads, report, result);
      if (rules.alike()) {  // what side a was not asked about, side b was
        std::copy(tables.b.begin() + y.begin, tables.b.begin() + y.end, tables.a.begin() + y.begin);
        std::copy(tables.a.begin() + x.begin, tables.a.begin() + x.end, tables.b.begin() + x.begin);
      } else if (x.a != x.b) {
        alternate(rules, y, x, tables, limits, threads, report, result);
      }
    }
  }

  // Side a rolls in x and side b in its mirror image y; each sweep of one table reads only the other.
  template <class Entry, class Report, class Result>
  void alternate(Rules rules, const NannonStratum& x, const NannonStratum& y, Tables<Entry>& tables,
                 const IterationLimits& limits, int threads, const Report& report, Result& result) const {
    const auto moves_of = [&](Rule rule, const NannonStratum& s) {
      return NannonMoves(index_, rule == nullptr ? nullptr : &reach(), rule,
                         static_cast<std::uint32_t>(s.begin), static_cast<std::uint32_t>(s.end), threads);
    };
    // Two players alike in a stratum that mirrors itself share one function: the tables are two
    // successive iterates of it, and the change is measured between them.
    const bool shared = rules.alike() && &x == &y;
    NannonMoves moves_a = moves_of(rules.a, x);
    std::optional<NannonMoves> own_b;
    if (!shared) own_b.emplace(moves_of(rules.b, y));
    NannonMoves& moves_b = shared ? moves_a : *own_b;
    Entry* const a = tables.a.data();
    Entry* const b = tables.b.data();

    double change = 0.0;
    std::uint64_t sweeps = 0;
    do {
      check_iterations(sweeps, change, limits);
      change = moves_a.sweep(b, a, shared ? b : a);
      change = std::max(change, moves_b.sweep(a, b, shared ? a : b));
      sweeps += shared ? 2 : 1;
      report(change);
    } while (change > limits.tolerance);
    result.iterations = std::max(result.iterations, sweeps);
    result.residual = std::max(result.residual, change);
  }

  // Half a game's opening by `rule`: the decisions it meets, and where the reply is rolled for.
  void open(Rule rule, double* waiting, double* visits) const {
    std::vector<Outcome> outcomes;
    std::vector<Action> actions;
    std::vector<double> weights;
    const Nannon::State start = game().initial_state();
    game().outcomes(start, outcomes);
    for (const Outcome& outcome : outcomes) {
      Nannon::State rolled = start;
      game().apply(rolled, outcome.action);
      game().legal_actions(rolled, actions);
      const std::uint64_t decision = reach().decision(index_.rank(start), rolled.roll);
      rule->weights(decision, actions, weights);
      if (visits != nullptr) visits[decision] += 0.5 * outcome.probability;
      for (std::size_t i = 0; i < actions.size(); ++i) {
        Nannon::State next = rolled;
        game().apply(next, actions[i]);
        waiting[index_.rank(next)] += 0.5 * outcome.probability * weights[i];
      }
    }
  }

  // Worth of the opening roll to the side that plays it by `rule`.
  template <class Entry>
  Entry root(Rule rule, const std::vector<Entry>& replies) const {
    std::vector<Outcome> outcomes;
    std::vector<Action> actions;
    std::vector<double> weights;
    const Nannon::State start = game().initial_state();
    game().outcomes(start, outcomes);
    Entry worth{};
    for (const Outcome& outcome : outcomes) {
      Nannon::State rolled = start;
      game().apply(rolled, outcome.action);
      game().legal_actions(rolled, actions);
      const auto reply = [&](Action action) -> const Entry& {
        Nannon::State next = rolled;
        game().apply(next, action);
        return replies[index_.rank(next)];
      };
      if (rule != nullptr) {
        rule->weights(reach().decision(index_.rank(start), rolled.roll), actions, weights);
        for (std::size_t i = 0; i < actions.size(); ++i)
          add(worth, outcome.probability * weights[i], reply(actions[i]));
      } else if constexpr (std::is_same_v<Entry, double>) {
        double best = -1.0;
        for (const Action action : actions) best = std::max(best, -reply(action));
        worth += outcome.probability * best;
      }
    }
    return worth;
  }

  NannonIndex index_;
  mutable std::once_flag reached_;
  mutable std::optional<NannonReach> reach_;
};

}  // namespace dicezero
