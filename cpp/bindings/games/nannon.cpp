// Nannon: what its states show besides, and its ranked solver.
#include "rules/nannon.h"

#include "bindings/game_unit.h"
#include "search/nannon_knowledge.h"
#include "solve/nannon_table.h"

namespace dicezero {
namespace {

class NannonOps : public OpsOf<Nannon> {
 public:
  std::unique_ptr<PyTable> table(nb::object game, std::uint64_t max_states,
                                 PyMonitor& monitor) const override {
    const Nannon& g = nb::cast<const Nannon&>(game);
    if (!NannonIndex::covers(g)) return OpsOf<Nannon>::table(game, max_states, monitor);
    return make_table<NannonTable>(game, g, max_states, monitor);
  }

  std::optional<std::uint64_t> ranked_states(nb::handle game) const override {
    const Nannon& g = nb::cast<const Nannon&>(game);
    return NannonIndex::covers(g) ? std::optional(NannonIndex::count(g)) : std::nullopt;
  }
};

}  // namespace

void bind_nannon(nb::module_& m) {
  using State = PyState<Nannon>;
  auto [game, state] = bind_game<Nannon, NannonOps>(m, "Nannon");
  state
      .def_prop_ro(
          "turn", [](const State& s) { return s.game->turn(s.state); },
          "Who moves, or will once the die fell.")
      .def_prop_ro(
          "roll", [](const State& s) { return int{s.state.roll}; }, "What the die shows; 0 before it falls.")
      .def(
          "points",
          [](const State& s, int player) {
            std::vector<int> points;
            for (std::uint32_t rest = s.state.points[checked_viewer(s, player)]; rest != 0; rest &= rest - 1)
              points.push_back(std::countr_zero(rest));
            return points;
          },
          nb::arg("player"), "The points a player stands on, in its own counting.")
      .def(
          "home", [](const State& s, int player) { return int{s.state.home[checked_viewer(s, player)]}; },
          nb::arg("player"), "Checkers of a player at HOME.")
      .def(
          "safety",
          [](const State& s, int player) { return s.game->safe(s.state, checked_viewer(s, player)); },
          nb::arg("player"), "Checkers of a player at SAFETY.");

  // The ranked index by itself, for its tests.
  nb::class_<NannonIndex>(m, "NannonIndex")
      .def(
          "__init__",
          [](NannonIndex* self, const Nannon& game) {
            if (!NannonIndex::covers(game) || NannonIndex::count(game) > (1ULL << 32)) {
              throw std::invalid_argument(full_name(game) + " has no ranked index");
            }
            new (self) NannonIndex(game);
          },
          nb::arg("game"))
      .def_static("count", &NannonIndex::count, nb::arg("game"))
      .def_static("covers", &NannonIndex::covers, nb::arg("game"))
      .def("size", &NannonIndex::size)
      .def("rank", [](const NannonIndex& index,
                      nb::handle state) { return index.rank(native_state<Nannon>(index.game(), state)); })
      .def("round_trip", [](const NannonIndex& index, std::uint32_t rank) {
        if (rank >= index.size())
          throw std::invalid_argument("rank " + std::to_string(rank) + " is out of range");
        return index.rank(index.unrank(rank));
      });
}

}  // namespace dicezero
