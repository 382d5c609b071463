// The table of one type of game.
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "bindings/monitor.h"
#include "bindings/policy.h"
#include "bindings/rules.h"
#include "bindings/table.h"
#include "solve/measure.h"

namespace dicezero {

template <class Table>
class PyTableOf : public PyTable {
 public:
  using G = typename Table::GameType;

  // Needs no GIL where the game needs none.
  PyTableOf(const G& g, std::uint64_t max_states, const Monitor& monitor) : table(g, max_states, monitor) {}

  int traverse(visitproc visit, void* arg) const override {
    Py_VISIT(game_.ptr());
    if constexpr (kForeign<G>) {
      Py_VISIT(table.game().object().ptr());
      for (std::uint64_t i = 0; i < table.decisions(); ++i) Py_VISIT(table.decision_state(i).object.ptr());
    }
    return 0;
  }

  bool ranked() const override {
    return !requires { table.graph(); };
  }
  bool pays_on_the_way() const override { return table.pays_on_the_way(); }
  bool cyclic() const override { return table.cyclic(); }
  bool decisive() const override { return table.decisive(); }
  double discount() const override { return table.discount(); }
  Seats returns_range() const override { return {table.range().low, table.range().high}; }
  std::uint64_t states() const override { return table.states(); }
  std::uint64_t reachable() const override {
    const MaybeReleaseGil<G> released;
    return table.reachable();
  }
  // Finding them takes a second in a large game, the first time.
  std::uint64_t decisions() const override {
    const MaybeReleaseGil<G> released;
    return table.decisions();
  }

  std::tuple<nb::ndarray<nb::numpy, double>, std::uint64_t, double> solve(
      double tolerance, std::uint64_t max_iterations, int threads, nb::object progress) const override {
    check_limits(tolerance, threads);
    PyMonitor monitor(std::move(progress));
    Solved solved;
    {
      const MaybeReleaseGil<G> released;
      solved = table.solve({tolerance, max_iterations}, threads, monitor.monitor());
    }
    const std::size_t size = solved.values.size();
    return {to_numpy(std::move(solved.values), {size}), solved.iterations, solved.residual};
  }

  std::tuple<Seats, Seats, std::uint64_t, double> evaluate(nb::object a, nb::object b, double tolerance,
                                                           std::uint64_t max_iterations, int threads,
                                                           nb::object progress) const override {
    check_limits(tolerance, threads);
    std::optional<PolicyArgument> policy_a;
    std::optional<PolicyArgument> policy_b;
    const int num_actions = table.game().num_actions();
    if (!a.is_none()) policy_a.emplace(a, decisions(), num_actions);
    if (!b.is_none()) policy_b.emplace(b, decisions(), num_actions);
    const Rule rule_a = policy_a ? policy_a->view() : nullptr;
    const Rule rule_b = a.is(b) ? rule_a : policy_b ? policy_b->view() : nullptr;  // one rule: half the work
    PyMonitor monitor(std::move(progress));
    Evaluated e;
    {
      const MaybeReleaseGil<G> released;
      e = table.evaluate(rule_a, rule_b, {tolerance, max_iterations}, threads, monitor.monitor());
    }
    return {{e.value.first, e.value.second}, {e.turns.first, e.turns.second}, e.iterations, e.residual};
  }

  std::tuple<double, double, std::uint64_t> regret(const Values& values, nb::object policy,
                                                   nb::object progress) const override {
    const double* data = check_values(values);
    const PolicyArgument argument(policy, decisions(), table.game().num_actions());
    PyMonitor monitor(std::move(progress));
    Regret r;
    {
      const MaybeReleaseGil<G> released;
      r = dicezero::regret(table, data, *argument.view(), monitor.monitor());
    }
    return {r.mean, r.largest, r.decisions};
  }

  nb::ndarray<nb::numpy, double> visits(nb::object a, nb::object b, bool discounted, double tolerance,
                                        std::uint64_t max_iterations, nb::object progress) const override {
    check_limits(tolerance, 1);
    const int num_actions = table.game().num_actions();
    const PolicyArgument policy_a(a, decisions(), num_actions);
    const PolicyArgument policy_b(b, decisions(), num_actions);
    PyMonitor monitor(std::move(progress));
    std::vector<double> result;
    {
      const MaybeReleaseGil<G> released;
      result = table.visits(policy_a.view(), policy_b.view(), discounted, {tolerance, max_iterations},
                            monitor.monitor());
    }
    const std::size_t size = result.size();
    return to_numpy(std::move(result), {size});
  }

  nb::ndarray<nb::numpy, double> action_values(const Values& values, std::uint64_t start,
                                               std::uint64_t stop) const override {
    check_range(start, stop);
    const double* data = check_values(values);
    const std::size_t width = static_cast<std::size_t>(table.game().num_actions());
    std::vector<double> result((stop - start) * width, std::nan(""));
    {
      const MaybeReleaseGil<G> released;
      std::vector<Action> actions;
      std::vector<double> worth;
      for (std::uint64_t i = start; i < stop; ++i) {
        table.action_values(i, data, actions, worth);
        for (std::size_t j = 0; j < actions.size(); ++j)
          result[(i - start) * width + static_cast<std::size_t>(actions[j])] = worth[j];
      }
    }
    return to_numpy(std::move(result), {static_cast<std::size_t>(stop - start), width});
  }

