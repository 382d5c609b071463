// The planner: batches of searches over a learned model or over the true rules.
#include "bindings/plan.h"

#include <cmath>
#include <memory>
#include <optional>

#include "bindings/fields.h"
#include "bindings/module.h"
#include "bindings/uct.h"

namespace dicezero {
namespace {

// From the frozen, already checked SearchConfig.
PlanConfig plan_config(nb::handle c) {
  PlanConfig p;
  p.simulations = get<int>(c, "simulations");
  p.root = choice<RootRule>(c, "root",
                            {{"puct", RootRule::puct},
                             {"gumbel", RootRule::gumbel},
                             {"gumbel_with_replacement", RootRule::gumbel_with_replacement},
                             {"trpo", RootRule::trpo},
                             {"mpo", RootRule::mpo}});
  p.interior = choice<InteriorRule>(c, "interior",
                                    {{"puct", InteriorRule::puct},
                                     {"improved", InteriorRule::improved},
                                     {"improved_sampled", InteriorRule::improved_sampled},
                                     {"trpo", InteriorRule::trpo},
                                     {"mpo", InteriorRule::mpo}});
  p.chance = choice<ChanceRule>(c, "chance",
                                {{"roulette", ChanceRule::roulette},
                                 {"low_variance", ChanceRule::low_variance},
                                 {"expectation", ChanceRule::expectation}});
  p.chance_value = choice<ChanceValue>(c, "chance_value",
                                       {{"mean", ChanceValue::mean},
                                        {"completed", ChanceValue::completed},
                                        {"afterstate", ChanceValue::afterstate}});
  p.players = choice<Players>(
      c, "players",
      {{"single", Players::single}, {"alternate", Players::alternate}, {"learned", Players::learned}});
  p.discount = get<double>(c, "discount");
  p.value_scale = get<double>(c, "value_scale");
  p.q_normalisation = choice<QNormalisation>(c, "q_normalisation",
                                             {{"siblings", QNormalisation::siblings},
                                              {"tree", QNormalisation::tree},
                                              {"fixed", QNormalisation::fixed},
                                              {"none", QNormalisation::none}});
  p.q_low = nb::cast<double>(c.attr("q_range")[0]);
  p.q_high = nb::cast<double>(c.attr("q_range")[1]);
  p.max_considered_actions = get<int>(c, "max_considered_actions");
  p.c_visit = get<double>(c, "c_visit");
  p.c_scale = get<double>(c, "c_scale");
  p.mixed_value = get<std::string>(c, "completed_q") == "mixed";
  const nb::object puct = c.attr("puct");
  p.puct_form = choice<PuctForm>(puct, "form", {{"ndmz", PuctForm::ndmz}, {"muzero", PuctForm::muzero}});
  p.puct_init = get<double>(puct, "init");
  p.puct_base = get<double>(puct, "base");
  const nb::object dirichlet = c.attr("dirichlet");
  p.dirichlet_fraction = get<double>(dirichlet, "fraction");
  p.dirichlet_alpha = get<double>(dirichlet, "alpha");
  p.forced_playouts = get<double>(c, "forced_playouts");
  p.prune_targets = get<bool>(c, "prune_targets");
  p.prove = get<bool>(c, "prove");
  p.paper_budget = get<std::string>(c, "budget") == "paper";
  p.ancestor_terminal = get<std::string>(c, "terminal") == "ancestor";
  p.max_depth = get<int>(c, "max_depth");
  p.edges_on_need_above = get<int>(c, "edges_on_need_above");
  p.temperature = get<double>(c, "temperature");
  p.threads = get<int>(c, "threads");
  return p;
}

}  // namespace

nb::dict plan_dict(Findings found, std::unique_ptr<Forest> forest, int num_actions,
                   std::int64_t nanoseconds) {
  const std::size_t rows = found.action.size();
  const auto a = static_cast<std::size_t>(num_actions);
  nb::dict result;
  result["action"] = column(std::move(found.action));
  result["visits"] = table_of_rows(std::move(found.visits), rows, a);
  result["q"] = table_of_rows(std::move(found.q), rows, a);
  result["policy"] = table_of_rows(std::move(found.policy), rows, a);
  result["value"] = column(std::move(found.value));
  result["evaluations"] = column(std::move(found.evaluations));
  result["network_seconds"] = 1e-9 * static_cast<double>(nanoseconds);
  forest->owned_by_python = true;
  result["tree"] = nb::cast(std::move(forest));
  return result;
}

std::span<const double> gumbel_row(const std::optional<Array<double, 2>>& gumbel, std::size_t row) {
  if (!gumbel) return {};
  return {gumbel->data() + row * gumbel->shape(1), gumbel->shape(1)};
}

namespace {

int traverse_forest_object(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const auto* forest = nb::inst_ptr<Forest>(self);
  return forest->owned_by_python ? traverse_forest(*forest, visit, arg) : 0;
}

const Tree& checked_tree(const Forest& forest, std::size_t row) {
  if (row >= forest.size()) throw nb::index_error("no such row in the forest");
  return forest.tree(row);
}

// Every root needs a legal action, and numbers.
void check_roots(Array<float, 2> policy_logits, Array<float, 1> value, Array<std::uint8_t, 2> legal) {
  const std::size_t actions = policy_logits.shape(1);
  for (std::size_t row = 0; row < value.shape(0); ++row) {
    bool any = false;
    bool numbers = std::isfinite(value.data()[row]);
    for (std::size_t i = row * actions; i < (row + 1) * actions; ++i) {
      if (legal.data()[i] == 0) continue;
      any = true;
      numbers = numbers && std::isfinite(policy_logits.data()[i]);
    }
    if (!any) throw std::invalid_argument("row " + std::to_string(row) + " has no legal action");
    if (!numbers) {
      throw std::invalid_argument("row " + std::to_string(row) +
                                  " has a logit or a value that is not finite");
    }
  }
}

// Rows of another kind of search, or of another model, would be read past their end.
void check_reused(const Forest* previous, const PlanConfig& plan, int num_actions, int num_identities) {
  const auto* old = dynamic_cast<const ForestOf<LearnedWorld>*>(previous);
  if (old == nullptr || old->size() == 0) return;
  const PlanConfig& then = old->search(0).config();
  bool alike = old->search(0).world().num_actions() == num_actions && then.players == plan.players &&
               LearnedWorld::order_for(then, num_actions) == LearnedWorld::order_for(plan, num_actions) &&
               LearnedWorld::outcome_edges_for(then, num_actions) ==
                   LearnedWorld::outcome_edges_for(plan, num_actions);
  for (std::size_t row = 0; row < old->size(); ++row) {
    const Tree& tree = old->tree(row);
    for (Index i = 0; i < static_cast<Index>(tree.size()); ++i) {
      if (tree.node(i).kind != NodeKind::identity) continue;
      alike = alike && tree.edges(i).size() == static_cast<std::size_t>(num_identities);
      break;
    }
  }
  if (!alike) {
    throw std::invalid_argument(
        "reuse: the trees are those of another model or another kind of search; give trees that the same "
        "simulator searched with the same configuration");
  }
}

// Arrays arrive checked by dicezero.search.plan, and are checked again: a wrong shape would be read past its
// end.
nb::dict plan_model(nb::handle model, Array<float, 2> hidden, Array<float, 2> policy_logits,
                    Array<float, 1> value, Array<std::uint8_t, 2> legal, Array<std::uint64_t, 1> seeds,
                    nb::handle config, std::optional<Array<double, 2>> gumbel, int num_identities,
                    const Forest* previous, const Paths& paths) {
  const PlanConfig plan = plan_config(config);
  const std::size_t rows = seeds.shape(0);
  const int num_actions = static_cast<int>(policy_logits.shape(1));
  const int hidden_size = static_cast<int>(hidden.shape(1));
  check_rows_of("hidden", hidden.shape(0), rows);
  check_rows_of("policy_logits", policy_logits.shape(0), rows);
  check_rows_of("value", value.shape(0), rows);
  check_rows_of("legal", legal.shape(0), rows);
  check_columns_of("legal", legal.shape(1), num_actions);
  check_gumbel_and_paths(gumbel, num_actions, previous, paths, rows);
  check_roots(policy_logits, value, legal);
  std::unique_ptr<Simulator> adapter;
  Simulator& simulator = find_simulator(model, hidden_size, num_actions, num_identities, adapter);
  const bool learned = plan.players == Players::learned;
  check_columns_of("hidden", hidden.shape(1), simulator.hidden_size());
  check_columns_of("policy_logits", policy_logits.shape(1), simulator.num_actions());
  if (learned && simulator.num_identities() < 3) {
    throw std::invalid_argument("the model names " + std::to_string(simulator.num_identities()) +
                                " identities; players='learned' needs players, chance and the end");
  }
  check_reused(previous, plan, num_actions, learned ? simulator.num_identities() : 0);
  // Room for the usual budgets at once; a longer search grows as it goes.
  const auto expected = static_cast<std::size_t>(std::min(plan.simulations, 1024) + 2);
  const bool all_edges = LearnedWorld::order_for(plan, num_actions) == Candidates::Order::none;
  std::vector<Search<LearnedWorld>> searches;
  searches.reserve(seeds.shape(0));
  for (std::size_t row = 0; row < seeds.shape(0); ++row) {
    LearnedWorld world(plan, num_actions, simulator.row_size(), learned ? simulator.num_identities() : 0);
    auto& search = searches.emplace_back(std::move(world), plan, seeds.data()[row]);
    const auto edges = static_cast<std::size_t>(num_actions + 4);
    search.tree().reserve(expected * (learned ? 2 : 1), all_edges ? expected * edges : 4 * expected + edges);
    const float* logits = policy_logits.data() + row * num_actions;
    const std::uint8_t* mask = legal.data() + row * num_actions;
    if (adopt_row(search, previous, paths, row)) {
      search.world().refresh_root(search.tree(), logits, mask, value.data()[row]);
    } else {
      search.world().make_root(search.tree(), logits, mask, value.data()[row]);
      simulator.enter(hidden.data() + row * hidden_size, search.world().hidden(0));
    }
    search.begin(gumbel_row(gumbel, row));
  }
  auto forest = std::make_unique<ForestOf<LearnedWorld>>(std::move(searches));
  Findings found;
  Stopwatch::Nanoseconds network_time = 0;
  {
    nb::gil_scoped_release release;
    const ModelCaller caller(simulator, learned, network_time);
    if (simulator.parallel()) {
      run_parts(forest->searches(), caller, plan.threads);
    } else {
      run_part(forest->searches(), caller);
    }
    found = findings(forest->searches(), num_actions);
  }
  return plan_dict(std::move(found), std::move(forest), num_actions, network_time);
}

nb::dict plan_positions(nb::handle game, nb::handle network, nb::list states, Array<std::uint64_t, 1> seeds,
                        nb::handle config, std::optional<Array<double, 2>> gumbel, const Forest* previous,
                        const Paths& paths) {
  return ops_of(game).plan(game, {network, states, seeds, plan_config(config), gumbel, previous, paths});
}

}  // namespace

void bind_plan(nb::module_& m) {
  m.def("mix64", &mix64, nb::arg("x"), "The mixing function of the generators; derives seeds from seeds.");
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_forest_object)},
                                {0, nullptr}};
  nb::class_<Forest>(m, "Forest", "The searched trees of a batch.", nb::type_slots(slots))
      .def("__len__", &Forest::size)
      .def(
          "num_nodes", [](const Forest& f, std::size_t row) { return checked_tree(f, row).size(); },
          nb::arg("row"))
      .def("num_bytes", &Forest::bytes)
      .def("node", &describe_node, nb::arg("row"), nb::arg("node"),
           "(kind, player, visits, q, value, [(edge, child or -1, label, visits, q, prior)]) in the players' "
           "own views.")
      .def(
          "halving",
          [](const Forest& f, std::size_t row) {
            checked_tree(f, row);
            nb::list sightings;
            for (const Sighting& s : f.halving(row)) {
              sightings.append(nb::make_tuple(s.action, s.visits, s.q, s.score));
            }
            return sightings;
          },
          nb::arg("row"),
          "(action, visits, q, score) of every action of the root at the end of each phase of Sequential "
          "Halving.");
  m.def("plan_model", &plan_model, nb::arg("model"), nb::arg("hidden"), nb::arg("policy_logits"),
        nb::arg("value"), nb::arg("legal"), nb::arg("seeds"), nb::arg("config"), nb::arg("gumbel").none(),
        nb::arg("num_identities"), nb::arg("previous").none(), nb::arg("paths"));
  m.def("plan_states", &plan_positions, nb::arg("game"), nb::arg("network"), nb::arg("states"),
        nb::arg("seeds"), nb::arg("config"), nb::arg("gumbel").none(), nb::arg("previous").none(),
        nb::arg("paths"));
}

}  // namespace dicezero
