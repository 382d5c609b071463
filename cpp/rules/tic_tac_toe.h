// Tic-tac-toe: the smallest game here, and the template for a new one (docs/howto/add-a-game.md).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "rules/bits.h"
#include "rules/game.h"

namespace dicezero {

class TicTacToe {
 public:
  // Both sides' stones in one word, a half each, so that it stays in a register.
  struct State {
    std::uint32_t stones = 0;
    std::int8_t plies = 0;
    std::int8_t winner = -1;
  };

  static constexpr bool kAlternates = true;

  static std::vector<ParameterInfo> parameter_info() { return {}; }
  static TicTacToe make(const Parameters&) { return {}; }

  std::string name() const { return "tic_tac_toe"; }
  std::vector<Parameter> parameters() const { return {}; }

  int num_actions() const { return 9; }
  int num_chance_outcomes() const { return 0; }
  int num_players() const { return 2; }
  int max_game_length() const { return 9; }
  double min_utility() const { return -1.0; }
  double max_utility() const { return 1.0; }
  double state_bound() const { return 19683.0; }  // three marks on nine squares
  std::vector<int> observation_shape() const { return {2, 3, 3}; }
  Layout layout() const { return Layout::planes; }

  // Four turns, each as it is and mirrored.
  std::vector<Symmetry> symmetries() const {
    std::vector<Symmetry> all;
    for (int i = 0; i < 8; ++i) {
      std::vector<int> cells;
      for (int at = 0; at < 9; ++at) {
        int row = at / 3, column = at % 3;
        if (i >= 4) column = 2 - column;
        for (int turn = 0; turn < i % 4; ++turn) {
          const int old_row = row;
          row = column, column = 2 - old_row;
        }
        cells.push_back(3 * row + column);
      }
      all.push_back({cells, cells});
    }
    return all;
  }

  State initial_state() const { return {}; }

  // Squares of that side, row by row in bits 0..8.
  static unsigned stones(const State& s, int side) { return s.stones >> (kHalf * side) & kFull; }

  int player(const State& s) const { return s.winner >= 0 || s.plies == 9 ? kTerminalPlayer : s.plies & 1; }

  void legal_actions(const State& s, std::vector<Action>& actions) const {
    actions.clear();
    for (unsigned free = kFull & ~occupied(s); free != 0; free &= free - 1) {
      actions.push_back(std::countr_zero(free));
    }
  }

  Action random_action(const State& s, Rng& rng) const {
    return kSquares.nth[kFull & ~occupied(s)][rng.below(9u - static_cast<unsigned>(s.plies))];
  }

  // The first player's return of a random game from there. One draw serves all its moves: n times a fraction
  // has the next of n squares before the point, and behind it a fraction as good as new. The board is filled
  // even after a line: a loop that ends where nobody can foretell costs the processor more.
  double random_return(const State& s, Rng& rng) const {
    if (s.winner >= 0) return first_player_return(s);
    unsigned mover = stones(s, s.plies & 1);
    unsigned other = stones(s, 1 - (s.plies & 1));
    unsigned free = kFull & ~(mover | other);
    unsigned lines = 0;  // bit n: there is a line when n squares were left
    std::uint64_t fraction = rng.next() >> (64 - kPoint);
    for (unsigned n = 9u - static_cast<unsigned>(s.plies); n > 0; --n) {
      fraction *= n;
      const unsigned square = 1u << kSquares.nth[free][fraction >> kPoint];
      fraction &= (1ULL << kPoint) - 1;
      free ^= square;
      const unsigned owned = mover | square;
      lines |= static_cast<unsigned>(kSquares.has_line[owned]) << n;
      mover = other, other = owned;
    }
    return kReturn[lines];
  }

  void outcomes(const State&, std::vector<Outcome>& outcomes) const { outcomes.clear(); }

  void apply(State& s, Action square) const {
    const int mover = s.plies & 1;
    s.stones |= 1u << (kHalf * mover + square);
    ++s.plies;
    s.winner = static_cast<std::int8_t>(kSquares.has_line[stones(s, mover)] ? mover : -1);
  }

  double first_player_return(const State& s) const { return s.winner < 0 ? 0.0 : s.winner == 0 ? 1.0 : -1.0; }

  // [2, 3, 3]: the viewer's stones, then the other side's.
  void observe(const State& s, int viewer, std::span<float> tensor) const {
    for (int side = 0; side < 2; ++side) {
      const unsigned owned = stones(s, side == 0 ? viewer : 1 - viewer);
      for (int i = 0; i < 9; ++i) tensor[side * 9 + i] = static_cast<float>(owned >> i & 1);
    }
  }

  std::string action_string(const State& s, Action square) const {
    const char mark = s.plies & 1 ? 'o' : 'x';
    return std::string(1, mark) + "(" + std::to_string(square / 3) + "," + std::to_string(square % 3) + ")";
  }

  std::string to_string(const State& s) const {
    std::string board = "...\n...\n...";
    for (int i = 0; i < 9; ++i) {
      char& cell = board[i + i / 3];
      if (stones(s, 0) >> i & 1) cell = 'x';
      if (stones(s, 1) >> i & 1) cell = 'o';
    }
    return board;
  }

  std::uint64_t key(const State& s) const {
    return stones(s, 0) | static_cast<std::uint64_t>(stones(s, 1)) << 9;
  }

 private:
  static constexpr unsigned kFull = 0b111'111'111;

  static constexpr int kHalf = 16;
  static constexpr int kPoint = 60;

  static unsigned occupied(const State& s) { return (s.stones | s.stones >> kHalf) & kFull; }

  // The first player's return by the numbers of squares left at which there was a line: the first decides,
  // and is the first player's if an odd number was left.
  static constexpr std::array<std::int8_t, 1024> kReturn = [] {
    std::array<std::int8_t, 1024> table{};
    for (unsigned lines = 1; lines < 1024; ++lines)
      table[lines] = static_cast<std::int8_t>(std::bit_width(lines) % 2 == 0 ? 1 : -1);
    return table;
  }();

  // What there is to know of a set of squares, made at compile time: reading it beats working it out.
  struct Squares {
    std::array<bool, 512> has_line;
    std::array<std::array<std::uint8_t, 9>, 512> nth;  // its n-th square
  };
  static constexpr Squares kSquares = [] {
    Squares table{};
    for (unsigned set = 0; set < 512; ++set) {
      for (const unsigned line : {0b000000111u, 0b000111000u, 0b111000000u, 0b001001001u, 0b010010010u,
                                  0b100100100u, 0b100010001u, 0b001010100u}) {
        table.has_line[set] = table.has_line[set] || (set & line) == line;
      }
      for (int i = 0; i < std::popcount(set); ++i)
        table.nth[set][i] = static_cast<std::uint8_t>(nth_set_bit(set, i));
    }
    return table;
  }();
};

static_assert(NativeGame<TicTacToe>);

}  // namespace dicezero
