// 2048: slide the tiles, equal ones merge and pay what they make, chance adds a 2 or a 4. One player.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/bits.h"
#include "rules/cells.h"
#include "rules/game.h"
#include "rules/twenty48_rows.h"

namespace dicezero {

class Twenty48 {
 public:
  static constexpr bool kRewards = true;
  static constexpr bool kAlternates = true;
  static constexpr double kFourProbability = 0.1;

  // Cell (row r, column c) is the nibble 4 * r + c of `board`, whatever the size of the board: the low four
  // bits of its exponent (0 is empty, e is the tile 2^e). Tiles of 2^16 and 2^17, which only 4x4 can reach,
  // have their fifth bit in `high`. A board without them is one 64-bit word and moves by table.
  struct State {
    std::uint64_t board = 0;
    std::uint32_t score = 0;  // all that was paid
    std::uint32_t paid = 0;   // by the last action; a spawn pays nothing
    std::uint16_t high = 0;   // bit 4 * r + c
    std::uint8_t spawns = 2;  // tiles still to be added before the player moves
    std::uint8_t finished = 0;
  };
  using Key = std::array<std::uint64_t, 2>;

  Twenty48(int rows, int columns, int max_tile) : rows_(rows), columns_(columns), max_tile_(max_tile) {
    if (rows < 2 || rows > 4) throw out_of_range("2048", "rows", rows, "2..4");
    if (columns < 2 || columns > 4) throw out_of_range("2048", "columns", columns, "2..4");
    const bool power =
        max_tile >= 8 && max_tile <= 131072 && std::has_single_bit(static_cast<unsigned>(max_tile));
    if (max_tile != 0 && !power)
      throw out_of_range("2048", "max_tile", max_tile, "0 (no cap) or a power of two in 8..131072");
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) cells_ |= 1ULL << 4 * (4 * r + c);
    }
  }

  std::string name() const { return "2048"; }
  std::vector<Parameter> parameters() const {
    return {{"rows", rows_}, {"columns", columns_}, {"max_tile", max_tile_}};
  }
  static std::vector<ParameterInfo> parameter_info() {
    return {{"rows", 4, "2..4", "rows of the board"},
            {"columns", 4, "2..4", "columns of the board"},
            {"max_tile", 0, "0 or a power of two in 8..131072",
             "the game ends when this tile is made; 0 plays on until no move is left"}};
  }

  static Twenty48 make(const Parameters& p) {
    return Twenty48(p.get<int>("rows"), p.get<int>("columns"), p.get<int>("max_tile"));
  }

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int max_tile() const { return max_tile_; }

  int num_actions() const { return 4; }                             // up, right, down, left
  int num_chance_outcomes() const { return 2 * rows_ * columns_; }  // 2 * cell for a 2, 2 * cell + 1 for a 4
  int num_players() const { return 1; }
  // The largest tile of n cells is 2^(n+1), so tiles never sum up to 2^(n+2); each spawn adds 2 at least and
  // each move but the last is followed by one.
  int max_game_length() const {
    const int cells = rows_ * columns_;
    const int uncapped = 1 << (cells + 2);
    return max_tile_ == 0 ? uncapped : std::min(uncapped, cells * max_tile_ / 2 + 2);
  }
  double min_utility() const { return 0.0; }
  double max_utility() const { return std::numeric_limits<double>::infinity(); }
  int max_exponent() const {
    const int reachable = rows_ * columns_ + 1;
    return max_tile_ == 0 ? reachable
                          : std::min(reachable, std::countr_zero(static_cast<unsigned>(max_tile_)));
  }
  std::vector<int> observation_shape() const { return {max_exponent() + 2, rows_, columns_}; }
  Layout layout() const { return Layout::planes; }

  State initial_state() const { return {}; }

  int turn(const State&) const { return 0; }
  int player(const State& s) const { return s.finished ? kTerminalPlayer : s.spawns > 0 ? kChancePlayer : 0; }
  int exponent(const State& s, int row, int column) const {
    const int cell = 4 * row + column;
    return static_cast<int>((s.board >> 4 * cell & 15) | (s.high >> cell & 1u) << 4);
  }

  void legal_actions(const State& s, std::vector<Action>& actions) const {
    actions.clear();
    for (unsigned mask = movable(s); mask != 0; mask &= mask - 1) actions.push_back(std::countr_zero(mask));
  }

  Action random_action(const State& s, Rng& rng) const {
    // Moves that change nothing are drawn again; the others stay equally likely.
    for (;;) {
      const Action action = static_cast<Action>(rng.below(4));
      if (changes(s, action)) return action;
    }
  }

  void outcomes(const State& s, std::vector<Outcome>& outcomes) const {
    outcomes.clear();
    const std::uint64_t empty = empty_cells(s);
    const double cell_probability = 1.0 / std::popcount(empty);
    for (std::uint64_t rest = empty; rest != 0; rest &= rest - 1) {
      const int cell = std::countr_zero(rest) / 4;
      const Action two = 2 * (cell / 4 * columns_ + cell % 4);
      outcomes.push_back({two, (1.0 - kFourProbability) * cell_probability});
      outcomes.push_back({two + 1, kFourProbability * cell_probability});
    }
  }

  Action random_outcome(const State& s, Rng& rng) const {
    const std::uint64_t empty = empty_cells(s);
    const std::uint32_t draw = rng.below(10 * static_cast<std::uint32_t>(std::popcount(empty)));
    const int cell = nth_set_bit(empty, draw / 10) / 4;
    return 2 * (cell / 4 * columns_ + cell % 4) + (draw % 10 == 0 ? 1 : 0);
  }

  void apply(State& s, Action action) const {
    if (s.spawns > 0) {
      const int place = action / 2;
      s.board |= static_cast<std::uint64_t>(1 + (action & 1))
                 << 4 * (place / columns_ * 4 + place % columns_);
      s.paid = 0;
      --s.spawns;
      s.finished = s.spawns == 0 && empty_cells(s) == 0 && movable(s) == 0;
      return;
    }
    slide(s, action);
    s.score += s.paid;
    s.spawns = 1;
    // A merge made the tile, so there is nothing to look for unless it paid that much.
    if (max_tile_ != 0 && s.paid >= static_cast<std::uint32_t>(max_tile_)) s.finished = holds_max_tile(s);
  }

  double reward(const State& s) const { return s.paid; }
  double first_player_return(const State& s) const { return s.score; }

  // [2 + largest exponent, rows, columns]: plane 0 the empty cells, plane e the tiles 2^e, the last plane is
  // ones where a tile is about to be added.
  void observe(const State& s, int, std::span<float> tensor) const {
    const int cells = rows_ * columns_;
    for (int cell = 0; cell < cells; ++cell) {
      tensor[static_cast<std::size_t>(exponent(s, cell / columns_, cell % columns_) * cells + cell)] = 1.0f;
    }
    if (s.spawns > 0) std::fill(tensor.end() - cells, tensor.end(), 1.0f);
  }

  // The score is left out: how the game goes on does not depend on it.
  Key key(const State& s) const {
    return {s.board,
            static_cast<std::uint64_t>(s.high) << 8 | static_cast<std::uint64_t>(s.spawns) << 1 | s.finished};
  }

  std::string action_string(const State& s, Action action) const;
  std::string to_string(const State& s) const;
  // Tiles row by row, "2.0.4/0.0.0", then " spawn" where chance is to add one. The score starts at 0.
  std::string position(const State& s) const;
  State from_position(const std::string& text) const;
  std::vector<Symmetry> symmetries() const;

  // The board for lookup tables (rules/cells.h); a tile above 2^15 counts as one.
  CellBoard cell_board() const;
  std::vector<TupleSet> tuple_sets() const;
  int num_views() const { return rows_ == columns_ ? 8 : 4; }
  void cell_words(const State& s, std::span<std::uint64_t> words) const;
  // Moves keep the sum of the tiles, a new one raises it (solve/layers.h); a layer for every two.
  int layer(const State& s) const;
  int max_layer_step() const { return 2; }
  State state_of(std::uint64_t word) const;  // a player is to move; no tile is above 2^15

  // Calls f(action, afterstate) for every legal action in the order of their ids.
  template <class F>
  void for_each_afterstate(const State& s, F&& f) const {
    for (Action action = 0; action < 4; ++action) {
      State after = s;
      apply(after, action);
      if (after.board != s.board || after.high != s.high) f(action, after);
    }
  }

  // The plain twin of the table: slides cell by cell, any exponent.
  void slide_cells(State& s, Action action) const;

 private:
  std::invalid_argument bad_position(const std::string& text, const std::string& why) const {
    return std::invalid_argument("2048: position '" + text.substr(0, 80) + "' " + why);
  }

  // Lowest bit of every empty cell's nibble.
  std::uint64_t empty_cells(const State& s) const {
    std::uint64_t filled = s.board | s.board >> 2;
    filled |= filled >> 1;
    if (s.high != 0) [[unlikely]] {
      for (int cell = 0; cell < 16; ++cell)
        filled |= static_cast<std::uint64_t>(s.high >> cell & 1) << 4 * cell;
    }
    return cells_ & ~filled;
  }

  // Rows become columns.
  static std::uint64_t transposed(std::uint64_t board) {
    const std::uint64_t pairs = (board & 0xf0f00f0ff0f00f0fULL) | (board & 0x0000f0f00000f0f0ULL) << 12 |
                                (board & 0x0f0f00000f0f0000ULL) >> 12;
    return (pairs & 0xff00ff0000ff00ffULL) | (pairs & 0x00ff00ff00000000ULL) >> 24 |
           (pairs & 0x00000000ff00ff00ULL) << 24;
  }

  // Up and down slide the transposed board's rows; up and left slide towards cell 0.
  static bool vertical(Action action) { return action % 2 == 0; }
  static bool to_first(Action action) { return action == 0 || action == 3; }

  void slide(State& s, Action action) const {
    if (s.high != 0) [[unlikely]]
      return slide_cells(s, action);
    const std::vector<RowSlide>& table = row_slides(vertical(action) ? rows_ : columns_);
    const std::uint64_t board = vertical(action) ? transposed(s.board) : s.board;
    std::uint64_t slid = 0;
    std::uint32_t paid = 0;
    for (int shift = 0; shift < 64; shift += 16) {
      const RowSlide& row = table[board >> shift & 0xffff];
      if (row.paid == kTooLarge) [[unlikely]]
        return slide_cells(s, action);
      slid |= static_cast<std::uint64_t>(to_first(action) ? row.to_first : row.to_last) << shift;
      paid += row.paid;
    }
    s.board = vertical(action) ? transposed(slid) : slid;
    s.paid = paid;
  }

  bool changes(State s, Action action) const {
    const std::uint64_t board = s.board;
    const std::uint16_t high = s.high;
    slide(s, action);
    return s.board != board || s.high != high;
  }

  unsigned movable(const State& s) const {
    unsigned mask = 0;
    for (Action action = 0; action < 4; ++action) mask |= static_cast<unsigned>(changes(s, action)) << action;
    return mask;
  }

  bool holds_max_tile(const State& s) const {
    for (int r = 0; r < rows_; ++r) {
      for (int c = 0; c < columns_; ++c) {
        if (1 << exponent(s, r, c) >= max_tile_) return true;
      }
    }
    return false;
  }

  int rows_;
  int columns_;
  int max_tile_;
  std::uint64_t cells_ = 0;  // lowest bit of every cell's nibble
};

