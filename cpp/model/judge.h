// Networks that judge afterstates: how they are laid out, what their outputs say, and the plain one that
// plays.
//
// The weights are one vector: for each phase of the game and each layer, weights [inputs, outputs] and bias
// [outputs]. Outputs are one value, or logits over the results that a game can have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/dense_gradient.h"
#include "model/mlp.h"
#include "model/support.h"

namespace dicezero {

struct JudgeShape {
  int inputs = 0;
  std::vector<int> widths;  // of the hidden layers
  Activation activation = Activation::kRelu;
  int phases = 1;              // networks; with several the last inputs say which, one-hot
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

  // Each layer of one phase within the vector of all weights.
  std::vector<TrainedPart::Layer> layers(const float* theta, int phase) const {
    std::vector<TrainedPart::Layer> found;
    theta += phase_weights() * static_cast<std::size_t>(phase);
    int below = inputs;
    for (const int width : layer_widths()) {
      const float* bias = theta + static_cast<std::ptrdiff_t>(below) * width;
      found.push_back({below, width, theta, bias});
      theta = bias + width;
      below = width;
    }
    return found;
  }

  int phase_of(const float* observation) const {
    for (int phase = 1; phase < phases; ++phase) {
      if (observation[inputs - phases + phase] > 0.5f) return phase;
    }
    return 0;
  }
};

// What the outputs of a row say: probabilities of the results, or the value itself.
inline void read_outputs(const JudgeShape& shape, const Kernel& kernel, int rows, const float* outputs,
                         std::ptrdiff_t stride, AlignedFloats& scratch, float* said, float* value) {
  const int count = shape.outputs();
  if (shape.results.empty()) {
    for (int row = 0; row < rows; ++row) said[row] = value[row] = outputs[row * stride];
    return;
  }
  const int padded = (rows * count + 63) / 64 * 64;
  float* shifted = reserve(scratch, static_cast<std::size_t>(padded));
  for (int row = 0; row < rows; ++row) {
    const float* logits = outputs + row * stride;
    const float highest = *std::max_element(logits, logits + count);
    for (int k = 0; k < count; ++k) shifted[row * count + k] = logits[k] - highest;
  }
  std::fill(shifted + rows * count, shifted + padded, 0.0f);
  kernel.exp_negative(padded, shifted);
  for (int row = 0; row < rows; ++row) {
    const float* e = shifted + row * count;
    float total = 0.0f, moment = 0.0f;
    for (int k = 0; k < count; ++k) total += e[k];
    for (int k = 0; k < count; ++k) {
      said[row * count + k] = e[k] / total;
      moment += said[row * count + k] * shape.results[static_cast<std::size_t>(k)];
    }
    value[row] = moment;
  }
}

// The judge that plays: a row's answer depends on the row alone. Any number of threads may ask at once.
class PhasedJudge {
 public:
  // A network for each phase; with results their outputs are logits over these, else what `number` reads.
  PhasedJudge(std::vector<Mlp> nets, std::vector<float> results, NumberHead number, const Kernel& kernel)
      : nets_(std::move(nets)), number_(std::move(number)), kernel_(kernel) {
    if (nets_.empty()) throw std::invalid_argument("a judge needs at least one network");
    shape_.inputs = nets_[0].inputs();
    shape_.phases = static_cast<int>(nets_.size());
    shape_.results = std::move(results);
    const int wanted = shape_.results.empty() ? number_.columns() : shape_.outputs();
    for (const Mlp& net : nets_) {
      if (net.outputs() != wanted || net.inputs() != shape_.inputs || shape_.phases > shape_.inputs) {
        throw std::invalid_argument("a judge's network has " + std::to_string(net.inputs()) + " inputs and " +
                                    std::to_string(net.outputs()) + " outputs; expected " +
                                    std::to_string(shape_.inputs) + " and " + std::to_string(wanted));
      }
    }
  }

  PhasedJudge(PhasedJudge&&) = default;  // and no copies: the weights are large

  int observation_size() const { return shape_.inputs; }

  // Observations [size, inputs] to values [size], each for the player whose view it is.
  void values(int size, const float* observations, float* value) const {
    thread_local Buffers space;
    for (int phase = 0; phase < shape_.phases; ++phase) {
      space.order.clear();
      for (int row = 0; row < size; ++row) {
        if (shape_.phase_of(observations + static_cast<std::ptrdiff_t>(row) * shape_.inputs) == phase) {
          space.order.push_back(row);
        }
      }
      const int count = static_cast<int>(space.order.size());
      for (int at = 0; at < count; at += kChunkRows) {
        run(nets_[static_cast<std::size_t>(phase)], std::min(kChunkRows, count - at), space.order.data() + at,
            observations, space, value);
      }
    }
  }

 private:
  struct Buffers {
    AlignedFloats input, even, odd, scratch;
    std::vector<std::int32_t> order;
    std::vector<float> said, value;
  };

  void run(const Mlp& net, int rows, const std::int32_t* order, const float* observations, Buffers& space,
           float* value) const {
    const std::ptrdiff_t inputs = shape_.inputs;
    float* x = reserve(space.input, static_cast<std::size_t>(kChunkRows * inputs));
    for (int i = 0; i < rows; ++i) std::copy_n(observations + order[i] * inputs, inputs, x + i * inputs);
    const float* out = net.run(rows, x, inputs, nullptr, space.even, space.odd);
    space.said.resize(static_cast<std::size_t>(kChunkRows * shape_.outputs()));
    space.value.resize(kChunkRows);
    if (shape_.results.empty()) {
      number_.read(rows, out, net.stride(), 0, space.value.data());
    } else {
      read_outputs(shape_, kernel_, rows, out, net.stride(), space.scratch, space.said.data(),
                   space.value.data());
    }
    for (int i = 0; i < rows; ++i) value[order[i]] = space.value[static_cast<std::size_t>(i)];
  }

  JudgeShape shape_;
  std::vector<Mlp> nets_;
  NumberHead number_;
  Kernel kernel_;
};

}  // namespace dicezero
