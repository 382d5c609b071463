// EinStein wuerfelt nicht: numbered cubes race from corner to corner; the die shows which cube may move.
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/game.h"

namespace dicezero {

class Einstein {
 public:
  static constexpr bool kAlternates = true;
  static constexpr int kMaxCubes = 6;

  // Every player counts the cells row by row from its own corner, 0, to its goal, size * size - 1; a player's
  // cell c is the other's size * size - 1 - c. Cubes are numbered from 0 here and from 1 in writing.
  struct State {
    std::array<std::array<std::int8_t, kMaxCubes>, 2>
        cell;                   // [player][cube], in its own counting; -1: captured
    std::uint8_t to_place = 2;  // players whose cubes chance still has to arrange
    std::uint8_t turn = 1;  // who moves, or will when the die has fallen; player 1 begins, as in OpenSpiel
    std::uint8_t roll = 0;  // 0: the die is still to fall
    std::int8_t winner = -1;
  };

  Einstein(int board_size, int layers, const std::string& setup)
      : size_(board_size), layers_(layers), setup_(setup) {
    const std::string game = "einstein_wurfelt_nicht";
    if (board_size < 2 || board_size > 5) throw out_of_range(game, "board_size", board_size, "2..5");
    const int most = std::min(3, board_size - 1);
    if (layers < 1 || layers > most) throw out_of_range(game, "layers", layers, "1.." + std::to_string(most));
    if (setup != "random" && setup != "fixed") throw out_of_range(game, "setup", setup, "random or fixed");
    cubes_ = layers * (layers + 1) / 2;
    for (int diagonal = 0; diagonal < layers; ++diagonal) {
      for (int row = 0; row <= diagonal; ++row) corner_.push_back(row * size_ + diagonal - row);
    }
    std::sort(corner_.begin(), corner_.end());
    Arrangement order{};
    for (int cube = 0; cube < cubes_; ++cube)
      order[static_cast<std::size_t>(cube)] = static_cast<std::int8_t>(cube);
    do {
      arrangements_.push_back(order);
    } while (std::next_permutation(order.begin(), order.begin() + cubes_));
  }

  std::string name() const { return "einstein_wurfelt_nicht"; }
  static std::vector<ParameterInfo> parameter_info() {
    return {{"board_size", 5, "2..5", "rows and columns"},
            {"layers", 3, "1..3, below board_size",
             "diagonals that a side fills: 1, 3 or 6 cubes, and as many faces"},
            {"setup", std::string("random"), "random, fixed",
             "who arranges the cubes: chance, or row by row from 1"}};
  }
  static Einstein make(const Parameters& p) {
    return Einstein(p.get<int>("board_size"), p.get<int>("layers"), p.get<std::string>("setup"));
  }
  std::vector<Parameter> parameters() const {
    return {{"board_size", size_}, {"layers", layers_}, {"setup", setup_}};
  }

  int board_size() const { return size_; }
  int cubes() const { return cubes_; }

  int num_actions() const { return 3 * size_ * size_; }  // 3 * cell + step, the mover's counting
  // Rolls, or the arrangements of a side's cubes in the order of the permutations of 1..cubes.
  int num_chance_outcomes() const {
    return setup_ == "random" ? std::max(num_arrangements(), cubes_) : cubes_;
  }
  int num_players() const { return 2; }
  // Every move brings a cube nearer to the far corner, and each has a roll before it.
  int max_game_length() const { return 2 + 2 * 2 * cubes_ * 2 * (size_ - 1); }
  double min_utility() const { return -1.0; }
  double max_utility() const { return 1.0; }
  std::vector<int> observation_shape() const { return {3 * cubes_ + 4, size_, size_}; }
  Layout layout() const { return Layout::planes; }

  State initial_state() const {
    State s;
    for (auto& side : s.cell) side.fill(-1);
    if (setup_ == "fixed") {
      arrange(s, 0, 0);
      arrange(s, 1, 0);
    }
    return s;
  }

  int turn(const State& s) const { return s.turn; }
  int player(const State& s) const {
    return s.winner >= 0 ? kTerminalPlayer : s.to_place > 0 || s.roll == 0 ? kChancePlayer : s.turn;
  }

