// What a network sees of a Go position.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "rules/game.h"
#include "rules/go_chains.h"

namespace dicezero {

inline constexpr int kGoLastMoves = 5;
inline constexpr int kGoPlanes = 15;

struct GoView {
  std::span<const Action> legal;                       // points where the player to move may play
  const std::array<std::int16_t, kGoLastMoves>& last;  // actions, newest first; -1: none
  int viewer;
  double komi;
  bool after_pass;
};

// [15, size, size], row 0 at the bottom: the viewer's stones, the other's, the last five moves (newest
// first), the empty points where the player to move may not play, stones with one, two and more liberties,
// ones, the viewer is Black, komi for the viewer as a share of the board's side, the last move was a pass.
inline void write_go_planes(const GoTable& table, const GoChains& chains, const GoView& view,
                            std::span<float> tensor) {
  const auto points = static_cast<std::size_t>(table.points);
  std::fill(tensor.begin(), tensor.end(), 0.0f);
  const auto plane = [&](int i) { return tensor.subspan(i * points, points); };
  const auto fill = [&](int i, double value) {
    std::fill(plane(i).begin(), plane(i).end(), static_cast<float>(value));
  };
  for (int i = 0; i < kGoLastMoves; ++i) {
    if (view.last[i] >= 0 && view.last[i] != table.points) plane(2 + i)[view.last[i]] = 1.0f;
  }
  for (int p = 0; p < table.points; ++p) {
    if (chains.is_empty(p)) {
      plane(7)[p] = 1.0f;
    } else {
      plane(chains.at(p).colour == view.viewer ? 0 : 1)[p] = 1.0f;
      plane(7 + std::min(chains.at(p).liberties, 3))[p] = 1.0f;
    }
  }
  for (const Action p : view.legal) plane(7)[p] = 0.0f;
  fill(11, 1.0);
  fill(12, view.viewer == 0 ? 1.0 : 0.0);
  fill(13, (view.viewer == 0 ? -view.komi : view.komi) / table.size);
  fill(14, view.after_pass ? 1.0 : 0.0);
}

}  // namespace dicezero
