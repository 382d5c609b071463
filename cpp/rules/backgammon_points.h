// One side's checkers of backgammon as sets of points (bit p is point p).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "rules/backgammon_board.h"

namespace dicezero::backgammon {

// One side's checkers as sets, in its own counting and in the other side's.
struct SidePoints {
  std::uint32_t occupied = 0;                   // points 1..24
  std::uint32_t made = 0;                       // two checkers or more
  std::uint32_t seen_made = 0, seen_blots = 0;  // as the other side counts: point p is its 25 - p
  int bar = 0;

  explicit SidePoints(const std::array<std::uint8_t, 26>& counts) {
    // Eight points at a time: a byte's highest bit says whether it holds enough, and a product gathers them.
    for (int word = 0; word < 3; ++word) {
      std::uint64_t eight;
      std::memcpy(&eight, counts.data() + 1 + 8 * word, 8);
      occupied |= gathered(eight + 0x7f7f7f7f7f7f7f7fULL) << (1 + 8 * word);
      made |= gathered(eight + 0x7e7e7e7e7e7e7e7eULL) << (1 + 8 * word);
    }
    seen_made = turned(made);
    seen_blots = turned(occupied & ~made);
    bar = counts[BackgammonBoard::kBar];
  }

  static std::uint32_t gathered(std::uint64_t bytes) {
    return static_cast<std::uint32_t>(((bytes & 0x8080808080808080ULL) >> 7) * 0x0102040810204080ULL >> 56);
  }
  // Bit p to bit 25 - p.
  static std::uint32_t turned(std::uint32_t points) {
    points = (points & 0x55555555u) << 1 | (points >> 1 & 0x55555555u);
    points = (points & 0x33333333u) << 2 | (points >> 2 & 0x33333333u);
    points = (points & 0x0f0f0f0fu) << 4 | (points >> 4 & 0x0f0f0f0fu);
    points = points << 24 | (points & 0xff00u) << 8 | (points >> 8 & 0xff00u) | points >> 24;
    return points >> 6;
  }

  // The rearmost checker's point; 25 on the bar, 0 where all are borne off.
  int back() const { return bar > 0 ? 25 : occupied == 0 ? 0 : 31 - std::countl_zero(occupied); }
};

}  // namespace dicezero::backgammon
