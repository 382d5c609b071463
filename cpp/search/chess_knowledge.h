// Chess: material, placement, mobility, pawns and the king's shelter; captures worth a look past the horizon.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <utility>
#include <vector>

#include "rules/chess.h"
#include "search/knowledge.h"

namespace dicezero {

template <int N>
struct Knowledge<ChessGame<N>> {
  static constexpr bool kEvaluates = true;
  // A win must come nearer with every move, or it may never be made: shallow searches come first, and the
  // first that proves a mate ends it.
  static constexpr bool kDeepens = true;
  using Game = ChessGame<N>;
  using State = typename Game::State;
  using Board = ChessBoard<N>;
  using Geo = ChessGeometry<N>;

  explicit Knowledge(const Game&) {}

  // Hundredths of a pawn, squeezed into the range of results: a pawn is worth 0.2, a queen 0.7.
  double evaluate(const State& s) const {
    const int sum = side_score(s.board, 0) - side_score(s.board, 1) + (s.board.turn == 0 ? kTempo : -kTempo);
    return kMostEvaluation * sum / (std::abs(sum) + 400.0);
  }

  // Quiet: the mover is not in check, and no capture or promotion looks like a gain.
  bool is_quiet(const State& s) const {
    if (s.board.checkers() != 0) return false;
    ChessMoveList moves;
    chess_moves(s.board, moves);
    return std::none_of(moves.begin(), moves.end(), [&](ChessMove m) { return is_noisy(s.board, m); });
  }

  // Past the horizon the mover may leave things as they are, unless it is in check.
  bool may_stand_pat(const State& s) const { return s.board.checkers() == 0; }
  // Captures and promotions that look like a gain, the greatest first.
  void noisy_moves(const State& s, std::vector<Action>& actions) const {
    ChessMoveList moves;
    chess_moves(s.board, moves);
    std::array<std::pair<int, Action>, 64> kept;
    std::size_t count = 0;
    for (const ChessMove m : moves) {
      if (count < kept.size() && is_noisy(s.board, m))
        kept[count++] = {-promise_of(s.board, m), Game::Actions::encode(m, s.board.turn)};
    }
    std::sort(kept.begin(), kept.begin() + count);
    actions.clear();
    for (std::size_t i = 0; i < count; ++i) actions.push_back(kept[i].second);
  }

  // Captures first, the greatest gain for the least risk before the others; then promotions.
  int promise(const State& s, Action action) const {
    return promise_of(s.board, Game::Actions::decode(action, s.board));
  }

 private:
  static constexpr int kValue[7] = {100, 320, 330, 500, 950, 0, 0};
  static constexpr int kTempo = 10, kBishopPair = 30, kDoubled = 12, kIsolated = 12, kOpenFile = 15;
  static constexpr int kMobility[6] = {0, 4, 4, 2, 1, 0};
  static constexpr int kPassed[8] = {0, 5, 10, 20, 40, 70, 110, 0};  // by ranks gone

  static int promise_of(const Board& b, ChessMove m) {
    const int promoted = m.promotion == kNoPiece ? 0 : kValue[m.promotion] / 10;
    return b.is_capture(m) ? victim_value(b, m) - b.piece_on(m.from) + 10 + promoted : promoted;
  }

  static int victim_value(const Board& b, ChessMove m) {
    const int victim = b.piece_on(m.to);
    return kValue[victim == kNoPiece ? kPawn : victim];
  }

  // A capture of more than what it costs, or of something unprotected; a new queen.
  static bool is_noisy(const Board& b, ChessMove m) {
    if (m.promotion != kNoPiece) return m.promotion == kQueen;
    if (!b.is_capture(m)) return false;
    const int mover = b.piece_on(m.from);
    if (mover == kKing || victim_value(b, m) >= kValue[mover] - 20) return true;
    return b.attackers(m.to, b.occupied() ^ Geo::bit(m.from), 1 - b.turn) == 0;
  }

  static int ranks_gone(int square, int side) {
    return side == 0 ? Geo::rank(square) : N - 1 - Geo::rank(square);
  }
  // 0 at the rim to N / 2 - 1 in the middle.
  static int centrality(int square) {
    const auto inward = [](int i) { return std::min(i, N - 1 - i); };
    return std::min(inward(Geo::file(square)), inward(Geo::rank(square)));
  }

  static int side_score(const Board& b, int side) {
    const SquareSet own = b.sides[side], occupied = b.occupied();
    const SquareSet pawns = b.of(side, kPawn), enemy_pawns = b.of(1 - side, kPawn);
    int score = pawn_score(pawns, enemy_pawns, side);
    for (int piece = kKnight; piece <= kQueen; ++piece) {
      for (SquareSet rest = b.of(side, piece); rest != 0; rest &= rest - 1) {
        const int s = std::countr_zero(rest);
        SquareSet reach = piece == kKnight ? Geo::kTables.knight[s] : 0;
        if (piece == kBishop || piece == kQueen) reach |= Geo::bishop(s, occupied);
        if (piece == kRook || piece == kQueen) reach |= Geo::rook(s, occupied);
        score += kValue[piece] + kMobility[piece] * std::popcount(reach & ~own);
        if (piece == kKnight || piece == kBishop) score += 6 * centrality(s);
        if (piece == kRook && (Geo::file_set(Geo::file(s)) & pawns) == 0) score += kOpenFile;
      }
    }
    if (std::popcount(b.of(side, kBishop)) >= 2) score += kBishopPair;
    return score + king_score(b, side, pawns);
  }

  static int pawn_score(SquareSet pawns, SquareSet enemy_pawns, int side) {
    int score = 0;
    for (SquareSet rest = pawns; rest != 0; rest &= rest - 1) {
      const int s = std::countr_zero(rest), file = Geo::file(s);
      SquareSet beside = 0;
      if (file > 0) beside |= Geo::file_set(file - 1);
      if (file < N - 1) beside |= Geo::file_set(file + 1);
      const SquareSet ahead = Geo::kTables.ray[side == 0 ? 0 : 4][s];
      SquareSet path = ahead;  // squares from which a pawn could stop it
      if (file > 0) path |= Geo::kTables.ray[side == 0 ? 0 : 4][s - 1];
      if (file < N - 1) path |= Geo::kTables.ray[side == 0 ? 0 : 4][s + 1];
      score += kValue[kPawn] + 4 * centrality(s);
      if ((beside & pawns) == 0) score -= kIsolated;
      if ((ahead & pawns) != 0) score -= kDoubled;
      if ((path & enemy_pawns) == 0) score += kPassed[std::min(7, ranks_gone(s, side) + (8 - N))];
    }
    return score;
  }

  // Behind its pawns while the other side has the pieces to come for it, in the middle of the board later.
  static int king_score(const Board& b, int side, SquareSet pawns) {
    const int s = b.king(side);
    int attack = 0;
    for (int piece = kKnight; piece <= kQueen; ++piece)
      attack += kValue[piece] * std::popcount(b.of(1 - side, piece));
    const int shelter = 10 * std::popcount(Geo::kTables.king[s] & pawns) - 15 * ranks_gone(s, side) -
                        8 * std::min(Geo::file(s), N - 1 - Geo::file(s));
    const int full = N * 400;  // about all the other side's pieces at the start
    const int weight = std::min(attack, full);
    return (shelter * weight + 10 * centrality(s) * (full - weight)) / full;
  }
};

}  // namespace dicezero
