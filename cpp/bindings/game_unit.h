// All that a game's own unit needs: `bind_game<G>(m, "Name")` gives it its Python classes and every algorithm
// that knows its type. A line of games.def makes the module call the unit.
#pragma once

#include "bindings/game_class.h"
#include "bindings/ops_of.h"

namespace dicezero {

template <NativeGame G>
struct GameClasses {
  nb::class_<G> game;
  nb::class_<PyState<G>> state;
};

template <NativeGame G, class O = OpsOf<G>>
GameClasses<G> bind_game(nb::module_& m, const char* name) {
  static const O ops;
  nb::class_<G> game = bind_game_class<G>(m, name);
  registered_games().push_back(
      {G::make(Parameters(G::parameter_info())).name(), game, &ops, G::parameter_info()});
  return {game, bind_state_class<G>(m, kept_text(std::string(name) + "State"))};
}

}  // namespace dicezero
