// TD(lambda) that plays and learns at once: a block of games with the same weights, their lambda-returns, and
// a few steps of Adam on them; then the next block. Every game is a function of its number and the weights,
// and every step of its batch: the number of threads changes nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "learn/judge_trainer.h"
#include "learn/td_game.h"

namespace dicezero {

struct TdRound {
  std::int64_t games = 0, decisions = 0, truncated = 0, samples = 0;
  double return_sum = 0.0;  // of player 0, in the game's units
  double loss_sum = 0.0;
};

// After every block: games over and decisions made; throws to stop.
using TdProgress = std::function<void(std::int64_t, std::int64_t)>;

// A learner of a game whose type only its own unit knows.
class TdLearner {
 public:
  virtual ~TdLearner() = default;
  virtual TdRound play_round(std::int64_t games, std::uint64_t seed, float rate,
                             const TdProgress& progress) = 0;

  // One game with the weights as they are; nothing is learned from it.
  virtual TdTrace play_game(std::uint64_t seed, std::uint64_t number) = 0;

  explicit TdLearner(JudgeTrainer trainer) : trainer_(std::move(trainer)) {}
  JudgeTrainer& trainer() { return trainer_; }

 protected:
  JudgeTrainer trainer_;
};

template <Game G>
class TdLearnerOf final : public TdLearner {
 public:
  TdLearnerOf(const G& game, const JudgeShape& shape, const TdSettings& settings, const Kernel& kernel,
              int threads)
      : TdLearner(JudgeTrainer(shape, kernel, settings.batch)),
        game_(game),
        settings_(settings),
        net_(shape, kernel),
        threads_(threads),
        traces_(static_cast<std::size_t>(settings.block)) {}

  TdRound play_round(std::int64_t games, std::uint64_t seed, float rate,
                     const TdProgress& progress) override {
    TdRound round;
    Crew::shared().set_threads(threads_);
    for (std::int64_t first = 0; first < games; first += settings_.block) {
      const int count = static_cast<int>(std::min<std::int64_t>(settings_.block, games - first));
      net_.load(trainer_.theta());
      Crew::shared().run(count, [&](int i) {
        Rng rng(seed, static_cast<std::uint64_t>(first + i));
        std::unique_ptr<TdPlayer<G>> player = borrow();
        player->play(rng, traces_[static_cast<std::size_t>(i)]);
        give_back(std::move(player));
      });
      learn(round, count, mix64(seed ^ 0x5851f42d4c957f2dULL) + static_cast<std::uint64_t>(first), rate);
      progress(round.games, round.decisions);
    }
    return round;
  }

  TdTrace play_game(std::uint64_t seed, std::uint64_t number) override {
    TdTrace trace;
    Rng rng(seed, number);
    net_.load(trainer_.theta());
    TdPlayer<G>(game_, net_, settings_).play(rng, trace);
    return trace;
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
  void give_back(std::unique_ptr<TdPlayer<G>> player) {
    const std::lock_guard lock(mutex_);
    players_.push_back(std::move(player));
  }

  void learn(TdRound& round, int count, std::uint64_t seed, float rate) {
    samples_.clear();
    const std::size_t inputs = static_cast<std::size_t>(net_.shape().inputs),
                      outputs = static_cast<std::size_t>(net_.shape().outputs());
    for (int i = 0; i < count; ++i) {
      const TdTrace& trace = traces_[static_cast<std::size_t>(i)];
      for (std::size_t t = 0; t * outputs < trace.target.size(); ++t) {
        samples_.push_back({trace.observation.data() + t * inputs, trace.target.data() + t * outputs});
      }
      round.decisions += trace.decisions;
      round.truncated += trace.truncated;
      round.return_sum += trace.first_return;
    }
    round.games += count;
    if (samples_.empty()) return;
    Rng rng(seed);
    const std::size_t size = samples_.size(), batch = static_cast<std::size_t>(settings_.batch);
    const std::size_t steps = std::max<std::size_t>(1, (size + batch / 2) / batch);
    for (int epoch = 0; epoch < settings_.epochs; ++epoch) {
      for (std::size_t i = size; i > 1; --i) {
        std::swap(samples_[i - 1], samples_[rng.below(static_cast<std::uint32_t>(i))]);
      }
      for (std::size_t step = 0; step < steps; ++step) {
        batch_.assign(samples_.begin() + static_cast<std::ptrdiff_t>(size * step / steps),
                      samples_.begin() + static_cast<std::ptrdiff_t>(size * (step + 1) / steps));
        round.loss_sum += trainer_.step(batch_, rate, settings_.weight_decay);
        round.samples += static_cast<std::int64_t>(batch_.size());
      }
    }
  }

  const G game_;
  const TdSettings settings_;
  JudgeNet net_;
  int threads_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<TdPlayer<G>>> players_;  // that are free
  std::vector<TdTrace> traces_;
  std::vector<JudgeSample> samples_, batch_;
};

}  // namespace dicezero
