// N-tuple networks and searches over judged afterstates, for one type of game.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "bindings/busy.h"
#include "bindings/interrupt.h"
#include "bindings/monitor.h"
#include "bindings/rules.h"
#include "learn/tuple_learner.h"
#include "model/judge_shape.h"
#include "search/judged.h"
#include "solve/parallel.h"

namespace dicezero {

// Tables, and what their learning remembers.
struct PyTuples {
  TupleNet net;
  HugeArray<Coherence> coherence;
  std::vector<std::vector<int>> symmetries;  // cells of each view, [views, cells]
  CellBoard board;
  Busy busy;
};

// The classes of tables, once; dicezero.model.ntuple is their public face.
void bind_tuples(nb::module_& m);

// A board of few cells as Python sees it.
template <CellGame G>
nb::tuple cell_board_tuple(const G& game) {
  const CellBoard board = game.cell_board();
  nb::list sets;
  for (const TupleSet& set : game.tuple_sets()) sets.append(nb::make_tuple(set.name, set.tuples));
  return nb::make_tuple(board.rows, board.columns, board.values, board.places, board.optimism, sets);
}

// The tables that a judge is. Those of another board would be read in the wrong places.
template <CellGame G>
PyTuples& tables_of(const G& game, nb::handle judge) {
  if (!nb::isinstance<PyTuples>(judge)) throw nb::type_error("the judge is no native table; give Tuples");
  PyTuples& tuples = nb::cast<PyTuples&>(judge);
  const CellBoard own = game.cell_board(), &theirs = tuples.board;
  if (own.rows != theirs.rows || own.columns != theirs.columns || own.values != theirs.values ||
      own.places != theirs.places || game.num_views() != tuples.net.index().views()) {
    throw std::invalid_argument("the tables are those of another board; make them for " + full_name(game));
  }
  return tuples;
}

template <CellGame G>
class TupleJudge {
 public:
  explicit TupleJudge(const TupleNet& net) : net_(net) {}

  void values(const G& game, std::span<const typename G::State> afters, std::span<const int>,
              std::span<float> values) const {
    net_.values(game, afters, values);
  }

 private:
  const TupleNet& net_;
};

// What a judge of observations is shown of afterstates, [M, O].
template <Game G>
std::vector<float> observations_of(const G& game, std::span<const typename G::State> afters,
                                   std::span<const int> movers) {
  const std::size_t size = observation_size(game);
  std::vector<float> seen(afters.size() * size, 0.0f);
  for (std::size_t i = 0; i < afters.size(); ++i)
    game.observe(afters[i], movers[i], std::span(seen).subspan(i * size, size));
  return seen;
}

// A network of ours.
template <Game G>
class NetworkJudge {
 public:
  explicit NetworkJudge(const PlayingJudge& net) : net_(net) {}

  void values(const G& game, std::span<const typename G::State> afters, std::span<const int> movers,
              std::span<float> values) const {
    net_.values(static_cast<int>(afters.size()), observations_of(game, afters, movers).data(), values.data());
  }

 private:
  const PlayingJudge& net_;
};

// Any judge in Python, from observations [M, O] to values [M]; needs the GIL.
template <Game G>
class CalledJudge {
 public:
  explicit CalledJudge(nb::object judge) : judge_(std::move(judge)) {}

  void values(const G& game, std::span<const typename G::State> afters, std::span<const int> movers,
              std::span<float> values) const {
    const nb::object answer =
        judge_(table_of_rows(observations_of(game, afters, movers), afters.size(), observation_size(game)));
    const auto returned = nb::cast<Array<float, 1>>(answer);
    if (returned.shape(0) != afters.size())
      throw std::invalid_argument("the judge's answer has a wrong length");
    std::copy_n(returned.data(), afters.size(), values.data());
  }

