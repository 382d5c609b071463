// The minimax family: options in, a dictionary out (src/dicezero/search/minimax.py gives it its public face).

#include <stdexcept>
#include <string>

#include "bindings/module.h"
#include "bindings/ops.h"
#include "search/recorder.h"

namespace dicezero {

nb::dict report_dict(const MinimaxReport& report);
nb::dict recording_dict(const Recorder& recorder);

namespace {

void check(const MinimaxOptions& o) {
  const auto within = [](const char* name, auto value, double low, double high) {
    if (static_cast<double>(value) >= low && static_cast<double>(value) <= high) return;
    throw std::invalid_argument(std::string(name) + " is out of range");
  };
  within("depth", o.depth, 1, kToTheEnd);
  within("quiescence", o.quiescence, 0, kToTheEnd);
  within("singular_extensions", o.singular_extensions, 0, kMaxPlies);
  within("beam", o.beam, 0, 1e9);
  within("table_entries", o.table_entries, 0, 0x1p40);
  within("probcut.depth", o.probcut.depth, 0, kToTheEnd);
  within("probcut.shallow", o.probcut.shallow, 0, kToTheEnd);
  if (!(o.min_utility <= o.max_utility)) throw std::invalid_argument("min_utility is above max_utility");
}

nb::dict node_dict(const RecordedNode& node) {
  nb::dict d;
  d["player"] = node.player;
  d["action"] = node.action;
  d["label"] = node.label;
  d["prior"] = node.prior < 0 ? nb::none() : nb::object(nb::float_(node.prior));
  d["value"] = node.closed ? nb::object(nb::float_(node.value)) : nb::none();
  d["bounds"] = nb::make_tuple(node.interval.first, node.interval.second);
  d["pruned"] = !node.searched;
  d["note"] = node.note;
  d["children"] = node.children;
  return d;
}

}  // namespace

nb::dict recording_dict(const Recorder& recorder) {
  nb::dict d;
  nb::list nodes, steps;
  for (const RecordedNode& node : recorder.nodes()) nodes.append(node_dict(node));
  for (const RecordedStep& step : recorder.steps()) {
    nb::list intervals;
    for (const auto& [low, high] : step.intervals) intervals.append(nb::make_tuple(low, high));
    steps.append(nb::make_tuple(step.path, intervals));
  }
  d["nodes"] = nodes;
  d["steps"] = steps;
  d["truncated"] = recorder.truncated();
  return d;
}

nb::dict report_dict(const MinimaxReport& report) {
  nb::dict d, values, visits;
  for (const RootMove& move : report.root) {
    if (move.exact) values[nb::int_(move.action)] = move.value;
    visits[nb::int_(move.action)] = move.nodes;
  }
  d["action"] = report.action;
  d["value"] = report.value;
  d["action_values"] = values;
  d["visits"] = visits;
  d["line"] = report.line;
  d["nodes"] = report.nodes;
  d["leaves"] = report.leaves;
  d["cutoffs"] = report.cutoffs;
  d["table_hits"] = report.table_hits;
  d["depth"] = report.depth;
  d["stopped"] = report.stopped;
  return d;
}

void bind_minimax(nb::module_& m) {
  nb::enum_<MoveOrdering>(m, "MoveOrdering")
      .value("none", MoveOrdering::kNone)
      .value("evaluation", MoveOrdering::kEvaluation)
      .value("full", MoveOrdering::kFull);
  nb::enum_<ChancePruning>(m, "ChancePruning")
      .value("none", ChancePruning::kNone)
      .value("star1", ChancePruning::kStar1)
      .value("star2", ChancePruning::kStar2);
  nb::class_<ProbCut>(m, "ProbCutOptions")
      .def(nb::init<>())
      .def_rw("depth", &ProbCut::depth)
      .def_rw("shallow", &ProbCut::shallow)
      .def_rw("slope", &ProbCut::slope)
      .def_rw("offset", &ProbCut::offset)
      .def_rw("sigma", &ProbCut::sigma)
      .def_rw("threshold", &ProbCut::threshold);
  nb::class_<MinimaxOptions>(m, "MinimaxOptions")
      .def(nb::init<>())
      .def_rw("prune", &MinimaxOptions::prune)
      .def_rw("chance", &MinimaxOptions::chance)
      .def_rw("chance_pruning", &MinimaxOptions::chance_pruning)
      .def_rw("depth", &MinimaxOptions::depth)
      .def_rw("iterative", &MinimaxOptions::iterative)
      .def_rw("max_nodes", &MinimaxOptions::max_nodes)
      .def_rw("max_seconds", &MinimaxOptions::max_seconds)
      .def_rw("ordering", &MinimaxOptions::ordering)
      .def_rw("table_entries", &MinimaxOptions::table_entries)
      .def_rw("quiescence", &MinimaxOptions::quiescence)
      .def_rw("beam", &MinimaxOptions::beam)
      .def_rw("singular_margin", &MinimaxOptions::singular_margin)
      .def_rw("singular_extensions", &MinimaxOptions::singular_extensions)
      .def_rw("probcut", &MinimaxOptions::probcut)
      .def_rw("exact_root", &MinimaxOptions::exact_root)
      .def_rw("skip_forced", &MinimaxOptions::skip_forced)
      .def_rw("only_value", &MinimaxOptions::only_value)
      .def_rw("utility_bounds", &MinimaxOptions::utility_bounds)
      .def_rw("min_utility", &MinimaxOptions::min_utility)
      .def_rw("max_utility", &MinimaxOptions::max_utility);
  m.def(
      "minimax_search",
      [](nb::object game, nb::object state, const MinimaxOptions& options, nb::object evaluate,
         nb::object is_quiet, std::size_t record_nodes) {
        check(options);
        return ops_of(game).minimax(game, {state, options, evaluate, is_quiet, record_nodes});
      },
      nb::arg("game"), nb::arg("state"), nb::arg("options"), nb::kw_only(), nb::arg("evaluate") = nb::none(),
      nb::arg("is_quiet") = nb::none(), nb::arg("record_nodes") = 0,
      "One search of a choice node; values for the player to move there.");
  m.def(
      "prove_states",
      [](nb::handle game, nb::list states, const MinimaxOptions& options, int threads) {
        check(options);
        if (threads < 1 || threads > 256) throw std::invalid_argument("threads is out of range; give 1..256");
        return ops_of(game).prove(game, states, options, threads);
      },
      nb::arg("game"), nb::arg("states"), nb::arg("options"), nb::kw_only(), nb::arg("threads") = 1,
      "Searches each choice node to the end of the game: proved [B], action [B], value [B] for the player to "
      "move, nodes [B].");
}

}  // namespace dicezero
