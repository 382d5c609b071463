#include "bindings/chess.h"

namespace dicezero {

void bind_gardner_chess(nb::module_& m) { bind_chess_game<5>(m, "GardnerChess"); }

}  // namespace dicezero
