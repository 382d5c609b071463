// The unroll of a learned model for training, forward and backward: representation, K steps of the dynamics
// along the actions that were played, and the prediction at all K + 1 hidden states at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/dense_gradient.h"
#include "model/muzero_net.h"

namespace dicezero {

struct Unroll {
  int rows, steps, observation, actions, hidden;
  const float* observations;  // [rows, observation]
  const std::int32_t* taken;  // [rows, steps]
  bool scale_hidden;
  Skip skip;
};

// The weights of the three parts, which all shards of a batch share.
struct ModelParts {
  using Layers = std::vector<TrainedPart::Layer>;

  explicit ModelParts(const Kernel& kernel) : representation(kernel), dynamics(kernel), prediction(kernel) {}

  void load(const Layers& r, const Layers& d, const Layers& p, Activation activation, int actions,
            TrainedPart::Pass pass) {
    representation.load(r, activation, 0, true, pass);
    dynamics.load(d, activation, actions, false, pass);
    prediction.load(p, activation, 0, false, pass);
  }

  // Floats that forward leaves for backward, of so many rows.
  std::size_t tape_size(int rows, int steps) const {
    const std::ptrdiff_t each = rows, along = each * steps;
    return static_cast<std::size_t>(each * representation.row_floats() + along * dynamics.row_floats() +
                                    (each + along) * prediction.row_floats());
  }

  TrainedPart representation, dynamics, prediction;
};

class ModelGradient {
 public:
  using Gradients = std::vector<TrainedPart::Gradient>;

  explicit ModelGradient(const ModelParts& parts)
      : parts_(parts),
        representation_(parts.representation),
        dynamics_(parts.dynamics),
        prediction_(parts.prediction) {}

  // hidden [K + 1, rows, H]; effects [K, rows, rest of the dynamics' heads]; predicted [K + 1, rows,
  // prediction's heads].
  void forward(const Unroll& u, float* hidden, float* effects, float* predicted, float* tape) {
    const Tape t = tape_of(u, tape);
    const std::ptrdiff_t block = std::ptrdiff_t{u.rows} * u.hidden;
    turn_actions(u);
    representation_.forward(u.rows, u.observations, u.observation, nullptr, 0, u.rows, t.representation);
    take_hidden(u, last_of(representation_, t.representation, 0, u.rows), representation_, nullptr, hidden);
    const int all = u.rows * u.steps, rest = dynamics_.outputs() - u.hidden;
    for (int k = 0; k < u.steps; ++k) {
      const float* from = hidden + k * block;
      dynamics_.forward(u.rows, from, u.hidden, ones_.data() + std::ptrdiff_t{k} * u.rows, k * u.rows, all,
                        t.dynamics);
      const float* out = last_of(dynamics_, t.dynamics, k * u.rows, all);
      take_hidden(u, out, dynamics_, from, hidden + (k + 1) * block);
      copy_columns(u.rows, out, dynamics_.stride(dynamics_.size() - 1), u.hidden, rest,
                   effects + std::ptrdiff_t{k} * u.rows * rest);
    }
    const int asked = all + u.rows;
    prediction_.forward(asked, hidden, u.hidden, nullptr, 0, asked, t.prediction);
    copy_columns(asked, last_of(prediction_, t.prediction, 0, asked),
                 prediction_.stride(prediction_.size() - 1), 0, prediction_.outputs(), predicted);
  }

