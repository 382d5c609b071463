// Go on boards of 2 to 19 lines: area scoring, no suicide, positional superko. Player 0 is Black.
//
// A move that would repeat any earlier whole-board position is illegal; passing never is. Positions are
// compared by their 64-bit Zobrist hashes and the boards themselves are not kept, so that states stay small:
// a game of 722 moves makes fewer than 2^28 comparisons, and one of them goes wrong with a chance below
// 2^-36. Only points on which the mover has lost a stone are compared at all: elsewhere its stone cannot have
// stood before. Two passes in a row end the game, and so does its length (as in OpenSpiel twice the number of
// points, unless given); all stones then on the board count as alive.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rules/auxiliary.h"
#include "rules/game.h"
#include "rules/go_chains.h"
#include "rules/go_planes.h"
#include "rules/go_playout.h"
#include "rules/go_text.h"
#include "rules/position_history.h"

namespace dicezero {

class Go {
 public:
  struct State {
    std::array<PointSet, 2> stones;
    std::array<PointSet, 2> lost;  // points on which a colour once lost a stone
    std::uint64_t hash = 0;        // of the stones alone
    PositionHistory seen;          // every position so far, this one among them
    std::array<std::int16_t, kGoLastMoves> last{-1, -1, -1, -1, -1};  // actions, newest first; -1: none
    std::int16_t plies = 0;
    std::int8_t turn = 0;
    std::int8_t passes = 0;  // in a row
  };

  static constexpr bool kAlternates = true;

  Go(int board_size, double komi, int max_moves)
      : table_(checked_table(board_size)), komi_(komi), given_length_(max_moves) {
    if (!(std::abs(komi) <= kMostGoPoints)) throw out_of_range("go", "komi", komi, "-361..361, such as 7.5");
    if (max_moves < 0 || max_moves > kMostLength)
      throw out_of_range("go", "max_moves", max_moves, "0..10000 (0: twice the points)");
    length_ = max_moves > 0 ? max_moves : 2 * table_->points;
  }
  static std::vector<ParameterInfo> parameter_info() {
    return {{"board_size", 19, "2..19", "lines of the board"},
            {"komi", 7.5, "-361..361", "points White has beforehand"},
            {"max_moves", 0, "0..10000",
             "moves after which the game is scored as it stands; 0: twice the points"}};
  }
  static Go make(const Parameters& p) {
    return Go(p.get<int>("board_size"), p.get<double>("komi"), p.get<int>("max_moves"));
  }

  std::string name() const { return "go"; }
  std::vector<Parameter> parameters() const {
    return {{"board_size", size()}, {"komi", komi_}, {"max_moves", given_length_}};
  }

  int size() const { return table_->size; }
  double komi() const { return komi_; }
  Action pass() const { return table_->points; }
  const GoTable& table() const { return *table_; }

  int num_actions() const { return table_->points + 1; }
  int num_chance_outcomes() const { return 0; }
  int num_players() const { return 2; }
  int max_game_length() const { return length_; }
  double min_utility() const { return -1.0; }
  double max_utility() const { return 1.0; }
  Layout layout() const { return Layout::planes; }
  std::vector<int> observation_shape() const { return {kGoPlanes, size(), size()}; }

  State initial_state() const {
    State s;
    s.seen.push(s.hash);
    return s;
  }
  std::string position(const State& s) const {
    return go_position_text(*table_, {s.stones, s.turn, s.passes, s.plies});
  }
  // The game goes on from there with no earlier position to repeat.
  State from_position(const std::string& text) const {
    const GoPosition position = parse_go_position(*table_, text);
    State s;
    s.stones = position.stones, s.plies = static_cast<std::int16_t>(position.plies);
    s.turn = static_cast<std::int8_t>(position.turn), s.passes = static_cast<std::int8_t>(position.passes);
    for (int p = 0; p < table_->points; ++p) {
      for (const int colour : {0, 1}) s.hash ^= s.stones[colour].has(p) ? table_->zobrist[colour][p] : 0;
    }
    s.seen.push(s.hash);
    return s;
  }

  int player(const State& s) const { return s.passes >= 2 || s.plies >= length_ ? kTerminalPlayer : s.turn; }
  int turn(const State& s) const { return s.turn; }