  std::optional<std::vector<std::pair<Action, double>>> edge_values(const Values& values,
                                                                    nb::handle state) const override {
    if constexpr (requires { table.graph(); }) {
      const double* data = check_values(values);
      const std::optional<std::uint64_t> node = table.find(native_state<G>(table.game(), state));
      if (!node) throw std::invalid_argument("state: play never comes to it");
      std::vector<Action> actions;
      std::vector<double> worth;
      table.edge_values(*node, data, actions, worth);
      std::vector<std::pair<Action, double>> result;
      for (std::size_t i = 0; i < actions.size(); ++i) result.emplace_back(actions[i], worth[i]);
      return result;
    } else {
      return std::nullopt;
    }
  }

  nb::ndarray<nb::numpy, std::int16_t> optimal_actions(const Values& values,
                                                       nb::object progress) const override {
    const double* data = check_values(values);
    PyMonitor monitor(std::move(progress));
    std::vector<std::int16_t> actions;
    {
      const MaybeReleaseGil<G> released;
      actions = dicezero::optimal_actions(table, data, monitor.monitor());
    }
    const std::size_t size = actions.size();
    return to_numpy(std::move(actions), {size});
  }

  nb::ndarray<nb::numpy, float> observations(std::uint64_t start, std::uint64_t stop) const override {
    check_range(start, stop);
    std::vector<std::size_t> shape{static_cast<std::size_t>(stop - start)};
    std::size_t size = 1;
    for (const int n : table.game().observation_shape()) {
      shape.push_back(static_cast<std::size_t>(n));
      size *= static_cast<std::size_t>(n);
    }
    std::vector<float> data((stop - start) * size);
    {
      const MaybeReleaseGil<G> released;
      for (std::uint64_t i = start; i < stop; ++i) {
        const auto& state = table.decision_state(i);
        table.game().observe(state, table.game().player(state),
                             std::span(data).subspan((i - start) * size, size));
      }
    }
    return to_numpy(std::move(data), std::move(shape));
  }

  Matrix2<bool> legal(std::uint64_t start, std::uint64_t stop) const override {
    check_range(start, stop);
    const std::size_t width = static_cast<std::size_t>(table.game().num_actions());
    auto data = std::make_unique<bool[]>((stop - start) * width);
    {
      const MaybeReleaseGil<G> released;
      std::vector<Action> actions;
      for (std::uint64_t i = start; i < stop; ++i) {
        table.game().legal_actions(table.decision_state(i), actions);
        for (const Action a : actions) data[(i - start) * width + static_cast<std::size_t>(a)] = true;
      }
    }
    bool* const kept = data.release();
    nb::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
    return nb::ndarray<nb::numpy, bool, nb::ndim<2>>(kept, {static_cast<std::size_t>(stop - start), width},
                                                     owner);
  }

  nb::object state(std::uint64_t decision) const override {
    check_range(decision, decision + 1);
    nb::object result = game_.attr("new_initial_state")();
    for (const Action action : table.history(decision)) result.attr("apply_action")(action);
    return result;
  }

  std::optional<std::pair<std::uint64_t, int>> find(nb::handle state) const override {
    const typename G::State s = native_state<G>(table.game(), state);
    const std::optional<std::uint64_t> found = table.find(s);
    if (!found) return std::nullopt;
    return std::pair(*found, table.viewer(s) == 0 ? 1 : -1);
  }

  std::optional<std::uint64_t> find_decision(nb::handle state) const override {
    return table.find_decision(native_state<G>(table.game(), state));
  }

  nb::object keys() const override {
    if constexpr (requires { table.graph(); }) {
      const auto& keys = table.graph().keys();
      if constexpr (std::integral<std::decay_t<decltype(keys[0])>>) {
        return nb::cast(to_numpy(std::vector<std::uint64_t>(keys.begin(), keys.end()), {keys.size()}));
      } else {
        nb::list texts;
        for (const auto& key : keys) texts.append(key_object(key));
        return texts;
      }
    } else {
      return nb::none();
    }
  }

 private:
  static void check_limits(double tolerance, int threads) {
    if (!(tolerance >= 0.0)) throw std::invalid_argument("tolerance must be a number of at least 0");
    if (threads < 1 || threads > 1024) {
      throw std::invalid_argument("threads=" + std::to_string(threads) + " is out of range; give 1..1024");
    }
  }

  void check_range(std::uint64_t start, std::uint64_t stop) const {
    if (start > stop || stop > decisions()) {
      throw std::invalid_argument("decisions " + std::to_string(start) + ".." + std::to_string(stop) +
                                  " are out of range; there are " + std::to_string(decisions()));
    }
  }

  const double* check_values(const Values& values) const {
    if (values.size() == table.states()) return values.data();
    throw std::invalid_argument("values: " + std::to_string(values.size()) + " numbers where the game has " +
                                std::to_string(table.states()) + " states");
  }

  Table table;
};

template <class Table, Game G>
std::unique_ptr<PyTable> make_table(nb::object game, const G& g, std::uint64_t max_states,
                                    PyMonitor& monitor) {
  std::unique_ptr<PyTable> made;
  {
    const MaybeReleaseGil<G> released;
    made = std::make_unique<PyTableOf<Table>>(g, max_states, monitor.monitor());
  }
  made->keep(std::move(game));
  return made;
}

}  // namespace dicezero
