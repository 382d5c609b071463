// What a network sees of a backgammon board: functions of the checkers alone, from one side's view.
#pragma once

#include <cstddef>
#include <span>

#include "rules/backgammon_board.h"

namespace dicezero::backgammon {

inline constexpr int kClassicalFeatures = 2 * (24 * 4 + 2);

// TD-Gammon's inputs [196], the viewer's side first, then the other's, each side's points 1..24 in its own
// counting: four units a point (one, two, three or more checkers; half of what is beyond three), then the bar
// (halved) and the share borne off.
inline void classical_features(const BackgammonBoard& board, int viewer, int checkers,
                               std::span<float> features) {
  std::size_t i = 0;
  for (const int side : {viewer, 1 - viewer}) {
    const auto& counts = board.checkers[static_cast<std::size_t>(side)];
    for (std::size_t p = 1; p <= 24; ++p) {
      const int n = counts[p];
      features[i++] = n >= 1 ? 1.0f : 0.0f;
      features[i++] = n >= 2 ? 1.0f : 0.0f;
      features[i++] = n >= 3 ? 1.0f : 0.0f;
      features[i++] = n > 3 ? 0.5f * static_cast<float>(n - 3) : 0.0f;
    }
    features[i++] = 0.5f * static_cast<float>(counts[BackgammonBoard::kBar]);
    features[i++] = static_cast<float>(counts[BackgammonBoard::kOff]) / static_cast<float>(checkers);
  }
}

}  // namespace dicezero::backgammon
