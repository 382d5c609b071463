// Monte Carlo tree search: a searcher keeps its tree between moves (src/dicezero/search/uct.py is its public
// face).
#include "bindings/uct.h"

#include <nanobind/stl/shared_ptr.h>

#include <cmath>

#include "bindings/fields.h"
#include "bindings/module.h"
#include "bindings/ops.h"

namespace dicezero {

PlanConfig uct_plan_config(nb::handle c, double low, double high, bool flat) {
  PlanConfig p;
  const bool uniform = flat && get<std::string>(c, "root") == "uniform";
  p.interior = uniform ? InteriorRule::uniform : InteriorRule::ucb1;
  p.chance = choice<ChanceRule>(
      c, "chance", {{"roulette", ChanceRule::roulette}, {"low_variance", ChanceRule::low_variance}});
  // Without bounds, Q is scaled by what was seen so far.
  p.q_normalisation = std::isfinite(high - low) ? QNormalisation::fixed : QNormalisation::tree;
  p.q_low = low;
  p.q_high = high;
  p.ucb_c = get<double>(c, "c");
  p.flat = flat;
  p.widen_choice_k = get<double>(c, "widen_choice_k");
  p.widen_choice_alpha = get<double>(c, "widen_choice_alpha");
  p.widen_chance_k = get<double>(c, "widen_chance_k");
  p.widen_chance_alpha = get<double>(c, "widen_chance_alpha");
  return p;
}

UctOptions uct_options(nb::handle c, double low, double high) {
  UctOptions o;
  if (!c.attr("simulations").is_none()) o.simulations = get<std::int64_t>(c, "simulations");
  if (!c.attr("seconds").is_none()) o.seconds = get<double>(c, "seconds");
  o.max_nodes = get<std::int64_t>(c, "max_nodes");
  o.final_mean = get<std::string>(c, "final") == "mean";
  o.stop_forced = get<bool>(c, "stop_forced");
  o.stop_decided = get<bool>(c, "stop_decided");
  o.tie_bound = get<double>(c, "tie_bound");
  o.low = low;
  o.high = high;
  if (!(low < high)) throw std::invalid_argument("low and high are no range of utilities");
  if (o.simulations <= 0 && !(o.seconds > 0.0)) throw std::invalid_argument("there is no budget");
  return o;
}

namespace {

constexpr const char* kSearcher = "searcher";

int traverse_searcher(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? nb::inst_ptr<UctSearcher>(self)->traverse(visit, arg) : 0;
}

int clear_searcher(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<UctSearcher>(self)->let_go();
  return 0;
}

// UCB1's pick among (wins, visits) pairs of a node with that many visits, by the searches' own selector.
int ucb1_pick(const std::vector<std::pair<double, int>>& children, int parent_visits, double c) {
  if (!std::isfinite(c)) throw std::invalid_argument("c is not a finite number");
  for (const auto& [wins, visits] : children) {
    if (!std::isfinite(wins)) throw std::invalid_argument("wins of a child are not a finite number");
    if (visits < 0 || visits > parent_visits)
      throw std::invalid_argument("a child has more visits than its parent");
  }
  if (children.empty()) throw std::invalid_argument("there is no child to pick");
  PlanConfig config;
  config.q_low = 0.0;
  config.ucb_c = c;
  Tree tree;
  tree.node(tree.add_node(NodeKind::choice, 0, kNone)).visits = parent_visits;
  const std::span<Edge> edges = tree.add_edges(Tree::kRoot, static_cast<int>(children.size()));
  for (std::size_t i = 0; i < children.size(); ++i) {
    edges[i].value_sum = children[i].first;
    edges[i].visits = children[i].second;
  }
  return Selector(config, static_cast<int>(children.size())).ucb1(tree, Tree::kRoot);
}

}  // namespace

void bind_uct(nb::module_& m) {
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_searcher)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear_searcher)},
                                {0, nullptr}};
  nb::class_<UctSearcher>(m, "UctSearcher", "Monte Carlo tree search of one game, its tree kept.",
                          nb::type_slots(slots))
      .def(
          "search",
          [](UctSearcher& self, nb::handle state, nb::handle config, std::uint64_t seed, double low,
             double high, nb::object evaluate, nb::object choose, bool flat) {
            const Busy::Turn turn(self.busy(), kSearcher);
            return self.search(state, config, seed, low, high, evaluate, choose, flat);
          },
          nb::arg("state"), nb::arg("config"), nb::arg("seed"), nb::arg("low"), nb::arg("high"),
          nb::arg("evaluate").none(), nb::arg("choose").none(), nb::arg("flat"))
      .def(
          "advance",
          [](UctSearcher& self, const std::vector<Action>& actions) {
            const Busy::Turn turn(self.busy(), kSearcher);
            return self.advance(actions);
          },
          nb::arg("actions"), "Follows actions and outcomes; false if the tree does not reach there.")
      .def("inner_nodes",
           [](UctSearcher& self) {
             const Busy::Turn turn(self.busy(), kSearcher);
             return self.inner_nodes();
           })
      .def_prop_ro(
          "forest",
          [](UctSearcher& self) {
            const Busy::Turn turn(self.busy(), kSearcher);
            return self.forest();
          },
          nb::sig("def forest(self) -> Forest | None"));
  m.def("uct_searcher", [](nb::object game) { return ops_of(game).uct_searcher(game); }, nb::arg("game"));
  m.def("ucb1_pick", &ucb1_pick, nb::arg("children"), nb::arg("parent_visits"), nb::arg("c"),
        "The index UCB1 picks among (wins, visits) pairs.");
}

}  // namespace dicezero
