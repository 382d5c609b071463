// A lower bound of a game's size from samples of its states, each a search that keeps a part of every depth.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rules/game.h"
#include "solve/monitor.h"
#include "solve/overlap.h"

namespace dicezero {

// A breadth-first search that keeps at most so many new states at each depth, drawn from all it found there:
// those whose key, hashed with a salt, comes first. However many ways lead to a state it is drawn once, so
// that samples are far more even over the states than random games are.
template <Game G>
class ThinnedSearch {
 public:
  using State = typename G::State;

  struct Found {
    std::uint64_t order;  // the key, hashed with the salt
    std::uint64_t key;
    State state;
  };

  ThinnedSearch(const G& game, std::size_t width, std::uint64_t seed, const State& from)
      : game_(game), width_(width), rng_(seed), salt_(rng_.next()) {
    const std::uint64_t key = KeyHash{}(game.key(from));
    layer_.push_back({0, key, from});
    seen_.insert(key);
  }

  const std::vector<Found>& layer() const { return layer_; }
  bool whole() const { return whole_; }  // was nothing left out?

  // One depth on.
  void advance(const Monitor& monitor) {
    // Step 1. Moves of all states; more than a few for each place in the next layer are not worth following.
    moves_.clear();
    for (std::uint32_t i = 0; i < layer_.size(); ++i) {
      if (i % kMovesPerReport == 0) monitor({"probe", seen_.size(), 0, 0.0});
      const int player = game_.player(layer_[i].state);
      if (player == kTerminalPlayer) continue;
      if (player == kChancePlayer) {
        game_.outcomes(layer_[i].state, outcomes_);
        for (const Outcome& outcome : outcomes_) moves_.push_back({i, outcome.action});
      } else {
        game_.legal_actions(layer_[i].state, actions_);
        for (const Action action : actions_) moves_.push_back({i, action});
      }
    }
    const double share = static_cast<double>(kMovesPerPlace * width_) / static_cast<double>(moves_.size());
    if (share < 1.0) whole_ = false;
    // Step 2. Where they lead.
    next_.clear();
    for (const auto& [parent, action] : moves_) {
      if (share < 1.0 && rng_.uniform() >= share) continue;
      if (next_.size() % kMovesPerReport == 0) monitor({"probe", seen_.size(), 0, 0.0});
      State state = layer_[parent].state;
      game_.apply(state, action);
      const std::uint64_t key = KeyHash{}(game_.key(state));
      next_.push_back({mix64(key ^ salt_), key, std::move(state)});
    }
    // Step 3. The first of those that are new.
    std::sort(next_.begin(), next_.end(), [](const Found& a, const Found& b) { return a.order < b.order; });
    layer_.clear();
    for (Found& found : next_) {
      if (seen_.contains(found.key)) continue;
      if (layer_.size() == width_) {
        whole_ = false;
        break;
      }
      seen_.insert(found.key);
      layer_.push_back(std::move(found));
    }
  }

 private:
  static constexpr std::size_t kMovesPerPlace = 2;
  static constexpr std::size_t kMovesPerReport = 64;

  const G& game_;
  std::size_t width_;
  Rng rng_;
  std::uint64_t salt_;
  std::vector<Found> layer_, next_;
  std::vector<std::pair<std::uint32_t, Action>> moves_;  // parent, move
  std::unordered_set<std::uint64_t> seen_;
  bool whole_ = true;
  std::vector<Action> actions_;
  std::vector<Outcome> outcomes_;
};

// Draws samples of a game's states, wider ones each round, until they show how large it is or time is up.
//
// All samples of a round go on depth by depth together, so that what is counted never depends on how long a
// part of a game takes.
template <Game G>
class SampledStates {
 public:
  // `enough`: the number of states that is worth knowing to be exceeded.
  SampledStates(const G& game, double enough) : game_(game), enough_(enough), rng_(0) { start_round(); }

  // Could wider samples still show that there are enough? Not once they hold every state.
  bool undecided() const { return !complete_ && width_ <= kWidest; }

  std::uint64_t visited() const { return visited_; }  // states drawn in all

  // Goes on for so long, a depth of one sample more at most; returns a lower bound of the number of states.
  double play(double seconds, const Monitor& monitor) {
    const double end = cpu_seconds() + seconds;
    return play_until([&] { return cpu_seconds() >= end; }, monitor);
  }

  // The same by any other measure of work: asked after each depth of each sample.
  template <class Stop>
  double play_until(const Stop& stop, const Monitor& monitor) {
    while (undecided() && bound_ <= enough_ && !stop()) advance(monitor);
    return bound_;
  }

 private:
  using State = typename G::State;
  using Search = ThinnedSearch<G>;
  static constexpr std::uint32_t kRuns = 16;
  static constexpr std::size_t kNarrowest = 4, kWidest = 4096;
  static constexpr std::size_t kDepthsPerWidth = 16;

  void start_round() {
    searches_.clear();
    draws_.clear();
    depth_ = 0;
    next_bound_ = 1 << 10;
    for (std::uint32_t run = 0; run < kRuns; ++run)
      searches_.emplace_back(game_, width_, rng_.next(), game_.initial_state());
    note_layers();
  }

  void advance(const Monitor& monitor) {
    searches_[turn_].advance(monitor);
    if (++turn_ < kRuns) return;
    turn_ = 0;
    ++depth_;
    const std::size_t before = draws_.size();
    note_layers();
    const bool ended = draws_.size() == before;
    const bool over = ended || depth_ >= kDepthsPerWidth * width_;
    if (over || draws_.size() >= next_bound_) {
      next_bound_ = 2 * draws_.size();
      bound_ = std::max(bound_, Overlap(kRuns).states_at_least(draws_));
    }
    if (!over) return;
    complete_ =
        ended && std::all_of(searches_.begin(), searches_.end(), [](const Search& s) { return s.whole(); });
    width_ *= 4;
    if (undecided()) start_round();
  }

  void note_layers() {
    for (std::uint32_t run = 0; run < kRuns; ++run) {
      for (const auto& found : searches_[run].layer()) draws_.push_back({found.key, depth_, run});
      visited_ += searches_[run].layer().size();
    }
  }

  const G& game_;
  double enough_;
  Rng rng_;
  std::size_t width_ = kNarrowest;
  std::vector<Search> searches_;  // [runs]
  std::vector<Draw> draws_;
  std::uint32_t depth_ = 0, turn_ = 0;
  std::size_t next_bound_ = 0;
  std::uint64_t visited_ = 0;
  double bound_ = 0.0;
  bool complete_ = false;
};

}  // namespace dicezero
