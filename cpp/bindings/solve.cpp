// Exact values: the tables of cpp/solve as Python objects; src/dicezero/solve is their public face.
#include "bindings/module.h"
#include "bindings/table.h"
#include "solve/nannon_table.h"
#include "solve/state_table.h"

namespace dicezero {
namespace {

template <class Table>
void bind_table(nb::module_& m, const char* name) {
  using T = PyTable<Table>;
  nb::class_<T>(m, name)
      .def_prop_ro("game", [](const T& t) { return t.game; })
      .def_prop_ro("ranked", [](const T&) { return std::is_same_v<Table, NannonTable>; })
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
      .def("visits", &T::visits, nb::arg("policy_a"), nb::arg("policy_b"), nb::arg("tolerance"),
           nb::arg("max_iterations"), nb::arg("progress").none())
      .def("action_values", &T::action_values, nb::arg("values"), nb::arg("start"), nb::arg("stop"))
      .def("observations", &T::observations, nb::arg("start"), nb::arg("stop"))
      .def("legal", &T::legal, nb::arg("start"), nb::arg("stop"))
      .def("state", &T::state, nb::arg("decision"))
      .def("find", &T::find, nb::arg("state"))
      .def("find_decision", &T::find_decision, nb::arg("state"))
      .def("keys", &T::keys);
}

template <class Table, Game G>
nb::object make(nb::handle game, const G& g, std::uint64_t max_states, PyMonitor& monitor) {
  std::unique_ptr<PyTable<Table>> table;
  {
    const MaybeReleaseGil<G> released;
    table = std::make_unique<PyTable<Table>>(g, max_states, monitor.monitor());
  }
  table->game = nb::borrow<nb::object>(game);
  return nb::cast(table.release(), nb::rv_policy::take_ownership);
}

nb::object make_table(nb::object game, std::uint64_t max_states, nb::object progress) {
  PyMonitor monitor(std::move(progress));
  return with_game(game, [&]<Game G>(const G& g) {
    if constexpr (std::is_same_v<G, Nannon>) {
      if (NannonIndex::covers(g)) return make<NannonTable>(game, g, max_states, monitor);
    }
    return make<StateTable<G>>(game, g, max_states, monitor);
  });
}

}  // namespace

void bind_solve(nb::module_& m) {
  nb::exception<TooLarge>(m, "TooLargeError", PyExc_ValueError);
  nb::exception<NoConvergence>(m, "NoConvergenceError", PyExc_ValueError);
  bind_table<NannonTable>(m, "NannonTable");
  bind_table<StateTable<Nannon>>(m, "NannonStateTable");
  bind_table<StateTable<TicTacToe>>(m, "TicTacToeTable");
  bind_table<StateTable<ConnectFour>>(m, "ConnectFourTable");
  bind_table<StateTable<ForeignGame>>(m, "ForeignTable");
  m.def("make_table", &make_table, nb::arg("game"), nb::arg("max_states"), nb::arg("progress").none());

  m.def(
      "state_key",
      [](nb::object game, nb::handle state) {
        return with_game(game, [&]<Game G>(const G& g) { return nb::cast(g.key(native_state<G>(state))); });
      },
      nb::arg("game"), nb::arg("state"),
      "What tells a state apart: a number, or a text for a game in Python.");

  // The ranked index by itself, for its tests.
  nb::class_<NannonIndex>(m, "NannonIndex")
      .def(nb::init<const Nannon&>(), nb::arg("game"))
      .def_static("count", &NannonIndex::count, nb::arg("game"))
      .def_static("covers", &NannonIndex::covers, nb::arg("game"))
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
