// Exact values: the tables of cpp/solve as Python objects; src/dicezero/solve is their public face.

#include "bindings/module.h"
#include "bindings/monitor.h"
#include "bindings/ops.h"
#include "bindings/table.h"

namespace dicezero {
namespace {

int traverse_table(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? nb::inst_ptr<PyTable>(self)->traverse(visit, arg) : 0;
}

}  // namespace

void bind_solve(nb::module_& m) {
  nb::exception<TooLarge>(m, "TooLargeError", PyExc_ValueError);
  m.def("claim_memory", &memory::claim, nb::arg("bytes"), nb::arg("what"), nb::arg("remedy"),
        "Before so much is taken: TooLargeError where it is not free; a gigabyte or more is told in a line.");
  m.def("require_memory", &memory::require, nb::arg("bytes"), nb::arg("what"), nb::arg("remedy"),
        "The same for what is taken again and again: nothing is told.");
  m.def("available_memory", &memory::available,
        "Bytes that can still be taken; infinite where nobody knows.");
  nb::exception<NoConvergence>(m, "NoConvergenceError", PyExc_ValueError);
  using T = PyTable;
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_table)}, {0, nullptr}};
  nb::class_<T>(m, "Table", "All states of a game, or the ranked index that takes their place.",
                nb::type_slots(slots))
      .def_prop_ro("game", &T::game)
      .def_prop_ro("ranked", &T::ranked)
      .def_prop_ro("pays_on_the_way", &T::pays_on_the_way)
      .def_prop_ro("cyclic", &T::cyclic)
      .def_prop_ro("decisive", &T::decisive)
      .def_prop_ro("discount", &T::discount)
      .def_prop_ro("returns_range", &T::returns_range)
      .def_prop_ro("states", &T::states)
      .def_prop_ro("reachable", &T::reachable)
      .def_prop_ro("decisions", &T::decisions)
      .def("solve", &T::solve, nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("threads"),
           nb::arg("progress").none())
      .def("evaluate", &T::evaluate, nb::arg("policy_a").none(), nb::arg("policy_b").none(),
           nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("threads"), nb::arg("progress").none())
      .def("regret", &T::regret, nb::arg("values"), nb::arg("policy"), nb::arg("progress").none())
      .def("optimal_actions", &T::optimal_actions, nb::arg("values"), nb::arg("progress").none())
      .def("visits", &T::visits, nb::arg("policy_a"), nb::arg("policy_b"), nb::arg("discounted"),
           nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("progress").none())
      .def("edge_values", &T::edge_values, nb::arg("values"), nb::arg("state"))
      .def("action_values", &T::action_values, nb::arg("values"), nb::arg("start"), nb::arg("stop"))
      .def("observations", &T::observations, nb::arg("start"), nb::arg("stop"))
      .def("legal", &T::legal, nb::arg("start"), nb::arg("stop"))
      .def("state", &T::state, nb::arg("decision"))
      .def("find", &T::find, nb::arg("state"))
      .def("find_decision", &T::find_decision, nb::arg("state"))
      .def("keys", &T::keys);

  m.def(
      "make_table",
      [](nb::object game, std::uint64_t max_states, nb::object progress) {
        PyMonitor monitor(std::move(progress));
        return ops_of(game).table(game, max_states, monitor);
      },
      nb::arg("game"), nb::arg("max_states"), nb::arg("progress").none());
  m.def(
      "state_key", [](nb::handle game, nb::handle state) { return ops_of(game).state_key(game, state); },
      nb::arg("game"), nb::arg("state"), nb::sig("def state_key(game: object, state: object) -> int | str"),
      "What tells a state apart: a number, or a text for a game in Python.");
  m.def(
      "state_bound", [](nb::handle game) { return ops_of(game).state_bound(game); }, nb::arg("game"),
      "More states than this the game does not have; inf where nothing is known beforehand.");
  m.def(
      "states_at_least",
      [](nb::handle game, double enough, double seconds) {
        PyMonitor monitor{nb::none()};
        return ops_of(game).states_at_least(game, enough, seconds, monitor);
      },
      nb::arg("game"), nb::arg("enough"), nb::arg("seconds"),
      "A lower bound of the game's number of states, by random games and by samples; stops once it is above "
      "`enough`, or after so many seconds of this process.");
  m.def(
      "sampled_states",
      [](nb::handle game, double enough, std::uint64_t most) {
        PyMonitor monitor{nb::none()};
        return ops_of(game).sampled_states(game, enough, most, monitor);
      },
      nb::arg("game"), nb::arg("enough"), nb::arg("most"),
      nb::sig("def sampled_states(game: object, enough: float, most: int) -> tuple[float, int]"),
      "The same by samples alone, which hold about `most` states in all: the bound, and how many they held.");
  m.def(
      "ranked_states", [](nb::handle game) { return ops_of(game).ranked_states(game); }, nb::arg("game"),
      "States of a game whose solution is ordered by rank, not by key; None for any other.");
}

}  // namespace dicezero
