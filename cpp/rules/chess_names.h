// Names and numbers of chess moves: SAN ("Nf3"), UCI ("g1f3"), and AlphaZero's action ids.
//
// An action id is square * planes + plane, both as the mover sees the board (the second player's ranks turned
// round). The planes are 8 directions times N - 1 distances, then 8 knight moves, then 9 underpromotions: to
// the left, straight, to the right, each to knight, bishop, rook. A queen's promotion is a plain move. For
// N = 8 that is 73 planes and 4,672 actions.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "rules/chess_fen.h"
#include "rules/game.h"

namespace dicezero {

template <int N>
struct ChessActions {
  using Geo = ChessGeometry<N>;
  static constexpr int kKnightPlane = 8 * (N - 1);
  static constexpr int kUnderpromotionPlane = kKnightPlane + 8;
  static constexpr int kPlanes = kUnderpromotionPlane + 9;
  static constexpr int kActions = Geo::kSquares * kPlanes;

  static Action encode(ChessMove m, int turn) {
    const int from = turn == 0 ? m.from : Geo::flip(m.from), to = turn == 0 ? m.to : Geo::flip(m.to);
    if (m.promotion != kNoPiece && m.promotion != kQueen) {
      const int side = Geo::file(to) - Geo::file(from) + 1;
      return from * kPlanes + kUnderpromotionPlane + 3 * side + (m.promotion - kKnight);
    }
    return from * kPlanes + kPlane[(Geo::rank(to) - Geo::rank(from) + N - 1) * (2 * N - 1) + Geo::file(to) -
                                   Geo::file(from) + N - 1];
  }

  // The move of a legal action; `board` separates a pawn's promotion from a queen's walk to the last rank.
  static ChessMove decode(Action action, const ChessBoard<N>& board) {
    const int from = action / kPlanes, plane = action % kPlanes;
    int file = Geo::file(from), rank = Geo::rank(from), promotion = kNoPiece;
    if (plane >= kUnderpromotionPlane) {
      file += (plane - kUnderpromotionPlane) / 3 - 1, ++rank;
      promotion = kKnight + (plane - kUnderpromotionPlane) % 3;
    } else if (plane >= kKnightPlane) {
      file += kKnightSteps[plane - kKnightPlane].file, rank += kKnightSteps[plane - kKnightPlane].rank;
    } else {
      const ChessStep step = kQueenSteps[plane / (N - 1)];
      const int times = plane % (N - 1) + 1;
      file += times * step.file, rank += times * step.rank;
    }
    const int to = Geo::square(file, rank);
    const auto seen = [&](int square) {
      return static_cast<std::int8_t>(board.turn == 0 ? square : Geo::flip(square));
    };
    const ChessMove move{seen(from), seen(to), static_cast<std::int8_t>(promotion)};
    if (rank == N - 1 && promotion == kNoPiece && (board.pieces[kPawn] >> move.from & 1))
      return {move.from, move.to, kQueen};
    return move;
  }

  // The action of the same move on the board mirrored left to right.
  static Action mirror(Action action) {
    const int from = action / kPlanes, plane = action % kPlanes;
    const int turned = Geo::square(N - 1 - Geo::file(from), Geo::rank(from)) * kPlanes;
    if (plane >= kUnderpromotionPlane) {
      const int side = (plane - kUnderpromotionPlane) / 3, piece = (plane - kUnderpromotionPlane) % 3;
      return turned + kUnderpromotionPlane + 3 * (2 - side) + piece;
    }
    if (plane >= kKnightPlane) return turned + kKnightPlane + (7 - (plane - kKnightPlane));
    return turned + (8 - plane / (N - 1)) % 8 * (N - 1) + plane % (N - 1);
  }

