// A network that judges afterstates as it looks from outside: its shape, and how to call it. Its weights
// and its arithmetic are other units' business, so that games need not be compiled anew for them.
//
// The weights are one vector: for each phase of the game and each layer, weights [inputs, outputs] and bias
// [outputs]. Outputs are one value, or logits over the results that a game can have.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "model/dense.h"

namespace dicezero {

struct JudgeShape {
  int inputs = 0;
  std::vector<int> widths;  // of the hidden layers
  Activation activation = Activation::kRelu;
  int phases = 1;              // networks; with several the last inputs are which, one-hot
  std::vector<float> results;  // ascending and symmetric about 0, in units of the scale; empty: one value

  int outputs() const { return results.empty() ? 1 : static_cast<int>(results.size()); }

  std::size_t phase_weights() const {
    std::size_t total = 0;
    int below = inputs;
    for (const int width : layer_widths()) {
      total += static_cast<std::size_t>(below + 1) * width;
      below = width;
    }
    return total;
  }
  std::size_t num_weights() const { return phase_weights() * static_cast<std::size_t>(phases); }

  std::vector<int> layer_widths() const {
    std::vector<int> all = widths;
    all.push_back(outputs());
    return all;
  }

  int phase_of(const float* observation) const {
    for (int phase = 1; phase < phases; ++phase) {
      if (observation[inputs - phases + phase] > 0.5f) return phase;
    }
    return 0;
  }
};

// A judge that plays: a row's answer depends on the row alone. Any number of threads may ask at once.
class PlayingJudge {
 public:
  virtual ~PlayingJudge() = default;
  virtual int observation_size() const = 0;

  // Observations [size, inputs] to values [size], each for the player whose view it is.
  virtual void values(int size, const float* observations, float* value) const = 0;
};

// A judge that is learning, evaluated at the afterstates of one position at a time. Threads that call at once
// each bring a space of their own.
class LearningJudge {
 public:
  struct Space {
    virtual ~Space() = default;
  };

  virtual ~LearningJudge() = default;
  virtual const JudgeShape& shape() const = 0;
  virtual std::unique_ptr<Space> space() const = 0;

  // Observations [rows, inputs] to the outputs of each [rows, outputs] and its value [rows].
  virtual void judge(int rows, const float* observations, Space& space, float* predicted,
                     float* value) const = 0;
};

}  // namespace dicezero
