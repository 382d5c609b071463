// Chinese dark chess as people read and write it; and the board turned and mirrored.
#pragma once

#include "rules/dark_chess.h"

namespace dicezero {

inline std::string DarkChess::action_string(const State& s, Action action) const {
  if (s.flipped >= 0) return std::string("reveal ") + dark_chess::letter(piece_of(action, s.turn));
  if (action < cells()) return "flip " + square(action);
  const int to = action % cells();
  return square(action / cells() - 1) + (s.cell[static_cast<std::size_t>(to)] == kEmpty ? "-" : "x") +
         square(to);
}

inline std::string DarkChess::to_string(const State& s) const {
  std::string text;
  for (int at = 0; at < cells(); ++at) {
    const int holds = s.cell[static_cast<std::size_t>(at)];
    text += holds == kEmpty ? '.' : holds == kHidden ? '?' : dark_chess::letter(holds);
    text += at % columns_ == columns_ - 1 ? '\n' : ' ';
  }
  if (s.winner == kDraw) return text + "draw";
  if (s.winner != kNobody) return text + "player " + std::to_string(s.winner) + " won";
  return text + "player " + std::to_string(s.turn) + (s.turn == 0 ? " (red)" : " (black)") +
         (s.flipped >= 0 ? " flips " + square(s.flipped) : std::string(" to move"));
}

inline std::vector<Symmetry> DarkChess::symmetries() const {
  std::vector<Symmetry> all;
  for (int kind = 0; kind < (rows_ == columns_ ? 8 : 4); ++kind) {
    Symmetry symmetry;
    for (int at = 0; at < cells(); ++at) {
      const int row = kind & 1 ? rows_ - 1 - at / columns_ : at / columns_;
      const int column = kind & 2 ? columns_ - 1 - at % columns_ : at % columns_;
      symmetry.cells.push_back(kind & 4 ? column * columns_ + row : row * columns_ + column);
    }
    symmetry.actions = symmetry.cells;
    for (const int from : symmetry.cells) {
      for (const int to : symmetry.cells) symmetry.actions.push_back(cells() + from * cells() + to);
    }
    all.push_back(std::move(symmetry));
  }
  return all;
}

}  // namespace dicezero
