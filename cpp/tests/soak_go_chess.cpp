// Go and chess under the sanitizers: the fast board of Go's play-outs beside the plain rules move by move,
// and names, numbers and texts of every move and position there and back.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "rules/chess.h"
#include "rules/go.h"

namespace dicezero {
namespace {

#define EXPECT(condition)                                                  \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                        \
    }                                                                      \
  } while (false)

// One random game on both boards: the same legal points after every move, the same area in the end.
void go_game(const Go& game, Rng& rng) {
  Go::State state = game.initial_state();
  GoPlayout board;
  board.set_up(game.table(), state.stones, state.lost, state.seen, state.hash, game.max_game_length());
  std::vector<Action> legal, fast;
  std::vector<float> tensor(static_cast<std::size_t>(kGoPlanes) * game.pass());
  while (game.player(state) != kTerminalPlayer) {
    const int turn = game.player(state);
    game.legal_actions(state, legal);
    fast.clear();
    for (int i = 0; i < board.num_empty(); ++i) {
      if (board.is_legal(board.empty_spot(i), turn)) fast.push_back(board.point(board.empty_spot(i)));
    }
    std::sort(fast.begin(), fast.end());
    fast.push_back(game.pass());
    EXPECT(fast == legal);
    for (const Action a : legal) EXPECT(game.parse_action(state, game.action_string(state, a)) == a);
    EXPECT(game.position(game.from_position(game.position(state))) == game.position(state));
    game.observe(state, turn, tensor);
    // Passing now and then: a game that never passes fills its own eyes to the limit of its length.
    const bool passes = legal.size() == 1 || rng.below(20) == 0;
    const Action action =
        passes ? game.pass() : legal[rng.below(static_cast<std::uint32_t>(legal.size() - 1))];
    if (!passes) board.play(board.spot(action), turn);
    game.apply(state, action);
  }
  EXPECT(board.area_lead() - game.komi() == game.score(state));
  // From any position the play-outs start where the state is.
  EXPECT(std::abs(game.random_return(state, rng)) <= 1.0);
}

template <int N>
void chess_game(const ChessGame<N>& game, Rng& rng) {
  using Actions = ChessActions<N>;
  auto state = game.initial_state();
  std::vector<Action> legal;
  std::vector<float> tensor(static_cast<std::size_t>(ChessPlanes<N>::channels(8)) * N * N);
  while (game.player(state) != kTerminalPlayer) {
    game.legal_actions(state, legal);
    ChessMoveList moves;
    chess_moves(state.board, moves);
    ChessMoveCount count;
    chess_moves(state.board, count);
    EXPECT(count.count == moves.size());
    EXPECT(static_cast<int>(legal.size()) == moves.size());
    EXPECT(std::adjacent_find(legal.begin(), legal.end()) == legal.end());
    for (const ChessMove m : moves) {
      const Action a = Actions::encode(m, state.board.turn);
      EXPECT(Actions::decode(a, state.board) == m);
      EXPECT(Actions::mirror(Actions::mirror(a)) == a);
    }
    const Action action = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
    EXPECT(game.parse_action(state, game.action_string(state, action)) == action);
    EXPECT(game.parse_action(state, game.uci_string(state, action)) == action);
    const auto again = game.from_position(game.position(state));
    EXPECT(again.board.hash == state.board.hash);  // kept move by move, and worked out anew
    game.observe(state, state.board.turn, tensor);
    game.apply(state, action);
  }
  std::uint64_t plies = 0;
  EXPECT(std::abs(game.random_game(game.initial_state(), rng, plies)) <= 1.0);
  EXPECT(plies > 0);
}

}  // namespace
}  // namespace dicezero

int main() {
  using namespace dicezero;
  Rng rng(20);
  for (const int size : {2, 3, 5, 9, 19}) {
    const Go game(size, 6.5, size == 2 ? 40 : 0);
    for (int i = 0; i < (size <= 5 ? 60 : size == 9 ? 10 : 2); ++i) go_game(game, rng);
  }
  for (int i = 0; i < 20; ++i) chess_game(Chess(), rng);
  for (int i = 0; i < 60; ++i) chess_game(GardnerChess(), rng);
  std::puts("boards: ok");
}