  void outcomes(const State& s, std::vector<Outcome>& outcomes) const {
    outcomes.clear();
    const int count = s.to_place > 0 ? num_arrangements() : cubes_;
    for (int i = 0; i < count; ++i) outcomes.push_back({i, 1.0 / count});
  }
  Action random_outcome(const State& s, Rng& rng) const {
    return static_cast<Action>(
        rng.below(static_cast<std::uint32_t>(s.to_place > 0 ? num_arrangements() : cubes_)));
  }

  void legal_actions(const State& s, std::vector<Action>& actions) const {
    const Moves moves = all_moves(s);
    actions.assign(moves.actions.begin(), moves.actions.begin() + moves.count);
    std::sort(actions.begin(), actions.end());
  }
  Action random_action(const State& s, Rng& rng) const {
    const Moves moves = all_moves(s);
    return moves.actions[rng.below(static_cast<std::uint32_t>(moves.count))];
  }

  void apply(State& s, Action action) const {
    if (s.to_place > 0) {
      arrange(s, 2 - s.to_place, action);
    } else if (s.roll == 0) {
      s.roll = static_cast<std::uint8_t>(action + 1);
    } else {
      const int from = action / 3, to = target(action);
      auto& own = s.cell[s.turn];
      auto& other = s.cell[1 - s.turn];
      // Whatever stands there is captured, one's own cubes too.
      for (auto& cell : own)
        cell = cell == to ? std::int8_t{-1} : cell == from ? static_cast<std::int8_t>(to) : cell;
      for (auto& cell : other) cell = cell == opposite(to) ? std::int8_t{-1} : cell;
      const bool wiped_out = std::all_of(other.begin(), other.end(), [](int cell) { return cell < 0; });
      if (to == size_ * size_ - 1 || wiped_out) s.winner = static_cast<std::int8_t>(s.turn);
      s.turn ^= 1;
      s.roll = 0;
    }
  }

  double first_player_return(const State& s) const { return s.winner < 0 ? 0.0 : s.winner == 0 ? 1.0 : -1.0; }

  // [3 * cubes + 4, size, size], the viewer's corner first: a plane for each of its cubes and the other's,
  // the roll as one of `cubes` planes of ones, and who acts as one of four: viewer, other, chance, nobody.
  void observe(const State& s, int viewer, std::span<float> tensor) const {
    const int cells = size_ * size_;
    for (int cube = 0; cube < cubes_; ++cube) {
      const int own = cell_of(s, viewer, cube), other = cell_of(s, 1 - viewer, cube);
      if (own >= 0) tensor[static_cast<std::size_t>(cube * cells + own)] = 1.0f;
      if (other >= 0) tensor[static_cast<std::size_t>((cubes_ + cube) * cells + opposite(other))] = 1.0f;
    }
    const auto fill = [&](int plane) { std::fill_n(tensor.begin() + plane * cells, cells, 1.0f); };
    if (s.roll > 0) fill(2 * cubes_ + s.roll - 1);
    const int actor = player(s);
    fill(3 * cubes_ + (actor == viewer ? 0 : actor >= 0 ? 1 : actor == kChancePlayer ? 2 : 3));
  }

  // The cube and where it goes, "3-diag", "3-down*", in the mover's view of the board; * captures.
  std::string action_string(const State& s, Action action) const {
    if (s.to_place > 0) {
      std::string text = "place ";
      const Arrangement& order = arrangements_[static_cast<std::size_t>(action)];
      for (int i = 0; i < cubes_; ++i) text += static_cast<char>('1' + order[static_cast<std::size_t>(i)]);
      return text;
    }
    if (s.roll == 0) return "roll " + std::to_string(action + 1);
    static const char* const kSteps[] = {"-diag", "-down", "-right"};
    const auto& own = s.cell[s.turn];
    const auto& other = s.cell[1 - s.turn];
    const auto cube = std::find(own.begin(), own.end(), action / 3) - own.begin();
    const int to = target(action);
    const bool captures = std::find(own.begin(), own.end(), to) != own.end() ||
                          std::find(other.begin(), other.end(), opposite(to)) != other.end();
    return std::to_string(cube + 1) + kSteps[action % 3] + (captures ? "*" : "");
  }

