// Backgammon: 15 checkers a side, two dice, hits, doubles, gammons. Without the doubling cube.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/backgammon_board.h"
#include "rules/backgammon_features.h"
#include "rules/backgammon_moves.h"
#include "rules/backgammon_notation.h"
#include "rules/game.h"

namespace dicezero {

class Backgammon {
 public:
  static constexpr bool kAlternates = false;  // a double is two actions of one player

  struct State {
    BackgammonBoard board;
    std::uint8_t turn = 0;   // who moves, or will when the dice have fallen
    std::uint8_t large = 0;  // the larger die; 0: the dice are still to fall
    std::uint8_t small = 0;
    std::uint8_t second_half = 0;                // of a double
    std::uint8_t limit = BackgammonBoard::kBar;  // its moves go on from no higher point than the last one's
    std::uint8_t opening = 1;                    // the first roll is no double
    std::uint8_t points = 0;  // what the game was won by: 1, 2 (gammon) or 3 (backgammon); 0 while it goes on
    std::uint8_t winner = 0;
  };
  using Key = std::array<std::uint64_t, 2>;

  Backgammon(const std::string& start, const std::string& scoring, const std::string& observation)
      : start_(start), scoring_(scoring), observation_(observation) {
    if (start == "standard") {
      set_up({{24, 2}, {13, 5}, {8, 3}, {6, 5}});
    } else if (start == "nackgammon") {
      set_up({{24, 2}, {23, 2}, {13, 4}, {8, 3}, {6, 4}});
    } else if (start == "hyper") {
      set_up({{24, 1}, {23, 1}, {22, 1}});
    } else if (start == "hyper2") {
      set_up({{24, 1}, {23, 1}});
    } else if (start == "hyper1") {
      set_up({{24, 1}});
    } else {
      throw out_of_range("backgammon", "start", start, "standard, nackgammon, hyper, hyper2 or hyper1");
    }
    if (scoring != "full" && scoring != "gammons" && scoring != "winloss") {
      throw out_of_range("backgammon", "scoring", scoring, "full, gammons or winloss");
    }
    most_points_ = scoring == "full" ? 3 : scoring == "gammons" ? 2 : 1;
    if (observation != "rich" && observation != "classical") {
      throw out_of_range("backgammon", "observation", observation, "rich or classical");
    }
    rich_ = observation == "rich";
  }

  std::string name() const { return "backgammon"; }
  std::vector<Parameter> parameters() const {
    return {{"start", start_}, {"scoring", scoring_}, {"observation", observation_}};
  }
  static std::vector<ParameterInfo> parameter_info() {
    return {{"start", std::string("standard"), "standard, nackgammon, hyper, hyper2, hyper1",
             "where the checkers stand; hyper: three a side on 24, 23 and 22, hyper2 and hyper1 with two and "
             "one"},
            {"scoring", std::string("full"), "full, gammons, winloss",
             "what counts: 1 to 3 points, gammons and backgammons both 2, or 1 for any win"},
            {"observation", std::string("rich"), "rich, classical",
             "what a network sees: TD-Gammon's inputs, and with rich shots, primes and timing too"}};
  }

  static Backgammon make(const Parameters& p) {
    return Backgammon(p.get<std::string>("start"), p.get<std::string>("scoring"),
                      p.get<std::string>("observation"));
  }

  int checkers() const { return checkers_; }
  int num_actions() const { return BackgammonPairs::kCount; }
  int num_chance_outcomes() const {
    return 21;
  }  // the larger die L and the smaller S: L * (L - 1) / 2 + S - 1
  int num_players() const { return 2; }
  int max_game_length() const { return 0; }  // hits send checkers back: no bound
  double min_utility() const { return -most_points_; }
  double max_utility() const { return most_points_; }
  std::vector<int> observation_shape() const {
    const int classical = backgammon::kClassicalFeatures + 12 + 1 + 4;
    return {rich_ ? classical + backgammon::kRichFeatures + 2 : classical};
  }
  int phases() const { return rich_ ? 2 : 1; }  // contact, and the race once the sides have passed each other
  Layout layout() const { return Layout::flat; }

  State initial_state() const {
    State s;
    s.board.checkers = {start_checkers_, start_checkers_};
    return s;
  }