 private:
  // The plane of a move by how far it goes up and to the right.
  static constexpr std::array<std::int8_t, (2 * N - 1) * (2 * N - 1)> kPlane = [] {
    std::array<std::int8_t, (2 * N - 1) * (2 * N - 1)> plane{};
    const auto at = [](int file, int rank) { return (rank + N - 1) * (2 * N - 1) + file + N - 1; };
    for (int d = 0; d < 8; ++d) {
      for (int times = 1; times < N; ++times)
        plane[at(times * kQueenSteps[d].file, times * kQueenSteps[d].rank)] =
            static_cast<std::int8_t>(d * (N - 1) + times - 1);
      plane[at(kKnightSteps[d].file, kKnightSteps[d].rank)] = static_cast<std::int8_t>(kKnightPlane + d);
    }
    return plane;
  }();
};

template <int N>
std::string uci_name(ChessMove m) {
  std::string text = square_name<N>(m.from) + square_name<N>(m.to);
  if (m.promotion != kNoPiece) text += static_cast<char>(std::tolower(kPieceLetters[m.promotion]));
  return text;
}

// Standard algebraic notation without the mark of check: what sets the move apart from the other legal ones.
template <int N>
std::string san_stem(const ChessBoard<N>& board, ChessMove m, const ChessMoveList& legal) {
  if (board.is_castling(m)) return m.to > m.from ? "O-O" : "O-O-O";
  using Geo = ChessGeometry<N>;
  const int piece = board.piece_on(m.from);
  std::string text;
  if (piece == kPawn) {
    if (board.is_capture(m)) text += square_name<N>(m.from)[0];
  } else {
    text += kPieceLetters[piece];
    bool rivals = false, same_file = false, same_rank = false;
    for (const ChessMove other : legal) {
      if (other.to != m.to || other.from == m.from || board.piece_on(other.from) != piece) continue;
      rivals = true;
      same_file = same_file || Geo::file(other.from) == Geo::file(m.from);
      same_rank = same_rank || Geo::rank(other.from) == Geo::rank(m.from);
    }
    if (rivals && (!same_file || same_rank)) text += square_name<N>(m.from)[0];
    if (rivals && same_file) text += square_name<N>(m.from)[1];
  }
  if (board.is_capture(m)) text += 'x';
  text += square_name<N>(m.to);
  if (m.promotion != kNoPiece) text += std::string("=") + kPieceLetters[m.promotion];
  return text;
}

template <int N>
std::string san_name(const ChessBoard<N>& board, ChessMove m) {
  ChessMoveList legal;
  chess_moves(board, legal);
  std::string text = san_stem(board, m, legal);
  ChessBoard<N> next = board;
  next.play(m);
  if (next.checkers() != 0) text += has_legal_move(next) ? '+' : '#';
  return text;
}

// The legal move that a text names: UCI, or SAN with or without its marks ("e4", "exd5", "O-O", "0-0",
// "Nf3+!", "e8=Q", "e8Q", also with more of the start square than needed, "Ng1f3"). None where it names none,
// or two.
template <int N>
std::optional<ChessMove> parse_chess_move(const ChessBoard<N>& board, std::string text) {
  ChessMoveList legal;
  chess_moves(board, legal);
  for (const ChessMove m : legal) {
    if (uci_name<N>(m) == text) return m;
  }
  while (!text.empty() && std::string("+#!?").find(text.back()) != std::string::npos) text.pop_back();
  for (char& c : text) c = c == '0' ? 'O' : c;
  for (const ChessMove m : legal) {
    if (san_stem(board, m, legal) == text) return m;
  }
  if (text.empty() || text[0] == 'O') return std::nullopt;
  // Otherwise: [piece][file][rank][x or -]square[=][piece], whatever of it is there must fit one move only.
  std::string rest;
  for (const char c : text) {
    if (c != 'x' && c != '-' && c != '=') rest += c;
  }
  const std::string letters = kPieceLetters;
  int piece = kPawn, promotion = kNoPiece;
  if (letters.find(rest[0]) != std::string::npos)
    piece = static_cast<int>(letters.find(rest[0])), rest.erase(0, 1);
  if (!rest.empty() && letters.find(rest.back()) != std::string::npos)
    promotion = static_cast<int>(letters.find(rest.back())), rest.pop_back();
  if (rest.size() < 2 || rest.size() > 4) return std::nullopt;
  const int to = parse_square<N>(rest.substr(rest.size() - 2));
  const std::string start = rest.substr(0, rest.size() - 2);
  std::optional<ChessMove> found;
  for (const ChessMove m : legal) {
    const std::string from = square_name<N>(m.from);
    if (m.to != to || m.promotion != promotion || board.piece_on(m.from) != piece) continue;
    if (start.size() == 2 ? start != from : start.size() == 1 && from.find(start) == std::string::npos)
      continue;
    if (found) return std::nullopt;
    found = m;
  }
  return found;
}

}  // namespace dicezero