 private:
  nb::object judge_;
};

// Searches each of the positions, by several threads; no answer depends on how many. Needs no GIL.
template <Game G, JudgeOf<G> J>
void search_all(const G& game, const J& judge, const JudgedOptions& options, int threads,
                const std::vector<typename G::State>& positions, std::vector<JudgedMoves>& found) {
  std::vector<std::size_t> parts(std::min<std::size_t>(std::max(1, threads), positions.size()));
  std::iota(parts.begin(), parts.end(), 0);
  for_each_part(parts, [&](std::size_t part) {
    J own = judge;
    JudgedSearch<G, J> search(game, own, options);
    for (std::size_t i = part; i < found.size(); i += parts.size()) found[i] = search.moves(positions[i]);
  });
}

// (row, action, value, nodes, leaves) of B positions: every legal move, position after position.
template <Game G>
nb::tuple judged_columns(const G& game, nb::handle judge, nb::list states, const JudgedOptions& options,
                         int threads) {
  std::vector<typename G::State> positions;
  for (const nb::object& state : held_objects(states)) {
    positions.push_back(native_state<G>(game, state));
    if (game.player(positions.back()) < 0) throw std::invalid_argument("a state has no player to move");
  }
  std::vector<JudgedMoves> found(positions.size());
  bool done = false;
  if constexpr (CellGame<G>) {
    if (nb::isinstance<PyTuples>(judge)) {
      const TupleNet& net = tables_of(game, judge).net;
      const nb::gil_scoped_release released;
      search_all(game, TupleJudge<G>(net), options, threads, positions, found);
      done = true;
    }
  }
  if (nb::isinstance<PlayingJudge>(judge)) {
    const PlayingJudge& net = nb::cast<const PlayingJudge&>(judge);
    if (net.observation_size() != static_cast<int>(observation_size(game))) {
      throw std::invalid_argument("the judge takes observations of " +
                                  std::to_string(net.observation_size()) + " numbers, and the game shows " +
                                  std::to_string(observation_size(game)));
    }
    const nb::gil_scoped_release released;
    search_all(game, NetworkJudge<G>(net), options, threads, positions, found);
    done = true;
  }
  if (!done) {
    CalledJudge<G> called(nb::borrow(judge));
    JudgedSearch<G, CalledJudge<G>> search(game, called, options);
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = search.moves(positions[i]);
  }
  std::vector<std::int32_t> row, action;
  std::vector<double> value;
  std::vector<std::int64_t> nodes, leaves;
  for (std::size_t i = 0; i < found.size(); ++i) {
    row.insert(row.end(), found[i].actions.size(), static_cast<std::int32_t>(i));
    action.insert(action.end(), found[i].actions.begin(), found[i].actions.end());
    value.insert(value.end(), found[i].values.begin(), found[i].values.end());
    nodes.push_back(static_cast<std::int64_t>(found[i].nodes));
    leaves.push_back(static_cast<std::int64_t>(found[i].leaves));
  }
  return nb::make_tuple(column(std::move(row)), column(std::move(action)), column(std::move(value)),
                        column(std::move(nodes)), column(std::move(leaves)));
}

template <CellGame G>
nb::dict learn_tuples(const G& game, nb::handle judge, std::uint64_t games, std::uint64_t seed,
                      const TupleLearning& how, int threads, const nb::object& on_progress) {
  PyTuples& tuples = tables_of(game, judge);
  const Busy::Turn turn(tuples.busy, "network");
  if (how.coherent && tuples.coherence.size() == 0)
    throw std::invalid_argument("coherent rates need tables made with coherent=True");
  Pace signals_due(std::chrono::milliseconds(50)), callback_due(std::chrono::milliseconds(200));
  const auto report = [&](std::uint64_t over, std::uint64_t moves) {
    if (signals_due.passed() && SignalPoller{}()) {
      const nb::gil_scoped_acquire gil;
      throw nb::python_error();
    }
    if (!callback_due.passed()) return;
    const nb::gil_scoped_acquire gil;
    if (!on_progress.is_none()) on_progress(over, moves);
  };
  TupleRound round;
  {
    const nb::gil_scoped_release released;
    round = TupleLearner<G>(game, tuples.net, tuples.coherence).play(games, seed, how, threads, report);
  }
  nb::dict found;
  found["games"] = round.games;
  found["decisions"] = round.decisions;
  found["truncated"] = round.truncated;
  found["returns"] = round.returns;
  found["errors"] = round.errors;
  found["squared_errors"] = round.squared_errors;
  return found;
}

// For a game whose own unit asks for it: positions searched natively over any judge.
template <Game G>
void bind_judged(nb::class_<G>& game) {
  game.def(
      "judged",
      [](const G& self, nb::handle judge, nb::list states, int plies, int candidates, double rare,
         double scale, int threads) {
        return judged_columns(self, judge, states, {plies, candidates, rare, scale}, threads);
      },
      nb::arg("judge"), nb::arg("states"), nb::kw_only(), nb::arg("plies"), nb::arg("candidates"),
      nb::arg("rare"), nb::arg("scale"), nb::arg("threads"),
      "(row, action, value, nodes, leaves): every way to play a turn from many positions, looked at so many "
      "plies deep.");
}

// And for one with a board of few cells: tables that learn it.
template <CellGame G>
void bind_tables(nb::module_& m, nb::class_<G>& game) {
  if (!nb::type<PyTuples>().is_valid()) bind_tuples(m);
  bind_judged(game);
  game.def("cell_board", &cell_board_tuple<G>,
           "(rows, columns, values, places, optimism, [(set, tuples)]) of a board that tables can read.");
  game.def(
      "learn_tuples",
      [](const G& self, nb::handle_t<PyTuples> tuples, std::uint64_t games, std::uint64_t seed,
         double learning_rate, double value_lambda, bool coherent, int lanes, int max_decisions, int threads,
         const nb::object& on_progress) {
        return learn_tuples(self, tuples, games, seed,
                            {learning_rate, value_lambda, coherent, std::max(1, lanes), max_decisions},
                            threads, on_progress);
      },
      nb::arg("tuples"), nb::kw_only(), nb::arg("games"), nb::arg("seed"), nb::arg("learning_rate"),
      nb::arg("value_lambda"), nb::arg("coherent"), nb::arg("lanes"), nb::arg("max_decisions"),
      nb::arg("threads"), nb::arg("on_progress").none(), "Plays games and learns from every move.");
}

}  // namespace dicezero