  bool mid_turn(const State& s) const { return s.second_half != 0; }
  std::vector<double> results() const {
    std::vector<double> all;
    for (int points = -most_points_; points <= most_points_; ++points) {
      if (points != 0) all.push_back(points);
    }
    return all;
  }

  int turn(const State& s) const { return s.turn; }
  int player(const State& s) const {
    return s.points != 0 ? kTerminalPlayer : s.large == 0 ? kChancePlayer : s.turn;
  }

  // Both roll and ties are rolled again; the higher, player 0 by definition, plays both dice.
  void outcomes(const State& s, std::vector<Outcome>& outcomes) const {
    outcomes.clear();
    for (int large = 1; large <= 6; ++large) {
      for (int small = 1; small <= large; ++small) {
        if (s.opening && large == small) continue;
        const double weight = large == small ? 1.0 : 2.0;
        outcomes.push_back({roll_id(large, small), weight / (s.opening ? 30.0 : 36.0)});
      }
    }
  }
  Action random_outcome(const State& s, Rng& rng) const {
    const int first = 1 + static_cast<int>(rng.below(6));
    int second = 1 + static_cast<int>(rng.below(s.opening ? 5 : 6));
    if (s.opening && second >= first) ++second;
    return first > second ? roll_id(first, second) : roll_id(second, first);
  }

  void legal_actions(const State& s, std::vector<Action>& actions) const { pairs(s).list(actions); }
  Action random_action(const State& s, Rng& rng) const { return pairs(s).random(rng); }

  void apply(State& s, Action action) const {
    if (s.large == 0) {
      s.large = kLarger[static_cast<std::size_t>(action)];
      s.small = static_cast<std::uint8_t>(action + 1 - s.large * (s.large - 1) / 2);
      s.opening = 0;
      return;
    }
    const int first = BackgammonPairs::first(action), second = BackgammonPairs::second(action);
    if (first != 0) s.board.move(s.turn, first, s.large);
    if (second != 0) s.board.move(s.turn, second, s.small);
    const auto& own = s.board.checkers[s.turn];
    if (own[BackgammonBoard::kOff] == checkers_) {
      s.winner = s.turn;
      s.points = static_cast<std::uint8_t>(std::min(most_points_, points_won(s)));
    } else if (s.large == s.small && !s.second_half && second != 0) {
      // The other half of a double, if there is anything left of it.
      s.limit = static_cast<std::uint8_t>(second);
      s.second_half = 1;
      if ((BackgammonView(s.board, s.turn).sources(s.large) & backgammon::up_to(second)) != 0) return;
    }
    s.turn ^= 1;
    s.large = s.small = 0;
    s.second_half = 0;
    s.limit = BackgammonBoard::kBar;
  }

  double first_player_return(const State& s) const { return s.winner == 0 ? s.points : -1.0 * s.points; }

  // [213] the board's features from the viewer's side [196], the larger die as one of six and the smaller
  // (none before they fall), whether it is the second half of a double, and who acts: viewer, other, chance,
  // nobody. Rich [251]: then both sides' tactics [36], and whether it is contact or a race [2].
  void observe(const State& s, int viewer, std::span<float> tensor) const {
    backgammon::classical_features(s.board, viewer, checkers_, tensor);
    std::size_t i = backgammon::kClassicalFeatures;
    for (const int die : {int{s.large}, int{s.small}}) {
      for (int face = 1; face <= 6; ++face) tensor[i++] = die == face ? 1.0f : 0.0f;
    }
    tensor[i++] = s.second_half ? 1.0f : 0.0f;
    const int actor = player(s);
    for (const int who : {viewer, 1 - viewer, kChancePlayer, kTerminalPlayer})
      tensor[i++] = actor == who ? 1.0f : 0.0f;
    if (!rich_) return;
    const bool contact =
        backgammon::rich_features(s.board, viewer, tensor.subspan(i, backgammon::kRichFeatures));
    tensor[tensor.size() - 2] = contact ? 1.0f : 0.0f;
    tensor[tensor.size() - 1] = contact ? 0.0f : 1.0f;
  }

  std::string action_string(const State& s, Action action) const {
    if (s.large == 0) {
      const int large = kLarger[static_cast<std::size_t>(action)];
      return "roll " + std::to_string(large) + std::to_string(action + 1 - large * (large - 1) / 2);
    }
    return backgammon::move_text(BackgammonView(s.board, s.turn), s.large, s.small,
                                 BackgammonPairs::first(action), BackgammonPairs::second(action));
  }

