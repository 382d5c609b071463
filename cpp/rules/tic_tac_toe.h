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
  // Squares are bits 0..8, row by row. The side to move follows from the number of stones.
  struct State {
    std::uint16_t stones[2] = {0, 0};
  };

  std::string name() const { return "tic_tac_toe"; }
  std::vector<Parameter> parameters() const { return {}; }

  int num_actions() const { return 9; }
  int num_chance_outcomes() const { return 0; }
  int num_players() const { return 2; }
  int max_game_length() const { return 9; }
  std::vector<int> observation_shape() const { return {2, 3, 3}; }

  State initial_state() const { return {}; }

  int player(const State& s) const {
    const int stones = std::popcount(occupied(s));
    const int mover = stones & 1;
    return stones == 9 || has_line(s.stones[1 - mover]) ? kTerminalPlayer : mover;
  }

  void legal_actions(const State& s, std::vector<Action>& actions) const {
    actions.clear();
    for (unsigned free = kFull & ~occupied(s); free != 0; free &= free - 1) {
      actions.push_back(std::countr_zero(free));
    }
  }

  Action random_action(const State& s, Rng& rng) const {
    const unsigned free = kFull & ~occupied(s);
    return nth_set_bit(free, rng.below(static_cast<std::uint32_t>(std::popcount(free))));
  }

  void outcomes(const State&, std::vector<Outcome>& outcomes) const { outcomes.clear(); }

  void apply(State& s, Action square) const {
    s.stones[std::popcount(occupied(s)) & 1] |= static_cast<std::uint16_t>(1u << square);
  }

  double first_player_return(const State& s) const {
    return has_line(s.stones[0]) ? 1.0 : has_line(s.stones[1]) ? -1.0 : 0.0;
  }

  // [2, 3, 3]: the viewer's stones, then the other side's.
  void observe(const State& s, int viewer, std::span<float> tensor) const {
    for (int side = 0; side < 2; ++side) {
      const unsigned stones = s.stones[side == 0 ? viewer : 1 - viewer];
      for (int i = 0; i < 9; ++i) tensor[side * 9 + i] = static_cast<float>(stones >> i & 1);
    }
  }

  std::string action_string(const State& s, Action square) const {
    const char mark = std::popcount(occupied(s)) & 1 ? 'o' : 'x';
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

  // One bit a subset of squares: does it hold a line? 512 bits, made at compile time.
  static constexpr std::array<bool, 512> kHasLine = [] {
    std::array<bool, 512> table{};
    for (unsigned stones = 0; stones < 512; ++stones) {
      for (unsigned line : {0b000000111u, 0b000111000u, 0b111000000u, 0b001001001u, 0b010010010u,
                            0b100100100u, 0b100010001u, 0b001010100u}) {
        table[stones] = table[stones] || (stones & line) == line;
      }
    }
    return table;
  }();

  static bool has_line(unsigned stones) { return kHasLine[stones]; }
};

static_assert(Game<TicTacToe>);

}  // namespace dicezero
