// The geometry of a square chess board of N files and N ranks: where pieces reach, made at compile time.
// A set of squares is one 64-bit word, bit rank * N + file, a1 first.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace dicezero {

using SquareSet = std::uint64_t;

// Clockwise from the first player's forward; knight moves likewise. The order is that of AlphaZero's planes.
struct ChessStep {
  int file, rank;
};
inline constexpr std::array<ChessStep, 8> kQueenSteps = {
    {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};
inline constexpr std::array<ChessStep, 8> kKnightSteps = {
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};

template <int N>
struct ChessGeometry {
  static_assert(N >= 4 && N <= 8);
  static constexpr int kSize = N;
  static constexpr int kSquares = N * N;
  static constexpr SquareSet kAll = N == 8 ? ~0ULL : (1ULL << (kSquares & 63)) - 1;

  static constexpr int file(int square) { return square % N; }
  static constexpr int rank(int square) { return square / N; }
  static constexpr int square(int file, int rank) { return rank * N + file; }
  static constexpr SquareSet bit(int square) { return 1ULL << square; }
  static constexpr bool inside(int file, int rank) { return file >= 0 && file < N && rank >= 0 && rank < N; }
  static constexpr SquareSet rank_set(int rank) { return ((1ULL << N) - 1) << (N * rank); }
  static constexpr SquareSet file_set(int file) {
    SquareSet set = 0;
    for (int r = 0; r < N; ++r) set |= bit(square(file, r));
    return set;
  }
  // The same square with the ranks turned round: how the second player sees it.
  static constexpr int flip(int square) { return (N - 1 - rank(square)) * N + file(square); }

  using Table = std::array<SquareSet, kSquares>;
  struct Tables {
    Table knight, king;
    std::array<Table, 2> pawn;                 // squares a pawn of that side attacks
    std::array<Table, 8> ray;                  // by direction of kQueenSteps, to the edge
    std::array<Table, kSquares> between;       // strictly between two squares of one line; else empty
    std::array<Table, kSquares> line;          // the whole line through two squares; else empty
    std::array<SquareSet, 4> castling_blocks;  // of castling right i: squares that must be empty
  };

  static constexpr Tables make() {
    Tables t{};
    for (int s = 0; s < kSquares; ++s) {
      const auto reach = [&](ChessStep step, int times) -> int {
        const int f = file(s) + times * step.file, r = rank(s) + times * step.rank;
        return inside(f, r) ? square(f, r) : -1;
      };
      for (const ChessStep step : kKnightSteps) {
        if (const int to = reach(step, 1); to >= 0) t.knight[s] |= bit(to);
      }
      for (int d = 0; d < 8; ++d) {
        const ChessStep step = kQueenSteps[d];
        if (const int to = reach(step, 1); to >= 0) {
          t.king[s] |= bit(to);
          if (step.file != 0 && step.rank != 0) t.pawn[step.rank > 0 ? 0 : 1][s] |= bit(to);
        }
        SquareSet passed = 0;
        for (int i = 1, to; (to = reach(step, i)) >= 0; ++i) {
          t.between[s][to] = passed;
          passed |= bit(to);
        }
        t.ray[d][s] = passed;
      }
    }
    for (int s = 0; s < kSquares; ++s) {
      for (int d = 0; d < 8; ++d) {
        const SquareSet whole = t.ray[d][s] | t.ray[(d + 4) % 8][s] | bit(s);
        for (SquareSet rest = t.ray[d][s]; rest != 0; rest &= rest - 1)
          t.line[s][std::countr_zero(rest)] = whole;
      }
    }
    if constexpr (N == 8) t.castling_blocks = {0x60ULL, 0x0eULL, 0x60ULL << 56, 0x0eULL << 56};
    return t;
  }
  static constexpr Tables kTables = make();

  // Along one ray up to and with the first occupied square. A ray that meets nothing ends at a corner whose
  // own ray is empty, which spares a branch.
  template <int D>
  static SquareSet slide(int square, SquareSet occupied) {
    constexpr bool kUp = D == 0 || D == 1 || D == 2 || D == 7;
    const SquareSet ray = kTables.ray[D][square];
    if constexpr (kUp) {
      return ray ^ kTables.ray[D][std::countr_zero((ray & occupied) | bit(kSquares - 1))];
    } else {
      return ray ^ kTables.ray[D][63 - std::countl_zero((ray & occupied) | 1)];
    }
  }
  static SquareSet rook(int square, SquareSet occupied) {
    return slide<0>(square, occupied) | slide<2>(square, occupied) | slide<4>(square, occupied) |
           slide<6>(square, occupied);
  }
  static SquareSet bishop(int square, SquareSet occupied) {
    return slide<1>(square, occupied) | slide<3>(square, occupied) | slide<5>(square, occupied) |
           slide<7>(square, occupied);
  }
  static SquareSet rook_rays(int s) {
    return kTables.ray[0][s] | kTables.ray[2][s] | kTables.ray[4][s] | kTables.ray[6][s];
  }
  static SquareSet bishop_rays(int s) {
    return kTables.ray[1][s] | kTables.ray[3][s] | kTables.ray[5][s] | kTables.ray[7][s];
  }
};

}  // namespace dicezero
