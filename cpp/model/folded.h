// A step of the learned model as the planner takes it: the same function of the same weights, with fewer
// products.
//   - No activation stands between the dynamics' last layer and what reads the hidden state: the first layers
//     of the dynamics and of the prediction. Two linear layers in a row are one, so each of those two is
//     folded with that last layer, and the hidden state itself is never formed.
//   - An action enters the dynamics through the bias of its first layer. The products of that layer are
//     therefore the same for all children of a node; they are taken when its first child is evaluated.
// For hidden layers of one size that leaves three square products for a new node and one for a new parent,
// where the networks as they stand take five.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "model/mlp.h"
#include "search/simulator.h"

namespace dicezero {

inline float* shifted(float* p, std::ptrdiff_t offset) { return p ? p + offset : nullptr; }

class FoldedStep {
 public:
  using Layers = std::vector<LayerWeights>;

  // Is it less work? Not where a small hidden state joins wide layers.
  static bool saves(const Layers& dynamics, const Layers& prediction) {
    const std::int64_t narrow = dynamics.front().inputs, last = dynamics.back().inputs,
                       readers = dynamics.front().outputs + prediction.front().outputs;
    return last * readers <= narrow * (last + readers);
  }

  // The last layer of the dynamics gives hidden, reward, identities; of the prediction policy, chance (if
  // there are identities), value.
  FoldedStep(const Layers& dynamics, const Layers& prediction, int hidden, int num_actions,
             int num_identities, Activation activation, const NumberHead& number, const Kernel& kernel)
      : kernel_(kernel),
        number_(number),
        activation_(activation),
        hidden_(hidden),
        actions_(num_actions),
        identities_(num_identities),
        chance_(num_identities > 0 ? num_actions : 0) {
    const LayerWeights first = dynamics.front(), last = dynamics.back();
    const std::vector<float> nothing(static_cast<std::size_t>(first.outputs));
    const LayerWeights products{first.inputs, first.outputs, 1, first.weights, nothing.data()};
    from_hidden_.emplace(make(products));
    from_last_.emplace(make(fold(last, products).view()));
    action_bias_ = AlignedFloats(static_cast<std::size_t>(num_actions) * from_last_->stride());
    for (std::ptrdiff_t a = 0; a < num_actions; ++a) {
      std::copy_n(first.biases + a * first.outputs, first.outputs,
                  action_bias_.data() + a * from_last_->stride());
    }
    if (dynamics.size() > 2) {
      body_.emplace(Layers(dynamics.begin() + 1, dynamics.end() - 1), activation, kernel, activation);
    }
    effects_.emplace(make(columns(last, hidden, last.outputs - hidden).view()));
    const Folded entry = fold(last, prediction.front());
    Layers layers = prediction;
    layers.front() = entry.view();
    prediction_.emplace(layers, activation, kernel);
    mark_ = std::max({hidden, from_last_->stride(), from_last_->inputs()});
  }

  // A row: a hidden state that came from outside, or the dynamics' last hidden layer, or, once it has had a
  // child, the products of the dynamics' first layer; then a mark of which. Whole cache lines.
  int row_size() const { return (mark_ + 16) / 16 * 16; }

  void enter(const float* hidden, float* row) const {
    std::copy_n(hidden, hidden_, row);
    row[mark_] = kHidden;
  }

  void step(const StepBatch& batch) const {
    for (int at = 0; at < batch.size; at += kChunkRows) step_chunk(batch, at);
  }

 private:
  static constexpr float kReady = 0.0f, kLast = 1.0f, kHidden = 2.0f;

  // A layer that owns its weights.
  struct Folded {
    int inputs, outputs;
    std::vector<float> weights, bias;
    LayerWeights view() const { return {inputs, outputs, 1, weights.data(), bias.data()}; }
  };

  Dense make(const LayerWeights& l) const {
    return Dense(l.inputs, l.outputs, l.weights, l.biases, 1, Activation::kIdentity, kernel_);
  }

  static Folded columns(const LayerWeights& l, int begin, int width) {
    Folded part{l.inputs, width, std::vector<float>(static_cast<std::size_t>(l.inputs) * width),
                std::vector<float>(l.biases + begin, l.biases + begin + width)};
    copy_columns(l.inputs, l.weights, l.outputs, begin, width, part.weights.data());
    return part;
  }

