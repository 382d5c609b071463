// The Python face of a game: `PyState<G>` is a state with its history, `with_game` finds the C++ type
// behind a Python object.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "rules/connect_four.h"
#include "rules/foreign.h"
#include "rules/nannon.h"
#include "rules/tic_tac_toe.h"

namespace dicezero {

namespace nb = nanobind;

template <Game G>
struct PyState {
  nb::object game_object;  // keeps the game alive
  const G* game;
  typename G::State state;
  std::vector<Action> history;
};

// Calls f with the C++ game behind a Python game: one of ours, or any object that follows the protocol.
template <class F>
decltype(auto) with_game(nb::handle game, F&& f) {
  if (nb::isinstance<Nannon>(game)) return std::forward<F>(f)(nb::cast<const Nannon&>(game));
  if (nb::isinstance<TicTacToe>(game)) return std::forward<F>(f)(nb::cast<const TicTacToe&>(game));
  if (nb::isinstance<ConnectFour>(game)) return std::forward<F>(f)(nb::cast<const ConnectFour&>(game));
  const ForeignGame foreign{nb::borrow<nb::object>(game)};
  return std::forward<F>(f)(foreign);
}

// The C++ value behind a Python state of game G.
template <Game G>
typename G::State native_state(nb::handle state) {
  if constexpr (std::is_same_v<G, ForeignGame>) {
    return ForeignGame::State(state.attr("clone")());
  } else {
    if (!nb::isinstance<PyState<G>>(state)) {
      throw nb::type_error("the state does not belong to the game; make it with game.new_initial_state()");
    }
    return nb::cast<const PyState<G>&>(state).state;
  }
}

// Native games run without the GIL; a foreign game's rules are Python code and need it.
template <Game G>
struct MaybeReleaseGil : nb::gil_scoped_release {};
template <>
struct MaybeReleaseGil<ForeignGame> {
  MaybeReleaseGil() {}
};

}  // namespace dicezero
