// TD(lambda) that plays and learns at once: a block of games with the same weights, their lambda-returns, and
// a few steps of Adam on them; then the next block. Every game is a function of its number and the weights,
// and every step of its batch: the number of threads changes nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "learn/judge_net.h"
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

class TdLearner {
 public:
  using Games = std::function<std::unique_ptr<TdGames>(const LearningJudge&, const TdSettings&)>;

  // `games` makes who plays by a network.
  TdLearner(const JudgeShape& shape, const TdSettings& settings, const Kernel& kernel, int threads,
            const Games& games)
      : trainer_(shape, kernel, settings.batch),
        settings_(settings),
        net_(shape, kernel),
        games_(games(net_, settings_)),
        threads_(threads),
        traces_(static_cast<std::size_t>(settings.block)) {}

  TdLearner(const TdLearner&) = delete;  // who plays refers to the network
  TdLearner& operator=(const TdLearner&) = delete;

  JudgeTrainer& trainer() { return trainer_; }

  TdRound play_round(std::int64_t games, std::uint64_t seed, float rate, const TdProgress& progress) {
    TdRound round;
    Crew::shared().set_threads(threads_);
    for (std::int64_t first = 0; first < games; first += settings_.block) {
      const int count = static_cast<int>(std::min<std::int64_t>(settings_.block, games - first));
      net_.load(trainer_.theta());
      Crew::shared().run(count, [&](int i) {
        Rng rng(seed, static_cast<std::uint64_t>(first + i));
        games_->play(rng, traces_[static_cast<std::size_t>(i)]);
      });
      learn(round, count, mix64(seed ^ 0x5851f42d4c957f2dULL) + static_cast<std::uint64_t>(first), rate);
      progress(round.games, round.decisions);
    }
    return round;
  }

  // One game with the weights as they are; nothing is learned from it.
  TdTrace play_game(std::uint64_t seed, std::uint64_t number) {
    TdTrace trace;
    Rng rng(seed, number);
    net_.load(trainer_.theta());
    games_->play(rng, trace);
    return trace;
  }

 private:
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

  JudgeTrainer trainer_;
  const TdSettings settings_;
  JudgeNet net_;
  std::unique_ptr<TdGames> games_;
  int threads_;
  std::vector<TdTrace> traces_;
  std::vector<JudgeSample> samples_, batch_;
};

}  // namespace dicezero
