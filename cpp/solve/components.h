// Strongly connected components of a graph, in an order in which edges only lead back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace dicezero {

struct Components {
  std::vector<std::uint32_t> nodes;   // grouped by component; edges lead to the same or an earlier group
  std::vector<std::uint32_t> starts;  // group c is nodes[starts[c]..starts[c+1]]
  std::vector<char> repeats;          // [groups], can a node of the group be come back to?

  bool cyclic() const { return std::find(repeats.begin(), repeats.end(), 1) != repeats.end(); }
  std::size_t size() const { return starts.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t c) const {
    return std::span(nodes).subspan(starts[c], starts[c + 1] - starts[c]);
  }
};

// Tarjan's algorithm with a stack of its own, as positions can lie thousands of moves deep.
// `edges(v)` is a span of the targets of v.
template <class Edges>
Components find_components(std::uint32_t count, const Edges& edges) {
  constexpr std::uint32_t kUnseen = ~0u;
  struct Visit {
    std::uint32_t node;
    std::uint32_t next_edge;
  };
  Components result;
  result.nodes.reserve(count);
  result.starts.push_back(0);
  std::vector<std::uint32_t> order(count, kUnseen);  // when first seen
  std::vector<std::uint32_t> low(count, 0);          // earliest open node known to be reachable
  std::vector<char> open(count, 0);                  // seen, component not yet closed
  std::vector<std::uint32_t> pending;
  std::vector<Visit> visits;
  std::uint32_t clock = 0;
  for (std::uint32_t root = 0; root < count; ++root) {
    if (order[root] != kUnseen) continue;
    visits.push_back({root, 0});
    while (!visits.empty()) {
      const std::uint32_t v = visits.back().node;
      if (visits.back().next_edge == 0 && order[v] == kUnseen) {
        order[v] = low[v] = clock++;
        open[v] = 1;
        pending.push_back(v);
      }
      const std::span<const std::uint32_t> targets = edges(v);
      bool descended = false;
      while (visits.back().next_edge < targets.size()) {
        const std::uint32_t w = targets[visits.back().next_edge++];
        if (order[w] == kUnseen) {
          visits.push_back({w, 0});
          descended = true;
          break;
        }
        if (open[w]) low[v] = std::min(low[v], order[w]);
      }
      if (descended) continue;
      visits.pop_back();
      if (!visits.empty()) low[visits.back().node] = std::min(low[visits.back().node], low[v]);
      if (low[v] != order[v]) continue;
      // v is the first seen of its component: everything pending above it belongs to it.
      std::uint32_t w;
      do {
        w = pending.back();
        pending.pop_back();
        open[w] = 0;
        result.nodes.push_back(w);
      } while (w != v);
      const bool itself = std::find(targets.begin(), targets.end(), v) != targets.end();
      result.repeats.push_back(itself || result.nodes.size() - result.starts.back() > 1);
      result.starts.push_back(static_cast<std::uint32_t>(result.nodes.size()));
    }
  }
  return result;
}

}  // namespace dicezero
