// A lower bound of a game's size from random games: where they hardly ever meet, there are many states.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <tuple>
#include <vector>

#include "rules/game.h"
#include "solve/monitor.h"

namespace dicezero {

// What random games have visited, and the bound that follows from it.
//
// Let p(s) be the probability that a random game comes to state s between two depths. Two games then share
// sum p(s)^2 states on average, and by Cauchy and Schwarz there are at least (sum p(s))^2 / sum p(s)^2
// states: the squared mean length over the mean number shared. Equally likely states make the bound tight.
//
// The bound is never above the truth but for chance, for which `kCaution` meetings and `kErrors` standard
// errors more than were seen allow.
// Two games that meet may go on together, as in a corridor without choices, so a meeting counts as many
// states as twins, two games that go on from one state of a third, have in common on average.
class Visits {
 public:
  // Bounds are taken between any two of these depths; early ones are fine, as the start is shared by all.
  static constexpr std::array<std::uint32_t, 18> kDepths{0,  1,  2,  3,  4,   6,   8,    12,   16,
                                                         24, 32, 48, 64, 128, 256, 1024, 4096, 16384};

  std::size_t size() const { return visits_.size(); }
  std::uint32_t games() const { return games_; }

  // A game and its states' keys in the order of play.
  void add_game(const std::vector<std::uint64_t>& keys) {
    for (std::uint32_t depth = 0; depth < keys.size(); ++depth)
      visits_.push_back({keys[depth], depth, games_});
    ++games_;
  }

  // Two games that began at one state.
  void add_twins(std::vector<std::uint64_t> first, std::vector<std::uint64_t> second) {
    for (auto* keys : {&first, &second}) {
      std::sort(keys->begin(), keys->end());
      keys->erase(std::unique(keys->begin(), keys->end()), keys->end());
    }
    std::vector<std::uint64_t> both;
    std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
    shared_by_twins_ += static_cast<double>(both.size());
    ++twins_;
  }

  // Could more games still show that there are `enough` states? Once there are many times the visits it
  // takes, they would have.
  bool undecided(double enough) const {
    return static_cast<double>(size()) < 16.0 * std::sqrt(2.0 * kCaution * together() * enough);
  }

  double states_at_least() {
    // Step 1. Each state once a game, at its first depth.
    std::sort(visits_.begin(), visits_.end(), [](const Visit& a, const Visit& b) {
      return std::tie(a.key, a.game, a.depth) < std::tie(b.key, b.game, b.depth);
    });
    const auto repeated = std::unique(visits_.begin(), visits_.end(), [](const Visit& a, const Visit& b) {
      return a.key == b.key && a.game == b.game;
    });
    visits_.erase(repeated, visits_.end());
    // Step 2. Pairs of games that share a state, and the best of the bounds.
    double best = 0.0;
    for (const std::uint32_t first : kDepths)
      for (const std::uint32_t last : kDepths)
        if (first < last) best = std::max(best, bound_between(first, last));
    return best;
  }

 private:
  static constexpr double kCaution = 10.0;
  static constexpr double kErrors = 4.0;  // many windows of depths are tried, and the best bound is taken

  struct Visit {
    std::uint64_t key;
    std::uint32_t depth;
    std::uint32_t game;
  };

  double together() const { return twins_ == 0 ? 1.0 : shared_by_twins_ / twins_; }

  double bound_between(std::uint32_t first, std::uint32_t last) const {
    double length = 0.0;
    double shared = 0.0;
    for (std::size_t i = 0; i < visits_.size();) {
      double here = 0.0;
      const std::uint64_t key = visits_[i].key;
      for (; i < visits_.size() && visits_[i].key == key; ++i)
        here += visits_[i].depth >= first && visits_[i].depth < last;
      length += here;
      shared += 0.5 * here * (here - 1.0);
    }
    shared += kCaution * together() + kErrors * std::sqrt(shared * together());
    return games_ < 2 ? 0.0 : 0.5 * length * length * (games_ - 1.0) / games_ / shared;
  }

