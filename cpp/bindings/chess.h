// What states of chess have besides what every state has.
#pragma once

#include "bindings/game_unit.h"
#include "search/chess_knowledge.h"

namespace dicezero {

template <int N>
void bind_chess_game(nb::module_& m, const char* name) {
  using G = ChessGame<N>;
  using State = PyState<G>;
  bind_game<G>(m, name)
      .state
      .def(
          "uci",
          [](const State& s, Action action) {
            check_action(s, action);
            return s.game->uci_string(s.state, action);
          },
          nb::arg("action"), "The name of a legal action in UCI, such as e2e4 or e7e8q.")
      .def(
          "in_check", [](const State& s) { return s.game->in_check(s.state); },
          "Whether the side to move is in check.")
      .def(
          "end",
          [](const State& s) {
            static constexpr const char* kWords[] = {"",           "checkmate",   "stalemate",
                                                     "repetition", "fifty moves", "insufficient material"};
            return kWords[static_cast<int>(s.state.end)];
          },
          "Why the game is over: checkmate, stalemate, repetition, fifty moves or insufficient material; "
          "empty while it is not.");
}

}  // namespace dicezero
