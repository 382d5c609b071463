// The legal moves of a chess position, with checks and pins known beforehand: no move is made to see whether
// it is legal. What is done with them is a sink's business: a list, or a mere count.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "rules/chess_board.h"

namespace dicezero {

class ChessMoveList {
 public:
  void moves(int from, SquareSet targets) {
    for (; targets != 0; targets &= targets - 1) add(from, std::countr_zero(targets), kNoPiece);
  }
  // Pawns that all move by `step` to the targets.
  void pawns(SquareSet targets, int step) {
    for (; targets != 0; targets &= targets - 1) {
      const int to = std::countr_zero(targets);
      add(to - step, to, kNoPiece);
    }
  }
  void promotions(SquareSet targets, int step) {
    for (; targets != 0; targets &= targets - 1) {
      const int to = std::countr_zero(targets);
      for (const int piece : {kKnight, kBishop, kRook, kQueen}) add(to - step, to, piece);
    }
  }
  const ChessMove* begin() const { return moves_.data(); }
  const ChessMove* end() const { return moves_.data() + size_; }
  int size() const { return size_; }
  ChessMove operator[](int i) const { return moves_[i]; }

 private:
  void add(int from, int to, int promotion) {
    moves_[size_++] = {static_cast<std::int8_t>(from), static_cast<std::int8_t>(to),
                       static_cast<std::int8_t>(promotion)};
  }
  // A game reaches 218 at most; fifteen queens and a king set up by hand have fewer than 15 * 27 + 8.
  std::array<ChessMove, 416> moves_;
  int size_ = 0;
};

struct ChessMoveCount {
  int count = 0;
  void moves(int, SquareSet targets) { count += std::popcount(targets); }
  void pawns(SquareSet targets, int) { count += std::popcount(targets); }
  void promotions(SquareSet targets, int) { count += 4 * std::popcount(targets); }
};

// Whether there is any; most positions answer with the first piece asked.
struct ChessAnyMove {
  SquareSet any = 0;
  void moves(int, SquareSet targets) { any |= targets; }
  void pawns(SquareSet targets, int) { any |= targets; }
  void promotions(SquareSet targets, int) { any |= targets; }
};

namespace detail {

// Pawn moves of the squares `pawns`, to `allowed` only.
template <int N, int Side, class Sink>
void pawn_moves(const ChessBoard<N>& b, SquareSet pawns, SquareSet allowed, Sink& sink) {
  using Geo = ChessGeometry<N>;
  constexpr int kUp = Side == 0 ? N : -N;
  constexpr SquareSet kLast = Geo::rank_set(Side == 0 ? N - 1 : 0);
  constexpr SquareSet kThird = Geo::rank_set(Side == 0 ? 2 : N - 3);
  const auto up = [](SquareSet s) { return (Side == 0 ? s << N : s >> N) & Geo::kAll; };
  const auto emit = [&](SquareSet targets, int step) {
    targets &= allowed;
    sink.pawns(targets & ~kLast, step);
    if ((targets & kLast) != 0) sink.promotions(targets & kLast, step);
  };
  const SquareSet empty = ~b.occupied();
  const SquareSet single = up(pawns) & empty;
  emit(single, kUp);
  if constexpr (ChessBoard<N>::kDoubleStep) sink.pawns(up(single & kThird) & empty & allowed, 2 * kUp);
  const SquareSet enemy = b.sides[1 - Side];
  const SquareSet to_left = up(pawns & ~Geo::file_set(0)) >> 1;
  const SquareSet to_right = up(pawns & ~Geo::file_set(N - 1)) << 1;
  emit(to_left & enemy, kUp - 1);
  emit(to_right & enemy, kUp + 1);
}

template <int N, int Side, class Sink>
void legal_moves(const ChessBoard<N>& b, Sink& sink) {
  using Geo = ChessGeometry<N>;
  constexpr int kEnemy = 1 - Side;
  const auto& t = Geo::kTables;
  const SquareSet own = b.sides[Side], enemy = b.sides[kEnemy], occupied = own | enemy;
  const int king = b.king(Side);
  // Step 1. Checks: with one, other pieces may only take the checker or step between; with two, none may
  // move.
  const SquareSet checkers = b.attackers(king, occupied, kEnemy);
  // Step 2. The king goes where nothing reaches once it has left its square.
  SquareSet steps = t.king[king] & ~own;
  const SquareSet without_king = occupied ^ Geo::bit(king);
  SquareSet safe = 0;
  for (; steps != 0; steps &= steps - 1) {
    const int to = std::countr_zero(steps);
    if (b.attackers(to, without_king, kEnemy) == 0) safe |= Geo::bit(to);
  }
  sink.moves(king, safe);
  if (checkers & (checkers - 1)) return;
  SquareSet allowed = ~own & Geo::kAll;
  if (checkers != 0) allowed = checkers | t.between[king][std::countr_zero(checkers)];
  // Step 3. Pins: a piece alone between its king and a slider stays on that line.
  SquareSet pinned = 0;
  SquareSet snipers = enemy & ((Geo::rook_rays(king) & (b.pieces[kRook] | b.pieces[kQueen])) |
                               (Geo::bishop_rays(king) & (b.pieces[kBishop] | b.pieces[kQueen])));
  for (; snipers != 0; snipers &= snipers - 1) {
    const SquareSet blockers = t.between[king][std::countr_zero(snipers)] & occupied;
    if ((blockers & (blockers - 1)) == 0) pinned |= blockers & own;
  }
  // Step 4. Pieces.
  for (SquareSet rest = b.of(Side, kKnight) & ~pinned; rest != 0; rest &= rest - 1) {
    const int from = std::countr_zero(rest);
    sink.moves(from, t.knight[from] & allowed);
  }
  const auto slide = [&](SquareSet movers, auto reach) {
    for (; movers != 0; movers &= movers - 1) {
      const int from = std::countr_zero(movers);
      SquareSet targets = reach(from, occupied) & allowed;
      if (pinned >> from & 1) targets &= t.line[king][from];
      sink.moves(from, targets);
    }
  };
  slide(own & (b.pieces[kBishop] | b.pieces[kQueen]), Geo::bishop);
  slide(own & (b.pieces[kRook] | b.pieces[kQueen]), Geo::rook);
  // Step 5. Pawns: the free ones at once, each pinned one along its line.
  const SquareSet pawns = b.of(Side, kPawn);
  pawn_moves<N, Side>(b, pawns & ~pinned, allowed, sink);
  for (SquareSet rest = pawns & pinned; rest != 0; rest &= rest - 1) {
    const int from = std::countr_zero(rest);
    pawn_moves<N, Side>(b, Geo::bit(from), allowed & t.line[king][from], sink);
  }
  if (b.en_passant >= 0) {
    // Two pawns leave one rank at once: only looking again shows whether that opens a line to the king.
    for (SquareSet rest = t.pawn[kEnemy][b.en_passant] & pawns; rest != 0; rest &= rest - 1) {
      const int from = std::countr_zero(rest);
      if (b.is_safe_in_passing(from, b.en_passant)) sink.moves(from, Geo::bit(b.en_passant));
    }
  }
  // Step 6. Castling: out of no check, over no attacked square, nothing between.
  if constexpr (ChessBoard<N>::kCastles) {
    if (checkers != 0) return;
    for (const int wing : {0, 1}) {
      const int right = 2 * Side + wing;
      if (!(b.castling >> right & 1) || (occupied & t.castling_blocks[right])) continue;
      const int over = wing == 0 ? king + 1 : king - 1, to = wing == 0 ? king + 2 : king - 2;
      if ((safe >> over & 1) && b.attackers(to, occupied, kEnemy) == 0) sink.moves(king, Geo::bit(to));
    }
  }
}

}  // namespace detail

template <int N, class Sink>
void chess_moves(const ChessBoard<N>& board, Sink& sink) {
  if (board.turn == 0) {
    detail::legal_moves<N, 0>(board, sink);
  } else {
    detail::legal_moves<N, 1>(board, sink);
  }
}

template <int N>
bool has_legal_move(const ChessBoard<N>& board) {
  ChessAnyMove any;
  chess_moves(board, any);
  return any.any != 0;
}

// Lines of `depth` moves. The last ply is counted, not made. Only mate and stalemate end a line: perft is a
// test of the moves, and published counts know nothing of draws by repetition, fifty moves or material.
// `poll` is called now and then, and may throw to end it.
template <int N, class Poll>
std::uint64_t chess_perft(const ChessBoard<N>& board, int depth, const Poll& poll) {
  if (depth == 0) return 1;
  if (depth == 4) poll();
  if (depth == 1) {
    ChessMoveCount count;
    chess_moves(board, count);
    return static_cast<std::uint64_t>(count.count);
  }
  ChessMoveList moves;
  chess_moves(board, moves);
  std::uint64_t lines = 0;
  for (const ChessMove move : moves) {
    ChessBoard<N> next = board;
    next.play(move);
    lines += chess_perft(next, depth - 1, poll);
  }
  return lines;
}

}  // namespace dicezero
