// What there is to know of an empty Go board of one size: neighbours, diagonals and Zobrist numbers. Points
// are row * size + column from the lower left corner, a1 first; the pass comes after the last of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/random.h"

namespace dicezero {

inline constexpr int kMostGoSize = 19;
inline constexpr int kMostGoPoints = kMostGoSize * kMostGoSize;

// A set of points, wide enough for the largest board.
struct PointSet {
  std::array<std::uint64_t, (kMostGoPoints + 63) / 64> words{};

  bool has(int point) const { return words[point >> 6] >> (point & 63) & 1; }
  void add(int point) { words[point >> 6] |= 1ULL << (point & 63); }
  void remove(int point) { words[point >> 6] &= ~(1ULL << (point & 63)); }
  bool operator==(const PointSet&) const = default;
};

struct GoTable {
  struct Around {
    std::int16_t points[4];
    std::int16_t size;
    const std::int16_t* begin() const { return points; }
    const std::int16_t* end() const { return points + size; }
  };

  int size;
  int points;
  std::vector<Around> neighbours;
  std::vector<Around> diagonals;
  std::array<std::vector<std::uint64_t>, 2> zobrist;       // by colour and point
  std::array<std::vector<std::uint64_t>, 2> spot_zobrist;  // the same on a board with a border (go_playout.h)

  explicit GoTable(int n) : size(n), points(n * n) {
    for (int p = 0; p < points; ++p) {
      neighbours.push_back(around(p, {{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}}));
      diagonals.push_back(around(p, {{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}}}));
    }
    std::uint64_t x = 0x676fULL << 32;
    for (const int colour : {0, 1}) {
      spot_zobrist[colour].resize(static_cast<std::size_t>((n + 1) * (n + 2) + 1));
      for (int p = 0; p < points; ++p) {
        zobrist[colour].push_back(mix64(x++));
        spot_zobrist[colour][(p / n + 1) * (n + 1) + p % n + 1] = zobrist[colour].back();
      }
    }
  }

 private:
  Around around(int point, const std::array<std::array<int, 2>, 4>& steps) const {
    Around set{};
    for (const auto& [column, row] : steps) {
      const int c = point % size + column, r = point / size + row;
      if (c >= 0 && c < size && r >= 0 && r < size)
        set.points[set.size++] = static_cast<std::int16_t>(r * size + c);
    }
    return set;
  }
};

}  // namespace dicezero
