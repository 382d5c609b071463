// Exact values: the tables of cpp/solve as Python objects; src/dicezero/solve is their public face.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "bindings/interrupt.h"
#include "bindings/module.h"
#include "bindings/rules.h"
#include "solve/measure.h"
#include "solve/nannon_table.h"
#include "solve/state_table.h"

namespace dicezero {
namespace {

using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T> data, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(data));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner);
}

// A policy as Python hands it over: "uniform", [M] int16 actions, or [M, A] float32 or float64 probabilities.
class PolicyArgument {
 public:
  PolicyArgument(nb::handle policy, std::uint64_t decisions, int num_actions) {
    if (nb::isinstance<nb::str>(policy) && nb::cast<std::string>(policy) == "uniform") {
      view_.emplace(PolicyView::Uniform{}, num_actions);
    } else if (!(take<std::int16_t>(policy, decisions, num_actions) ||
                 take<float>(policy, decisions * static_cast<std::uint64_t>(num_actions), num_actions) ||
                 take<double>(policy, decisions * static_cast<std::uint64_t>(num_actions), num_actions))) {
      throw std::invalid_argument("policy: give \"uniform\", int16 actions [" + std::to_string(decisions) +
                                  "] or float probabilities [" + std::to_string(decisions) + ", " +
                                  std::to_string(num_actions) + "]");
    }
  }

  const PolicyView* view() const { return &*view_; }

 private:
  template <class T>
  bool take(nb::handle policy, std::uint64_t size, int num_actions) {
    nb::ndarray<const T, nb::c_contig, nb::device::cpu> array;
    if (!nb::try_cast(policy, array, false) || array.size() != size) return false;
    view_.emplace(PolicyView::Data(std::span<const T>(array.data(), array.size())), num_actions);
    kept_ = nb::borrow<nb::object>(policy);
    return true;
  }

  nb::object kept_;
  std::optional<PolicyView> view_;
};

// Signals and the progress callback, from inside a call that may have let the GIL go.
class PyMonitor {
 public:
  explicit PyMonitor(nb::object callback) : callback_(std::move(callback)) {}

  void operator()(const Progress& progress) {
    signals_.check();
    if (callback_.is_none() || !due_.passed()) return;
    const nb::gil_scoped_acquire gil;
    callback_(progress.phase, progress.done, progress.total, progress.residual);
  }

  Monitor monitor() {
    return [this](const Progress& progress) { (*this)(progress); };
  }

 private:
  nb::object callback_;
  SignalPoller signals_;
  SignalPoller::Interval due_{std::chrono::milliseconds(100)};
};

template <class Table>
struct PyTable {
  using G = typename Table::GameType;

  nb::object game;
  Table table;

  PyTable(const G& g, std::uint64_t max_states, const Monitor& monitor) : table(g, max_states, monitor) {}