  // Rows from player 0's corner: its cubes x1.., player 1's o1...
  std::string to_string(const State& s) const {
    std::string text;
    for (int cell = 0; cell < size_ * size_; ++cell) {
      std::string mark = " .";
      for (int cube = 0; cube < cubes_; ++cube) {
        if (cell_of(s, 0, cube) == cell) mark = "x" + std::to_string(cube + 1);
        if (cell_of(s, 1, cube) == opposite(cell)) mark = "o" + std::to_string(cube + 1);
      }
      text += mark + (cell % size_ == size_ - 1 ? "\n" : " ");
    }
    const std::string mover = s.turn == 0 ? "x" : "o";
    if (s.winner >= 0) return text + (s.winner == 0 ? "x won" : "o won");
    if (s.to_place > 0) return text + (s.to_place == 2 ? "x" : "o") + " to be placed";
    return text + mover + (s.roll == 0 ? " to roll" : " to move " + std::to_string(s.roll));
  }

  std::uint64_t key(const State& s) const {
    std::uint64_t key = static_cast<std::uint64_t>(s.winner + 1);
    const auto push = [&](std::uint64_t digit, std::uint64_t base) { key = key * base + digit; };
    for (const auto& side : s.cell) {
      for (const int cell : side) push(static_cast<std::uint64_t>(cell + 1), 26);
    }
    push(s.roll, 7);
    push(s.turn, 2);
    push(s.to_place, 3);
    return key;
  }

  // Rows for columns, with the steps down and right.
  std::vector<Symmetry> symmetries() const {
    std::vector<Symmetry> all(2);
    for (int cell = 0; cell < size_ * size_; ++cell) {
      const int mirrored = cell % size_ * size_ + cell / size_;
      all[0].cells.push_back(cell);
      all[1].cells.push_back(mirrored);
      for (const int step : {kDiagonal, kDown, kRight}) all[0].actions.push_back(3 * cell + step);
      for (const int step : {kDiagonal, kRight, kDown}) all[1].actions.push_back(3 * mirrored + step);
    }
    return all;
  }

 private:
  enum Step { kDiagonal, kDown, kRight };
  // The cube on each of the corner's cells, row by row on the board as player 0 sees it.
  using Arrangement = std::array<std::int8_t, kMaxCubes>;

  int num_arrangements() const { return static_cast<int>(arrangements_.size()); }

  int opposite(int cell) const { return size_ * size_ - 1 - cell; }
  int target(Action action) const {
    const int step = action % 3;
    return action / 3 + (step == kRight ? 0 : size_) + (step == kDown ? 0 : 1);
  }
  int cell_of(const State& s, int player, int cube) const {
    return s.cell[static_cast<std::size_t>(player)][static_cast<std::size_t>(cube)];
  }

  struct Moves {
    std::array<Action, 6> actions;
    int count = 0;
  };

  // Of the cube of the roll, or where it is gone of the next lower and the next higher.
  Moves all_moves(const State& s) const {
    Moves moves;
    const auto add = [&](int cube) {
      const int cell = cell_of(s, s.turn, cube);
      const bool right = cell % size_ < size_ - 1, down = cell / size_ < size_ - 1;
      const auto push = [&](int step) {
        moves.actions[static_cast<std::size_t>(moves.count++)] = 3 * cell + step;
      };
      if (right && down) push(kDiagonal);
      if (down) push(kDown);
      if (right) push(kRight);
    };
    const int wanted = s.roll - 1;
    if (cell_of(s, s.turn, wanted) >= 0) {
      add(wanted);
      return moves;
    }
    int lower = wanted, higher = wanted;
    while (--lower >= 0 && cell_of(s, s.turn, lower) < 0) continue;
    while (++higher < cubes_ && cell_of(s, s.turn, higher) < 0) continue;
    if (lower >= 0) add(lower);
    if (higher < cubes_) add(higher);
    return moves;
  }

  void arrange(State& s, int player, int index) const {
    const Arrangement& order = arrangements_[static_cast<std::size_t>(index)];
    for (std::size_t i = 0; i < corner_.size(); ++i) {
      // Player 1 counts from the other corner, so its cells come in the other order.
      const int cell = player == 0 ? corner_[i] : corner_[corner_.size() - 1 - i];
      s.cell[static_cast<std::size_t>(player)][static_cast<std::size_t>(order[i])] =
          static_cast<std::int8_t>(cell);
    }
    --s.to_place;
  }

  int size_;
  int layers_;
  int cubes_ = 0;
  std::string setup_;
  std::vector<int> corner_;  // the cells a side starts on, ascending
  std::vector<Arrangement> arrangements_;
};

static_assert(NativeGame<Einstein>);

}  // namespace dicezero
