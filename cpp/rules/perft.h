// Counting lines of play: the oldest test of rules there is.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/game.h"

namespace dicezero {

namespace detail {

inline constexpr std::uint64_t kNodesPerPoll = 1 << 12;

template <Game G, class Poll>
class LineCounter {
 public:
  LineCounter(const G& game, const Poll& poll, std::vector<std::uint64_t>& counts)
      : game_(game), poll_(poll), counts_(counts), buffers_(counts.size()) {}

  // Counts the lines below a node at that depth, the node itself aside.
  void count(const typename G::State& state, std::size_t depth) {
    if (depth + 1 == counts_.size()) return;
    const int player = game_.player(state);
    if (player == kTerminalPlayer) return;
    std::vector<Action>& actions = buffers_[depth];
    if (player == kChancePlayer) {
      game_.outcomes(state, outcomes_);
      actions.clear();
      for (const Outcome& outcome : outcomes_) actions.push_back(outcome.action);
    } else {
      game_.legal_actions(state, actions);
    }
    counts_[depth + 1] += actions.size();
    if (++nodes_ % kNodesPerPoll == 0) poll_();
    if (depth + 2 == counts_.size()) return;  // the last moves are counted, not made
    for (const Action action : actions) {
      typename G::State child = state;
      game_.apply(child, action);
      count(child, depth + 1);
    }
  }

 private:
  const G& game_;
  const Poll& poll_;
  std::vector<std::uint64_t>& counts_;
  std::vector<std::vector<Action>> buffers_;  // by depth
  std::vector<Outcome> outcomes_;
  std::uint64_t nodes_ = 0;
};

}  // namespace detail

// Nodes of the game tree at depth 0..depth below that state. A chance outcome is an edge, and so is a pass;
// transpositions count each time. `poll` is called now and then, and may throw to end it.
template <Game G, class Poll>
std::vector<std::uint64_t> perft(const G& game, const typename G::State& root, int depth, const Poll& poll) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(depth) + 1, 0);
  // A game may count faster, and as its own programmers do.
  if constexpr (requires { game.count_lines(root, depth, poll); }) {
    for (int d = 0; d <= depth; ++d) counts[d] = game.count_lines(root, d, poll);
    return counts;
  }
  counts[0] = 1;
  detail::LineCounter<G, Poll>(game, poll, counts).count(root, 0);
  return counts;
}

template <Game G>
std::vector<std::uint64_t> perft(const G& game, int depth) {
  return perft(game, game.initial_state(), depth, [] {});
}

}  // namespace dicezero
