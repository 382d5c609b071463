// Sequential Halving as a schedule of visits: which visit count an action must have to be considered next.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace dicezero {

// Rounds of one visit to each of `considered` actions; a phase of rounds may spend an equal share of the
// budget and always has at least one; then half the actions are dropped, down to two. Costs are what
// simulations really spent, so it holds for simulations of more than one evaluation too.
class SequentialHalving {
 public:
  SequentialHalving() = default;
  SequentialHalving(int considered, int budget)
      : considered_(considered),
        budget_(budget),
        phases_(std::bit_width(static_cast<unsigned>(std::max(considered, 1) - 1))) {}

  // The visits (since the search began) of the actions that compete for the next simulation.
  int considered_visits() const { return round_; }

  // Whether that ended a phase.
  bool simulation_done(int cost, bool visited) {
    spent_in_round_ += cost;
    if (!visited || ++picks_ < considered_) return false;
    picks_ = 0;
    ++round_;
    spent_in_phase_ += spent_in_round_;
    const bool another_round_fits = (spent_in_phase_ + spent_in_round_) * phases_ <= budget_;
    spent_in_round_ = 0;
    if (another_round_fits || considered_ <= 1) return false;
    considered_ = std::max(2, considered_ / 2);
    spent_in_phase_ = 0;
    return true;
  }

 private:
  int considered_ = 1;
  std::int64_t budget_ = 1;
  std::int64_t phases_ = 0;  // ceil(log2 of the actions considered at first)
  int round_ = 0;
  int picks_ = 0;
  std::int64_t spent_in_round_ = 0;
  std::int64_t spent_in_phase_ = 0;
};

}  // namespace dicezero
