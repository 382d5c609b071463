#include "rules/tic_tac_toe.h"

#include "bindings/game_unit.h"
#include "search/tic_tac_toe_knowledge.h"

namespace dicezero {

void bind_tic_tac_toe(nb::module_& m) { bind_game<TicTacToe>(m, "TicTacToe"); }

}  // namespace dicezero
