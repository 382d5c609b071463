// A game's parameters as Python's keywords, properties and records.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/values.h"
#include "rules/game.h"

namespace dicezero {

namespace nb = nanobind;

inline nb::object value_object(const Value& value) {
  return std::visit([](const auto& v) { return nb::cast(v); }, value);
}

inline const char* type_name(const Value& value) {
  static constexpr const char* kNames[] = {"int", "float", "bool", "str"};
  return kNames[value.index()];
}

// What Python gave, as a value of the parameter's type.
inline Value value_from(const std::string& owner, const ParameterInfo& info, nb::handle given) {
  const auto wrong = [&](const char* remedy) {
    return nb::type_error((owner + ": " + info.name + "=" + text_of(nb::repr(given)) + " is " + remedy +
                           "; give " + type_name(info.default_value) + " " + info.range)
                              .c_str());
  };
  const bool is_bool = PyBool_Check(given.ptr());
  if (std::holds_alternative<bool>(info.default_value)) {
    if (!is_bool) throw wrong("not true or false");
    return given.ptr() == Py_True;
  }
  if (std::holds_alternative<std::string>(info.default_value)) {
    if (!nb::isinstance<nb::str>(given)) throw wrong("no text");
    return utf8_text(nb::borrow<nb::str>(given));
  }
  if (std::holds_alternative<int>(info.default_value)) {
    const std::optional<int> value = whole_number(given);
    if (!value) throw wrong("no whole number of 32 bits");
    return *value;
  }
  double value = 0.0;
  if (is_bool || !nb::try_cast(given, value)) throw wrong("no number");
  return value;
}

template <NativeGame G>
G game_from(const std::string& owner, nb::kwargs given) {
  const std::vector<ParameterInfo> infos = G::parameter_info();
  Parameters parameters(infos);
  for (const auto& [key, value] : given) {
    const auto name = utf8_text(nb::borrow<nb::str>(key));
    const ParameterInfo* info = nullptr;
    for (const ParameterInfo& known : infos) {
      if (known.name == name) info = &known;
    }
    if (info == nullptr) {
      throw nb::type_error((owner + "() got an unexpected keyword argument '" + name + "'").c_str());
    }
    parameters.set(name, value_from(owner, *info, value));
  }
  return G::make(parameters);
}

// A text that lives as long as the module: nanobind keeps pointers to signatures.
inline const char* kept_text(std::string text) {
  static auto* const kept = new std::vector<std::unique_ptr<std::string>>();
  return kept->emplace_back(std::make_unique<std::string>(std::move(text)))->c_str();
}

// The constructor with a keyword a parameter, a property a parameter, and get_parameters().
template <NativeGame G>
void bind_parameters(nb::class_<G>& game) {
  const auto owner = nb::cast<std::string>(game.attr("__name__"));
  std::string signature = "def __init__(self";
  for (const ParameterInfo& info : G::parameter_info()) {
    signature += signature.back() == 'f' ? ", *, " : ", ";
    signature += info.name + ": " + type_name(info.default_value) + " = " +
                 nb::cast<std::string>(nb::repr(value_object(info.default_value)));
  }
  game.def(
      "__init__", [owner](G* self, nb::kwargs given) { new (self) G(game_from<G>(owner, std::move(given))); },
      nb::sig(kept_text(signature + ") -> None")));
  std::size_t place = 0;
  for (const ParameterInfo& info : G::parameter_info()) {
    const char* getter = kept_text("def " + info.name + "(self) -> " + type_name(info.default_value));
    game.def_prop_ro(
        info.name.c_str(), [place](const G& g) { return value_object(g.parameters()[place].value); },
        nb::for_getter(nb::sig(getter)), kept_text(info.meaning));
    ++place;
  }
  game.def(
      "get_parameters",
      [](const G& g) {
        nb::dict parameters;
        for (const Parameter& p : g.parameters()) parameters[p.name.c_str()] = value_object(p.value);
        return parameters;
      },
      nb::sig("def get_parameters(self) -> dict[str, int | float | bool | str]"));
}

}  // namespace dicezero
