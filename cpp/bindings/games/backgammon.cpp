// Backgammon: what its states show besides, and the tables of bearing off.
// Compile: -O3 (UCT is a tenth faster)
#include "rules/backgammon.h"

#include "bindings/arrays.h"
#include "bindings/busy.h"
#include "bindings/game_unit.h"
#include "bindings/tuples.h"
#include "solve/backgammon_bearoff.h"
#include "solve/hypergammon.h"

namespace dicezero {
namespace {

void bind_bearoff(nb::module_& m) {
  m.def(
      "bearoff_positions",
      [](int checkers) {
        const BearoffPositions positions(checkers);
        std::vector<std::uint8_t> counts;
        for (std::uint32_t i = 0; i < positions.size(); ++i) {
          counts.insert(counts.end(), positions.counts(i).begin(), positions.counts(i).end());
        }
        return table_of_rows(std::move(counts), positions.size(), BearoffPositions::kPoints);
      },
      nb::arg("checkers"), "[positions, 6] checkers on points 1..6 of every position, by its number.");
  m.def(
      "bearoff_one_sided",
      [](int checkers) {
        const BearoffPositions positions(checkers);
        OneSidedBearoff table;
        {
          nb::gil_scoped_release unlocked;
          table = one_sided_bearoff(positions);
        }
        std::vector<double> counts;
        for (const auto& row : table.roll_count) counts.insert(counts.end(), row.begin(), row.end());
        return table_of_rows(std::move(counts), positions.size(), OneSidedBearoff::kMaxRolls);
      },
      nb::arg("checkers"),
      "[positions, 32] the probability of needing so many rolls, played for the fewest.");
  m.def(
      "bearoff_two_sided",
      [](int checkers) {
        const BearoffPositions positions(checkers);
        std::vector<double> equity;
        {
          nb::gil_scoped_release unlocked;
          equity = two_sided_bearoff(positions);
        }
        return table_of_rows(std::move(equity), positions.size(), positions.size());
      },
      nb::arg("checkers"),
      "[positions, positions] cubeless equity of the side to roll: own position, other's.");
  m.def(
      "bearoff_two_sided_cube",
      [](int checkers) {
        const BearoffPositions positions(checkers);
        std::vector<double> equity;
        {
          nb::gil_scoped_release unlocked;
          equity = two_sided_cube(positions);
        }
        return table_of_rows(std::move(equity), std::size_t{3} * positions.size(), positions.size());
      },
      nb::arg("checkers"),
      "[3 * positions, positions] equity of the side to roll if it does not double, in units of the cube: a "
      "cube in the centre, its own, the other's; own position, other's.");
}

struct PyHyperTable {
  HyperTable table;
  Busy busy;
};

void bind_hypergammon(nb::module_& m) {
  // One thread at a time: what one builds or sweeps another would read half changed.
  const auto with_turn = [](auto work) {
    return [work](PyHyperTable& self) {
      const Busy::Turn turn(self.busy, "table");
      return work(self.table);
    };
  };
  nb::class_<PyHyperTable>(m, "HyperTable", "Every position of hypergammon before a roll, seen by who rolls.")
      .def(
          "__init__",
          [](PyHyperTable* self, int checkers) { new (self) PyHyperTable{HyperTable(checkers), {}}; },
          nb::arg("checkers"))
      .def_prop_ro("positions", with_turn([](HyperTable& t) { return t.positions(); }), "How many there are.")
      .def_prop_ro("built", with_turn([](HyperTable& t) { return t.built(); }),
                   "Those of them whose turns are listed.")
      .def_prop_ro("bytes", with_turn([](HyperTable& t) { return t.bytes(); }), "What the table takes.")
      .def(
          "build",
          [](PyHyperTable& self, std::uint32_t positions) {
            const Busy::Turn turn(self.busy, "table");
            const nb::gil_scoped_release released;
            self.table.build(positions);
          },
          nb::arg("positions"), "Lists the turns of so many more positions.")
      .def("sweep", with_turn([](HyperTable& t) {
             const nb::gil_scoped_release released;
             return t.sweep();
           }),
           "Every value from those that follow it, in place; the largest change.")
      .def("sides", with_turn([](HyperTable& t) {
             std::vector<std::uint8_t> counts;
             for (std::uint32_t side = 0; side < t.sides().size(); ++side) {
               const auto& own = t.sides().counts(side);
               counts.insert(counts.end(), own.begin(), own.end());
             }
             return table_of_rows(std::move(counts), t.sides().size(), HyperSides::kPlaces);
           }),
           "[sides, 26] checkers borne off, on points 1..24 and on the bar.")
      .def("equity", with_turn([](HyperTable& t) {
             return table_of_rows(std::vector<double>(t.equity()), t.sides().size(), t.sides().size());
           }),
           "[sides, sides] points that the side to roll may expect: own side, other's.");
}

}  // namespace

void bind_backgammon(nb::module_& m) {
  bind_bearoff(m);
  bind_hypergammon(m);
  using State = PyState<Backgammon>;
  auto [game, state] = bind_game<Backgammon>(m, "Backgammon");
  bind_judged(game);
  state
      .def_prop_ro(
          "turn", [](const State& s) { return s.game->turn(s.state); },
          "Who moves, or will once the dice fell.")
      .def_prop_ro(
          "dice", [](const State& s) { return std::pair<int, int>(s.state.large, s.state.small); },
          "The larger die and the smaller; (0, 0) before they fall.")
      .def_prop_ro(
          "second_half", [](const State& s) { return s.state.second_half != 0; },
          "Whether half of a double is played.")
      .def(
          "checkers",
          [](const State& s, int player) {
            const auto& counts = s.state.board.checkers[static_cast<std::size_t>(checked_viewer(s, player))];
            return std::vector<int>(counts.begin(), counts.end());
          },
          nb::arg("player"),
          "[26] a player's checkers in its own counting: borne off, on points 1..24, on the bar.")
      .def(
          "boards_after_turn",
          [](const State& s) {
            if (s.game->player(s.state) < 0)
              throw std::invalid_argument("nobody is to move; apply a roll first");
            std::vector<std::pair<std::vector<int>, std::vector<int>>> boards;
            for (const BackgammonBoard& board : s.game->boards_after_turn(s.state)) {
              const auto& own = board.checkers[s.state.turn];
              const auto& other = board.checkers[1 - s.state.turn];
              boards.emplace_back(std::vector<int>(own.begin(), own.end()),
                                  std::vector<int>(other.begin(), other.end()));
            }
            return boards;
          },
          "(mover's, other's) checkers after every way to play the turn, each once; both halves of a double.")
      .def(
          "pips", [](const State& s, int player) { return s.state.board.pips(checked_viewer(s, player)); },
          nb::arg("player"), "How far a player still has to go.")
      .def(
          "xgid",
          [](const State& s) {
            return backgammon::xgid(s.state.board, s.state.turn, s.state.large, s.state.small);
          },
          "The position as eXtreme Gammon writes it, the mover below; cubeless money play.");
}

}  // namespace dicezero
