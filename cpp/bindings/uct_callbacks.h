// What Monte Carlo search calls in Python: a foreign game's rules, and the moves of play-outs.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/callbacks.h"
#include "bindings/rules.h"
#include "bindings/values.h"

namespace dicezero {

// Notes the state at which a foreign game raised, and turns what is no answer at all into a ValueError.
inline void explain_error(const ForeignGame& game, const ForeignGame::State& state) {
  const auto where = [&] {
    return state.object.is_valid() ? game.to_string(state) : std::string("(unknown)");
  };
  try {
    throw;
  } catch (nb::python_error& error) {
    nb::object value = nb::borrow(error.value());
    if (error.matches(PyExc_KeyboardInterrupt) || nb::hasattr(value, "__notes__")) return;
    value.attr("add_note")("raised by the game's rules at the state:\n" + where());
  } catch (const nb::cast_error&) {
    throw std::invalid_argument("the game's rules returned something of the wrong type at the state:\n" +
                                where());
  } catch (const std::out_of_range&) {
    throw std::invalid_argument("the game's returns() is empty at the state:\n" + where());
  } catch (...) {
  }
}

template <Game G>
Action chosen_action(const G& game, nb::handle game_object, nb::handle choose, const typename G::State& s) {
  const nb::gil_scoped_acquire gil;
  const nb::object state = python_state(game_object, game, s);
  return with_note("raised by playout", state, [&] {
    const nb::object returned = choose(state);
    std::vector<Action> legal;
    game.legal_actions(s, legal);
    const std::optional<int> action = whole_number(returned);
    if (action && std::find(legal.begin(), legal.end(), *action) != legal.end()) return Action{*action};
    std::string known;
    for (const Action a : legal) known += (known.empty() ? "" : ", ") + std::to_string(a);
    throw std::invalid_argument("playout returned " + text_of(nb::repr(returned)) +
                                ", which is no legal action (legal: " + known + "), at the state:\n" +
                                text_of(nb::str(state)));
  });
}

}  // namespace dicezero
