// Chess, and Gardner's chess on five by five squares (no castling, no double step): one game, two sizes.
//
// A draw needs no claim here: the third occurrence of a position, fifty moves of each side without capture or
// pawn move, and material no play can mate with all end the game at once. Mate and stalemate come first.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "rules/chess_names.h"
#include "rules/chess_planes.h"
#include "rules/game.h"
#include "rules/position_history.h"

namespace dicezero {

template <int N>
class ChessGame {
 public:
  using Board = ChessBoard<N>;
  using Geo = ChessGeometry<N>;
  using Actions = ChessActions<N>;

  enum class End : std::int8_t { kNone, kMate, kStalemate, kRepetition, kFiftyMoves, kMaterial };

  struct State {
    Board board;
    End end = End::kNone;
    std::int8_t repetitions = 0;         // how often the position stood on the board before
    PositionHistory seen;                // positions since the last capture or pawn move, without this one
    std::array<PackedBoard<N>, 7> past;  // newest first, for the planes
    std::int8_t past_size = 0;
  };

  static constexpr bool kAlternates = true;
  static constexpr int kMostHistory = 8;
  static constexpr int kFiftyMovePlies = 100;

  explicit ChessGame(int history = kMostHistory) : history_(history) {
    if (history < 1 || history > kMostHistory) throw out_of_range(kName, "history", history, "1..8");
  }
  static std::vector<ParameterInfo> parameter_info() {
    return {{"history", kMostHistory, "1..8", "positions in the observation, the current one among them"}};
  }
  static ChessGame make(const Parameters& p) { return ChessGame(p.get<int>("history")); }

  std::string name() const { return kName; }
  std::vector<Parameter> parameters() const { return {{"history", history_}}; }

  int num_actions() const { return Actions::kActions; }
  int num_chance_outcomes() const { return 0; }
  int num_players() const { return 2; }
  // Every pawn's every step and every capture, each after as many quiet plies as the fifty-move rule lets be.
  int max_game_length() const { return kFiftyMovePlies * (2 * N * (N - 2) + 4 * N - 2 + 1); }
  double min_utility() const { return -1.0; }
  double max_utility() const { return 1.0; }
  Layout layout() const { return Layout::planes; }
  std::vector<int> observation_shape() const { return {ChessPlanes<N>::channels(history_), N, N}; }

  State initial_state() const { return state_of(board_from_fen<N>(kStart)); }
  std::string position(const State& s) const { return board_to_fen(s.board); }
  State from_position(const std::string& text) const { return state_of(board_from_fen<N>(text)); }

  int player(const State& s) const { return s.end != End::kNone ? kTerminalPlayer : s.board.turn; }
  int turn(const State& s) const { return s.board.turn; }

  void legal_actions(const State& s, std::vector<Action>& actions) const {
    ChessMoveList moves;
    chess_moves(s.board, moves);
    actions.clear();
    for (const ChessMove move : moves) actions.push_back(Actions::encode(move, s.board.turn));
    std::sort(actions.begin(), actions.end());
  }
  Action random_action(const State& s, Rng& rng) const {
    ChessMoveList moves;
    chess_moves(s.board, moves);
    return Actions::encode(moves[static_cast<int>(rng.below(moves.size()))], s.board.turn);
  }
  void outcomes(const State&, std::vector<Outcome>& outcomes) const { outcomes.clear(); }

  void apply(State& s, Action action) const {
    std::copy_backward(s.past.begin(), s.past.end() - 1, s.past.end());
    s.past[0] = PackedBoard<N>(s.board, s.repetitions);
    s.past_size = static_cast<std::int8_t>(std::min(s.past_size + 1, 7));
    s.seen.push(s.board.hash);
    s.board.play(Actions::decode(action, s.board));
    if (s.board.quiet_plies == 0) s.seen.clear();
    // The same side to move again takes four plies at least.
    s.repetitions = static_cast<std::int8_t>(s.board.quiet_plies >= 4 ? s.seen.count(s.board.hash) : 0);
    s.end = end_of(s.board, s.repetitions, has_legal_move(s.board));
  }

  double first_player_return(const State& s) const {
    return s.end != End::kMate ? 0.0 : s.board.turn == 0 ? -1.0 : 1.0;
  }

  // The first player's return of a random game from there. Lists of moves are made once a ply.
  double random_return(const State& s, Rng& rng) const {
    std::uint64_t moves = 0;
    return random_game(s, rng, moves);
  }
  // The same; adds the plies to `plies`.
  double random_game(const State& s, Rng& rng, std::uint64_t& plies) const {
    if (s.end != End::kNone) return first_player_return(s);
    Board board = s.board;
    thread_local std::vector<std::uint64_t> seen;
    seen.clear();
    s.seen.for_each([](std::uint64_t hash) { seen.push_back(hash); });
    for (int repetitions = 0;; ++plies) {
      ChessMoveList moves;
      chess_moves(board, moves);
      const End end = end_of(board, repetitions, moves.size() > 0);
      if (end != End::kNone) return end != End::kMate ? 0.0 : board.turn == 0 ? -1.0 : 1.0;
      seen.push_back(board.hash);
      board.play(moves[static_cast<int>(rng.below(static_cast<std::uint32_t>(moves.size())))]);
      if (board.quiet_plies == 0) seen.clear();
      repetitions =
          board.quiet_plies >= 4 ? static_cast<int>(std::count(seen.begin(), seen.end(), board.hash)) : 0;
    }
  }

