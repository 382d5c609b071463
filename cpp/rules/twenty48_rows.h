// Sliding one row of 2048: a table of every row of up to four tiles, and the plain rule it is made from.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace dicezero {

// Slides a line of exponents (0 is an empty cell, e is the tile 2^e) towards its first cell and merges equal
// neighbours, each tile at most once. Returns what the merges paid: the sum of the tiles they made.
inline std::uint32_t slide_line(std::span<std::uint8_t> line) {
  std::uint32_t paid = 0;
  std::size_t end = 0;     // cells before it are final
  bool can_merge = false;  // whether the last final tile may still take an equal one
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::uint8_t tile = line[i];
    if (tile == 0) continue;
    line[i] = 0;
    if (can_merge && line[end - 1] == tile) {
      paid += 1u << ++line[end - 1];
      can_merge = false;
    } else {
      line[end++] = tile;
      can_merge = true;
    }
  }
  return paid;
}

// What becomes of one row of four-bit exponents, cell 0 in the lowest bits.
struct RowSlide {
  std::uint16_t to_first;  // slid towards cell 0
  std::uint16_t to_last;   // slid towards the last cell
  std::uint32_t paid;      // the same both ways: a run of k equal tiles makes k / 2 merges
};

// A row whose merge makes a tile of 2^16, which four bits do not hold; the caller slides it cell by cell.
inline constexpr std::uint32_t kTooLarge = ~0u;

// Every row of `width` cells (1..4); made on first use and shared.
inline const std::vector<RowSlide>& row_slides(int width) {
  const auto make = [](int cells) {
    std::vector<RowSlide> table(std::size_t{1} << 4 * cells);
    std::array<std::uint8_t, 4> line;
    const auto slid = [&](std::uint32_t row, bool reverse, std::uint32_t& paid) {
      const auto place = [&](int i) { return 4 * (reverse ? cells - 1 - i : i); };
      for (int i = 0; i < cells; ++i) line[static_cast<std::size_t>(i)] = row >> place(i) & 15;
      paid = slide_line(std::span(line).first(static_cast<std::size_t>(cells)));
      std::uint32_t result = 0;
      for (int i = 0; i < cells; ++i) {
        const std::uint32_t tile = line[static_cast<std::size_t>(i)];
        if (tile > 15) paid = kTooLarge;
        result |= (tile & 15) << place(i);
      }
      return static_cast<std::uint16_t>(result);
    };
    for (std::uint32_t row = 0; row < table.size(); ++row) {
      RowSlide& entry = table[row];
      entry.to_first = slid(row, false, entry.paid);
      entry.to_last = slid(row, true, entry.paid);
    }
    return table;
  };
  static const std::array<std::vector<RowSlide>, 4> tables = {make(1), make(2), make(3), make(4)};
  return tables[static_cast<std::size_t>(width - 1)];
}

}  // namespace dicezero
