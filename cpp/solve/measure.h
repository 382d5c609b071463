// What follows from solved values, decision by decision.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solve/monitor.h"
#include "solve/policy.h"
#include "solve/results.h"

namespace dicezero {

inline constexpr std::uint64_t kDecisionsPerReport = 1 << 14;

// The first of the best actions at every decision; where play could go round in circles, one that leads on.
template <class Table>
std::vector<std::int16_t> optimal_actions(const Table& table, const double* values, const Monitor& monitor) {
  const std::uint64_t count = table.decisions();
  std::vector<std::int16_t> chosen(count);
  std::vector<Action> actions;
  std::vector<double> worth;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i % kDecisionsPerReport == 0) monitor({"choose", i, count, 0.0});
    table.action_values(i, values, actions, worth);
    const double best = *std::max_element(worth.begin(), worth.end());
    std::size_t first = 0;
    while (worth[first] < best - tie(best)) ++first;
    chosen[i] = static_cast<std::int16_t>(actions[first]);
  }
  if constexpr (requires { table.prefer_progress(values, chosen); }) table.prefer_progress(values, chosen);
  return chosen;
}

template <class Table>
Regret regret(const Table& table, const double* values, const PolicyView& policy, const Monitor& monitor) {
  const std::uint64_t count = table.decisions();
  Regret result;
  std::vector<Action> actions;
  std::vector<double> worth;
  std::vector<double> weights;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i % kDecisionsPerReport == 0) monitor({"regret", i, count, 0.0});
    table.action_values(i, values, actions, worth);
    if (actions.size() < 2) continue;
    policy.weights(i, actions, weights);
    const double best = *std::max_element(worth.begin(), worth.end());
    double loss = 0.0;
    for (std::size_t j = 0; j < actions.size(); ++j) loss += weights[j] * (best - worth[j]);
    result.mean += loss;
    result.largest = std::max(result.largest, loss);
    ++result.decisions;
  }
  if (result.decisions > 0) result.mean /= static_cast<double>(result.decisions);
  return result;
}

}  // namespace dicezero
