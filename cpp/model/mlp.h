// Multi-layer perceptrons, and the two networks made of them: the learned model of MuZero and NDMZ, and the
// evaluator of AlphaZero. Immutable after construction, so any number of threads may use one at once.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "model/dense.h"
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
  AlignedFloats input, even, odd;
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
  // Every layer but the last has the activation; the last is linear.
  Mlp(const std::vector<LayerWeights>& layers, Activation activation, const Kernel& kernel) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const LayerWeights& l = layers[i];
      layers_.emplace_back(l.inputs, l.outputs, l.weights, l.biases, l.bias_rows,
                           i + 1 < layers.size() ? activation : Activation::kIdentity, kernel);
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

  // x [rows, x_stride] -> [rows, stride()], in one of the two buffers; x lies in neither. `bias_row` is the
  // first layer's.
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

// Stretches a row to [0, 1]: MuZero's scaling of hidden states.
inline void scale_row(float* row, int width) {
  const auto [low, high] = std::minmax_element(row, row + width);
  const float least = *low, range = *high - least + 1e-5f;
  for (int i = 0; i < width; ++i) row[i] = (row[i] - least) / range;
}

inline float* shifted(float* p, std::ptrdiff_t offset) { return p ? p + offset : nullptr; }

// The networks of MuZero, or with identities > 0 of NDMZ:
//   representation  observation -> hidden
//   dynamics        (hidden, action) -> hidden, reward, identity logits
//   prediction      hidden -> policy logits, chance logits, value
// The heads of a network are the columns of its last layer, in this order; without identities there are no
// identity and no chance columns. The action enters the dynamics through the bias: its first layer has one
// bias row an action.
class MuZeroNet final : public Simulator {
 public:
  MuZeroNet(Mlp representation, Mlp dynamics, Mlp prediction, int num_actions, int num_identities,
            bool scale_hidden = false)
      : representation_(std::move(representation)),
        dynamics_(std::move(dynamics)),
        prediction_(std::move(prediction)),
        hidden_(representation_.outputs()),
        actions_(num_actions),
        identities_(num_identities),
        chance_(num_identities > 0 ? num_actions : 0),
        scale_hidden_(scale_hidden) {
    if (dynamics_.inputs() != hidden_ || prediction_.inputs() != hidden_ ||
        dynamics_.outputs() != hidden_ + 1 + identities_ || prediction_.outputs() != actions_ + chance_ + 1) {
      throw std::invalid_argument("the three networks do not fit together; check their heads");
    }
  }

  int observation_size() const { return representation_.inputs(); }
  int hidden_size() const override { return hidden_; }
  int num_actions() const override { return actions_; }
  int num_identities() const override { return identities_; }
  bool parallel() const override { return true; }

  // observations [M, O] -> hidden [M, H], policy_logits [M, A], value [M].
  void root(int size, const float* observations, float* hidden, float* policy_logits, float* value) const {
    Workspace& space = thread_workspace();
    for (int at = 0; at < size; at += kChunkRows) {
      const int rows = std::min(kChunkRows, size - at);
      const std::ptrdiff_t first = at;
      const float* x = observations + first * observation_size();
      const float* state = representation_.run(rows, x, observation_size(), nullptr, space.even, space.odd);
      copy_columns(rows, state, representation_.stride(), 0, hidden_, hidden + first * hidden_);
      for (int i = 0; scale_hidden_ && i < rows; ++i) scale_row(hidden + (first + i) * hidden_, hidden_);
      predict(rows, hidden + first * hidden_, hidden_, policy_logits + first * actions_, nullptr,
              value + first);
    }
  }

  void step(const StepBatch& batch) override {
    for (int i = 0; i < batch.size; ++i) {
      if (batch.action[i] < 0 || batch.action[i] >= actions_) {
        throw std::invalid_argument("action[" + std::to_string(i) + "] = " + std::to_string(batch.action[i]) +
                                    " is out of range; give 0.." + std::to_string(actions_ - 1));
      }
    }
    Workspace& space = thread_workspace();
    for (int at = 0; at < batch.size; at += kChunkRows) {
      const int rows = std::min(kChunkRows, batch.size - at);
      const std::ptrdiff_t first = at;
      float* input = reserve(space.input, static_cast<std::size_t>(kChunkRows) * hidden_);
      for (int i = 0; i < rows; ++i) {
        std::copy_n(batch.hidden[at + i], hidden_, input + static_cast<std::ptrdiff_t>(i) * hidden_);
      }
      const float* out = dynamics_.run(rows, input, hidden_, batch.action + at, space.even, space.odd);
      for (int i = 0; i < rows; ++i) {
        const float* row = out + static_cast<std::ptrdiff_t>(i) * dynamics_.stride();
        float* next = batch.next_hidden[at + i];
        std::copy_n(row, hidden_, next);
        if (scale_hidden_) scale_row(next, hidden_);
        std::copy_n(next, hidden_, input + static_cast<std::ptrdiff_t>(i) * hidden_);
        batch.reward[at + i] = row[hidden_];
      }
      copy_columns(rows, out, dynamics_.stride(), hidden_ + 1, identities_,
                   shifted(batch.identity_logits, first * identities_));
      predict(rows, input, hidden_, batch.policy_logits + first * actions_,
              shifted(batch.chance_logits, first * actions_), batch.value + first);
    }
  }

 private:
  void predict(int rows, const float* hidden, std::ptrdiff_t stride, float* policy_logits,
               float* chance_logits, float* value) const {
    Workspace& space = thread_workspace();
    const float* out = prediction_.run(rows, hidden, stride, nullptr, space.even, space.odd);
    copy_columns(rows, out, prediction_.stride(), 0, actions_, policy_logits);
    if (chance_) copy_columns(rows, out, prediction_.stride(), actions_, actions_, chance_logits);
    copy_columns(rows, out, prediction_.stride(), actions_ + chance_, 1, value);
  }

  Mlp representation_, dynamics_, prediction_;
  int hidden_, actions_, identities_, chance_;
  bool scale_hidden_;
};

// AlphaZero's network: observation -> policy logits, value, the columns of the last layer in this order.
class MlpEvaluator final : public Evaluator {
 public:
  explicit MlpEvaluator(Mlp net) : net_(std::move(net)) {
    if (net_.outputs() < 2) throw std::invalid_argument("the network needs a policy and a value column");
  }

  int observation_size() const override { return net_.inputs(); }
  int num_actions() const override { return net_.outputs() - 1; }
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
      copy_columns(rows, out, net_.stride(), num_actions(), 1, value + first);
    }
  }

 private:
  Mlp net_;
};

}  // namespace dicezero
