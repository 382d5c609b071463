// Sweeps over a graph, component by component, until nothing changes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "solve/components.h"
#include "solve/monitor.h"

namespace dicezero {

struct SweepOptions {
  IterationLimits limits;
  const Monitor& monitor;
  const char* phase;
  bool may_grow = false;  // could values grow without end?
};

// Tells growth without end from slow convergence. News crosses n nodes in n sweeps, or in n^2 where chance
// leads to and fro; what after as many sweeps changes no less than after half of them will not settle.
class GrowthCheck {
 public:
  explicit GrowthCheck(std::size_t nodes)
      : next_(std::clamp<std::uint64_t>(static_cast<std::uint64_t>(nodes) * nodes, 4096, 250'000)) {}

  void operator()(std::uint64_t sweeps, double step) {
    if (sweeps < next_) return;
    if (last_ >= 0.0 && step > 1e-6 && step >= 0.999 * last_)
      throw NoConvergence("values still grow by " + std::to_string(step) + " a sweep after " +
                          std::to_string(sweeps) +
                          " sweeps: play pays without end; give the game a discount below 1, or an end");
    last_ = step;
    next_ = 2 * sweeps;
  }

 private:
  std::uint64_t next_;
  double last_ = -1.0;
};

// x[node] = backup(node, x), [nodes], ends of the game first. One backup is exact where nothing repeats;
// where positions repeat, sweeps in place until nothing changes by more than the tolerance, of 1 or of a
// value beyond 1.
template <class Backup, class Result>
std::vector<double> sweep_components(const Components& components, const Backup& backup,
                                     const SweepOptions& options, Result& result) {
  std::vector<double> x(components.nodes.size(), 0.0);
  result.iterations = std::max<std::uint64_t>(result.iterations, 1);
  for (std::size_t c = 0; c < components.size(); ++c) {
    const auto nodes = components[c];
    const bool again = components.repeats[c] != 0;
    GrowthCheck check_growth(nodes.size());
    std::uint64_t sweeps = 0;
    double change = 0.0;
    do {
      check_iterations(sweeps, change, options.limits);
      change = 0.0;
      double step = 0.0;
      for (const std::uint32_t node : nodes) {
        const double value = backup(node, x);
        const double difference = std::fabs(value - x[node]);
        step = std::max(step, difference);
        change = std::max(change, difference / std::max(1.0, std::fabs(value)));
        x[node] = value;
      }
      ++sweeps;
      if (c % 4096 == 0 || nodes.size() > 1)
        options.monitor({options.phase, components.starts[c], x.size(), change});
      if (again && options.may_grow) check_growth(sweeps, step);
    } while (again && change > options.limits.tolerance);
    if (again) result.residual = std::max(result.residual, change);
    result.iterations = std::max(result.iterations, sweeps);
  }
  return x;
}

}  // namespace dicezero
