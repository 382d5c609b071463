// The positions that a choice node's moves lead to, one after another.
#pragma once

#include <vector>

#include "rules/game.h"

namespace dicezero {

// Calls f(action, afterstate) for every legal action, in the order of their ids. Games may offer a faster
// one.
template <Game G, class F>
void for_each_afterstate(const G& game, const typename G::State& state, std::vector<Action>& actions, F&& f) {
  if constexpr (requires { game.for_each_afterstate(state, f); }) {
    game.for_each_afterstate(state, f);
  } else {
    game.legal_actions(state, actions);
    for (const Action action : actions) {
      typename G::State after = state;
      game.apply(after, action);
      f(action, after);
    }
  }
}

}  // namespace dicezero
