// Tic-tac-toe: the smallest game here, and the template for a new one (docs/add-a-game.md).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "rules/bits.h"
#include "rules/game.h"

namespace dicezero {

class TicTacToe {
 public:
  // Squares are bits 0..8, row by row.
  struct State {
    std::uint16_t stones[2] = {0, 0};
    std::int8_t plies = 0;
    std::int8_t winner = -1;
  };

  std::string name() const { return "tic_tac_toe"; }
  std::vector<Parameter> parameters() const { return {}; }

  int num_actions() const { return 9; }
  int num_chance_outcomes() const { return 0; }
  int num_players() const { return 2; }
  int max_game_length() const { return 9; }
  std::vector<int> observation_shape() const { return {2, 3, 3}; }

  State initial_state() const { return {}; }

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

  void outcomes(const State&, std::vector<Outcome>& outcomes) const { outcomes.clear(); }

  void apply(State& s, Action square) const {
    const int mover = s.plies & 1;
    s.stones[mover] |= static_cast<std::uint16_t>(1u << square);
    ++s.plies;
    s.winner = static_cast<std::int8_t>(kSquares.has_line[s.stones[mover]] ? mover : -1);
  }

  double first_player_return(const State& s) const { return s.winner < 0 ? 0.0 : s.winner == 0 ? 1.0 : -1.0; }

  // [2, 3, 3]: the viewer's stones, then the other side's.
  void observe(const State& s, int viewer, std::span<float> tensor) const {
    for (int side = 0; side < 2; ++side) {
      const unsigned stones = s.stones[side == 0 ? viewer : 1 - viewer];
      for (int i = 0; i < 9; ++i) tensor[side * 9 + i] = static_cast<float>(stones >> i & 1);
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
      if (s.stones[0] >> i & 1) cell = 'x';
      if (s.stones[1] >> i & 1) cell = 'o';
    }
    return board;
  }

  std::uint64_t key(const State& s) const {
    return s.stones[0] | static_cast<std::uint64_t>(s.stones[1]) << 9;
  }

 private:
  static constexpr unsigned kFull = 0b111'111'111;

  static unsigned occupied(const State& s) { return s.stones[0] | s.stones[1]; }

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

static_assert(Game<TicTacToe>);

}  // namespace dicezero
