// Networks that judge afterstates: where their layers lie, what their outputs mean, and the one that plays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/dense_gradient.h"
#include "model/judge_shape.h"
#include "model/mlp.h"
#include "model/row_kernels.h"
#include "model/support.h"

namespace dicezero {

// Each layer of one phase within the vector of all weights.
inline std::vector<TrainedPart::Layer> layers_of(const JudgeShape& shape, const float* theta, int phase) {
  std::vector<TrainedPart::Layer> found;
  theta += shape.phase_weights() * static_cast<std::size_t>(phase);
  int below = shape.inputs;
  for (const int width : shape.layer_widths()) {
    const float* bias = theta + static_cast<std::ptrdiff_t>(below) * width;
    found.push_back({below, width, theta, bias});
    theta = bias + width;
    below = width;
  }
  return found;
}

// The meaning of a row's outputs: probabilities of the results, or the value itself.
inline void read_outputs(const JudgeShape& shape, const Kernel& kernel, int rows, const float* outputs,
                         std::ptrdiff_t stride, AlignedFloats& scratch, float* predicted, float* value) {
  const int count = shape.outputs();
  if (shape.results.empty()) {
    for (int row = 0; row < rows; ++row) predicted[row] = value[row] = outputs[row * stride];
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
      predicted[row * count + k] = e[k] / total;
      moment += predicted[row * count + k] * shape.results[static_cast<std::size_t>(k)];
    }
    value[row] = moment;
  }
}

// The judge that plays. Most numbers of an observation are 0, and the first layer passes over them: that is
// what adding their products would come to, bit for bit.
class PhasedJudge final : public PlayingJudge {
 public:
  // The layers of each phase's network; with results their outputs are logits over these, else what `number`
  // reads.
  PhasedJudge(const std::vector<std::vector<LayerWeights>>& phases, Activation activation,
              std::vector<float> results, NumberHead number, const Kernel& kernel)
      : number_(std::move(number)), kernel_(kernel), sparse_(row_kernel(kernel)) {
    if (phases.empty()) throw std::invalid_argument("a judge needs at least one network");
    shape_.activation = activation;
    shape_.phases = static_cast<int>(phases.size());
    shape_.results = std::move(results);
    const int wanted = shape_.results.empty() ? number_.columns() : shape_.outputs();
    for (const std::vector<LayerWeights>& layers : phases) {
      if (layers.size() < 2) throw std::invalid_argument("a judge needs at least one hidden layer");
      if (nets_.empty()) shape_.inputs = layers[0].inputs;
      nets_.emplace_back(layers, activation, kernel);
      const int inputs = layers[0].inputs, outputs = nets_.back().upper.outputs();
      if (outputs != wanted || inputs != shape_.inputs || shape_.phases > shape_.inputs) {
        throw std::invalid_argument("a judge's network has " + std::to_string(inputs) + " inputs and " +
                                    std::to_string(outputs) + " outputs; expected " +
                                    std::to_string(shape_.inputs) + " and " + std::to_string(wanted));
      }
    }
  }

  PhasedJudge(PhasedJudge&&) = default;  // and no copies: the weights are large

  int observation_size() const override { return shape_.inputs; }

  void values(int size, const float* observations, float* value) const override {
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
  struct Net {
    Net(const std::vector<LayerWeights>& layers, Activation activation, const Kernel& kernel)
        : upper({layers.begin() + 1, layers.end()}, activation, kernel),
          width((layers[0].outputs + kernel.panel - 1) / kernel.panel * kernel.panel),
          first(static_cast<std::size_t>(layers[0].inputs + 1) * static_cast<std::size_t>(width)) {
      if (upper.inputs() != layers[0].outputs) {
        throw std::invalid_argument("layer 1 takes " + std::to_string(upper.inputs()) +
                                    " inputs, but the layer before gives " +
                                    std::to_string(layers[0].outputs));
      }
      const std::ptrdiff_t outputs = layers[0].outputs;
      for (std::ptrdiff_t i = 0; i <= layers[0].inputs; ++i) {
        const float* from = i < layers[0].inputs ? layers[0].weights + i * outputs : layers[0].biases;
        std::copy_n(from, outputs, first.data() + i * width);
      }
    }
    Mlp upper;
    std::ptrdiff_t width;  // of the first layer, in whole panels
    AlignedFloats first;   // [inputs + 1, width], the bias last
  };
  struct Buffers {
    AlignedFloats hidden, even, odd, scratch, zeros;
    std::vector<std::int32_t> order, index;
    std::vector<float> factor, predicted, value;
  };

  void run(const Net& net, int rows, const std::int32_t* order, const float* observations, Buffers& space,
           float* value) const {
    const std::ptrdiff_t inputs = shape_.inputs;
    const float* zeros = reserve(space.zeros, static_cast<std::size_t>(std::max(inputs, net.width)));
    float* hidden = reserve(space.hidden, static_cast<std::size_t>(kChunkRows * net.width));
    space.index.resize(static_cast<std::size_t>(inputs + kChangesRoom));
    space.factor.resize(space.index.size());
    for (int i = 0; i < rows; ++i) {
      float* y = hidden + i * net.width;
      const int count = sparse_.changes(shape_.inputs, zeros, observations + order[i] * inputs,
                                        space.index.data(), space.factor.data());
      std::copy_n(net.first.data() + inputs * net.width, net.width, y);
      sparse_.add_rows(static_cast<int>(net.width), count, space.index.data(), space.factor.data(),
                       net.first.data(), net.width, y);
      kernel_.finish(static_cast<int>(net.width), y, zeros, shape_.activation, y);
    }
    const float* out = net.upper.run(rows, hidden, net.width, nullptr, space.even, space.odd);
    space.predicted.resize(static_cast<std::size_t>(kChunkRows * shape_.outputs()));
    space.value.resize(kChunkRows);
    if (shape_.results.empty()) {
      number_.read(rows, out, net.upper.stride(), 0, space.value.data());
    } else {
      read_outputs(shape_, kernel_, rows, out, net.upper.stride(), space.scratch, space.predicted.data(),
                   space.value.data());
    }
    for (int i = 0; i < rows; ++i) value[order[i]] = space.value[static_cast<std::size_t>(i)];
  }

  JudgeShape shape_;
  std::vector<Net> nets_;
  NumberHead number_;
  Kernel kernel_;
  RowKernel sparse_;
};

}  // namespace dicezero
