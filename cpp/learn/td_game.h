// One game of TD(lambda) against itself: at every decision the afterstate that is judged best is played, and
// when the game is over each afterstate gets its lambda-return.
//
// An afterstate is seen by the player who moved, and its value is for that player. Where a game has
// actions that are only part of a turn (`mid_turn`), the whole turn is one decision.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "model/judge_shape.h"
#include "rules/afterstates.h"
#include "rules/game.h"

namespace dicezero {

struct TdSettings {
  float value_lambda = 0.7f;
  double discount = 1.0;
  double scale = 1.0;    // what a value of 1 stands for, in the game's units
  double epsilon = 0.0;  // the probability of a move that is any legal one
  int max_moves = 1000;  // decisions after which a game is cut off
  int block = 64;        // games that are played with the same weights
  int batch = 256;       // decisions a training step
  int epochs = 1;        // passes over a block
  float weight_decay = 0.0f;
};

// A game as it was played.
struct TdTrace {
  std::vector<float> observation;  // [T, inputs] of the afterstates that the game went on from
  std::vector<float> target;       // [T, outputs] what each should have predicted
  int decisions = 0;
  bool truncated = false;
  double first_return = 0.0;  // of player 0, in the game's units

  // Of every decision; the last one's afterstate is no sample where the game ended with it.
  struct Decision {
    float sign;    // 1 for player 0, else -1
    float paid;    // by the move itself, in the view of player 0
    float chance;  // by chance after it, likewise
    bool stray;
  };
  std::vector<Decision> played;
  std::vector<float> best;  // [decisions, outputs] what the best move is worth, in the view of player 0

  void clear() {
    observation.clear();
    target.clear();
    played.clear();
    best.clear();
    decisions = 0;
    truncated = false;
  }
};

// The lambda-returns of a trace, from its end to its beginning. One decision is one step: what follows it
// before the next counts in full, the next `discount` times. `left` is what was still expected where the
// game was cut off, in the view of player 0, and zeros where it is over; a row is `outputs` numbers. With
// several the numbers are probabilities of results, and another player's view is their reverse.
inline void td_targets(TdTrace& trace, int outputs, float value_lambda, float discount,
                       const std::vector<float>& left) {
  const std::size_t width = static_cast<std::size_t>(outputs);
  const std::size_t samples = trace.target.size() / width;
  std::vector<float> following = left;
  for (std::size_t t = trace.played.size(); t-- > 0;) {
    const TdTrace::Decision& d = trace.played[t];
    const float* best = trace.best.data() + t * width;
    if (t < samples) {
      float* target = trace.target.data() + t * width;
      for (std::size_t k = 0; k < width; ++k) {
        if (outputs == 1) {
          target[k] = d.sign * (d.chance + discount * following[k]);
        } else {
          target[k] = following[d.sign > 0.0f ? k : width - 1 - k];
        }
      }
    }
    for (std::size_t k = 0; k < width; ++k) {
      // Past the end nothing follows: the move itself has paid, or decided the result.
      const bool ends = t >= samples;
      const float returned = outputs == 1 ? d.paid + d.chance + discount * following[k]
                             : ends       ? best[k]
                                          : following[k];
      following[k] = d.stray ? best[k] : (1.0f - value_lambda) * best[k] + value_lambda * returned;
    }
  }
}

template <Game G>
class TdPlayer {
 public:
  TdPlayer(const G& game, const LearningJudge& net, const TdSettings& settings)
      : game_(game), net_(net), settings_(settings), size_(observation_size(game)), space_(net.space()) {}

  // Plays a game into `trace`.
  void play(Rng& rng, TdTrace& trace) {
    trace.clear();
    const int outputs = net_.shape().outputs();
    std::vector<float> left(static_cast<std::size_t>(outputs), 0.0f);
    typename G::State state = game_.initial_state();
    for (int mover; (mover = game_.player(state)) != kTerminalPlayer;) {
      if (mover == kChancePlayer) {
        game_.apply(state, random_outcome(game_, state, rng, outcomes_));
        if (!trace.played.empty()) trace.played.back().chance += paid(state);
        continue;
      }
      // Step 1. Every way to play the turn, and what each is worth.
      const float sign = mover == 0 ? 1.0f : -1.0f;
      const std::size_t best = judge(state, mover);
      if (trace.decisions == settings_.max_moves) {
        trace.truncated = true;
        for (int k = 0; k < outputs; ++k)
          left[static_cast<std::size_t>(k)] = worth_in_first_view(best, k, sign);
        break;
      }
      // Step 2. The best, or now and then any.
      const bool stray = settings_.epsilon > 0.0 && rng.uniform() < settings_.epsilon;
      const std::size_t chosen = stray ? rng.below(static_cast<std::uint32_t>(leaves_.size())) : best;
      ++trace.decisions;
      trace.played.push_back({sign, leaf_paid_[chosen] * sign, 0.0f, stray && chosen != best});
      for (int k = 0; k < outputs; ++k) trace.best.push_back(worth_in_first_view(best, k, sign));
      state = leaves_[chosen];
      // Step 3. What the network learns from.
      if (const int row = leaf_row_[chosen]; row >= 0) {
        const auto from =
            observations_.begin() + static_cast<std::ptrdiff_t>(row) * static_cast<std::ptrdiff_t>(size_);
        trace.observation.insert(trace.observation.end(), from, from + static_cast<std::ptrdiff_t>(size_));
        trace.target.resize(trace.target.size() + static_cast<std::size_t>(outputs));
      }
    }
    trace.first_return = return_so_far(game_, state);
    const bool by_chance = trace.target.size() == trace.best.size() && !trace.truncated;
    if (by_chance && outputs > 1) {  // nobody's move has decided the result
      for (int k = 0; k < outputs; ++k)
        left[static_cast<std::size_t>(k)] = is_result(k, trace.first_return / settings_.scale);
    }
    td_targets(trace, outputs, settings_.value_lambda, static_cast<float>(settings_.discount), left);
  }

