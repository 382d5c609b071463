#include "bindings/chess.h"

namespace dicezero {

void bind_chess(nb::module_& m) { bind_chess_game<8>(m, "Chess"); }

}  // namespace dicezero
