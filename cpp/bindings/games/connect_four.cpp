#include "rules/connect_four.h"

#include "bindings/game_unit.h"
#include "search/connect_four_knowledge.h"

namespace dicezero {

void bind_connect_four(nb::module_& m) { bind_game<ConnectFour>(m, "ConnectFour"); }

}  // namespace dicezero
