// Chess positions as text: FEN (Forsyth-Edwards Notation), read and written.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rules/chess_moves.h"

namespace dicezero {

inline constexpr char kPieceLetters[] = "PNBRQK";  // by ChessPiece; lower case: the second player's

template <int N>
std::string square_name(int square) {
  return {static_cast<char>('a' + square % N), static_cast<char>('1' + square / N)};
}

// -1 where the text names no square.
template <int N>
int parse_square(const std::string& text) {
  if (text.size() != 2) return -1;
  const int file = text[0] - 'a', rank = text[1] - '1';
  return ChessGeometry<N>::inside(file, rank) ? ChessGeometry<N>::square(file, rank) : -1;
}

namespace detail {

[[noreturn]] inline void fen_error(const std::string& text, const std::string& complaint) {
  const std::string shown = text.size() <= 100 ? text : text.substr(0, 97) + "...";
  throw std::invalid_argument("position '" + shown + "': " + complaint);
}

template <int N>
void read_placement(const std::string& text, const std::string& field, ChessBoard<N>& board) {
  int file = 0, rank = N - 1;
  const std::string shape = std::to_string(N) + " ranks of " + std::to_string(N) + " squares";
  for (const char c : field) {
    if (c == '/') {
      if (file != N || rank == 0) fen_error(text, "the placement '" + field + "' is not " + shape);
      file = 0, --rank;
    } else if (c >= '1' && c <= '0' + N) {
      file += c - '0';
    } else {
      const std::string letters = kPieceLetters;
      const auto piece = letters.find(static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
      if (piece == std::string::npos)
        fen_error(text, std::string("'") + c + "' is no piece; give PNBRQK for White, pnbrqk for Black");
      if (file < N)
        board.put(std::islower(static_cast<unsigned char>(c)) ? 1 : 0, static_cast<int>(piece),
                  ChessGeometry<N>::square(file, rank));
      ++file;
    }
    if (file > N) fen_error(text, "the placement '" + field + "' is not " + shape);
  }
  if (file != N || rank != 0) fen_error(text, "the placement '" + field + "' is not " + shape);
}

template <int N>
void check_placement(const std::string& text, const ChessBoard<N>& board) {
  for (const int side : {0, 1}) {
    const std::string name = side == 0 ? "White" : "Black";
    const int kings = std::popcount(board.of(side, kKing));
    if (kings != 1) fen_error(text, name + " has " + std::to_string(kings) + " kings; give each side one");
    if (std::popcount(board.sides[side]) > 2 * N)
      fen_error(text, name + " has more than " + std::to_string(2 * N) + " pieces");
  }
  using Geo = ChessGeometry<N>;
  if (board.pieces[kPawn] & (Geo::rank_set(0) | Geo::rank_set(N - 1)))
    fen_error(text, "a pawn stands on the first or the last rank");
}

template <int N>
void read_castling(const std::string& text, const std::string& field, ChessBoard<N>& board) {
  if (field == "-") return;
  int rights = 0;
  for (const char c : field) {
    const auto right = std::string("KQkq").find(c);
    if (!ChessBoard<N>::kCastles || right == std::string::npos || (rights >> right & 1))
      fen_error(text, "castling '" + field + "' is not understood; give " +
                          (ChessBoard<N>::kCastles ? "letters of KQkq, or -" : "-"));
    rights |= 1 << right;
    const int side = static_cast<int>(right) / 2, home = side == 0 ? 0 : N * (N - 1);
    const int rook = home + (right % 2 == 0 ? 7 : 0);
    if (!(board.of(side, kKing) >> (home + 4) & 1) || !(board.of(side, kRook) >> rook & 1))
      fen_error(text, std::string("castling right '") + c + "' without king and rook on their first squares");
  }
  board.set_castling(rights);
}

template <int N>
void read_en_passant(const std::string& text, const std::string& field, ChessBoard<N>& board) {
  if (field == "-") return;
  const int square = parse_square<N>(field);
  const int up = board.turn == 0 ? N : -N;  // from the passed square back to where the pawn came from
  if (!ChessBoard<N>::kDoubleStep || square < 0 || square / N != (board.turn == 0 ? N - 3 : 2) ||
      (board.occupied() >> square & 1) || (board.occupied() >> (square + up) & 1) ||
      !(board.of(1 - board.turn, kPawn) >> (square - up) & 1))
    fen_error(text, "en passant '" + field + "' is not a square that a pawn has just passed over");
  if (board.can_capture_in_passing(square)) board.set_en_passant(square);
}

inline int read_count(const std::string& text, const std::string& field, const char* what) {
  int value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || value < 0 || value > 9999)
    fen_error(text, std::string(what) + " '" + field + "' is not a number from 0 to 9999");
  return value;
}

}  // namespace detail

// Six fields, or the first four (the clocks are then 0 and 1; a move number of 0, as in collections of
// problems, is read as 1). Throws std::invalid_argument on what is no position of the game. An en-passant
// square nobody can legally capture on is left out, as it changes nothing.
template <int N>
ChessBoard<N> board_from_fen(const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> fields;
  for (std::string word; words >> word && fields.size() < 8;) fields.push_back(word);
  if (fields.size() != 4 && fields.size() != 6)
    detail::fen_error(text,
                      "a FEN has six fields: placement, side to move, castling, en passant, two clocks");
  ChessBoard<N> board;
  detail::read_placement<N>(text, fields[0], board);
  detail::check_placement<N>(text, board);
  if (fields[1] != "w" && fields[1] != "b")
    detail::fen_error(text, "side to move '" + fields[1] + "' is not w or b");
  if (fields[1] == "b") board.pass_turn();
  if (board.attackers(board.king(1 - board.turn), board.occupied(), board.turn) != 0)
    detail::fen_error(text, "the side that has just moved is in check");
  detail::read_castling<N>(text, fields[2], board);
  detail::read_en_passant<N>(text, fields[3], board);
  if (fields.size() == 6) {
    board.quiet_plies = static_cast<std::int16_t>(detail::read_count(text, fields[4], "half-move clock"));
    board.full_moves =
        static_cast<std::int16_t>(std::max(1, detail::read_count(text, fields[5], "move number")));
  }
  return board;
}

template <int N>
std::string board_to_fen(const ChessBoard<N>& board) {
  std::string text;
  for (int rank = N - 1; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < N; ++file) {
      const int square = rank * N + file, piece = board.piece_on(square);
      if (piece == kNoPiece) {
        ++empty;
        continue;
      }
      if (empty > 0) text += std::to_string(std::exchange(empty, 0));
      const char letter = kPieceLetters[piece];
      text += board.sides[0] >> square & 1 ? letter : static_cast<char>(std::tolower(letter));
    }
    if (empty > 0) text += std::to_string(empty);
    if (rank > 0) text += '/';
  }
  text += board.turn == 0 ? " w " : " b ";
  for (int right = 0; right < 4; ++right) {
    if (board.castling >> right & 1) text += "KQkq"[right];
  }
  if (board.castling == 0) text += '-';
  text += ' ';
  text += board.en_passant >= 0 ? square_name<N>(board.en_passant) : "-";
  return text + ' ' + std::to_string(board.quiet_plies) + ' ' + std::to_string(board.full_moves);
}

}  // namespace dicezero