  // From the gradients of what forward gave to those of all weights. `factor` is taken of the gradient that
  // goes from a step into the hidden state before it, unless that is the root's.
  void backward(const Unroll& u, const float* hidden, const float* tape, const float* hidden_gradient,
                const float* effects_gradient, const float* predicted_gradient, float factor,
                const Gradients& representation, const Gradients& dynamics, const Gradients& prediction) {
    const Tape t = tape_of(u, const_cast<float*>(tape));  // only read
    const Tape sums = tape_of(u, reserve(sums_, parts_.tape_size(u.rows, u.steps)));
    const int all = u.rows * u.steps, asked = all + u.rows, rest = dynamics_.outputs() - u.hidden;
    const std::ptrdiff_t wide = prediction_.padded(u.hidden);  // of a row of gradients of hidden states
    turn_actions(u);
    // Step 1. The prediction, at all hidden states at once.
    widen(asked, predicted_gradient, prediction_.outputs(), last_of(prediction_, sums.prediction, 0, asked),
          prediction_.stride(prediction_.size() - 1));
    float* states = reserve(states_, static_cast<std::size_t>(asked * wide));
    prediction_.backward(asked, 0, asked, t.prediction, sums.prediction, states, scratch_);
    prediction_.collect(asked, 0, asked, hidden, u.hidden, nullptr, t.prediction, sums.prediction, prediction,
                        scratch_);
    for (std::ptrdiff_t row = 0; row < asked; ++row) {
      for (int i = 0; i < u.hidden; ++i) states[row * wide + i] += hidden_gradient[row * u.hidden + i];
    }
    // Step 2. The steps, from the last one back.
    float* below = reserve(below_, static_cast<std::size_t>(u.rows * wide));
    const std::ptrdiff_t last = dynamics_.stride(dynamics_.size() - 1);
    for (int k = u.steps; k-- > 0;) {
      const float into = k > 0 ? factor : 1.0f;
      float* out = last_of(dynamics_, sums.dynamics, k * u.rows, all);
      const float* raw = last_of(dynamics_, t.dynamics, k * u.rows, all);
      widen(u.rows, effects_gradient + std::ptrdiff_t{k} * u.rows * rest, rest, out + u.hidden, last);
      for (std::ptrdiff_t row = 0; row < u.rows; ++row) {
        const std::ptrdiff_t after = row + std::ptrdiff_t{k + 1} * u.rows,
                             before = row + std::ptrdiff_t{k} * u.rows;
        unscale(u, raw + row * last, hidden + before * u.hidden, hidden + after * u.hidden,
                states + after * wide, out + row * last);
      }
      dynamics_.backward(u.rows, k * u.rows, all, t.dynamics, sums.dynamics, below, scratch_);
      for (std::ptrdiff_t row = 0; row < u.rows; ++row) {
        add_skipped_gradient(u, out + row * last, below + row * wide);
        float* before = states + (row + std::ptrdiff_t{k} * u.rows) * wide;
        for (int i = 0; i < u.hidden; ++i) before[i] += into * below[row * wide + i];
      }
    }
    dynamics_.collect(all, 0, all, hidden, u.hidden, ones_.data(), t.dynamics, sums.dynamics, dynamics,
                      scratch_);
    // Step 3. The representation.
    const std::ptrdiff_t first = representation_.stride(representation_.size() - 1);
    float* out = last_of(representation_, sums.representation, 0, u.rows);
    const float* raw = last_of(representation_, t.representation, 0, u.rows);
    std::fill_n(out, u.rows * first, 0.0f);
    for (std::ptrdiff_t row = 0; row < u.rows; ++row) {
      unscale(u, raw + row * first, nullptr, hidden + row * u.hidden, states + row * wide, out + row * first);
    }
    representation_.backward(u.rows, 0, u.rows, t.representation, sums.representation, nullptr, scratch_);
    representation_.collect(u.rows, 0, u.rows, u.observations, u.observation, nullptr, t.representation,
                            sums.representation, representation, scratch_);
  }

 private:
  struct Tape {
    float *representation, *dynamics, *prediction;
  };

  Tape tape_of(const Unroll& u, float* tape) const {
    const std::ptrdiff_t each = u.rows, along = each * u.steps;
    float* dynamics = tape + each * representation_.row_floats();
    return {tape, dynamics, dynamics + along * dynamics_.row_floats()};
  }

  template <class Float>
  static Float* last_of(const TrainedPart& part, Float* buffer, int first, int all) {
    return part.rows_of(buffer, part.size() - 1, first, all);
  }

