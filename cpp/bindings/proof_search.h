// Proofs by alpha-beta over one type of game.
#pragma once

#include "bindings/monitor.h"
#include "bindings/ops.h"
#include "bindings/rules.h"
#include "search/proof_search.h"

namespace dicezero {

// proved [B], action [B] (-1 where nothing is proved), value [B] for the player to move, nodes [B].
template <Game G>
nb::tuple prove_states(const G& game, nb::list states, const MinimaxOptions& options, int threads) {
  std::vector<typename G::State> roots;
  for (const nb::object& state : held_objects(states)) {
    roots.push_back(native_state<G>(game, state));
    if (game.player(roots.back()) < 0) {
      throw std::invalid_argument("states[" + std::to_string(roots.size() - 1) + "] has no player to move");
    }
  }
  Pace due{std::chrono::milliseconds(50)};
  const auto poll = [&due] {
    if (!due.passed()) return;
    const nb::gil_scoped_acquire gil;
    if (SignalPoller{}()) throw nb::python_error();
  };
  std::vector<Proof> proofs;
  {
    const MaybeReleaseGil<G> release;
    const std::uint64_t poll_every = kForeign<G> ? 16 : 4096;
    proofs = prove_positions<G>(game, roots, options, kForeign<G> ? 1 : threads, poll_every, poll);
  }
  std::vector<std::uint8_t> complete;
  std::vector<std::int32_t> action;
  std::vector<double> value;
  std::vector<std::int64_t> nodes;
  for (const Proof& proof : proofs) {
    complete.push_back(proof.complete);
    action.push_back(proof.action);
    value.push_back(proof.value);
    nodes.push_back(static_cast<std::int64_t>(proof.nodes));
  }
  return nb::make_tuple(column(std::move(complete)), column(std::move(action)), column(std::move(value)),
                        column(std::move(nodes)));
}

}  // namespace dicezero