  // Each side's checkers in its own counting, then what happens next; x is player 0.
  std::string to_string(const State& s) const {
    std::string text =
        "x " + backgammon::side_text(s.board, 0) + "  o " + backgammon::side_text(s.board, 1) + "; ";
    const std::string mover = s.turn == 0 ? "x" : "o";
    if (s.points != 0) return text + (s.winner == 0 ? "x won " : "o won ") + std::to_string(s.points);
    if (s.opening) return text + "opening roll";
    if (s.large == 0) return text + mover + " to roll";
    return text + mover + " to move " + std::to_string(s.large) + std::to_string(s.small) +
           (s.second_half ? ", second half" : "");
  }

  Key key(const State& s) const {
    const auto bits = backgammon::position_bits(s.board, s.turn);
    std::uint64_t rest = bits[1];  // 16 bits
    for (const unsigned field :
         {unsigned{s.turn}, unsigned{s.large}, unsigned{s.small}, unsigned{s.second_half}, unsigned{s.limit},
          unsigned{s.opening}, unsigned{s.points}, unsigned{s.winner}}) {
      rest = rest << 5 | field;
    }
    return {bits[0], rest};
  }

  // GNU Backgammon's position ID before a roll, an XGID with the dice after it; the mover's view.
  std::string position(const State& s) const {
    if (s.second_half) {
      throw std::invalid_argument(
          "backgammon: the middle of a double has no position ID; play on to the roll");
    }
    if (s.large == 0) return backgammon::position_id(s.board, s.turn);
    return backgammon::xgid(s.board, s.turn, s.large, s.small);
  }
  State from_position(const std::string& text) const {
    const backgammon::ParsedPosition parsed = backgammon::parse_position(text, checkers_);
    State s;
    s.board = parsed.board;
    s.large = static_cast<std::uint8_t>(parsed.large);
    s.small = static_cast<std::uint8_t>(parsed.small);
    s.opening = 0;
    return s;
  }

  // The positions after every way to play the turn to its end, each once.
  std::vector<BackgammonBoard> boards_after_turn(const State& s) const {
    std::vector<BackgammonBoard> boards;
    std::vector<State> halves{s};
    std::vector<Action> actions;
    while (!halves.empty()) {
      const State half = halves.back();
      halves.pop_back();
      legal_actions(half, actions);
      for (const Action action : actions) {
        State after = half;
        apply(after, action);
        if (player(after) == s.turn) halves.push_back(after);
        if (player(after) != s.turn) boards.push_back(after.board);
      }
    }
    return boards;
  }

  BackgammonPairs pairs(const State& s) const {
    const BackgammonView view(s.board, s.turn);
    return s.large != s.small ? backgammon::mixed_pairs(view, s.large, s.small)
                              : backgammon::double_pairs(view, s.large, s.limit, s.second_half ? 2 : 4);
  }

 private:
  static constexpr std::array<std::uint8_t, 21> kLarger = {1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5,
                                                           5, 5, 5, 5, 6, 6, 6, 6, 6, 6};
  struct Stack {
    std::size_t point;
    std::uint8_t count;
  };

  static Action roll_id(int large, int small) { return large * (large - 1) / 2 + small - 1; }

  void set_up(std::initializer_list<Stack> stacks) {
    for (const auto& [point, count] : stacks) {
      start_checkers_[point] = count;
      checkers_ += count;
    }
  }

  // 2 if the loser has borne off none, 3 if it also has a checker on the bar or in the winner's home board.
  int points_won(const State& s) const {
    const auto& loser = s.board.checkers[1 - s.turn];
    if (loser[BackgammonBoard::kOff] > 0) return 1;
    for (std::size_t p = 19; p <= 25; ++p) {
      if (loser[p] > 0) return 3;
    }
    return 2;
  }

  std::string start_;
  std::string scoring_;
  std::string observation_;
  std::array<std::uint8_t, 26> start_checkers_{};
  int checkers_ = 0;
  int most_points_;
  bool rich_;
};

static_assert(NativeGame<Backgammon>);

}  // namespace dicezero
