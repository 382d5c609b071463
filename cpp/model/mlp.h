// Multi-layer perceptrons, and the evaluators that are one: AlphaZero's, and TD(lambda)'s judge. Immutable
// after construction, so any number of threads may use one at once.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "model/dense.h"
#include "model/support.h"
#include "search/simulator.h"

namespace dicezero {

// One layer's weights as they come: [inputs, outputs] and [bias_rows, outputs].
struct LayerWeights {
  int inputs, outputs, bias_rows;
  const float* weights;
  const float* biases;
};

// Buffers of one thread. They grow to the largest batch seen and stay.
struct Workspace {
  AlignedFloats input, even, odd, heads;
};

inline float* reserve(AlignedFloats& buffer, std::size_t size) {
  if (buffer.size() < size) buffer = AlignedFloats(size);
  return buffer.data();
}

inline Workspace& thread_workspace() {
  thread_local Workspace workspace;
  return workspace;
}

// Rows that pass through all layers together: few enough that the activations stay in the second-level cache,
// so many that loading the weights does not count.
inline constexpr int kChunkRows = 128;

class Mlp {
 public:
  // Every layer but the last has the activation; the last is linear by default.
  Mlp(const std::vector<LayerWeights>& layers, Activation activation, const Kernel& kernel,
      Activation last = Activation::kIdentity) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const LayerWeights& l = layers[i];
      layers_.emplace_back(l.inputs, l.outputs, l.weights, l.biases, l.bias_rows,
                           i + 1 < layers.size() ? activation : last, kernel);
    }
    if (layers_.empty()) throw std::invalid_argument("a network needs at least one layer");
    for (std::size_t i = 1; i < layers_.size(); ++i) {
      if (layers_[i].inputs() != layers_[i - 1].outputs()) {
        throw std::invalid_argument(
            "layer " + std::to_string(i) + " takes " + std::to_string(layers_[i].inputs()) +
            " inputs, but the layer before gives " + std::to_string(layers_[i - 1].outputs()));
      }
    }
  }

  Mlp(Mlp&&) = default;  // and no copies: the weights are large

  int inputs() const { return layers_.front().inputs(); }
  int outputs() const { return layers_.back().outputs(); }
  int stride() const { return layers_.back().stride(); }  // of a row of the answer

  // x [rows, x_stride] -> [rows, stride()], in one of the two buffers; x may lie in `odd`, not in `even`.
  // `bias_row` is the first layer's.
  const float* run(int rows, const float* x, std::ptrdiff_t x_stride, const std::int32_t* bias_row,
                   AlignedFloats& even, AlignedFloats& odd) const {
    AlignedFloats* buffers[2] = {&even, &odd};
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const Dense& layer = layers_[i];
      float* y = reserve(*buffers[i % 2], static_cast<std::size_t>(rows) * layer.stride());
      layer.run(rows, x, x_stride, i == 0 ? bias_row : nullptr, y);
      x = y;
      x_stride = layer.stride();
    }
    return x;
  }

 private:
  std::vector<Dense> layers_;
};

// Copies columns [first, first + width) of a padded matrix into a dense one.
inline void copy_columns(int rows, const float* from, std::ptrdiff_t stride, int first, int width,
                         float* to) {
  if (!to) return;
  for (int i = 0; i < rows; ++i)
    std::copy_n(from + i * stride + first, width, to + static_cast<std::ptrdiff_t>(i) * width);
}

// AlphaZero's network: observation -> policy logits, value, the columns of the last layer in this order;
// without policy columns it judges positions.
class MlpEvaluator final : public Evaluator {
 public:
  MlpEvaluator(Mlp net, NumberHead value) : net_(std::move(net)), value_(std::move(value)) {
    if (net_.outputs() < value_.columns()) {
      throw std::invalid_argument("the network's last layer has " + std::to_string(net_.outputs()) +
                                  " columns; the value alone takes " + std::to_string(value_.columns()));
    }
  }

  int observation_size() const override { return net_.inputs(); }
  int num_actions() const override { return net_.outputs() - value_.columns(); }
  bool parallel() const override { return true; }

  void evaluate(int size, const float* observations, const std::uint8_t* /*legal*/, float* policy_logits,
                float* value) override {
    Workspace& space = thread_workspace();
    for (int at = 0; at < size; at += kChunkRows) {
      const int rows = std::min(kChunkRows, size - at);
      const std::ptrdiff_t first = at;
      const float* out =
          net_.run(rows, observations + first * net_.inputs(), net_.inputs(), nullptr, space.even, space.odd);
      copy_columns(rows, out, net_.stride(), 0, num_actions(), policy_logits + first * num_actions());
      value_.read(rows, out, net_.stride(), num_actions(), value + first);
    }
  }

 private:
  Mlp net_;
  NumberHead value_;
};

}  // namespace dicezero
