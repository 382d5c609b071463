// Of equally good actions those that get somewhere: where positions repeat, the first of the best may lead
// round in circles past the very end that makes it good.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solve/components.h"
#include "solve/results.h"

namespace dicezero {

// `chosen` [decisions] holds a best action each, and afterwards one that leads on, where there is one: out of
// the circle or nearer to its exit, whatever the other side does that costs it nothing. The side that gains
// by an end seeks it: whoever the state is good for, and a single player always.
template <class Table>
void prefer_progress(const Table& table, const Components& components, const double* values,
                     std::vector<std::int16_t>& chosen) {
  const auto& graph = table.graph();
  const bool alone = table.game().num_players() == 1;
  const auto seeker = [&](std::uint32_t node) {
    return alone ? 0 : values[node] > kTie ? 0 : values[node] < -kTie ? 1 : -1;
  };
  std::vector<char> done(graph.size(), 0);
  std::vector<Action> actions;
  std::vector<double> worth;
  for (std::size_t c = 0; c < components.size(); ++c) {
    const auto nodes = components[c];
    for (bool changed = components.repeats[c] != 0; changed;) {
      changed = false;
      for (const std::uint32_t node : nodes) {
        if (done[node] || seeker(node) < 0 || graph.player(node) == kTerminalPlayer) continue;
        const auto targets = graph.targets(node);
        const int player = graph.player(node);
        std::size_t leads = targets.size();  // the first edge that leads on
        bool all = true;                     // do all edges that may be taken?
        if (player >= 0) table.action_values(graph.decision(node), values, actions, worth);
        const double best = player >= 0 ? *std::max_element(worth.begin(), worth.end()) : 0.0;
        for (std::size_t i = 0; i < targets.size(); ++i) {
          if (player >= 0 && worth[i] < best - tie(best)) continue;
          if (!done[targets[i]]) {
            all = false;
          } else if (leads == targets.size()) {
            leads = i;
          }
        }
        const bool waits = player >= 0 && player != seeker(node);  // the other side may go round
        if (waits ? !all : leads == targets.size()) continue;
        done[node] = 1;
        changed = true;
        if (player == seeker(node)) chosen[graph.decision(node)] = static_cast<std::int16_t>(actions[leads]);
      }
    }
    for (const std::uint32_t node : nodes) done[node] = 1;  // behind all that follow
  }
}

}  // namespace dicezero
