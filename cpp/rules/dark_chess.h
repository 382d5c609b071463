// Chinese dark chess (banqi): pieces lie face down, a turn flips one or moves an own one. A flip is a chance
// node.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/dark_chess_pieces.h"
#include "rules/game.h"

namespace dicezero {

class DarkChess {
 public:
  static constexpr bool kAlternates = true;
  static constexpr int kMaxCells = 32;
  static constexpr int kEmpty = 14, kHidden = 15;  // what a cell holds besides a piece, 0..13

  // The first piece turned up is player 0's by definition, as chance would have it with either colour; player
  // 0's pieces are 0..6 and shown in red, player 1's are 7..13. Outcomes of chance are counted like the
  // planes of an observation, from the view of who flips: 0..6 is an own piece, 7..13 one of the other's. A
  // model that sees own and other pieces, and not who is red, could not know otherwise whose piece came up.
  struct State {
    std::array<std::uint8_t, kMaxCells> cell;                 // row by row
    std::array<std::uint32_t, 16> where{};                    // the cells that hold each of 0..15
    std::array<std::uint8_t, dark_chess::kPieces> face_down;  // how many of each piece
    std::int8_t flipped = -1;                                 // the cell that chance is to turn up
    std::uint8_t turn = 0;                                    // who moves, or moved where chance acts
    std::uint8_t quiet = 0;                                   // moves since the last flip or capture
    std::int8_t winner = kNobody;
  };
  using Key = std::array<std::uint64_t, 3>;

  DarkChess(int rows, int columns, const std::string& pieces, int max_no_progress)
      : rows_(rows), columns_(columns), pieces_(pieces), max_no_progress_(max_no_progress) {
    const std::string game = "banqi";
    if (rows < 1 || rows > 4) throw out_of_range(game, "rows", rows, "1..4");
    if (columns < 2 || columns > 8) throw out_of_range(game, "columns", columns, "2..8");
    if (max_no_progress < 1 || max_no_progress > 200) {
      throw out_of_range(game, "max_no_progress", max_no_progress, "1..200");
    }
    for (int at = 0; at < cells(); ++at) {
      std::uint32_t& near = near_[static_cast<std::size_t>(at)];
      if (at >= columns) near |= bit(at - columns);
      if (at % columns > 0) near |= bit(at - 1);
      if (at % columns < columns - 1) near |= bit(at + 1);
      if (at + columns < cells()) near |= bit(at + columns);
    }
    const std::string letters = dark_chess::piece_letters(pieces, rows * columns);
    for (const char letter : letters) {
      const std::size_t kind = dark_chess::kLetters.find(letter);
      if (kind == std::string::npos || ++set_[kind] > dark_chess::kFullSet[kind]) {
        throw out_of_range(game, "pieces", pieces, "letters of GAAEERRHHCCSSSSS, a side's pieces");
      }
    }
    if (2 * static_cast<int>(letters.size()) != rows * columns) {
      throw out_of_range(game, "pieces", pieces,
                         std::to_string(rows * columns) + "/2 letters of GAAEERRHHCCSSSSS to fill the board");
    }
  }

  std::string name() const { return "banqi"; }
  static std::vector<ParameterInfo> parameter_info() {
    return {{"rows", 4, "1..4", "rows of the board"},
            {"columns", 8, "2..8", "columns of the board"},
            {"pieces", std::string("standard"), "standard, or rows*columns/2 letters of GAAEERRHHCCSSSSS",
             "a side's pieces; standard is all sixteen on 4x8 and GSSS on 2x4"},
            {"max_no_progress", 50, "1..200", "a draw after so many moves without a flip or a capture"}};
  }
  static DarkChess make(const Parameters& p) {
    return DarkChess(p.get<int>("rows"), p.get<int>("columns"), p.get<std::string>("pieces"),
                     p.get<int>("max_no_progress"));
  }
  std::vector<Parameter> parameters() const {
    return {
        {"rows", rows_}, {"columns", columns_}, {"pieces", pieces_}, {"max_no_progress", max_no_progress_}};
  }

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int cells() const { return rows_ * columns_; }

  int num_actions() const { return cells() + cells() * cells(); }  // flip a cell; cells + from * cells + to
  int num_chance_outcomes() const { return dark_chess::kPieces; }
  int num_players() const { return 2; }
  // Every flip and capture starts the count of quiet moves again; a flip is two, with what it shows.
  int max_game_length() const { return 2 * cells() * (max_no_progress_ + 1); }
  double min_utility() const { return -1.0; }
  double max_utility() const { return 1.0; }
  std::vector<int> observation_shape() const { return {kPlanes, rows_, columns_}; }
  Layout layout() const { return Layout::planes; }

