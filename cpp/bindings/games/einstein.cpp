#include "rules/einstein.h"

#include "bindings/game_unit.h"

namespace dicezero {

void bind_einstein(nb::module_& m) { bind_game<Einstein>(m, "Einstein"); }

}  // namespace dicezero