  // [rows, steps] as [steps, rows].
  void turn_actions(const Unroll& u) {
    ones_.resize(static_cast<std::size_t>(u.rows) * u.steps);
    for (int row = 0; row < u.rows; ++row) {
      for (int k = 0; k < u.steps; ++k) {
        const std::int32_t one = u.taken[static_cast<std::ptrdiff_t>(row) * u.steps + k];
        if (one < 0 || one >= u.actions) {
          throw std::invalid_argument("action " + std::to_string(one) + " of row " + std::to_string(row) +
                                      " is out of range; give 0.." + std::to_string(u.actions - 1));
        }
        ones_[static_cast<std::size_t>(k) * u.rows + row] = one;
      }
    }
  }

  // Rows of `width` columns, `stride` apart from now on.
  static void widen(int rows, const float* from, int width, float* to, std::ptrdiff_t stride) {
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
      std::copy_n(from + row * width, width, to + row * stride);
    }
  }

  int half(const Unroll& u) const { return u.skip == Skip::kTurned ? u.hidden / 2 : 0; }

  // The hidden states from a last layer's outputs: what is skipped added, stretched to [0, 1] where asked
  // for.
  void take_hidden(const Unroll& u, const float* out, const TrainedPart& part, const float* before,
                   float* hidden) {
    const std::ptrdiff_t stride = part.stride(part.size() - 1);
    for (std::ptrdiff_t row = 0; row < u.rows; ++row) {
      float* to = hidden + row * u.hidden;
      std::copy_n(out + row * stride, u.hidden, to);
      if (before && u.skip != Skip::kNone) {
        const float* from = before + row * u.hidden;
        const int h = half(u);
        for (int i = 0; i < u.hidden - h; ++i) to[i] += from[i + h];
        for (int i = 0; i < h; ++i) to[u.hidden - h + i] += from[i];
      }
      if (u.scale_hidden) scale_row(to, u.hidden);
    }
  }

  // The gradient of a row before it was stretched, from that after it; `scaled` is the stretched row.
  void unscale(const Unroll& u, const float* raw, const float* before, const float* scaled,
               const float* gradient, float* to) {
    if (!u.scale_hidden) {
      std::copy_n(gradient, u.hidden, to);
      return;
    }
    // y = (x - low) / (high - low + floor): low and high depend on every element.
    row_.resize(static_cast<std::size_t>(u.hidden));
    std::copy_n(raw, u.hidden, row_.data());
    if (before && u.skip != Skip::kNone) {
      const int h = half(u);
      for (int i = 0; i < u.hidden; ++i) row_[i] += before[i < u.hidden - h ? i + h : i - (u.hidden - h)];
    }
    const auto [low, high] = std::minmax_element(row_.begin(), row_.end());
    const float least = *low, most = *high, range = most - least + 1e-5f;
    float to_low = 0.0f, to_high = 0.0f;
    int lows = 0, highs = 0;
    for (int i = 0; i < u.hidden; ++i) {
      to[i] = gradient[i] / range;
      to_low += gradient[i] * (scaled[i] - 1.0f);
      to_high -= gradient[i] * scaled[i];
      lows += row_[i] == least;
      highs += row_[i] == most;
    }
    for (int i = 0; i < u.hidden; ++i) {  // equal elements share
      if (row_[i] == least) to[i] += to_low / range / static_cast<float>(lows);
      if (row_[i] == most) to[i] += to_high / range / static_cast<float>(highs);
    }
  }

  void add_skipped_gradient(const Unroll& u, const float* out, float* below) const {
    if (u.skip == Skip::kNone) return;
    const int h = half(u);
    for (int i = 0; i < u.hidden - h; ++i) below[i + h] += out[i];
    for (int i = 0; i < h; ++i) below[i] += out[u.hidden - h + i];
  }

  const ModelParts& parts_;
  const TrainedPart &representation_, &dynamics_, &prediction_;
  TrainedPart::Scratch scratch_;
  std::vector<std::int32_t> ones_;
  std::vector<float> row_;
  AlignedFloats sums_, states_, below_;
};

}  // namespace dicezero
