// Take-away: a heap of stones, one to `most` taken at a time; whoever takes the last one wins.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "rules/game.h"

namespace dicezero {

class TakeAway {
 public:
  struct State {
    int stones;
    int turn = 0;
  };

  static constexpr bool kAlternates = true;

  TakeAway(int stones, int most) : stones_(stones), most_(most) {
    if (stones < 1 || stones > 1000) throw out_of_range("take_away", "stones", stones, "1..1000");
    if (most < 1 || most > 20) throw out_of_range("take_away", "most", most, "1..20");
  }

  static std::vector<ParameterInfo> parameter_info() {
    return {{"stones", 21, "1..1000", "stones at the start"}, {"most", 3, "1..20", "stones a turn, at most"}};
  }
  static TakeAway make(const Parameters& p) { return TakeAway(p.get<int>("stones"), p.get<int>("most")); }

  std::string name() const { return "take_away"; }
  std::vector<Parameter> parameters() const { return {{"stones", stones_}, {"most", most_}}; }

  int num_actions() const { return most_; }  // action a takes a + 1
  int num_chance_outcomes() const { return 0; }
  int num_players() const { return 2; }
  int max_game_length() const { return stones_; }
  double min_utility() const { return -1.0; }
  double max_utility() const { return 1.0; }
  std::vector<int> observation_shape() const { return {stones_ + 1}; }

  State initial_state() const { return {stones_}; }
  int player(const State& s) const { return s.stones == 0 ? kTerminalPlayer : s.turn; }

  void legal_actions(const State& s, std::vector<Action>& actions) const {
    actions.clear();
    for (Action a = 0; a < std::min(most_, s.stones); ++a) actions.push_back(a);
  }
  void outcomes(const State&, std::vector<Outcome>& outcomes) const { outcomes.clear(); }

  void apply(State& s, Action action) const {
    s.stones -= action + 1;
    s.turn ^= 1;
  }

  // The player to move when nothing is left has lost.
  double first_player_return(const State& s) const { return s.stones > 0 ? 0.0 : s.turn == 0 ? -1.0 : 1.0; }

  // One of stones + 1: the heap. It looks the same from both sides.
  void observe(const State& s, int, std::span<float> tensor) const {
    std::fill(tensor.begin(), tensor.end(), 0.0f);
    tensor[static_cast<std::size_t>(s.stones)] = 1.0f;
  }

  std::string action_string(const State&, Action action) const { return "take" + std::to_string(action + 1); }
  std::string to_string(const State& s) const {
    return std::to_string(s.stones) + " left, player " + std::to_string(s.turn);
  }
  std::uint64_t key(const State& s) const { return static_cast<std::uint64_t>(2 * s.stones + s.turn); }

 private:
  int stones_;
  int most_;
};

static_assert(NativeGame<TakeAway>);

}  // namespace dicezero