  std::uint32_t games_ = 0;
  std::uint32_t twins_ = 0;
  double shared_by_twins_ = 0.0;
  std::vector<Visit> visits_;
};

// One of the actions at random; `tastes` makes some of them up to e^4 times as likely as others.
inline Action tasteful_action(const std::vector<Action>& actions, std::uint64_t tastes, Rng& rng) {
  constexpr double kStrength = 4.0;
  thread_local std::vector<double> sums;
  sums.clear();
  double sum = 0.0;
  for (const Action action : actions) {
    const std::uint64_t hash = mix64(tastes ^ mix64(static_cast<std::uint64_t>(action)));
    sum += std::exp(kStrength * static_cast<double>(hash >> 11) * 0x1.0p-53);
    sums.push_back(sum);
  }
  const auto drawn = std::upper_bound(sums.begin(), sums.end() - 1, sum * rng.uniform());
  return actions[static_cast<std::size_t>(drawn - sums.begin())];
}

// Plays random games until they show how large the game is, or time is up. A state costs one move, and games
// go far, but they come to few states often and to most hardly ever; samples.h is the other way round. Each
// player of each game has tastes of its own: two who only toss a coin whether to hold would never get far in
// Pig.
template <Game G>
class RandomWalks {
 public:
  // `enough`: the number of states that is worth knowing to be exceeded.
  RandomWalks(const G& game, double enough) : game_(game), enough_(enough), rng_(0) {}

  bool undecided() const { return visits_.undecided(enough_); }

  // Plays for so long at most; returns a lower bound of the number of states.
  double play(double seconds, const Monitor& monitor) {
    if (!undecided()) return bound_;
    end_ = cpu_seconds() + seconds;
    for (std::size_t check = 1 << 12; cpu_seconds() < end_ && undecided();) {
      monitor({"probe", visits_.games(), 0, 0.0});
      if (!play_one()) break;
      if (visits_.size() < check) continue;
      check = 2 * visits_.size();
      if ((bound_ = visits_.states_at_least()) > enough_) return bound_;
    }
    return bound_ = visits_.states_at_least();
  }

 private:
  using State = typename G::State;
  static constexpr std::uint32_t kShort = 256;  // most games end here; one in four is four times as long, ...
  static constexpr std::uint32_t kGamesPerTwins = 4;

  // False when time is up. A game that the clock cuts short does not count: what counts must not depend on
  // its length.
  bool play_one() {
    std::vector<std::uint64_t> game, first, second;
    std::optional<State> origin;  // of the twins: any state of the game, each as likely
    if (!wander(game_.initial_state(), game, &origin)) return false;
    if (origin && visits_.games() % kGamesPerTwins == 0) {
      if (!wander(*origin, first, nullptr) || !wander(*origin, second, nullptr)) return false;
      visits_.add_twins(std::move(first), std::move(second));
    }
    visits_.add_game(game);
    return true;
  }

  // Plays one game of its own length and tastes; false when time is up.
  bool wander(State state, std::vector<std::uint64_t>& keys, std::optional<State>* any) {
    std::uint32_t length = kShort;
    while (length < Visits::kDepths.back() && rng_.below(4) == 0) length *= 4;
    const std::uint64_t tastes[] = {rng_.next(), rng_.next()};
    for (int player; keys.size() < length && (player = game_.player(state)) != kTerminalPlayer;) {
      if (keys.size() % 64 == 0 && cpu_seconds() > end_) return false;
      keys.push_back(KeyHash{}(game_.key(state)));
      if (any && rng_.below(static_cast<std::uint32_t>(keys.size())) == 0) *any = state;
      if (player == kChancePlayer) {
        game_.apply(state, random_outcome(game_, state, rng_, outcomes_));
      } else {
        game_.legal_actions(state, actions_);
        game_.apply(state, tasteful_action(actions_, tastes[player != 0], rng_));
      }
    }
    return true;
  }

  const G& game_;
  double enough_;
  Rng rng_;
  double end_ = 0.0;
  double bound_ = 0.0;
  Visits visits_;
  std::vector<Action> actions_;
  std::vector<Outcome> outcomes_;
};

}  // namespace dicezero
