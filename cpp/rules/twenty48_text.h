// 2048 as people read and write it: moves, boards, positions; and the board turned and mirrored.
#pragma once

#include <charconv>

#include "rules/twenty48.h"

namespace dicezero {

inline std::string Twenty48::action_string(const State& s, Action action) const {
  static const char* const kNames[] = {"Up", "Right", "Down", "Left"};
  if (s.spawns == 0) return kNames[action];
  const int cell = action / 2;
  return (action & 1 ? "4 at r" : "2 at r") + std::to_string(cell / columns_ + 1) + "c" +
         std::to_string(cell % columns_ + 1);
}

inline std::string Twenty48::to_string(const State& s) const {
  std::string text;
  for (int r = 0; r < rows_; ++r) {
    for (int c = 0; c < columns_; ++c) {
      const int e = exponent(s, r, c);
      const std::string tile = e == 0 ? "." : std::to_string(1 << e);
      text += std::string(7 - std::min<std::size_t>(7, tile.size()), ' ') + tile;
    }
    text += '\n';
  }
  return text + "score " + std::to_string(s.score) + "\n";
}

inline std::string Twenty48::position(const State& s) const {
  std::string text;
  for (int r = 0; r < rows_; ++r) {
    for (int c = 0; c < columns_; ++c) {
      const int e = exponent(s, r, c);
      text += (c > 0 ? "." : r > 0 ? "/" : "") + std::to_string(e == 0 ? 0 : 1 << e);
    }
  }
  return s.spawns > 0 ? text + (s.spawns == 2 ? " start" : " spawn") : text;
}

inline Twenty48::State Twenty48::from_position(const std::string& text) const {
  State s;
  s.spawns = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int cell = 0; cell < rows_ * columns_; ++cell) {
    const char separator = cell % columns_ == 0 ? '/' : '.';
    if (cell > 0 && (at == end || *at++ != separator)) {
      throw bad_position(text, "does not fit the board; give " + std::to_string(rows_) + " rows of " +
                                   std::to_string(columns_) + " tiles such as 2.0.4.0/0.0.0.0/...");
    }
    unsigned tile = 0;
    const auto [next, error] = std::from_chars(at, end, tile);
    const unsigned largest = 1u << max_exponent();
    if (error != std::errc() || tile == 1 || tile > largest || (tile != 0 && !std::has_single_bit(tile))) {
      throw bad_position(
          text, "holds something else than tiles; give 0 or powers of two in 2.." + std::to_string(largest));
    }
    at = next;
    const int e = tile == 0 ? 0 : std::bit_width(tile) - 1;
    const int place = cell / columns_ * 4 + cell % columns_;
    s.board |= static_cast<std::uint64_t>(e & 15) << 4 * place;
    s.high = static_cast<std::uint16_t>(s.high | (e >> 4) << place);
  }
  const std::string rest(at, end);
  if (rest == " spawn" || rest == " start") {
    s.spawns = rest == " spawn" ? 1 : 2;
    if (std::popcount(empty_cells(s)) < s.spawns) throw bad_position(text, "has no room for a new tile");
  } else if (!rest.empty()) {
    throw bad_position(text, "goes on with '" + rest.substr(0, 20) + "'; end it there, or with ' spawn'");
  }
  s.finished = (max_tile_ != 0 && holds_max_tile(s)) || (s.spawns == 0 && movable(s) == 0);
  return s;
}

// The board turned and mirrored: eight ways where it is square, four where not.
inline std::vector<Symmetry> Twenty48::symmetries() const {
  std::vector<Symmetry> all;
  for (int kind = 0; kind < (rows_ == columns_ ? 8 : 4); ++kind) {
    const bool flip_rows = kind & 1, flip_columns = kind & 2, transpose = kind & 4;
    Symmetry symmetry;
    for (int r = 0; r < rows_; ++r) {
      for (int c = 0; c < columns_; ++c) {
        const int row = flip_rows ? rows_ - 1 - r : r;
        const int column = flip_columns ? columns_ - 1 - c : c;
        symmetry.cells.push_back(transpose ? column * columns_ + row : row * columns_ + column);
      }
    }
    for (Action action = 0; action < 4; ++action) {  // up, right, down, left
      Action old =
          vertical(action) ? (flip_rows ? 2 - action : action) : (flip_columns ? 4 - action : action);
      if (transpose) old = 3 - old;  // up and left change places, right and down
      symmetry.actions.push_back(old);
    }
    all.push_back(std::move(symmetry));
  }
  return all;
}

}  // namespace dicezero
