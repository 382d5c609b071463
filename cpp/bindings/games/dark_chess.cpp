#include "rules/dark_chess.h"

#include "bindings/game_unit.h"

namespace dicezero {

void bind_dark_chess(nb::module_& m) { bind_game<DarkChess>(m, "DarkChess"); }

}  // namespace dicezero