  void legal_actions(const State& s, std::vector<Action>& actions) const {
    legal_points(s, GoChains(*table_, s.stones), actions);
    actions.push_back(pass());
  }
  void outcomes(const State&, std::vector<Outcome>& outcomes) const { outcomes.clear(); }

  void apply(State& s, Action action) const {
    if (action == pass()) {
      ++s.passes;
    } else {
      const int mover = s.turn & 1;
      s.passes = 0;
      s.stones[mover].add(action);
      s.hash ^= table_->zobrist[mover][action];
      for (const int q : table_->neighbours[action]) {
        if (s.stones[1 - mover].has(q)) remove_if_dead(s, q, 1 - mover);
      }
      s.seen.push(s.hash);
    }
    std::copy_backward(s.last.begin(), s.last.end() - 1, s.last.end());
    s.last[0] = static_cast<std::int16_t>(action);
    ++s.plies;
    s.turn ^= 1;
  }

  // Black's area minus White's minus komi.
  double score(const State& s) const { return go_area_lead(*table_, s.stones) - komi_; }
  double first_player_return(const State& s) const { return sign(score(s)); }

  // Whose each point is in the end, and by how much.
  AuxiliaryShape auxiliary_shape() const { return {.planes = 1, .numbers = 1}; }
  void auxiliary_targets(const State& s, std::span<float> targets) const {
    std::array<std::int8_t, kMostGoPoints> owner;
    go_owners(*table_, s.stones, owner);
    std::copy_n(owner.begin(), table_->points, targets.begin());
    targets[table_->points] = static_cast<float>(score(s) / (table_->points + std::abs(komi_)));
  }

  // Uniformly random legal moves, passes among them, to the end.
  double random_return(const State& s, Rng& rng) const {
    std::uint64_t plies = 0;
    return random_game(s, rng, plies);
  }
  // The same; adds the plies to `plies`.
  double random_game(const State& s, Rng& rng, std::uint64_t& plies) const {
    return play_randomly(s, plies, [&](const GoPlayout& board, int turn) {
      // Points are drawn until one is legal: so every legal move is as likely as the others.
      for (;;) {
        const auto i = static_cast<int>(rng.below(static_cast<std::uint32_t>(board.num_empty()) + 1));
        if (i == board.num_empty()) return GoPlayout::kPass;
        if (board.is_legal(board.empty_spot(i), turn)) return board.empty_spot(i);
      }
    });
  }
  // Random moves that fill no eye of their own; a player passes only when there is no other. Ends soon, with
  // hardly a dead stone on the board: what Monte Carlo programs play.
  double sensible_return(const State& s, Rng& rng) const {
    std::uint64_t plies = 0;
    return play_randomly(s, plies, [&](const GoPlayout& board, int turn) {
      const int count = board.num_empty();
      if (count == 0) return GoPlayout::kPass;
      // From a random point onwards: not quite uniform, but one draw finds a move if there is one.
      const auto start = static_cast<int>(rng.below(static_cast<std::uint32_t>(count)));
      for (int i = 0; i < count; ++i) {
        const int spot = board.empty_spot(start + i < count ? start + i : start + i - count);
        if (!board.is_own_eye(spot, turn) && board.is_legal(spot, turn)) return spot;
      }
      return GoPlayout::kPass;
    });
  }

  // [15, size, size]: go_planes.h.
  void observe(const State& s, int viewer, std::span<float> tensor) const {
    const GoChains chains(*table_, s.stones);
    std::vector<Action> legal;
    if (player(s) >= 0) legal_points(s, chains, legal);
    write_go_planes(*table_, chains, {legal, s.last, viewer, komi_, s.passes > 0}, tensor);
  }

  std::string action_string(const State&, Action action) const { return go_vertex(*table_, action); }
  // Vertices in any case ("d4", "Pass"); none where the text names no legal move.
  std::optional<Action> parse_action(const State& s, const std::string& text) const {
    const int action = parse_go_vertex(*table_, text);
    std::vector<Action> legal;
    legal_actions(s, legal);
    if (!std::binary_search(legal.begin(), legal.end(), action)) return std::nullopt;
    return action;
  }
  std::string to_string(const State& s) const { return go_board_text(*table_, s.stones); }

