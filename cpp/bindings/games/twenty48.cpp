// 2048: what its states show besides.
#include "rules/twenty48.h"

#include "bindings/game_unit.h"
#include "bindings/layers.h"

namespace dicezero {

void bind_twenty48(nb::module_& m) {
  using State = PyState<Twenty48>;
  auto [game, state] = bind_game<Twenty48>(m, "Twenty48");
  bind_tables(m, game);
  bind_layers(game);
  state
      .def(
          "tiles",
          [](const State& s) {
            std::vector<std::vector<int>> rows;
            for (int r = 0; r < s.game->rows(); ++r) {
              rows.emplace_back();
              for (int c = 0; c < s.game->columns(); ++c) {
                const int exponent = s.game->exponent(s.state, r, c);
                rows.back().push_back(exponent == 0 ? 0 : 1 << exponent);
              }
            }
            return rows;
          },
          "The tiles row by row; 0 is an empty cell.")
      .def_prop_ro("score", [](const State& s) { return s.state.score; }, "All that was paid so far.");
}

}  // namespace dicezero
