// Nannon: a race of k checkers over n points with one d-sided die, hits and blocks. The reference
// game of the project: small enough to be solved, with dice, passes and cycles.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "rules/bits.h"
#include "rules/game.h"

namespace dicezero {

class Nannon {
 public:
  static constexpr int kMaxPoints = 20;  // what a 64-bit key holds

  // Each side counts its own points 1..n towards its goal: bit p of points[side] is point p.
  // A side's point p is the other side's point n + 1 - p. What is neither at home nor on the
  // board is at safety.
  struct State {
    std::uint32_t points[2];
    std::uint8_t home[2];
    std::uint8_t turn = 0;     // who moves, or will when the die has fallen
    std::uint8_t roll = 0;     // 0: the die is still to fall
    std::uint8_t opening = 1;  // the first roll is the difference of two dice
    std::uint8_t finished = 0;
  };

  static constexpr bool kAlternates = true;  // a forfeited turn is a pass

  Nannon(int points, int checkers, int sides) : n_(points), k_(checkers), d_(sides) {
    if (points < 2 || points > kMaxPoints)
      throw out_of_range("nannon", "points", points, "2.." + std::to_string(kMaxPoints));
    if (sides < 2 || sides > points)
      throw out_of_range("nannon", "sides", sides, "2..points=" + std::to_string(points));
    if (checkers < 1 || checkers >= sides)
      throw out_of_range("nannon", "checkers", checkers, "1..sides-1=" + std::to_string(sides - 1));
  }

  static std::vector<ParameterInfo> parameter_info() {
    return {{"points", 6, "2..20", "points on the board"},
            {"checkers", 3, "1..sides-1", "checkers of each side"},
            {"sides", 6, "2..points", "faces of the die"}};
  }
  static Nannon make(const Parameters& p) {
    return Nannon(p.get<int>("points"), p.get<int>("checkers"), p.get<int>("sides"));
  }

  std::string name() const { return "nannon"; }
  std::vector<Parameter> parameters() const { return {{"points", n_}, {"checkers", k_}, {"sides", d_}}; }

  int points() const { return n_; }
  int checkers() const { return k_; }
  int sides() const { return d_; }
  Action pass_action() const { return n_ + 1; }

  int num_actions() const { return n_ + 2; }      // from HOME (0) or a point (1..n), or pass (n+1)
  int num_chance_outcomes() const { return d_; }  // outcome i is the roll i+1
  int num_players() const { return 2; }
  int max_game_length() const { return 0; }  // hits send checkers back: no bound
  double min_utility() const { return -1.0; }
  double max_utility() const { return 1.0; }
  std::vector<int> observation_shape() const { return {2 * n_ + 4 * k_ + d_ + 4}; }

  State initial_state() const {
    State s{};
    s.points[0] = s.points[1] = ((1u << k_) - 1) & ~1u;  // points 1..k-1
    s.home[0] = s.home[1] = 1;
    s.opening = 1;
    return s;
  }

  int safe(const State& s, int side) const { return k_ - s.home[side] - std::popcount(s.points[side]); }

  int turn(const State& s) const { return s.turn; }

  int player(const State& s) const {
    return s.finished ? kTerminalPlayer : s.roll == 0 ? kChancePlayer : s.turn;
  }

  void legal_actions(const State& s, std::vector<Action>& actions) const {
    actions.clear();
    for (std::uint32_t from = movable(s); from != 0; from &= from - 1)
      actions.push_back(std::countr_zero(from));
    if (actions.empty()) actions.push_back(pass_action());
  }

  Action random_action(const State& s, Rng& rng) const {
    const std::uint32_t from = movable(s);
    if (from == 0) return pass_action();
    return nth_set_bit(from, rng.below(static_cast<std::uint32_t>(std::popcount(from))));
  }

  // Both roll and ties are rolled again; the higher, player 0 by definition, plays the difference.
  void outcomes(const State& s, std::vector<Outcome>& outcomes) const {
    outcomes.clear();
    if (s.opening) {
      for (int r = 1; r < d_; ++r)
        outcomes.push_back({r - 1, 2.0 * (d_ - r) / (static_cast<double>(d_) * (d_ - 1))});
    } else {
      for (int r = 1; r <= d_; ++r) outcomes.push_back({r - 1, 1.0 / d_});
    }
  }

  Action random_outcome(const State& s, Rng& rng) const {
    if (!s.opening) return static_cast<Action>(rng.below(static_cast<std::uint32_t>(d_)));
    // Two different faces are all that is left of two dice once ties are rolled again.
    const int first = static_cast<int>(rng.below(static_cast<std::uint32_t>(d_)));
    const int other = static_cast<int>(rng.below(static_cast<std::uint32_t>(d_ - 1)));
    const int second = other < first ? other : other + 1;
    return (first > second ? first - second : second - first) - 1;
  }