 private:
  float paid(const typename G::State& state) const {
    return static_cast<float>(last_reward(game_, state) / settings_.scale);
  }

  // Fills the leaves of a turn; returns the best one.
  std::size_t judge(const typename G::State& state, int mover) {
    leaves_.clear();
    leaf_row_.clear();
    leaf_paid_.clear();
    observations_.clear();
    const float sign = mover == 0 ? 1.0f : -1.0f;
    for_each_turn(game_, state, [&](Action, const typename G::State& after, double reward) {
      const bool over = game_.player(after) == kTerminalPlayer;
      leaf_row_.push_back(over ? -1 : static_cast<int>(observations_.size() / size_));
      leaf_paid_.push_back(sign * static_cast<float>(reward / settings_.scale));
      leaves_.push_back(after);
      if (over) return;
      observations_.resize(observations_.size() + size_, 0.0f);
      game_.observe(after, mover, std::span(observations_).last(size_));
    });
    const int rows = static_cast<int>(observations_.size() / size_);
    const std::size_t outputs = static_cast<std::size_t>(net_.shape().outputs());
    predicted_.resize(std::max(predicted_.size(), static_cast<std::size_t>(rows) * outputs));
    value_.resize(std::max(value_.size(), static_cast<std::size_t>(rows)));
    net_.judge(rows, observations_.data(), *space_, predicted_.data(), value_.data());
    std::size_t best = 0;
    float highest = -INFINITY;
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      const float worth = leaf_worth(i);
      if (worth > highest) {
        highest = worth;
        best = i;
      }
    }
    return best;
  }

  float leaf_worth(std::size_t leaf) const {
    const int row = leaf_row_[leaf];
    return leaf_paid_[leaf] + (row < 0 ? 0.0f : value_[static_cast<std::size_t>(row)]);
  }

  // What a leaf is worth, or the probability of result k, in the view of player 0.
  float worth_in_first_view(std::size_t leaf, int k, float sign) const {
    const JudgeShape& shape = net_.shape();
    if (shape.results.empty()) return sign * leaf_worth(leaf);
    const int own = sign > 0.0f ? k : shape.outputs() - 1 - k;
    const int row = leaf_row_[leaf];
    if (row >= 0) return predicted_[static_cast<std::size_t>(row * shape.outputs() + own)];
    return is_result(own, leaf_paid_[leaf]);
  }

  float is_result(int k, double paid) const {
    return std::abs(net_.shape().results[static_cast<std::size_t>(k)] - paid) < 1e-3 ? 1.0f : 0.0f;
  }

  const G& game_;
  const LearningJudge& net_;
  const TdSettings& settings_;
  std::size_t size_;
  std::unique_ptr<LearningJudge::Space> space_;
  std::vector<typename G::State> leaves_;
  std::vector<int> leaf_row_;     // of a leaf's observation; -1 where the game is over
  std::vector<float> leaf_paid_;  // to the mover, in units of the scale
  std::vector<float> observations_, predicted_, value_;
  std::vector<Outcome> outcomes_;
};

// Plays games of a type that only its own unit knows; any number of threads may ask at once.
class TdGames {
 public:
  virtual ~TdGames() = default;
  virtual void play(Rng& rng, TdTrace& trace) = 0;
};

template <Game G>
class TdGamesOf final : public TdGames {
 public:
  TdGamesOf(const G& game, const LearningJudge& net, const TdSettings& settings)
      : game_(game), net_(net), settings_(settings) {}

  void play(Rng& rng, TdTrace& trace) override {
    std::unique_ptr<TdPlayer<G>> player = borrow();
    player->play(rng, trace);
    const std::lock_guard lock(mutex_);
    players_.push_back(std::move(player));
  }

 private:
  // Players are few, and each has buffers that it keeps.
  std::unique_ptr<TdPlayer<G>> borrow() {
    const std::lock_guard lock(mutex_);
    if (players_.empty()) return std::make_unique<TdPlayer<G>>(game_, net_, settings_);
    std::unique_ptr<TdPlayer<G>> player = std::move(players_.back());
    players_.pop_back();
    return player;
  }

  const G game_;
  const LearningJudge& net_;
  const TdSettings settings_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<TdPlayer<G>>> players_;  // that are free
};

}  // namespace dicezero