  void observe(const State& s, int viewer, std::span<float> tensor) const {
    ChessPlanes<N>::write(s.board, s.repetitions, {s.past.data(), static_cast<std::size_t>(s.past_size)},
                          history_, viewer, tensor);
  }

  std::string action_string(const State& s, Action action) const {
    return san_name(s.board, Actions::decode(action, s.board));
  }
  // The action that a text names in UCI or in SAN with or without its marks.
  std::optional<Action> parse_action(const State& s, const std::string& text) const {
    const auto move = parse_chess_move(s.board, text);
    return move ? std::optional<Action>(Actions::encode(*move, s.board.turn)) : std::nullopt;
  }
  std::string uci_string(const State& s, Action action) const {
    return uci_name<N>(Actions::decode(action, s.board));
  }

  std::string to_string(const State& s) const { return board_to_fen(s.board); }
  bool in_check(const State& s) const { return s.board.checkers() != 0; }

  // Exact in the position; of the positions that count for repetition the multiset goes in as one number.
  std::array<std::uint64_t, 6> key(const State& s) const {
    const PackedBoard<N> packed(s.board, 0);
    std::uint64_t earlier = 0;
    s.seen.for_each([&](std::uint64_t hash) { earlier += mix64(hash); });
    const auto& b = s.board;
    const auto rest =
        static_cast<std::uint64_t>(b.turn | b.castling << 1 | (b.en_passant + 1) << 5 | b.quiet_plies << 12);
    return {packed.planes[0], packed.planes[1], packed.planes[2], packed.planes[3], rest, earlier};
  }
  // For transposition tables: the position, whether it stood on the board before, and how near the fifty
  // moves are, by tens. What else the game went through is left out, as chess programs do.
  std::uint64_t hash(const State& s) const {
    return mix64(s.board.hash + static_cast<std::uint64_t>(s.repetitions) * 0x9e3779b97f4a7c15ULL +
                 static_cast<std::uint64_t>(std::max(0, s.board.quiet_plies - 60) / 10));
  }

  // Left for right, where there is no castling to distinguish the wings.
  std::vector<Symmetry> symmetries() const {
    std::vector<Symmetry> all(Board::kCastles ? 1 : 2);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (int s = 0; s < Geo::kSquares; ++s)
        all[i].cells.push_back(i == 0 ? s : Geo::square(N - 1 - Geo::file(s), Geo::rank(s)));
      for (int a = 0; a < Actions::kActions; ++a) all[i].actions.push_back(i == 0 ? a : Actions::mirror(a));
    }
    return all;
  }

  // Lines of `depth` plies as chess programs count them: only mate and stalemate end one.
  template <class Poll>
  std::uint64_t count_lines(const State& s, int depth, const Poll& poll) const {
    return chess_perft(s.board, depth, poll);
  }

 private:
  static constexpr const char* kName = N == 8 ? "chess" : "gardner_chess";
  static constexpr const char* kStart = N == 8 ? "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
                                               : "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1";

  static State state_of(const Board& board) {
    State s;
    s.board = board;
    s.end = end_of(board, 0, has_legal_move(board));
    return s;
  }

  static End end_of(const Board& b, int repetitions, bool can_move) {
    if (!can_move) return b.checkers() != 0 ? End::kMate : End::kStalemate;
    if (repetitions >= 2) return End::kRepetition;
    if (b.quiet_plies >= kFiftyMovePlies) return End::kFiftyMoves;
    return is_material_draw(b) ? End::kMaterial : End::kNone;
  }

  // Bare kings, or one knight more, or bishops that all walk on one colour.
  static bool is_material_draw(const Board& b) {
    if (b.pieces[kPawn] | b.pieces[kRook] | b.pieces[kQueen]) return false;
    if (b.pieces[kKnight] != 0) return std::popcount(b.pieces[kKnight] | b.pieces[kBishop]) == 1;
    return (b.pieces[kBishop] & kDark) == 0 || (b.pieces[kBishop] & ~kDark) == 0;
  }
  static constexpr SquareSet kDark = [] {
    SquareSet set = 0;
    for (int s = 0; s < Geo::kSquares; ++s) {
      if ((Geo::file(s) + Geo::rank(s)) % 2 == 0) set |= Geo::bit(s);
    }
    return set;
  }();

  int history_;
};

using Chess = ChessGame<8>;
using GardnerChess = ChessGame<5>;

static_assert(Game<Chess>);
static_assert(Game<GardnerChess>);

}  // namespace dicezero
