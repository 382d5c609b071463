// 2048's board for lookup tables: its word under each symmetry, and the tuples of cells that are known to do
// well.
#pragma once

#include "rules/twenty48.h"

namespace dicezero {

// On small boards what no game can be paid: every tile from the largest down, made of twos alone. On large
// ones that is far from any game, and chance shows enough.
inline CellBoard Twenty48::cell_board() const {
  const int cells = rows_ * columns_;
  CellBoard board{rows_, columns_, max_exponent() + 1, {}};
  for (int cell = 0; cell < cells; ++cell) board.places.push_back(cell / columns_ * 4 + cell % columns_);
  for (int e = 2; cells <= 9 && e <= max_exponent(); ++e) board.optimism += (e - 1) << e;
  return board;
}

// In the order of symmetries(): bit 0 mirrors the rows, bit 1 the columns, bit 2 makes rows columns first.
inline void Twenty48::cell_words(const State& s, std::span<std::uint64_t> words) const {
  std::uint64_t word = s.board;
  if (s.high != 0) [[unlikely]] {
    for (int cell = 0; cell < 16; ++cell) word |= (s.high >> cell & 1 ? 15ULL : 0ULL) << 4 * cell;
  }
  // What is mirrored within four rows or columns of cells goes back to the board's own.
  const int row_shift = 16 * (4 - rows_), column_shift = 4 * (4 - columns_);
  const auto mirrored_rows = [&](std::uint64_t w) {
    w = (w & 0x0000ffff0000ffffULL) << 16 | (w >> 16 & 0x0000ffff0000ffffULL);
    return (w << 32 | w >> 32) >> row_shift;
  };
  const auto mirrored_columns = [&](std::uint64_t w) {
    w = (w & 0x0f0f0f0f0f0f0f0fULL) << 4 | (w >> 4 & 0x0f0f0f0f0f0f0f0fULL);
    return ((w & 0x00ff00ff00ff00ffULL) << 8 | (w >> 8 & 0x00ff00ff00ff00ffULL)) >> column_shift;
  };
  for (std::size_t kind = 0; kind < words.size(); kind += 4) {
    const std::uint64_t turned = kind == 0 ? word : transposed(word);
    words[kind] = turned;
    words[kind + 1] = mirrored_rows(turned);
    words[kind + 2] = mirrored_columns(turned);
    words[kind + 3] = mirrored_columns(words[kind + 1]);
  }
}

inline int Twenty48::layer(const State& s) const {
  int sum = 0;
  for (int cell = 0; cell < rows_ * columns_; ++cell) {
    const int e = exponent(s, cell / columns_, cell % columns_);
    sum += e == 0 ? 0 : 1 << (e - 1);
  }
  return sum;
}

inline Twenty48::State Twenty48::state_of(std::uint64_t word) const {
  State s;
  s.board = word;
  s.spawns = 0;
  s.finished = movable(s) == 0;
  return s;
}

// Up to six cells are one tuple, and the table of the whole board is exact. 4x4 has the sets of the
// literature: "4x6" of Yeh and others (two 2x3 rectangles, two of a row and half the next) and "8x6" of
// Matsuzaki. In between, what of these shapes fits.
inline std::vector<TupleSet> Twenty48::tuple_sets() const {
  const int cells = rows_ * columns_;
  if (cells <= 6) {
    std::vector<int> all;
    for (int cell = 0; cell < cells; ++cell) all.push_back(cell);
    return {{"board", {all}}};
  }
  if (rows_ == 4 && columns_ == 4) {
    return {{"4x6", {{0, 1, 2, 3, 4, 5}, {4, 5, 6, 7, 8, 9}, {0, 1, 2, 4, 5, 6}, {4, 5, 6, 8, 9, 10}}},
            {"8x6",
             {{0, 1, 2, 4, 5, 6},
              {4, 5, 6, 7, 8, 9},
              {0, 1, 2, 3, 4, 5},
              {2, 3, 4, 5, 6, 9},
              {0, 1, 2, 5, 9, 10},
              {3, 4, 5, 6, 7, 8},
              {1, 3, 4, 5, 6, 7},
              {0, 1, 4, 8, 9, 10}}}};
  }
  const auto at = [&](std::initializer_list<std::pair<int, int>> places) {
    std::vector<int> tuple;
    for (const auto& [row, column] : places) {
      if (row >= rows_ || column >= columns_) return std::vector<int>();
      tuple.push_back(row * columns_ + column);
    }
    std::sort(tuple.begin(), tuple.end());
    return tuple;
  };
  std::vector<std::vector<int>> tuples = {
      at({{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}),   // a rectangle in the corner
      at({{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}}),   // and upright
      at({{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 0}}),   // a triangle
      at({{0, 0}, {0, 1}, {0, 2}, {1, 1}, {2, 0}, {2, 1}})};  // a hook
  if (rows_ == columns_) tuples.erase(tuples.begin() + 1);    // the symmetries have it
  if (columns_ == 4) {
    tuples.push_back(at({{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1}}));
    tuples.push_back(at({{1, 0}, {1, 1}, {1, 2}, {1, 3}, {0, 0}, {0, 1}}));
  }
  if (rows_ == 4) {
    tuples.push_back(at({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 1}, {1, 1}}));
    tuples.push_back(at({{0, 1}, {1, 1}, {2, 1}, {3, 1}, {0, 0}, {1, 0}}));
  }
  std::erase_if(tuples, [](const std::vector<int>& tuple) { return tuple.empty(); });
  return {{"shapes", tuples}};
}

static_assert(CellGame<Twenty48>);

}  // namespace dicezero
