#include "rules/go.h"

#include "bindings/game_unit.h"

namespace dicezero {

void bind_go(nb::module_& m) {
  using State = PyState<Go>;
  bind_game<Go>(m, "Go")
      .state
      .def(
          "score", [](const State& s) { return s.game->score(s.state); },
          "Black's area minus White's minus komi, with every stone on the board alive.")
      .def(
          "last_action", [](const State& s) { return int{s.state.last[0]}; },
          "The action that led here; -1 where there was none.");
}

}  // namespace dicezero
