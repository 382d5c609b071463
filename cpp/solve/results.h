// What the solvers hand back. Values are in the units of the game's returns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace dicezero {

struct Solved {
  std::vector<double> values;  // one a stored position; the table says from whose view
  std::uint64_t iterations = 0;
  double residual = 0.0;
};

// Of one side: moving first, moving second.
struct BySeat {
  double first = 0.0;
  double second = 0.0;
};

struct Evaluated {
  BySeat value;
  BySeat turns;  // expected choices of a game by both sides, passes included; infinite where play may never
                 // end, zero if not asked for
  std::uint64_t iterations = 0;
  double residual = 0.0;
};

// What a policy gives away, over the decisions with at least two legal actions.
struct Regret {
  double mean = 0.0;
  double largest = 0.0;
  std::uint64_t decisions = 0;
};

// Actions whose values differ by less than this, of 1 or of a value beyond 1, count as equally good.
inline constexpr double kTie = 1e-9;
inline double tie(double value) { return kTie * std::max(1.0, std::fabs(value)); }

}  // namespace dicezero
