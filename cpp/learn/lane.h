// One of the games that a learner plays in lock step: greedy moves, and the error that each shows in the
// value of the afterstates before it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/ntuple.h"
#include "rules/each_afterstate.h"

namespace dicezero {

template <CellGame G>
class Lane {
 public:
  using State = typename G::State;
  using Entry = TupleIndex::Entry;

  // `trace` afterstates learn from an error; a game of `max_decisions` is cut off (0: never).
  Lane(const G& game, const TupleNet& net, int trace, int max_decisions)
      : game_(&game),
        net_(&net),
        reads_(static_cast<std::size_t>(net.index().reads())),
        most_(trace),
        max_decisions_(max_decisions),
        state_(game.initial_state()),
        trace_(static_cast<std::size_t>(trace) * reads_),
        chosen_(reads_) {}

  // The next step begins a new game.
  void begin(std::uint64_t seed, std::uint64_t number) {
    rng_ = Rng(seed, number);
    fresh_ = true;
    over_ = false;
  }
  void rest() {
    resting_ = true;
    over_ = learns_ = false;
  }

  // Chance acts; then the entries of every afterstate, which are asked from memory.
  void expand() {
    learns_ = false;
    after_.clear();
    if (resting_) return;
    if (fresh_) {
      state_ = game_->initial_state();
      fresh_ = moved_ = false;
      depth_ = length_ = 0;
      return_ = 0.0;
    }
    if (moved_) remember();
    paid_ = 0.0;
    while (game_->player(state_) == kChancePlayer) {
      game_->apply(state_, random_outcome(*game_, state_, rng_, outcomes_));
      paid_ += last_reward(*game_, state_);
    }
    return_ += paid_;
    if (game_->player(state_) == kTerminalPlayer) return;
    for_each_afterstate(*game_, state_, actions_, [&](Action, const State& after) {
      std::uint64_t words[TupleNet::kMostReads];
      game_->cell_words(after, std::span(words, static_cast<std::size_t>(net_->index().views())));
      after_.push_back(after);
      if (entries_.size() < after_.size() * reads_) entries_.resize(after_.size() * reads_);
      Entry* const entries = entries_.data() + (after_.size() - 1) * reads_;
      net_->index().find(words, entries);
      net_->prefetch(entries);
    });
  }

  // The best move, and its value for the afterstate before. A value counts what chance pays at once, and
  // the next decision discounted by one step.
  void choose() {
    if (resting_) return;
    float best = 0.0f;
    std::size_t chosen = after_.size();
    for (std::size_t i = 0; i < after_.size(); ++i) {
      const bool ends = game_->player(after_[i]) == kTerminalPlayer;
      const float following = ends ? 0.0f : net_->value(entries_.data() + i * reads_);
      const float worth = static_cast<float>(last_reward(*game_, after_[i])) + following;
      if (chosen == after_.size() || worth > best) {
        best = worth;
        chosen = i;
      }
    }
    if (depth_ > 0) {
      learns_ = true;
      const float discount = static_cast<float>(discount_of(*game_));
      error_ = static_cast<float>(paid_) + discount * best - net_->value(trace(0));
      squared_errors_ += static_cast<double>(error_) * error_;
      ++errors_;
    }
    moved_ = !after_.empty();
    if (moved_) {
      state_ = after_[chosen];
      std::copy_n(entries_.data() + chosen * reads_, reads_, chosen_.data());
      return_ += last_reward(*game_, state_);
      ++decisions_;
      ++length_;
    }
    const bool ended = game_->player(state_) == kTerminalPlayer;
    const bool cut = !ended && max_decisions_ > 0 && length_ >= static_cast<std::uint64_t>(max_decisions_);
    over_ = ended || cut;
    truncated_ += cut;
    if (over_) returns_ += return_;
  }

  // Entries of the k-th last afterstate, [reads].
  const Entry* trace(int k) const {
    const int slot = (newest_ + most_ - k) % most_;
    return trace_.data() + static_cast<std::size_t>(slot) * reads_;
  }
  int depth() const { return depth_; }
  bool learns() const { return learns_; }
  bool over() const { return over_; }
  float error() const { return error_; }

  std::uint64_t decisions() const { return decisions_; }
  std::uint64_t truncated() const { return truncated_; }
  std::uint64_t errors() const { return errors_; }
  double returns() const { return returns_; }
  double squared_errors() const { return squared_errors_; }

 private:
  void remember() {
    newest_ = (newest_ + 1) % most_;
    std::copy(chosen_.begin(), chosen_.end(), trace_.begin() + newest_ * static_cast<std::ptrdiff_t>(reads_));
    depth_ = std::min(depth_ + 1, most_);
  }

  const G* game_;
  const TupleNet* net_;
  std::size_t reads_;
  int most_;
  int max_decisions_;

  State state_;
  Rng rng_{0};
  bool fresh_ = true, resting_ = false, moved_ = false, over_ = false, learns_ = false;
  int depth_ = 0, newest_ = 0;  // afterstates in the trace, and where the last is
  std::uint64_t length_ = 0;    // decisions of the game
  double return_ = 0.0, paid_ = 0.0;
  float error_ = 0.0f;
  std::vector<Entry> trace_;    // [trace, reads], a ring
  std::vector<Entry> chosen_;   // [reads], of the last move
  std::vector<Entry> entries_;  // [moves, reads]
  std::vector<State> after_;    // [moves]
  std::vector<Action> actions_;
  std::vector<Outcome> outcomes_;

  std::uint64_t decisions_ = 0, truncated_ = 0, errors_ = 0;
  double returns_ = 0.0, squared_errors_ = 0.0;
};

}  // namespace dicezero