  // Exact in the position; the multiset of earlier positions goes in as one number.
  std::array<std::uint64_t, 14> key(const State& s) const {
    std::array<std::uint64_t, 14> key{};
    std::copy(s.stones[0].words.begin(), s.stones[0].words.end(), key.begin());
    std::copy(s.stones[1].words.begin(), s.stones[1].words.end(), key.begin() + 6);
    key[12] = static_cast<std::uint64_t>(s.turn | s.passes << 1 | s.plies << 4);
    s.seen.for_each([&](std::uint64_t hash) { key[13] += mix64(hash); });
    return key;
  }
  // For transposition tables: without what the game went through.
  std::uint64_t hash(const State& s) const {
    return mix64(s.hash + static_cast<std::uint64_t>(s.turn | s.passes << 1));
  }

  // Four quarter turns, each as it is and mirrored.
  std::vector<Symmetry> symmetries() const {
    std::vector<Symmetry> all(8);
    const int n = size();
    for (int i = 0; i < 8; ++i) {
      for (int p = 0; p < table_->points; ++p) {
        int row = p / n, column = p % n;
        if (i & 4) column = n - 1 - column;
        for (int turns = 0; turns < (i & 3); ++turns) row = std::exchange(column, n - 1 - row);
        all[i].cells.push_back(row * n + column);
      }
      all[i].actions = all[i].cells;
      all[i].actions.push_back(pass());
    }
    return all;
  }

 private:
  static constexpr int kMostLength = 10000;

  static std::shared_ptr<const GoTable> checked_table(int size) {
    if (size < 2 || size > kMostGoSize) throw out_of_range("go", "board_size", size, "2..19");
    return std::make_shared<const GoTable>(size);
  }
  static double sign(double lead) { return lead > 0 ? 1.0 : lead < 0 ? -1.0 : 0.0; }

  void legal_points(const State& s, const GoChains& chains, std::vector<Action>& actions) const {
    actions.clear();
    for (int p = 0; p < table_->points; ++p) {
      if (!chains.is_empty(p) || !chains.breathes(p, s.turn)) continue;
      if (s.lost[s.turn].has(p) && s.seen.contains(s.hash ^ chains.hash_change(p, s.turn))) continue;
      actions.push_back(p);
    }
  }

  // Takes the chain at the point off the board unless it has a liberty.
  void remove_if_dead(State& s, int start, int colour) const {
    std::array<std::int16_t, kMostGoPoints> chain;
    PointSet visited;
    int size = 0;
    chain[size++] = static_cast<std::int16_t>(start);
    visited.add(start);
    for (int i = 0; i < size; ++i) {
      for (const int q : table_->neighbours[chain[i]]) {
        if (s.stones[colour].has(q)) {
          if (!visited.has(q)) chain[size++] = static_cast<std::int16_t>(q);
          visited.add(q);
        } else if (!s.stones[1 - colour].has(q)) {
          return;
        }
      }
    }
    for (int i = 0; i < size; ++i) {
      s.stones[colour].remove(chain[i]);
      s.lost[colour].add(chain[i]);
      s.hash ^= table_->zobrist[colour][chain[i]];
    }
  }

  template <class Choose>
  double play_randomly(const State& s, std::uint64_t& plies, Choose choose) const {
    if (player(s) == kTerminalPlayer) return first_player_return(s);
    thread_local GoPlayout board;
    board.set_up(*table_, s.stones, s.lost, s.seen, s.hash, length_);
    int turn = s.turn, passes = s.passes, made = s.plies;
    for (; passes < 2 && made < length_; ++made, turn ^= 1) {
      const int spot = choose(board, turn);
      passes = spot == GoPlayout::kPass ? passes + 1 : 0;
      if (spot != GoPlayout::kPass) board.play(spot, turn);
    }
    plies += static_cast<std::uint64_t>(made - s.plies);
    return sign(board.area_lead() - komi_);
  }

  std::shared_ptr<const GoTable> table_;
  double komi_;
  int given_length_;
  int length_;
};

static_assert(Game<Go>);

}  // namespace dicezero
