// Which positions of Nannon occur in a game, their decisions (position and roll), and a way to each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solve/nannon_index.h"

namespace dicezero {

class NannonReach {
 public:
  explicit NannonReach(const NannonIndex& index) : index_(index), sides_(index.game().sides()) {
    constexpr std::uint32_t kUnseen = ~0u;
    steps_.assign(index.size(), {kUnseen, 0, 0});
    start_ = index.rank(index.game().initial_state());

    // Breadth first, one turn at a time. The opening never rolls the highest number, so the start position
    // has all its rolls only if play comes back to it.
    expand(start_, 1, sides_ - 1);
    for (std::size_t next = 0; next < positions_.size(); ++next) {
      const std::uint32_t p = positions_[next];
      p == start_ ? expand(p, sides_, sides_) : expand(p, 1, sides_);
    }
    start_recurs_ = steps_[start_].from != kUnseen;
    if (!start_recurs_) positions_.push_back(start_);

    // The start position goes last, so that the one decision that may never occur is the last of all.
    std::sort(positions_.begin(), positions_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return a != b && (b == start_ || (a != start_ && a < b));
    });
    number_.assign(index.size(), kUnseen);
    for (std::size_t i = 0; i < positions_.size(); ++i)
      number_[positions_[i]] = static_cast<std::uint32_t>(i);
  }

  // Positions that occur and are not over, in ascending rank but for the start position.
  const std::vector<std::uint32_t>& positions() const { return positions_; }
  std::uint32_t start() const { return start_; }
  bool contains(std::uint32_t p) const { return number_[p] != ~0u; }
  bool occurs(std::uint32_t p, int roll) const { return roll < sides_ || p != start_ || start_recurs_; }

  std::uint64_t decisions() const {
    return positions_.size() * static_cast<std::uint64_t>(sides_) - (start_recurs_ ? 0 : 1);
  }
  std::uint64_t decision(std::uint32_t p, int roll) const {
    return number_[p] * static_cast<std::uint64_t>(sides_) + static_cast<std::uint64_t>(roll - 1);
  }

  // The decision as player 0 meets it.
  Nannon::State state(std::uint64_t decision) const {
    Nannon::State state = index_.unrank(positions_[decision / static_cast<std::uint64_t>(sides_)]);
    state.roll = static_cast<std::uint8_t>(decision % static_cast<std::uint64_t>(sides_) + 1);
    return state;
  }

  // Rolls and moves from the start of a game to a decision; whose turn it is follows from their number.
  std::vector<Action> history(std::uint64_t decision) const {
    std::uint32_t p = positions_[decision / static_cast<std::uint64_t>(sides_)];
    int roll = static_cast<int>(decision % static_cast<std::uint64_t>(sides_)) + 1;
    std::vector<Action> backwards{roll - 1};
    while (p != start_ || roll == sides_) {
      const Step& step = steps_[p];
      backwards.push_back(step.action);
      backwards.push_back(step.roll - 1);
      roll = step.roll;
      p = step.from;
    }
    std::reverse(backwards.begin(), backwards.end());
    return backwards;
  }

 private:
  struct Step {
    std::uint32_t from;
    std::uint8_t roll;
    std::uint8_t action;
  };

  void expand(std::uint32_t p, int first_roll, int last_roll) {
    const Nannon& game = index_.game();
    const Nannon::State state = index_.unrank(p);
    std::vector<Action> actions;
    for (int roll = first_roll; roll <= last_roll; ++roll) {
      Nannon::State rolled = state;
      rolled.roll = static_cast<std::uint8_t>(roll);
      game.legal_actions(rolled, actions);
      for (const Action action : actions) {
        Nannon::State next = rolled;
        game.apply(next, action);
        if (next.finished) continue;
        const std::uint32_t q = index_.rank(next);
        if (steps_[q].from != ~0u) continue;
        steps_[q] = {p, static_cast<std::uint8_t>(roll), static_cast<std::uint8_t>(action)};
        positions_.push_back(q);
      }
    }
  }

  const NannonIndex& index_;
  int sides_;
  std::uint32_t start_ = 0;
  bool start_recurs_ = false;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> positions_;
  std::vector<std::uint32_t> number_;  // place of a position in positions_
};

}  // namespace dicezero