  void apply(State& s, Action action) const {
    if (s.roll == 0) {
      s.roll = static_cast<std::uint8_t>(action + 1);
      s.opening = 0;
      return;
    }
    if (action != pass_action()) move_checker(s, action);
    s.finished = s.home[s.turn] == 0 && s.points[s.turn] == 0;
    s.turn ^= 1;
    s.roll = 0;
  }

  double first_player_return(const State& s) const {
    if (!s.finished) return 0.0;
    return s.home[0] == 0 && s.points[0] == 0 ? 1.0 : -1.0;
  }

  // From the viewer's side, all in the viewer's own counting of the points: its points [n], the
  // other's points [n], then four counts in unary [k each] (own HOME, own SAFETY, the other's),
  // the roll as one of d (none before it falls), and who acts: viewer, other, chance, nobody.
  void observe(const State& s, int viewer, std::span<float> tensor) const {
    const int other = 1 - viewer;
    std::size_t i = 0;
    for (int p = 1; p <= n_; ++p) tensor[i++] = static_cast<float>(s.points[viewer] >> p & 1);
    for (int p = 1; p <= n_; ++p) tensor[i++] = static_cast<float>(s.points[other] >> (n_ + 1 - p) & 1);
    for (const int count : {int{s.home[viewer]}, safe(s, viewer), int{s.home[other]}, safe(s, other)}) {
      for (int c = 1; c <= k_; ++c) tensor[i++] = count >= c ? 1.0f : 0.0f;
    }
    for (int r = 1; r <= d_; ++r) tensor[i++] = s.roll == r ? 1.0f : 0.0f;
    const int actor = player(s);
    for (const int who : {viewer, other, kChancePlayer, kTerminalPlayer})
      tensor[i++] = actor == who ? 1.0f : 0.0f;
  }

  // Backgammon's notation: from/to, with * for a hit; only legal moves have one.
  std::string action_string(const State& s, Action action) const {
    if (s.roll == 0) return "roll " + std::to_string(action + 1);
    if (action == pass_action()) return "pass";
    const int to = action + s.roll;
    std::string text = (action == 0 ? "home" : std::to_string(action)) + "/";
    if (to > n_) return text + "off";
    text += std::to_string(to);
    return s.points[1 - s.turn] >> (n_ + 1 - to) & 1 ? text + "*" : text;
  }

  // One line from player 0's side: home | points | safety of each, then what happens next.
  std::string to_string(const State& s) const {
    std::string board;
    for (int p = 1; p <= n_; ++p) {
      board += s.points[0] >> p & 1 ? 'x' : s.points[1] >> (n_ + 1 - p) & 1 ? 'o' : '.';
    }
    const auto side = [&](int i, char mark) {
      return std::string(1, mark) + " home " + std::to_string(s.home[i]) + " safe " +
             std::to_string(safe(s, i));
    };
    std::string text = board + "  " + side(0, 'x') + ", " + side(1, 'o') + "; ";
    const char mover = s.turn == 0 ? 'x' : 'o';
    if (s.finished) return text + (s.turn == 0 ? "o won" : "x won");
    if (s.opening) return text + "opening roll";
    if (s.roll == 0) return text + mover + " to roll";
    return text + mover + " to move " + std::to_string(s.roll);
  }

  std::uint64_t key(const State& s) const {
    std::uint64_t key = s.points[0] >> 1;
    key = key << n_ | s.points[1] >> 1;
    key = key << 5 | s.home[0];
    key = key << 5 | s.home[1];
    key = key << 5 | s.roll;
    return key << 2 | static_cast<std::uint64_t>(s.turn) << 1 | s.opening;
  }

 private:
  // Sources (bit 0 is HOME) from which the mover may play the roll.
  std::uint32_t movable(const State& s) const {
    const std::uint32_t own = s.points[s.turn];
    const std::uint32_t other = s.points[1 - s.turn];
    // An opponent's checker with a neighbour of its own on the board cannot be landed on.
    const std::uint32_t blocked = (other & (other << 1 | other >> 1));
    const std::uint32_t sources = own | (s.home[s.turn] > 0 ? 1u : 0u);
    std::uint32_t result = 0;
    for (std::uint32_t rest = sources; rest != 0; rest &= rest - 1) {
      const int to = std::countr_zero(rest) + s.roll;
      if (to > n_ || !((own >> to & 1) || (blocked >> (n_ + 1 - to) & 1))) result |= rest & -rest;
    }
    return result;
  }

  void move_checker(State& s, int from) const {
    const int mover = s.turn;
    if (from == 0) {
      --s.home[mover];
    } else {
      s.points[mover] &= ~(1u << from);
    }
    const int to = from + s.roll;
    if (to > n_) return;  // borne off
    s.points[mover] |= 1u << to;
    const std::uint32_t hit = 1u << (n_ + 1 - to);
    if (s.points[1 - mover] & hit) {
      s.points[1 - mover] &= ~hit;
      ++s.home[1 - mover];
    }
  }

  int n_;
  int k_;
  int d_;
};

static_assert(NativeGame<Nannon>);

}  // namespace dicezero
