// Python functions that a native search calls, and what happens when they, or the user's Ctrl-C, raise.
#pragma once

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>

#include "bindings/interrupt.h"
#include "bindings/rules.h"

namespace dicezero {

// Calls the user's function and, if it raises, adds a note of the state.
template <class F>
auto with_note(const char* what, nb::handle state, F&& call) {
  try {
    return call();
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_KeyboardInterrupt)) {
      error.value().attr("add_note")(nb::str("{} at the state:\n{}").format(what, state));
    }
    throw;
  }
}

// What the user's evaluation function returned, once it is known to be one of the game's utilities.
inline double checked_evaluation(nb::handle result, nb::handle state, double low, double high) {
  const auto bad = [&](const std::string& why) {
    return std::invalid_argument("evaluate returned " + text_of(nb::repr(result)) + ", " + why +
                                 ", at the state:\n" + text_of(nb::str(state)));
  };
  const double value = PyBool_Check(result.ptr()) ? NAN : PyFloat_AsDouble(result.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    throw bad("which is not a number");
  }
  if (std::isnan(value)) throw bad("which is not a number");
  if (value < low || value > high) {
    throw bad("which is outside the game's utilities [" + text_of(nb::str(nb::float_(low))) + ", " +
              text_of(nb::str(nb::float_(high))) + "]");
  }
  return value;
}

// evaluate(state, player) as the native searches call it. The caller keeps the game and the function alive.
template <Game G>
std::function<double(const typename G::State&, int)> evaluation_callback(nb::handle game_object,
                                                                         const G& game, nb::handle evaluate,
                                                                         double low, double high) {
  return [=, &game](const typename G::State& s, int player) {
    const nb::gil_scoped_acquire gil;
    const nb::object state = python_state(game_object, game, s);
    return with_note("raised by evaluate", state,
                     [&] { return checked_evaluation(evaluate(state, player), state, low, high); });
  };
}

// Whether Ctrl-C was pressed; what any other signal's handler raised is thrown.
inline bool keyboard_interrupted() {
  if (!SignalPoller{}()) return false;
  const nb::gil_scoped_acquire gil;
  if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
  PyErr_Clear();
  return true;
}

// In a catch block: whether the exception is Ctrl-C, raised inside Python code that the search called.
inline bool is_keyboard_interrupt() {
  try {
    throw;
  } catch (const nb::python_error& error) {
    const nb::gil_scoped_acquire gil;
    return error.matches(PyExc_KeyboardInterrupt);
  } catch (...) {
    return false;
  }
}

}  // namespace dicezero
