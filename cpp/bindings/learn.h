// Learning while playing: the learners of cpp/learn for one type of game.
#pragma once

#include <memory>

#include "bindings/rules.h"
#include "learn/td_learner.h"

namespace dicezero {

template <Game G>
std::unique_ptr<TdLearner> td_learner(const G& game, const JudgeShape& shape, const TdSettings& settings,
                                      const Kernel& kernel, int threads) {
  if (shape.inputs != static_cast<int>(observation_size(game))) {
    throw std::invalid_argument("inputs=" + std::to_string(shape.inputs) + " is not what " + full_name(game) +
                                " shows; give " + std::to_string(observation_size(game)));
  }
  return std::make_unique<TdLearnerOf<G>>(game, shape, settings, kernel, threads);
}

}  // namespace dicezero
