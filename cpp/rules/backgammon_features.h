// What a network sees of a backgammon board: functions of the checkers alone, from one side's view.
#pragma once

#include <cstddef>
#include <span>

#include "rules/backgammon_board.h"
#include "rules/backgammon_tactics.h"

namespace dicezero::backgammon {

inline constexpr int kClassicalFeatures = 2 * (24 * 4 + 2);

// Four units for a number of checkers.
inline constexpr auto kUnits = [] {
  std::array<std::array<float, 4>, 16> units{};
  for (int n = 0; n < 16; ++n) {
    units[static_cast<std::size_t>(n)] = {n >= 1 ? 1.0f : 0.0f, n >= 2 ? 1.0f : 0.0f, n >= 3 ? 1.0f : 0.0f,
                                          n > 3 ? 0.5f * static_cast<float>(n - 3) : 0.0f};
  }
  return units;
}();

// TD-Gammon's inputs [196], the viewer's side first, then the other's, each side's points 1..24 in its own
// counting: four units a point (one, two, three or more checkers; half of what is beyond three), then the bar
// (halved) and the share borne off.
inline void classical_features(const BackgammonBoard& board, int viewer, int checkers,
                               std::span<float> features) {
  std::size_t i = 0;
  for (const int side : {viewer, 1 - viewer}) {
    const auto& counts = board.checkers[static_cast<std::size_t>(side)];
    for (std::size_t p = 1; p <= 24; ++p, i += 4) {
      std::memcpy(&features[i], kUnits[counts[p] & 15].data(), sizeof(kUnits[0]));
    }
    features[i++] = 0.5f * static_cast<float>(counts[BackgammonBoard::kBar]);
    features[i++] = static_cast<float>(counts[BackgammonBoard::kOff]) / static_cast<float>(checkers);
  }
}

inline constexpr int kRichFeatures = 2 * kTactics;

// Both sides' tactics [36], the viewer's first, and in a race their pips alone; whether the sides can still
// meet.
inline bool rich_features(const BackgammonBoard& board, int viewer, std::span<float> features) {
  const auto& mine = board.checkers[static_cast<std::size_t>(viewer)];
  const auto& theirs = board.checkers[static_cast<std::size_t>(1 - viewer)];
  const SidePoints own(mine), other(theirs);
  if (own.back() + other.back() <= 25) {  // nobody is shot at, or contained: how far is it?
    features[0] = static_cast<float>(board.pips(viewer)) / kUsualPips;
    features[kTactics] = static_cast<float>(board.pips(1 - viewer)) / kUsualPips;
    return false;
  }
  const PointNumbers my_ways = escapes_of(other.made), their_ways = escapes_of(own.made);
  tactics(mine, own, other, my_ways, their_ways, features.first(kTactics));
  tactics(theirs, other, own, their_ways, my_ways, features.subspan(kTactics, kTactics));
  return true;
}

}  // namespace dicezero::backgammon
