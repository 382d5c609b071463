// What a game in Python answered wrongly, as an error for its author: its answer, the remedy, the state.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <stdexcept>
#include <string>

#include "rules/foreign_text.h"

namespace dicezero::foreign {

inline std::string text_of(nanobind::handle value) { return dicezero::text_of(nanobind::str(value)); }

inline std::string shown(nanobind::handle value) {
  std::string text;
  try {
    text = dicezero::text_of(nanobind::repr(value));
  } catch (const nanobind::python_error&) {
    return "a value whose repr() raised";
  }
  return text.size() <= 200 ? text : text.substr(0, 197) + "...";
}

inline std::string type_of(nanobind::handle value) {
  return nanobind::cast<std::string>(value.type().attr("__name__"));
}

inline std::invalid_argument bad_game(nanobind::handle game, const char* method, nanobind::handle returned,
                                      const char* wanted) {
  return std::invalid_argument(std::string(method) + "() of " + text_of(game) + " is " + shown(returned) +
                               "; give " + wanted);
}

inline std::invalid_argument bad_state(nanobind::handle state, const std::string& what,
                                       const std::string& remedy) {
  std::string where;
  try {
    where = text_of(state);
  } catch (const std::exception&) {
    where = "(str() of it raised)";
  }
  return std::invalid_argument(what + "; " + remedy + ". At the state:\n" + where);
}

inline std::invalid_argument bad_outcomes(nanobind::handle state, nanobind::handle returned,
                                          const std::string& why) {
  return bad_state(state, "chance_outcomes() " + shown(returned) + " " + why,
                   "give (outcome, probability) pairs, sorted, whose probabilities sum to 1");
}

inline std::invalid_argument undeclared_chance(nanobind::handle state) {
  return bad_state(state, "current_player() is -1, where chance acts, in a game without chance",
                   "let max_chance_outcomes() of the game say how many outcomes there are");
}

// A copy to be changed: another state, or what is done to the one would be done to the other.
inline nanobind::object cloned(const nanobind::object& state) {
  nanobind::object copy = state.attr("clone")();
  if (copy.is(state)) {
    throw bad_state(state, "clone() is the state itself", "give a copy that shares nothing that changes");
  }
  if (!copy.type().is(state.type()) && !nanobind::hasattr(copy, "current_player")) {
    throw bad_state(state, "clone() is " + shown(copy), "give a state");
  }
  return copy;
}

// Whether it prints as an address, which distinguishes no two positions: memory is used again.
inline bool prints_address(nanobind::handle state) {
  const auto slot = [](PyTypeObject* type, int id) { return PyType_GetSlot(type, id); };
  PyTypeObject* type = Py_TYPE(state.ptr());
  return slot(type, Py_tp_str) == slot(&PyBaseObject_Type, Py_tp_str) &&
         slot(type, Py_tp_repr) == slot(&PyBaseObject_Type, Py_tp_repr);
}

inline std::invalid_argument unprinted(nanobind::handle state) {
  return std::invalid_argument(type_of(state) +
                               " has neither __str__() nor key(), and without them no two positions can be "
                               "told apart; write one that shows all of the position");
}

}  // namespace dicezero::foreign
