// Counting lines of play: the oldest test of rules there is.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/game.h"

namespace dicezero {

namespace detail {

template <Game G>
void count_lines(const G& game, const typename G::State& state, std::size_t depth,
                 std::vector<std::uint64_t>& counts) {
  ++counts[depth];
  const int player = game.player(state);
  if (depth + 1 == counts.size() || player == kTerminalPlayer) return;
  const auto descend = [&](Action action) {
    typename G::State child = state;
    game.apply(child, action);
    count_lines(game, child, depth + 1, counts);
  };
  if (player == kChancePlayer) {
    std::vector<Outcome> outcomes;
    game.outcomes(state, outcomes);
    for (const Outcome& outcome : outcomes) descend(outcome.action);
  } else {
    std::vector<Action> actions;
    game.legal_actions(state, actions);
    for (const Action action : actions) descend(action);
  }
}

}  // namespace detail

// Nodes of the game tree at depth 0..depth. A chance outcome is an edge, and so is a pass; transpositions
// count each time.
template <Game G>
std::vector<std::uint64_t> perft(const G& game, int depth) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(depth) + 1, 0);
  detail::count_lines(game, game.initial_state(), 0, counts);
  return counts;
}

}  // namespace dicezero