inline void Twenty48::slide_cells(State& s, Action action) const {
  const int lines = vertical(action) ? columns_ : rows_;
  const int length = vertical(action) ? rows_ : columns_;
  std::array<std::uint8_t, 4> line;
  s.paid = 0;
  for (int i = 0; i < lines; ++i) {
    const auto cell = [&](int j) {
      const int along = to_first(action) ? j : length - 1 - j;
      return vertical(action) ? 4 * along + i : 4 * i + along;
    };
    for (int j = 0; j < length; ++j) {
      line[static_cast<std::size_t>(j)] = static_cast<std::uint8_t>(exponent(s, cell(j) / 4, cell(j) % 4));
    }
    s.paid += slide_line(std::span(line).first(static_cast<std::size_t>(length)));
    for (int j = 0; j < length; ++j) {
      const std::uint64_t e = line[static_cast<std::size_t>(j)];
      s.board = (s.board & ~(15ULL << 4 * cell(j))) | (e & 15) << 4 * cell(j);
      s.high =
          static_cast<std::uint16_t>((s.high & ~(1u << cell(j))) | static_cast<unsigned>(e >> 4) << cell(j));
    }
  }
}

static_assert(NativeGame<Twenty48>);

}  // namespace dicezero

#include "rules/twenty48_cells.h"
#include "rules/twenty48_text.h"
