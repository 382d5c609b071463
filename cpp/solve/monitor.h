// How a long computation tells what it is doing, and how it is stopped.
#pragma once

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>

#include "rules/memory.h"

namespace dicezero {

struct Progress {
  const char* phase;    // "enumerate", "probe", "solve", "evaluate", …
  std::uint64_t done;   // positions finished so far
  std::uint64_t total;  // of how many, 0 if not known
  double residual;      // largest change of the last sweep
};

// Called often from the calling thread; an exception it throws ends the computation.
using Monitor = std::function<void(const Progress&)>;

// What this process has computed so far. A decision by it does not depend on what else the machine does.
inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct IterationLimits {
  double tolerance;  // sweeps stop when no value changes by more
  std::uint64_t max_iterations;
};

// Values keep changing after the allowed number of sweeps.
class NoConvergence : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

inline void check_iterations(std::uint64_t iterations, double residual, const IterationLimits& limits) {
  if (iterations < limits.max_iterations) return;
  char change[32];
  std::snprintf(change, sizeof(change), "%.1e", residual);
  throw NoConvergence("after max_iterations=" + std::to_string(limits.max_iterations) +
                      " sweeps values still change by " + change + "; raise max_iterations or tolerance");
}

}  // namespace dicezero
