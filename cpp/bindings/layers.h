// Solving layer by layer, for a game whose own unit asks for it; dicezero.solve.layers is the public face.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bindings/monitor.h"
#include "bindings/rules.h"
#include "bindings/tuples.h"
#include "solve/layers.h"

namespace dicezero {

template <LayeredGame G>
nb::tuple solve_layers(const G& game, nb::handle judge, std::uint64_t max_states, nb::object progress) {
  PyMonitor monitor(std::move(progress));
  typename LayerSolver<G>::Choose choose;
  if (!judge.is_none()) {
    const TupleNet& net = tables_of(game, judge).net;
    // The greedy move, the first among equals, as JudgedSearch plays at one ply.
    choose = [&game, &net](std::span<const typename G::State> afters) {
      std::size_t best = 0;
      double most = 0.0;
      for (std::size_t i = 0; i < afters.size(); ++i) {
        const bool over = game.player(afters[i]) == kTerminalPlayer;
        float value = 0.0f;
        if (!over) net.values(game, afters.subspan(i, 1), std::span(&value, 1));
        const double following = static_cast<double>(value);
        const double worth = last_reward(game, afters[i]) + following;
        if (i == 0 || worth > most) {
          most = worth;
          best = i;
        }
      }
      return best;
    };
  }
  LayersSolved found;
  {
    const Monitor tell = monitor.monitor();
    const nb::gil_scoped_release released;
    found = LayerSolver<G>(game, max_states, tell).solve(choose);
  }
  return nb::make_tuple(found.states, found.layers, found.value, found.policy);
}

template <LayeredGame G>
void bind_layers(nb::class_<G>& game) {
  game.def("solve_layers", &solve_layers<G>, nb::kw_only(), nb::arg("judge").none(), nb::arg("max_states"),
           nb::arg("progress").none(),
           "(states, layers, value, policy): exact values from the last layer to the first; symmetric "
           "positions are one. The policy is what the judge's greedy play is paid, NaN without a judge.");
}

}  // namespace dicezero
