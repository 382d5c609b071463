// The checkers of backgammon, and which of them may move by one die.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace dicezero {

// Each side counts its own points 24..1 down to its home; 25 is its bar and 0 where it bears off to. A side's
// point p is the other side's point 25 - p.
struct BackgammonBoard {
  static constexpr int kOff = 0;
  static constexpr int kBar = 25;

  std::array<std::array<std::uint8_t, 26>, 2> checkers{};  // [side][point], each in its own counting

  bool operator==(const BackgammonBoard&) const = default;

  // Moves a checker of `side` by `die` pips and hits what stands there alone. Counts may pass through "minus
  // one" (255): two moves of one checker end alike in whatever order they are carried out.
  void move(int side, int from, int die) {
    auto& own = checkers[static_cast<std::size_t>(side)];
    auto& other = checkers[static_cast<std::size_t>(1 - side)];
    const int to = from > die ? from - die : kOff;
    --own[static_cast<std::size_t>(from)];
    ++own[static_cast<std::size_t>(to)];
    if (to == kOff) return;
    auto& opposite = other[static_cast<std::size_t>(25 - to)];
    if (opposite == 1) {
      opposite = 0;
      ++other[kBar];
    }
  }

  int pips(int side) const {
    int sum = 0;
    for (int p = 1; p <= kBar; ++p)
      sum += p * checkers[static_cast<std::size_t>(side)][static_cast<std::size_t>(p)];
    return sum;
  }

  int total(int side) const {
    int sum = 0;
    for (const int count : checkers[static_cast<std::size_t>(side)]) sum += count;
    return sum;
  }
};

// What matters for the mover's choice of checkers, as sets of its points (bit p is point p). Within a turn
// the other side's men only leave, so what is blocked stays so.
struct BackgammonView {
  std::uint32_t occupied = 0;  // by the mover, bar included
  std::uint32_t blocked = 0;   // two or more of the other side
  std::uint32_t blots = 0;     // one of the other side
  std::array<std::uint8_t, 26> counts;

  BackgammonView(const BackgammonBoard& board, int mover)
      : counts(board.checkers[static_cast<std::size_t>(mover)]) {
    const auto& other = board.checkers[static_cast<std::size_t>(1 - mover)];
    for (int p = 1; p <= 25; ++p) {
      occupied |= static_cast<std::uint32_t>(counts[static_cast<std::size_t>(p)] > 0) << p;
    }
    for (int p = 1; p <= 24; ++p) {
      blocked |= static_cast<std::uint32_t>(other[static_cast<std::size_t>(25 - p)] > 1) << p;
      blots |= static_cast<std::uint32_t>(other[static_cast<std::size_t>(25 - p)] == 1) << p;
    }
  }

  // Points from which a checker may be moved by this die.
  std::uint32_t sources(int die) const {
    if (occupied >> BackgammonBoard::kBar != 0) {
      return (blocked >> (BackgammonBoard::kBar - die) & 1) != 0 ? 0 : 1u << BackgammonBoard::kBar;
    }
    const std::uint32_t within = occupied & ~(blocked << die) & (~0u << (die + 1));
    if (occupied >> 7 != 0) return within;  // no bearing off while a checker is outside the home board
    // Exactly, or from the highest point where the die is larger than it.
    if ((occupied >> die & 1) != 0) return within | 1u << die;
    return occupied != 0 && occupied >> die == 0 ? 1u << (31 - std::countl_zero(occupied)) : within;
  }

  // The mover's checkers after one of them moved; hits do not matter here.
  void move(int from, int die) {
    if (--counts[static_cast<std::size_t>(from)] == 0) occupied &= ~(1u << from);
    if (from > die) {
      ++counts[static_cast<std::size_t>(from - die)];
      occupied |= 1u << (from - die);
    }
  }
  void undo(int from, int die) {
    if (from > die && --counts[static_cast<std::size_t>(from - die)] == 0) occupied &= ~(1u << (from - die));
    ++counts[static_cast<std::size_t>(from)];
    occupied |= 1u << from;
  }
};

}  // namespace dicezero