  // The layer that does what `from`, of which it reads as many columns as it has inputs, and `to` do.
  Folded fold(const LayerWeights& from, const LayerWeights& to) const {
    const std::vector<float> nothing(static_cast<std::size_t>(to.outputs));
    const Dense product = make({to.inputs, to.outputs, 1, to.weights, nothing.data()});
    AlignedFloats padded(static_cast<std::size_t>(from.inputs) * product.stride());
    Folded made{from.inputs, to.outputs,
                std::vector<float>(static_cast<std::size_t>(from.inputs) * to.outputs),
                std::vector<float>(static_cast<std::size_t>(to.outputs))};
    product.run(from.inputs, from.weights, from.outputs, nullptr, padded.data());
    copy_columns(from.inputs, padded.data(), product.stride(), 0, to.outputs, made.weights.data());
    product.run(1, from.biases, from.outputs, nullptr, padded.data());
    for (int i = 0; i < to.outputs; ++i) made.bias[i] = padded.data()[i] + to.biases[i];
    return made;
  }

  void step_chunk(const StepBatch& batch, int at) const {
    Workspace& space = thread_workspace();
    const int rows = std::min(kChunkRows, batch.size - at);
    const std::ptrdiff_t first = at;
    // Step 1. The products of the dynamics' first layer, for parents that have had no child.
    prepare(rows, batch.hidden + at, kHidden, *from_hidden_);
    prepare(rows, batch.hidden + at, kLast, *from_last_);
    // Step 2. The action, and the rest of the dynamics but its last layer.
    std::ptrdiff_t stride = from_last_->stride();
    float* input = reserve(space.input, static_cast<std::size_t>(kChunkRows) * stride);
    for (std::ptrdiff_t i = 0; i < rows; ++i) {
      kernel_.finish(from_last_->stride(), batch.hidden[at + i],
                     action_bias_.data() + batch.action[at + i] * stride, activation_, input + i * stride);
    }
    const float* last = input;
    if (body_) {
      last = body_->run(rows, input, stride, nullptr, space.even, space.odd);
      stride = body_->stride();
    }
    for (std::ptrdiff_t i = 0; i < rows; ++i) {
      std::copy_n(last + i * stride, from_last_->inputs(), batch.next_hidden[at + i]);
      batch.next_hidden[at + i][mark_] = kLast;
    }
    // Step 3. Reward and identities.
    float* effects = reserve(space.heads, static_cast<std::size_t>(kChunkRows) * effects_->stride());
    effects_->run(rows, last, stride, nullptr, effects);
    number_.read(rows, effects, effects_->stride(), 0, batch.reward + first);
    copy_columns(rows, effects, effects_->stride(), number_.columns(), identities_,
                 shifted(batch.identity_logits, first * identities_));
    // Step 4. The prediction.
    const bool in_even = last == space.even.data();
    const float* predicted = prediction_->run(rows, last, stride, nullptr, in_even ? space.odd : space.even,
                                              in_even ? space.even : space.odd);
    copy_columns(rows, predicted, prediction_->stride(), 0, actions_, batch.policy_logits + first * actions_);
    if (chance_) {
      copy_columns(rows, predicted, prediction_->stride(), actions_, actions_,
                   shifted(batch.chance_logits, first * actions_));
    }
    number_.read(rows, predicted, prediction_->stride(), actions_ + chance_, batch.value + first);
  }

  void prepare(int rows, float* const* parents, float mark, const Dense& layer) const {
    Workspace& space = thread_workspace();
    std::array<float*, kChunkRows> found;
    int count = 0;
    for (int i = 0; i < rows; ++i) {
      if (parents[i][mark_] != mark) continue;
      parents[i][mark_] = kReady;
      found[static_cast<std::size_t>(count++)] = parents[i];
    }
    if (count == 0) return;
    const std::ptrdiff_t width = layer.inputs(), stride = layer.stride();
    float* input = reserve(space.input, static_cast<std::size_t>(kChunkRows) * width);
    float* products = reserve(space.even, static_cast<std::size_t>(kChunkRows) * stride);
    for (std::ptrdiff_t i = 0; i < count; ++i) std::copy_n(found[i], width, input + i * width);
    layer.run(count, input, width, nullptr, products);
    for (std::ptrdiff_t i = 0; i < count; ++i) std::copy_n(products + i * stride, stride, found[i]);
  }

  Kernel kernel_;
  NumberHead number_;  // of reward and value
  Activation activation_;
  int hidden_, actions_, identities_, chance_;
  int mark_ = 0;                                  // where in a row the mark is
  std::optional<Dense> from_hidden_, from_last_;  // to the products of the dynamics' first layer
  AlignedFloats action_bias_;                     // [A, stride of those]
  std::optional<Mlp> body_;                       // the hidden layers of the dynamics from the second on
  std::optional<Dense> effects_;                  // reward, identities
  std::optional<Mlp> prediction_;
};

}  // namespace dicezero