  // Finding them takes a second in a large game, the first time.
  std::uint64_t decisions() const {
    const MaybeReleaseGil<G> released;
    return table.decisions();
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

  nb::tuple solve(double tolerance, std::uint64_t max_iterations, int threads, nb::object progress) const {
    PyMonitor monitor(std::move(progress));
    Solved solved;
    {
      const MaybeReleaseGil<G> released;
      solved = table.solve({tolerance, max_iterations}, threads, monitor.monitor());
    }
    const std::size_t size = solved.values.size();
    return nb::make_tuple(to_numpy(std::move(solved.values), {size}), solved.iterations, solved.residual);
  }

  // None for a policy: the best reply to the other.
  nb::tuple evaluate(nb::object a, nb::object b, double tolerance, std::uint64_t max_iterations, int threads,
                     nb::object progress) const {
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
    return nb::make_tuple(nb::make_tuple(e.value.first, e.value.second),
                          nb::make_tuple(e.turns.first, e.turns.second), e.iterations, e.residual);
  }

  nb::tuple regret(const Values& values, nb::object policy, nb::object progress) const {
    const double* data = check_values(values);
    const PolicyArgument argument(policy, decisions(), table.game().num_actions());
    PyMonitor monitor(std::move(progress));
    Regret r;
    {
      const MaybeReleaseGil<G> released;
      r = dicezero::regret(table, data, *argument.view(), monitor.monitor());
    }
    return nb::make_tuple(r.mean, r.largest, r.decisions);
  }

  auto optimal_actions(const Values& values, nb::object progress) const {
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

  auto observations(std::uint64_t start, std::uint64_t stop) const {
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

  auto legal(std::uint64_t start, std::uint64_t stop) const {
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

  // A state of its own, with the moves that lead to it.
  nb::object state(std::uint64_t decision) const {
    check_range(decision, decision + 1);
    nb::object result = game.attr("new_initial_state")();
    for (const Action action : table.history(decision)) result.attr("apply_action")(action);
    return result;
  }

  std::optional<std::uint64_t> find(nb::handle state) const { return table.find(native_state<G>(state)); }
  std::optional<std::uint64_t> find_decision(nb::handle state) const {
    return table.find_decision(native_state<G>(state));
  }

  // Of every state, in the order of the values: numbers for a native game, texts for any other.
  nb::object keys() const {
    if constexpr (requires { table.graph(); }) {
      if constexpr (std::is_same_v<G, ForeignGame>) {
        return nb::cast(table.graph().keys());
      } else {
        const auto& keys = table.graph().keys();
        return nb::cast(to_numpy(std::vector<std::uint64_t>(keys.begin(), keys.end()), {keys.size()}));
      }
    } else {
      return nb::none();  // ranked: a state's place is computed
    }
  }
};

template <class Table>
void bind_table(nb::module_& m, const char* name) {
  using T = PyTable<Table>;
  nb::class_<T>(m, name)
      .def_prop_ro("game", [](const T& t) { return t.game; })
      .def_prop_ro("states", [](const T& t) { return t.table.states(); })
      .def_prop_ro("reachable",
                   [](const T& t) {
                     const MaybeReleaseGil<typename T::G> released;
                     return t.table.reachable();
                   })
      .def_prop_ro("decisions", &T::decisions)
      .def("solve", &T::solve, nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("threads"),
           nb::arg("progress").none())
      .def("evaluate", &T::evaluate, nb::arg("policy_a").none(), nb::arg("policy_b").none(),
           nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("threads"), nb::arg("progress").none())
      .def("regret", &T::regret, nb::arg("values"), nb::arg("policy"), nb::arg("progress").none())
      .def("optimal_actions", &T::optimal_actions, nb::arg("values"), nb::arg("progress").none())
      .def("observations", &T::observations, nb::arg("start"), nb::arg("stop"))
      .def("legal", &T::legal, nb::arg("start"), nb::arg("stop"))
      .def("state", &T::state, nb::arg("decision"))
      .def("find", &T::find, nb::arg("state"))
      .def("find_decision", &T::find_decision, nb::arg("state"))
      .def("keys", &T::keys);
}

template <Game G>
using TableFor = std::conditional_t<std::is_same_v<G, Nannon>, NannonTable, StateTable<G>>;

nb::object make_table(nb::object game, std::uint64_t max_states, nb::object progress) {
  PyMonitor monitor(std::move(progress));
  return with_game(game, [&]<Game G>(const G& g) {
    std::unique_ptr<PyTable<TableFor<G>>> table;
    {
      const MaybeReleaseGil<G> released;
      table = std::make_unique<PyTable<TableFor<G>>>(g, max_states, monitor.monitor());
    }
    table->game = game;
    return nb::cast(table.release(), nb::rv_policy::take_ownership);
  });
}

}  // namespace

void bind_solve(nb::module_& m) {
  nb::exception<TooLarge>(m, "TooLargeError", PyExc_ValueError);
  nb::exception<NoConvergence>(m, "NoConvergenceError", PyExc_ValueError);
  bind_table<NannonTable>(m, "NannonTable");
  bind_table<StateTable<TicTacToe>>(m, "TicTacToeTable");
  bind_table<StateTable<ConnectFour>>(m, "ConnectFourTable");
  bind_table<StateTable<ForeignGame>>(m, "ForeignTable");
  m.def("make_table", &make_table, nb::arg("game"), nb::arg("max_states"), nb::arg("progress").none());

  // The ranked index by itself, for its tests.
  nb::class_<NannonIndex>(m, "NannonIndex")
      .def(nb::init<const Nannon&>(), nb::arg("game"))
      .def_static("count", &NannonIndex::count, nb::arg("game"))
      .def("size", &NannonIndex::size)
      .def("rank",
           [](const NannonIndex& index, nb::handle state) { return index.rank(native_state<Nannon>(state)); })
      .def("round_trip", [](const NannonIndex& index, std::uint32_t rank) {
        if (rank >= index.size())
          throw std::invalid_argument("rank " + std::to_string(rank) + " is out of range");
        return index.rank(index.unrank(rank));
      });
}

}  // namespace dicezero
