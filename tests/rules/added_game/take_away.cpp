#include "rules/take_away.h"

#include "bindings/game_unit.h"

namespace dicezero {

void bind_take_away(nb::module_& m) { bind_game<TakeAway>(m, "TakeAway"); }

}  // namespace dicezero
