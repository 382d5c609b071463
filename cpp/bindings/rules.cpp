// The registry of games: who they are, and the algorithms behind each.
#include "bindings/module.h"
#include "bindings/ops.h"
#include "bindings/parameters.h"

namespace dicezero {

#define GAME(name) void bind_##name(nb::module_& m);
#include "bindings/games.def"
#undef GAME

const Ops& foreign_ops();

std::vector<RegisteredGame>& registered_games() {
  static std::vector<RegisteredGame> games;
  return games;
}

const Ops& ops_of(nb::handle game) {
  auto* const type = Py_TYPE(game.ptr());
  for (const RegisteredGame& known : registered_games()) {
    if (known.type.ptr() == reinterpret_cast<PyObject*>(type)) return *known.ops;
  }
  for (const RegisteredGame& known : registered_games()) {  // a class of the user's that extends one of ours
    if (PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(known.type.ptr()))) return *known.ops;
  }
  return foreign_ops();
}

void bind_rules(nb::module_& m) {
#define GAME(name) bind_##name(m);
#include "bindings/games.def"
#undef GAME
  m.def(
      "registered_games",
      [] {
        nb::list games;
        for (const RegisteredGame& game : registered_games()) {
          nb::list parameters;
          for (const ParameterInfo& info : game.parameters) {
            parameters.append(
                nb::make_tuple(info.name, value_object(info.default_value), info.range, info.meaning));
          }
          games.append(nb::make_tuple(game.name, game.type, parameters));
        }
        return games;
      },
      nb::sig(
          "def registered_games() -> list[tuple[str, type, list[tuple[str, int | float | bool | str, str, "
          "str]]]]"),
      "(name, class, [(parameter, default, range, meaning)]) of every native game.");
  m.def(
      "is_native", [](nb::handle game) { return ops_of(game).native(); }, nb::arg("game"),
      "Whether the game's rules are part of the core.");
  m.def(
      "evaluates", [](nb::handle game) { return ops_of(game).evaluates(); }, nb::arg("game"),
      "Whether the game is native and brings an evaluation of positions for minimax and play-outs.");
}

}  // namespace dicezero
