// What a game may be given when it is made: named values with defaults, each of one type.
#pragma once

#include <charconv>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace dicezero {

using Value = std::variant<int, double, bool, std::string>;

struct Parameter {
  std::string name;
  Value value;
};

// A game's declaration of a parameter. The default has the parameter's type.
struct ParameterInfo {
  std::string name;
  Value default_value;
  std::string range;    // for people: "2..20"
  std::string meaning;  // one phrase
};

// As it is written in a name: 6, 7.5, true, classic.
inline std::string value_text(const Value& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string>) {
          return v;
        } else if constexpr (std::is_same_v<T, bool>) {
          return v ? "true" : "false";
        } else {
          char text[32];
          const auto end = std::to_chars(text, text + sizeof(text), v).ptr;
          return std::string(text, end);
        }
      },
      value);
}

// In a name a text with characters of the grammar stands in quotes, as dicezero.rules.names writes it.
inline std::string written_value(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || (!text->empty() && text->find_first_of("\"\\(),= \t\n") == std::string::npos))
    return value_text(value);
  std::string quoted = "\"";
  for (const char c : *text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

// All parameters of a game: what was given, and the defaults of the rest.
class Parameters {
 public:
  explicit Parameters(const std::vector<ParameterInfo>& infos) {
    for (const ParameterInfo& info : infos) values_.push_back({info.name, info.default_value});
  }

  // The value must have the type of the default.
  void set(const std::string& name, Value value) {
    Value& held = find(name);
    if (held.index() != value.index()) throw std::logic_error("parameter " + name + " has another type");
    held = std::move(value);
  }

  template <class T>
  const T& get(const std::string& name) const {
    return std::get<T>(const_cast<Parameters*>(this)->find(name));
  }

  const std::vector<Parameter>& all() const { return values_; }

 private:
  Value& find(const std::string& name) {
    for (Parameter& p : values_) {
      if (p.name == name) return p.value;
    }
    throw std::logic_error("there is no parameter " + name);
  }

  std::vector<Parameter> values_;
};

// "nannon: points=99 is out of range; give 2..20"
inline std::invalid_argument out_of_range(const std::string& game, const std::string& name,
                                          const Value& value, const std::string& range) {
  return std::invalid_argument(game + ": " + name + "=" + value_text(value) + " is out of range; give " +
                               range);
}

}  // namespace dicezero
