// Positions proved by alpha-beta: searched to the end of the game within so many nodes, many at once. A proof
// is a function of its own position; none depends on the threads or on its neighbours.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "search/minimax.h"
#include "solve/parallel.h"

namespace dicezero {

struct Proof {
  bool complete = false;      // else the nodes were not enough, and the rest says nothing
  Action action = kNoAction;  // one that is worth `value`
  double value = 0.0;         // under perfect play, for the player to move
  std::uint64_t nodes = 0;
};

template <Game G>
Proof prove_position(const G& game, const typename G::State& root, const MinimaxOptions& options,
                     const MinimaxHooks<G>& hooks) {
  const MinimaxReport report = Minimax<G>(game, options, hooks, nullptr).prove(root);
  if (report.stopped != "complete") return {false, kNoAction, 0.0, report.nodes};
  return {true, report.action, report.value + 0.0, report.nodes};  // a draw is 0, never -0
}

// Threads take the next position as they come free. `poll` is called now and then, on the calling thread
// alone; what it throws ends the work of all of them.
template <Game G>
std::vector<Proof> prove_positions(const G& game, std::span<const typename G::State> roots,
                                   const MinimaxOptions& options, int threads, std::uint64_t poll_every,
                                   const std::function<void()>& poll) {
  std::vector<Proof> proofs(roots.size());
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stopped = false;
  std::vector<int> parts(static_cast<std::size_t>(threads));
  std::iota(parts.begin(), parts.end(), 0);
  for_each_part(parts, [&](int part) {
    const auto look = [&] {
      try {
        if (part == 0) poll();
      } catch (...) {
        stopped = true;
        throw;
      }
      return stopped.load(std::memory_order_relaxed);
    };
    MinimaxHooks<G> hooks;
    hooks.interrupted = look;
    hooks.poll_every = poll_every;
    for (std::size_t row = next++; row < roots.size() && !look(); row = next++)
      proofs[row] = prove_position(game, roots[row], options, hooks);
  });
  return proofs;
}

}  // namespace dicezero
