// How a long computation tells what it is doing, and how it is stopped.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>

namespace dicezero {

struct Progress {
  const char* phase;    // "enumerate", "solve", "evaluate", …
  std::uint64_t done;   // positions finished so far
  std::uint64_t total;  // of how many, 0 if not known
  double residual;      // largest change of the last sweep
};

// Called often from the calling thread; an exception it throws ends the computation.
using Monitor = std::function<void(const Progress&)>;

struct IterationLimits {
  double tolerance;  // sweeps stop when no value changes by more
  std::uint64_t max_iterations;
};

// The game has more states than allowed; says how many and how much memory they would take.
class TooLarge : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
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

// "1.2 GB" and the like, for messages.
inline std::string memory_text(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  int unit = 0;
  while (bytes >= 1000.0 && unit < 6) {
    bytes /= 1000.0;
    ++unit;
  }
  const int tenths = static_cast<int>(bytes * 10.0 + 0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " + units[unit];
}

}  // namespace dicezero