  State initial_state() const {
    State s;
    s.cell.fill(kEmpty);
    for (int at = 0; at < cells(); ++at) put(s, at, kHidden);
    for (std::size_t kind = 0; kind < 7; ++kind) s.face_down[kind] = s.face_down[kind + 7] = set_[kind];
    return s;
  }

  int turn(const State& s) const { return s.turn; }
  int player(const State& s) const {
    return s.winner != kNobody ? kTerminalPlayer : s.flipped >= 0 ? kChancePlayer : s.turn;
  }

  void legal_actions(const State& s, std::vector<Action>& actions) const {
    actions.clear();
    each_action(s, [&](Action action) {
      actions.push_back(action);
      return true;
    });
  }

  Action random_action(const State& s, Rng& rng) const {
    std::array<Action, kMaxCells * 5> actions;
    std::uint32_t count = 0;
    each_action(s, [&](Action action) {
      actions[count++] = action;
      return true;
    });
    return actions[rng.below(count)];
  }

  void outcomes(const State& s, std::vector<Outcome>& outcomes) const {
    outcomes.clear();
    const int count = first_flip(s) ? 7 : dark_chess::kPieces;
    double total = 0;
    for (int seen = 0; seen < count; ++seen) total += s.face_down[slot(piece_of(seen, s.turn))];
    for (int seen = 0; seen < count; ++seen) {
      const int left = s.face_down[slot(piece_of(seen, s.turn))];
      if (left > 0) outcomes.push_back({seen, left / total});
    }
  }

  void apply(State& s, Action action) const {
    if (s.flipped < 0 && action < cells()) {  // what it shows is chance's choice
      s.flipped = static_cast<std::int8_t>(action);
      s.quiet = 0;
      return;
    }
    if (s.flipped >= 0) {
      take(s, s.flipped);
      const int piece = piece_of(action, s.turn);
      put(s, s.flipped, piece);
      --s.face_down[slot(piece)];
      s.flipped = -1;
    } else {
      const int from = action / cells() - 1, to = action % cells();
      s.quiet = take(s, to) == kEmpty ? static_cast<std::uint8_t>(s.quiet + 1) : std::uint8_t{0};
      put(s, to, take(s, from));
      put(s, from, kEmpty);
    }
    s.turn ^= 1;
    const bool stuck = each_action(s, [](Action) { return false; });
    if (stuck) s.winner = static_cast<std::int8_t>(1 - s.turn);  // who cannot flip or move has lost
    if (!stuck && s.quiet >= max_no_progress_) s.winner = kDraw;
  }

  double first_player_return(const State& s) const {
    return s.winner == 0 ? 1.0 : s.winner == 1 ? -1.0 : 0.0;
  }

  // [35, rows, columns]: the viewer's pieces by kind [7], the other's [7], face down, how many of each of the
  // viewer's [7] and the other's [7] are face down (as shares of the set), the cell being turned up, quiet
  // moves as a share of the limit, and who acts: viewer, other, chance, nobody.
  void observe(const State& s, int viewer, std::span<float> tensor) const {
    const auto plane = [&](int index) { return tensor.subspan(static_cast<std::size_t>(index * cells())); };
    const auto fill = [&](int index, float value) { std::fill_n(plane(index).begin(), cells(), value); };
    const auto seen_as = [&](int piece) { return piece_of(piece, viewer); };
    for (int at = 0; at < cells(); ++at) {
      const int holds = s.cell[static_cast<std::size_t>(at)];
      if (holds != kEmpty) plane(holds == kHidden ? 14 : seen_as(holds))[static_cast<std::size_t>(at)] = 1.0f;
    }
    for (int piece = 0; piece < dark_chess::kPieces; ++piece) {
      const float of = set_[static_cast<std::size_t>(piece % 7)];
      if (of > 0)
        fill(15 + seen_as(piece), static_cast<float>(s.face_down[static_cast<std::size_t>(piece)]) / of);
    }
    if (s.flipped >= 0) plane(29)[static_cast<std::size_t>(s.flipped)] = 1.0f;
    fill(30, static_cast<float>(s.quiet) / static_cast<float>(max_no_progress_));
    const int actor = player(s);
    fill(31 + (actor == viewer ? 0 : actor >= 0 ? 1 : actor == kChancePlayer ? 2 : 3), 1.0f);
  }

