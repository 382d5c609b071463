// Play by fixed policies that never comes to an end.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "solve/components.h"
#include "solve/state_graph.h"

namespace dicezero {

struct Endless {
  bool reached = false;    // play may come to states from which it cannot end
  bool paid = false;       // and goes round there past edges that pay
  std::vector<char> seen;  // [states], does play come there at all?
};

// `weights(node)` points to the probabilities of a node's edges; not asked at final states.
template <Game G, class Weights>
Endless find_endless(const StateGraph<G>& graph, const Components& components, const Weights& weights) {
  const auto each = [&](std::uint32_t node, const auto& visit) {  // edges that are taken at all
    if (graph.player(node) == kTerminalPlayer) return;
    const double* weight = weights(node);
    for (std::size_t i = 0; i < graph.targets(node).size(); ++i)
      if (weight[i] > 0.0) visit(i, graph.targets(node)[i]);
  };
  // Step 1. States from which an end can be reached, ends first.
  std::vector<char> ends(graph.size(), 0);
  for (std::size_t c = 0; c < components.size(); ++c) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::uint32_t node : components[c]) {
        if (ends[node]) continue;
        bool now = graph.player(node) == kTerminalPlayer;
        each(node, [&](std::size_t, std::uint32_t target) { now |= ends[target] != 0; });
        ends[node] = now;
        changed |= now && components[c].size() > 1;
      }
    }
  }
  // Step 2. The others that play comes to, with their edges.
  constexpr std::uint32_t kUnseen = ~0u;
  std::vector<std::uint32_t> numbers(graph.size(), kUnseen);  // among the endless ones
  std::vector<std::uint32_t> endless;
  std::vector<char> seen(graph.size(), 0);
  std::vector<std::uint32_t> stack{0};
  seen[0] = 1;
  while (!stack.empty()) {
    const std::uint32_t node = stack.back();
    stack.pop_back();
    if (!ends[node]) {
      numbers[node] = static_cast<std::uint32_t>(endless.size());
      endless.push_back(node);
    }
    each(node, [&](std::size_t, std::uint32_t target) {
      if (!seen[target]) stack.push_back(target);
      seen[target] = 1;
    });
  }
  Endless result{!endless.empty(), false, std::move(seen)};
  if (!result.reached || !graph.paid()) return result;
  // Step 3. Rounds that play does not leave again, and whether anything is paid on them.
  std::vector<std::vector<std::uint32_t>> edges(endless.size());
  for (std::size_t i = 0; i < endless.size(); ++i)
    each(endless[i], [&](std::size_t, std::uint32_t target) { edges[i].push_back(numbers[target]); });
  const Components rounds = find_components(static_cast<std::uint32_t>(endless.size()), [&](std::uint32_t v) {
    return std::span<const std::uint32_t>(edges[v]);
  });
  std::vector<std::size_t> round_of(endless.size());
  for (std::size_t c = 0; c < rounds.size(); ++c)
    for (const std::uint32_t v : rounds[c]) round_of[v] = c;
  for (std::size_t c = 0; c < rounds.size(); ++c) {
    bool left = false;
    bool paid = false;
    for (const std::uint32_t v : rounds[c])
      each(endless[v], [&](std::size_t i, std::uint32_t target) {
        left |= round_of[numbers[target]] != c;
        paid |= graph.rewards(endless[v])[i] != 0.0;
      });
    result.paid |= paid && !left;
  }
  return result;
}

}  // namespace dicezero
