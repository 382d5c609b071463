// Connect Four on any board that fits 64 bits.
#pragma once

#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/game.h"

namespace dicezero {

class ConnectFour {
 public:
  // Column c, row r (from the bottom) is bit c * (rows + 1) + r. The extra row on top of every
  // column stays empty, so that shifted boards never wrap into the next column.
  struct State {
    std::uint64_t stones[2] = {0, 0};
    std::int16_t plies = 0;
    std::int16_t winner = -1;
  };

  static constexpr bool kAlternates = true;

  ConnectFour(int rows, int columns) : rows_(rows), columns_(columns) {
    if (rows < 1 || rows > 15) throw out_of_range("connect_four", "rows", rows, "1..15");
    if (columns < 1 || columns > 16) throw out_of_range("connect_four", "columns", columns, "1..16");
    if ((rows + 1) * columns > 64) {
      throw std::invalid_argument("connect_four: rows=" + std::to_string(rows) +
                                  ", columns=" + std::to_string(columns) +
                                  " is too large: (rows + 1) * columns must be at most 64");
    }
    for (int c = 0; c < columns; ++c) bottom_ |= 1ULL << (c * (rows + 1));
    board_ = bottom_ * ((1ULL << rows) - 1);
  }

  static std::vector<ParameterInfo> parameter_info() {
    return {{"rows", 6, "1..15, (rows + 1) * columns at most 64", "height of the board"},
            {"columns", 7, "1..16", "width of the board"}};
  }
  static ConnectFour make(const Parameters& p) {
    return ConnectFour(p.get<int>("rows"), p.get<int>("columns"));
  }

  std::string name() const { return "connect_four"; }
  std::vector<Parameter> parameters() const { return {{"rows", rows_}, {"columns", columns_}}; }

  int rows() const { return rows_; }
  int columns() const { return columns_; }

  int num_actions() const { return columns_; }
  int num_chance_outcomes() const { return 0; }
  int num_players() const { return 2; }
  int max_game_length() const { return rows_ * columns_; }
  double min_utility() const { return -1.0; }
  double max_utility() const { return 1.0; }
  std::vector<int> observation_shape() const { return {2, rows_, columns_}; }
  Layout layout() const { return Layout::planes; }

  // As it is, and left for right.
  std::vector<Symmetry> symmetries() const {
    std::vector<Symmetry> all(2);
    for (int c = 0; c < columns_; ++c) {
      all[0].actions.push_back(c);
      all[1].actions.push_back(columns_ - 1 - c);
    }
    for (int at = 0; at < rows_ * columns_; ++at) {
      all[0].cells.push_back(at);
      all[1].cells.push_back(at - at % columns_ + all[1].actions[at % columns_]);
    }
    return all;
  }

  // Filled heights of the columns, times the ways to colour as many discs half and half.
  double state_bound() const {
    std::vector<double> boards{1.0};  // by number of discs
    for (int column = 0; column < columns_; ++column) {
      std::vector<double> next(boards.size() + static_cast<std::size_t>(rows_), 0.0);
      for (std::size_t discs = 0; discs < boards.size(); ++discs)
        for (std::size_t height = 0; height <= static_cast<std::size_t>(rows_); ++height)
          next[discs + height] += boards[discs];
      boards = std::move(next);
    }
    double total = 0.0;
    double colourings = 1.0;  // discs choose discs / 2
    for (std::size_t discs = 0; discs < boards.size(); ++discs) {
      total += boards[discs] * colourings;
      colourings *= static_cast<double>(discs + 1) / static_cast<double>(discs / 2 + 1);
    }
    return total;
  }

  State initial_state() const { return {}; }

  int player(const State& s) const {
    return s.winner >= 0 || s.plies == rows_ * columns_ ? kTerminalPlayer : s.plies & 1;
  }

  void legal_actions(const State& s, std::vector<Action>& actions) const {
    actions.clear();
    for (std::uint64_t open = landing_squares(s); open != 0; open &= open - 1) {
      actions.push_back(std::countr_zero(open) / (rows_ + 1));
    }
  }

  Action random_action(const State& s, Rng& rng) const {
    // Full columns are drawn again: they are few, and the others stay equally likely.
    const std::uint64_t full_tops = (s.stones[0] | s.stones[1]) >> (rows_ - 1);
    for (;;) {
      const int column = static_cast<int>(rng.below(static_cast<std::uint32_t>(columns_)));
      if (!(full_tops >> (column * (rows_ + 1)) & 1)) return column;
    }
  }

  void outcomes(const State&, std::vector<Outcome>& outcomes) const { outcomes.clear(); }

  void apply(State& s, Action column) const {
    const std::uint64_t occupied = s.stones[0] | s.stones[1];
    // Adding the column's bottom bit carries through its stones to the first empty square.
    const std::uint64_t column_mask = ((1ULL << rows_) - 1) << (column * (rows_ + 1));
    const std::uint64_t landing = (occupied + (bottom_ & column_mask)) & column_mask & ~occupied;
    const int mover = s.plies & 1;
    s.stones[mover] |= landing;
    ++s.plies;
    if (has_four(s.stones[mover])) s.winner = static_cast<std::int16_t>(mover);
  }

  double first_player_return(const State& s) const { return s.winner < 0 ? 0.0 : s.winner == 0 ? 1.0 : -1.0; }

  // [2, rows, columns], bottom row first: the viewer's stones, then the other side's.
  void observe(const State& s, int viewer, std::span<float> tensor) const {
    std::size_t i = 0;
    for (int side = 0; side < 2; ++side) {
      const std::uint64_t stones = s.stones[side == 0 ? viewer : 1 - viewer];
      for (int r = 0; r < rows_; ++r) {
        for (int c = 0; c < columns_; ++c)
          tensor[i++] = static_cast<float>(stones >> (c * (rows_ + 1) + r) & 1);
      }
    }
  }

  std::string action_string(const State& s, Action column) const {
    return std::string(1, s.plies & 1 ? 'o' : 'x').append(std::to_string(column));
  }

  std::string to_string(const State& s) const {
    std::string board;
    for (int r = rows_ - 1; r >= 0; --r) {
      for (int c = 0; c < columns_; ++c) {
        const int bit = c * (rows_ + 1) + r;
        board += s.stones[0] >> bit & 1 ? 'x' : s.stones[1] >> bit & 1 ? 'o' : '.';
      }
      board += '\n';
    }
    return board;
  }

  // The mover's stones plus the occupied squares plus a floor: one number a position (the sum
  // marks the height of every column, the stones say whose they are).
  std::uint64_t key(const State& s) const {
    return s.stones[s.plies & 1] + (s.stones[0] | s.stones[1]) + bottom_;
  }

  bool has_four(std::uint64_t stones) const {
    for (const int step : {1, rows_, rows_ + 1, rows_ + 2}) {  // up, down-right, right, up-right
      const std::uint64_t pairs = stones & (stones >> step);
      if ((pairs & (pairs >> 2 * step)) != 0) return true;
    }
    return false;
  }

 private:
  // The square each open column's next stone falls to.
  std::uint64_t landing_squares(const State& s) const {
    return ((s.stones[0] | s.stones[1]) + bottom_) & board_;
  }

  int rows_;
  int columns_;
  std::uint64_t bottom_ = 0;  // lowest square of every column
  std::uint64_t board_ = 0;   // every playable square
};

static_assert(NativeGame<ConnectFour>);

}  // namespace dicezero
