// The Python face of a state: `PyState<G>` is a position with the actions that led to it.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "rules/foreign.h"

namespace dicezero {

namespace nb = nanobind;

template <Game G>
struct PyState {
  nb::object game_object;  // keeps the game alive
  const G* game;
  typename G::State state;
  std::vector<Action> history;               // since the start
  std::shared_ptr<const std::string> start;  // the position it began with; null: the game's own start
};

template <Game G>
inline constexpr bool kForeign = std::is_same_v<G, ForeignGame>;

// A native state as Python holds it. One of another size of the same game would be read in the wrong places.
template <Game G>
PyState<G>& held_state(const G& game, nb::handle state) {
  if (!nb::isinstance<PyState<G>>(state)) {
    throw nb::type_error("the state does not belong to the game; make it with game.new_initial_state()");
  }
  PyState<G>& held = nb::cast<PyState<G>&>(state);
  if (held.game != &game && full_name(*held.game) != full_name(game)) {
    throw std::invalid_argument("the state is one of " + full_name(*held.game) + ", not of " +
                                full_name(game) + "; make it with game.new_initial_state()");
  }
  return held;
}

// The C++ value behind a Python state of that game.
template <Game G>
typename G::State native_state(const G& game, nb::handle state) {
  if constexpr (kForeign<G>) {
    return ForeignGame::State(foreign::cloned(nb::borrow(state)));
  } else {
    return held_state(game, state).state;
  }
}

template <Game G>
nb::object python_state(nb::handle game_object, const G& game, const typename G::State& state) {
  if constexpr (kForeign<G>) {
    return state.object;
  } else {
    return nb::cast(PyState<G>{nb::borrow<nb::object>(game_object), &game, state, {}, nullptr});
  }
}

// What a list holds now: a state's own methods may change the list while it is gone through.
inline std::vector<nb::object> held_objects(nb::list list) {
  std::vector<nb::object> held;
  for (nb::handle item : list) held.push_back(nb::borrow(item));
  return held;
}

// Keys for Python: a number, or a text where 64 bits do not distinguish all positions.
template <class Key>
nb::object key_object(const Key& key) {
  if constexpr (std::integral<Key>) {
    return nb::int_(key);
  } else if constexpr (std::is_same_v<Key, std::string>) {
    return object_of(key);
  } else {
    std::string text;
    for (const auto& part : key) {
      if (!text.empty()) text += '.';
      char digits[20];
      text.append(digits, std::to_chars(digits, digits + 20, static_cast<std::uint64_t>(part), 16).ptr);
    }
    return nb::cast(text);
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
