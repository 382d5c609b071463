// A chess position and what a move does to it. No legality here (chess_moves.h) and no history (chess.h).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "rules/chess_geometry.h"
#include "rules/random.h"

namespace dicezero {

enum ChessPiece : int { kPawn, kKnight, kBishop, kRook, kQueen, kKing, kNoPiece };

// Promotion is kNoPiece unless a pawn reaches the last rank. A king that moves two files castles; a pawn that
// moves to the en-passant square captures in passing.
struct ChessMove {
  std::int8_t from, to, promotion;  // no defaults: lists of moves are not cleared before use
  bool operator==(const ChessMove&) const = default;
};

// Castling rights, a bit each: the first player's king's and queen's side, then the second player's.
inline constexpr int kKingSide = 1, kQueenSide = 2;

template <int N>
struct ChessBoard {
  using Geometry = ChessGeometry<N>;
  static constexpr bool kCastles = N == 8;     // Gardner's small board has no room for it,
  static constexpr bool kDoubleStep = N == 8;  // nor for a pawn's double step

  SquareSet pieces[6] = {};  // by kind, both sides
  SquareSet sides[2] = {};   // by owner
  std::uint64_t hash = 0;    // of what makes positions the same for the repetition rule
  std::int8_t turn = 0;
  std::int8_t castling = 0;
  std::int8_t en_passant = -1;   // set only where a legal capture in passing exists
  std::int16_t quiet_plies = 0;  // since the last capture or pawn move
  std::int16_t full_moves = 1;

  SquareSet occupied() const { return sides[0] | sides[1]; }
  SquareSet of(int side, int piece) const { return sides[side] & pieces[piece]; }
  int king(int side) const { return std::countr_zero(of(side, kKing)); }

  int piece_on(int square) const {
    for (int p = kPawn; p < kNoPiece; ++p) {
      if (pieces[p] >> square & 1) return p;
    }
    return kNoPiece;
  }

  SquareSet attackers(int square, SquareSet occupied, int by) const {
    const auto& t = Geometry::kTables;
    return sides[by] & ((t.pawn[1 - by][square] & pieces[kPawn]) | (t.knight[square] & pieces[kKnight]) |
                        (t.king[square] & pieces[kKing]) |
                        (Geometry::bishop(square, occupied) & (pieces[kBishop] | pieces[kQueen])) |
                        (Geometry::rook(square, occupied) & (pieces[kRook] | pieces[kQueen])));
  }
  SquareSet checkers() const { return attackers(king(turn), occupied(), 1 - turn); }

  void put(int side, int piece, int square) {
    pieces[piece] ^= Geometry::bit(square);
    sides[side] ^= Geometry::bit(square);
    hash ^= kZobrist.piece[side][piece][square];
  }
  void set_castling(int rights) {
    hash ^= kZobrist.castling[castling] ^ kZobrist.castling[rights];
    castling = static_cast<std::int8_t>(rights);
  }
  void set_en_passant(int square) {
    if (en_passant >= 0) hash ^= kZobrist.en_passant[Geometry::file(en_passant)];
    if (square >= 0) hash ^= kZobrist.en_passant[Geometry::file(square)];
    en_passant = static_cast<std::int8_t>(square);
  }
  void pass_turn() {
    turn ^= 1;
    hash ^= kZobrist.turn;
  }

  bool is_castling(ChessMove m) const {
    return kCastles && std::abs(m.to - m.from) == 2 && (pieces[kKing] >> m.from & 1);
  }
  bool is_capture(ChessMove m) const {
    return (occupied() >> m.to & 1) || (m.to == en_passant && (pieces[kPawn] >> m.from & 1));
  }

  void play(ChessMove m) {
    const int piece = piece_on(m.from), side = turn;
    bool quiet = piece != kPawn;
    if (sides[1 - side] >> m.to & 1) {
      put(1 - side, piece_on(m.to), m.to);
      quiet = false;
    } else if (piece == kPawn && m.to == en_passant) {
      put(1 - side, kPawn, m.to + (side == 0 ? -N : N));
    }
    put(side, piece, m.from);
    put(side, m.promotion == kNoPiece ? piece : m.promotion, m.to);
    if constexpr (kCastles) {
      if (piece == kKing && std::abs(m.to - m.from) == 2) {
        put(side, kRook, m.to > m.from ? m.from + 3 : m.from - 4);
        put(side, kRook, (m.from + m.to) / 2);
      }
      if (castling != 0) {
        const int lost = kLostRights[m.from] | kLostRights[m.to];
        if (castling & lost) set_castling(castling & ~lost);
      }
    }
    if (en_passant >= 0) set_en_passant(-1);
    pass_turn();
    quiet_plies = static_cast<std::int16_t>(quiet ? quiet_plies + 1 : 0);
    full_moves = static_cast<std::int16_t>(full_moves + side);
    if constexpr (kDoubleStep) {
      if (piece == kPawn && std::abs(m.to - m.from) == 2 * N) {
        const int passed = (m.from + m.to) / 2;
        if (can_capture_in_passing(passed)) set_en_passant(passed);
      }
    }
  }

  // Whether some pawn of the side to move may take the pawn that just passed over the square without leaving
  // its own king in check. Two positions differ by en passant only where this holds.
  bool can_capture_in_passing(int passed) const {
    SquareSet takers = Geometry::kTables.pawn[1 - turn][passed] & of(turn, kPawn);
    for (; takers != 0; takers &= takers - 1) {
      if (is_safe_in_passing(std::countr_zero(takers), passed)) return true;
    }
    return false;
  }
  bool is_safe_in_passing(int from, int passed) const {
    const int victim = passed + (turn == 0 ? -N : N);
    const SquareSet after =
        (occupied() ^ Geometry::bit(from) ^ Geometry::bit(victim)) | Geometry::bit(passed);
    return (attackers(king(turn), after, 1 - turn) & ~Geometry::bit(victim)) == 0;
  }

 private:
  struct Zobrist {
    std::uint64_t piece[2][6][Geometry::kSquares];
    std::uint64_t castling[16], en_passant[N], turn;
  };
  static constexpr Zobrist kZobrist = [] {
    Zobrist z{};
    std::uint64_t x = 0x6368657373ULL + N;
    for (auto& side : z.piece)
      for (auto& piece : side)
        for (auto& word : piece) word = mix64(x++);
    for (int i = 1; i < 16; ++i) z.castling[i] = mix64(x++);
    for (auto& word : z.en_passant) word = mix64(x++);
    z.turn = mix64(x++);
    return z;
  }();
  // The rights that are gone once something moves from or to the square.
  static constexpr std::array<std::int8_t, Geometry::kSquares> kLostRights = [] {
    std::array<std::int8_t, Geometry::kSquares> lost{};
    if constexpr (kCastles) {
      lost[0] = kQueenSide, lost[4] = kKingSide | kQueenSide, lost[7] = kKingSide;
      lost[56] = kQueenSide << 2, lost[60] = (kKingSide | kQueenSide) << 2, lost[63] = kKingSide << 2;
    }
    return lost;
  }();
};

}  // namespace dicezero
