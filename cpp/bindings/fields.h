// Reading a frozen, already checked Python configuration.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

namespace dicezero {

template <class Enum>
Enum choice(nanobind::handle config, const char* field,
            std::initializer_list<std::pair<const char*, Enum>> choices) {
  const auto name = nanobind::cast<std::string>(config.attr(field));
  for (const auto& [text, value] : choices) {
    if (name == text) return value;
  }
  throw std::invalid_argument(std::string(field) + "='" + name + "' is unknown");
}

template <class T>
T get(nanobind::handle config, const char* field) {
  return nanobind::cast<T>(config.attr(field));
}

}  // namespace dicezero