  Key key(const State& s) const {
    Key key{};
    for (std::size_t at = 0; at < s.cell.size(); ++at)
      key[at / 16] |= static_cast<std::uint64_t>(s.cell[at]) << 4 * (at % 16);
    for (const unsigned count : s.face_down) key[2] = key[2] << 3 | count;
    key[2] = key[2] << 6 | static_cast<unsigned>(s.flipped + 1);
    key[2] = key[2] << 1 | s.turn;
    key[2] = key[2] << 8 | s.quiet;
    return key;
  }

  std::string action_string(const State& s, Action action) const;
  // Rows 1.. from the top, columns a..; capitals are red, ? lies face down.
  std::string to_string(const State& s) const;
  std::vector<Symmetry> symmetries() const;

 private:
  static constexpr int kPlanes = 14 + 1 + 14 + 1 + 1 + 4;
  static constexpr std::int8_t kNobody = -1, kDraw = 2;

  bool first_flip(const State& s) const { return std::popcount(s.where[kHidden]) == cells(); }

  // From a view to the piece, and back: player 0's own view is the board's.
  static int piece_of(int seen, int viewer) { return viewer == 0 ? seen : (seen + 7) % dark_chess::kPieces; }
  static std::size_t slot(int piece) { return static_cast<std::size_t>(piece); }

  static std::uint32_t bit(int at) { return 1u << at; }
  static void put(State& s, int at, int holds) {
    s.cell[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(holds);
    s.where[static_cast<std::size_t>(holds)] |= bit(at);
  }
  static int take(State& s, int at) {
    const int held = s.cell[static_cast<std::size_t>(at)];
    s.where[static_cast<std::size_t>(held)] &= ~bit(at);
    return held;
  }

  // Calls visit with the legal actions in ascending order until it answers false. True if it never did.
  template <class F>
  bool each_action(const State& s, F&& visit) const {
    for (std::uint32_t rest = s.where[kHidden]; rest != 0; rest &= rest - 1) {
      if (!visit(std::countr_zero(rest))) return false;
    }
    std::uint32_t own = 0;
    for (std::size_t kind = 0; kind < 7; ++kind) own |= s.where[7 * s.turn + kind];
    const std::array<std::uint32_t, 7> prey = dark_chess::prey(s.where, 1 - s.turn);
    for (; own != 0; own &= own - 1) {
      const int from = std::countr_zero(own);
      const auto kind = static_cast<std::size_t>(s.cell[static_cast<std::size_t>(from)] % 7);
      std::uint32_t to = near_[static_cast<std::size_t>(from)] & (s.where[kEmpty] | prey[kind]);
      if (kind == dark_chess::kCannon) to |= jumps(s, from);
      for (; to != 0; to &= to - 1) {
        if (!visit(cells() + from * cells() + std::countr_zero(to))) return false;
      }
    }
    return true;
  }

  // What a cannon takes: the next piece behind the first one in its way, face down or not.
  std::uint32_t jumps(const State& s, int from) const;

  std::string square(int at) const {
    return std::string(1, static_cast<char>('a' + at % columns_)) + std::to_string(at / columns_ + 1);
  }

  int rows_;
  int columns_;
  std::string pieces_;
  int max_no_progress_;
  std::array<std::uint8_t, 7> set_{};            // a side's pieces by kind
  std::array<std::uint32_t, kMaxCells> near_{};  // the cells next to each
};

inline std::uint32_t DarkChess::jumps(const State& s, int from) const {
  std::uint32_t taken = 0;
  for (const auto& [row_step, column_step] : {std::pair{-1, 0}, {0, -1}, {0, 1}, {1, 0}}) {
    int screens = 0;
    for (int row = from / columns_ + row_step, column = from % columns_ + column_step;
         row >= 0 && row < rows_ && column >= 0 && column < columns_;
         row += row_step, column += column_step) {
      const int at = row * columns_ + column, holds = s.cell[static_cast<std::size_t>(at)];
      if (holds == kEmpty || screens++ == 0) continue;
      if (dark_chess::opponents(s.cell[static_cast<std::size_t>(from)], holds)) taken |= bit(at);
      break;
    }
  }
  return taken;
}

static_assert(NativeGame<DarkChess>);

}  // namespace dicezero

#include "rules/dark_chess_text.h"
