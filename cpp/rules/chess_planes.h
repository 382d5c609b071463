// AlphaZero's planes of chess: for each of the last positions the viewer's six kinds of pieces, the other
// side's six, and whether the position stood once or twice before; then the viewer's colour, the number of
// moves, the castling rights (on a board that has them) and the moves without progress.
#pragma once

#include <algorithm>
#include <span>

#include "rules/chess_board.h"

namespace dicezero {

// A past position in 40 bytes: each square's kind + 1 spread over three words, its owner in the fourth.
template <int N>
struct PackedBoard {
  SquareSet planes[4] = {};
  std::int8_t repetitions = 0;

  PackedBoard() = default;
  PackedBoard(const ChessBoard<N>& b, int times)
      : planes{b.pieces[kPawn] | b.pieces[kBishop] | b.pieces[kQueen],
               b.pieces[kKnight] | b.pieces[kBishop] | b.pieces[kKing],
               b.pieces[kRook] | b.pieces[kQueen] | b.pieces[kKing], b.sides[1]},
        repetitions(static_cast<std::int8_t>(times)) {}

  SquareSet of(int side, int piece) const {
    SquareSet set = side == 1 ? planes[3] : ~planes[3];
    for (int i = 0; i < 3; ++i) set &= (piece + 1) >> i & 1 ? planes[i] : ~planes[i];
    return set;
  }
};

template <int N>
struct ChessPlanes {
  static constexpr int kEach = 14;
  static constexpr int kCells = N * N;
  static constexpr double kMovesScale = 100.0;

  static int channels(int history) { return kEach * history + (ChessBoard<N>::kCastles ? 7 : 3); }

  // [channels, N, N]; cell (0, 0) is the viewer's left corner, a1 for White and a8 for Black. `past` is
  // newest first; planes of positions before the start stay empty.
  static void write(const ChessBoard<N>& board, int repetitions, std::span<const PackedBoard<N>> past,
                    int history, int viewer, std::span<float> tensor) {
    float* plane = tensor.data();
    std::fill(tensor.begin(), tensor.end(), 0.0f);
    write_position(PackedBoard<N>(board, repetitions), viewer, plane);
    for (int i = 0; i + 1 < history && i < static_cast<int>(past.size()); ++i)
      write_position(past[i], viewer, plane + (i + 1) * kEach * kCells);
    plane += history * kEach * kCells;
    const auto fill = [&](double value) {
      std::fill(plane, plane + kCells, static_cast<float>(value));
      plane += kCells;
    };
    fill(viewer);
    fill(board.full_moves / kMovesScale);
    if constexpr (ChessBoard<N>::kCastles) {
      for (const int side : {viewer, 1 - viewer}) {
        for (const int wing : {0, 1}) fill(board.castling >> (2 * side + wing) & 1);
      }
    }
    fill(board.quiet_plies / kMovesScale);
  }

 private:
  static void write_position(const PackedBoard<N>& position, int viewer, float* plane) {
    for (const int side : {viewer, 1 - viewer}) {
      for (int piece = kPawn; piece <= kKing; ++piece, plane += kCells) {
        for (SquareSet rest = position.of(side, piece); rest != 0; rest &= rest - 1) {
          const int square = std::countr_zero(rest);
          plane[viewer == 0 ? square : ChessGeometry<N>::flip(square)] = 1.0f;
        }
      }
    }
    for (const int times : {1, 2}) {
      if (position.repetitions >= times) std::fill(plane, plane + kCells, 1.0f);
      plane += kCells;
    }
  }
};

}  // namespace dicezero
