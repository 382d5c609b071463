// A lower bound of a game's size from random games: where they hardly ever meet, there are many states.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "rules/game.h"
#include "solve/monitor.h"

namespace dicezero {

// Let p(s) be the probability that a random game comes to state s between two depths. Two games then share
// sum p(s)^2 states on average, and by Cauchy and Schwarz there are at least (sum p(s))^2 / sum p(s)^2
// states: the squared mean length over the mean number shared. Equally likely states make the bound tight;
// it is never above the truth but for chance, which `kCaution` shared states more than were seen allow for.
template <Game G>
class SizeProbe {
 public:
  // `enough`: the number of states that is worth knowing to be exceeded.
  SizeProbe(const G& game, double enough) : game_(game), enough_(enough), rng_(0) {}

  // Could more games still show it? Once there are many times the visits it takes, they would have.
  bool undecided() const {
    return static_cast<double>(visits_.size()) < 4.0 * std::sqrt(2.0 * kCaution * enough_);
  }

  // Plays for so long at most; returns a lower bound of the number of states.
  double play(std::chrono::steady_clock::duration budget, const Monitor& monitor) {
    const auto end = std::chrono::steady_clock::now() + budget;
    double bound = 0.0;
    for (std::size_t check = 1 << 12; std::chrono::steady_clock::now() < end && undecided(); ++games_) {
      play_one();
      monitor({"enumerate", games_, 0, 0.0});
      if (visits_.size() < check) continue;
      check = 2 * visits_.size();
      if ((bound = states_at_least()) > enough_) return bound;
    }
    return std::max(bound, states_at_least());
  }

 private:
  static constexpr std::array<std::uint32_t, 7> kDepths{0, 8, 16, 32, 64, 128, 256};  // between any two
  static constexpr double kCaution = 10.0;

  struct Visit {
    std::uint64_t key;
    std::uint32_t depth;
    std::uint32_t game;
  };

  void play_one() {
    typename G::State state = game_.initial_state();
    for (std::uint32_t depth = 0; depth < kDepths.back(); ++depth) {
      const int player = game_.player(state);
      if (player == kTerminalPlayer) break;
      visits_.push_back({KeyHash{}(game_.key(state)), depth, games_});
      game_.apply(state, player == kChancePlayer ? random_outcome(game_, state, rng_, outcomes_)
                                                 : random_action(game_, state, rng_, actions_));
    }
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
    const double games = games_ + 1.0;
    double best = 0.0;
    for (std::size_t w = 0; w < kDepths.size() * kDepths.size(); ++w) {
      const std::uint32_t first = kDepths[w / kDepths.size()];
      const std::uint32_t last = kDepths[w % kDepths.size()];
      if (first >= last) continue;
      double length = 0.0;
      double shared = kCaution;
      for (std::size_t i = 0; i < visits_.size();) {
        double here = 0.0;
        const std::uint64_t key = visits_[i].key;
        for (; i < visits_.size() && visits_[i].key == key; ++i)
          here += visits_[i].depth >= first && visits_[i].depth < last;
        length += here;
        shared += 0.5 * here * (here - 1.0);
      }
      const double mean = length / games;
      best = std::max(best, mean * mean * 0.5 * games * (games - 1.0) / shared);
    }
    return best;
  }

  const G& game_;
  double enough_;
  Rng rng_;
  std::uint32_t games_ = 0;
  std::vector<Visit> visits_;
  std::vector<Action> actions_;
  std::vector<Outcome> outcomes_;
};

}  // namespace dicezero
