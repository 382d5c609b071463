// A training batch in shards: each goes through a part or a model from end to end, on whichever thread is
// free, and the gradients are added in the order of the shards. How many there are is the caller's choice and
// must not depend on the machine; then nothing else does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/crew.h"
#include "model/model_gradient.h"

namespace dicezero {

struct ShardRows {
  ShardRows(int all, int count, int i)
      : first(static_cast<int>(std::int64_t{all} * i / count)),
        rows(static_cast<int>(std::int64_t{all} * (i + 1) / count) - first) {}
  int first, rows;
};

// The gradients of every shard; those of the first are the results themselves.
class ShardGradients {
 public:
  using Gradients = std::vector<TrainedPart::Gradient>;
  using Layers = std::vector<TrainedPart::Layer>;

  void prepare(const Layers& layers, const Gradients& results, int count) {
    layers_ = &layers;
    of_shard_.assign(1, results);
    spaces_.resize(static_cast<std::size_t>(count));
    for (int i = 1; i < count; ++i) {
      std::size_t size = 0;
      for (const TrainedPart::Layer& l : layers) size += weights(l) + static_cast<std::size_t>(l.outputs);
      float* space = reserve(spaces_[i], size);
      Gradients& found = of_shard_.emplace_back();
      for (const TrainedPart::Layer& l : layers) {
        found.push_back({space, space + weights(l)});
        space += weights(l) + static_cast<std::size_t>(l.outputs);
      }
    }
  }

  const Gradients& of(int shard) const { return of_shard_[static_cast<std::size_t>(shard)]; }

  void add_up() {
    for (std::size_t i = 1; i < of_shard_.size(); ++i) {
      for (std::size_t l = 0; l < layers_->size(); ++l) {
        add(weights((*layers_)[l]), of_shard_[i][l].weights, of_shard_[0][l].weights);
        add(static_cast<std::size_t>((*layers_)[l].outputs), of_shard_[i][l].bias, of_shard_[0][l].bias);
      }
    }
  }

 private:
  static std::size_t weights(const TrainedPart::Layer& l) {
    return static_cast<std::size_t>(l.inputs) * static_cast<std::size_t>(l.outputs);
  }
  static void add(std::size_t size, const float* from, float* to) {
    for (std::size_t i = 0; i < size; ++i) to[i] += from[i];
  }

  const Layers* layers_ = nullptr;
  std::vector<Gradients> of_shard_;
  std::vector<AlignedFloats> spaces_;
};

// One part by itself: an evaluator, a judge, or a model's part that is called alone.
class PartShards {
 public:
  explicit PartShards(const Kernel& kernel) : part(kernel) {}

  // outputs [rows, the last layer's]; tape: floats of `rows` rows.
  void forward(int rows, int count, const float* x, std::ptrdiff_t x_stride, float* outputs, float* tape) {
    const std::size_t last = part.size() - 1;
    Crew::shared().run(count, [&](int i) {
      const ShardRows mine(rows, count, i);
      const std::ptrdiff_t first = mine.first;
      part.forward(mine.rows, x + first * x_stride, x_stride, nullptr, mine.first, rows, tape);
      copy_columns(mine.rows, part.rows_of(tape, last, mine.first, rows), part.stride(last), 0,
                   part.outputs(), outputs + first * part.outputs());
    });
  }

  // From the gradient of the outputs to those of the layers and, unless it is null, of x.
  void backward(int rows, int count, const float* x, std::ptrdiff_t x_stride, const float* tape,
                const float* gradient, const ShardGradients::Layers& layers,
                const ShardGradients::Gradients& results, float* x_gradient) {
    const std::size_t last = part.size() - 1;
    const int columns = part.columns(0);
    const std::ptrdiff_t wide = part.padded(columns), outputs = part.outputs();
    space_.prepare(layers, results, count);
    scratches_.resize(static_cast<std::size_t>(count));
    float* sums = reserve(sums_, static_cast<std::size_t>(rows * part.row_floats()));
    float* below = x_gradient ? reserve(below_, static_cast<std::size_t>(rows * wide)) : nullptr;
    Crew::shared().run(count, [&](int i) {
      const ShardRows mine(rows, count, i);
      const std::ptrdiff_t first = mine.first;
      float* to = part.rows_of(sums, last, mine.first, rows);
      for (std::ptrdiff_t row = 0; row < mine.rows; ++row) {
        std::copy_n(gradient + (first + row) * outputs, outputs, to + row * part.stride(last));
      }
      float* before = below ? below + first * wide : nullptr;
      part.backward(mine.rows, mine.first, rows, tape, sums, before, scratches_[i]);
      part.collect(mine.rows, mine.first, rows, x + first * x_stride, x_stride, nullptr, tape, sums,
                   space_.of(i), scratches_[i]);
      if (below) copy_columns(mine.rows, before, wide, 0, columns, x_gradient + first * columns);
    });
    space_.add_up();
  }

  TrainedPart part;

 private:
  ShardGradients space_;
  std::vector<TrainedPart::Scratch> scratches_;
  AlignedFloats sums_, below_;
};

// The unroll of a model. Every array has its steps in front, so a shard's rows are taken out and put back.
class UnrollShards {
 public:
  using Gradients = ShardGradients::Gradients;
  using Layers = ShardGradients::Layers;

  explicit UnrollShards(const Kernel& kernel) : parts(kernel) {}

  void forward(const Unroll& u, int count, float* hidden, float* effects, float* predicted, float* tape) {
    grow(count);
    const Widths w = widths(u);
    Crew::shared().run(count, [&](int i) {
      const ShardRows mine(u.rows, count, i);
      Space& s = *spaces_[i];
      const Unroll v = part_of(u, mine);
      float* own = tape + parts.tape_size(mine.first, u.steps);
      s.gradient.forward(v, room(s.hidden, v, 1, w.hidden), room(s.effects, v, 0, w.effects),
                         room(s.predicted, v, 1, w.predicted), own);
      put(u, mine, u.steps + 1, w.hidden, s.hidden.data(), hidden);
      put(u, mine, u.steps, w.effects, s.effects.data(), effects);
      put(u, mine, u.steps + 1, w.predicted, s.predicted.data(), predicted);
    });
  }

  // `layers` and `results` of all three parts, one after another, `each` a part.
  void backward(const Unroll& u, int count, const float* hidden, const float* tape, const float* to_hidden,
                const float* to_effects, const float* to_predicted, float factor, const Layers& layers,
                const Gradients& results, std::size_t each) {
    grow(count);
    space_.prepare(layers, results, count);
    const Widths w = widths(u);
    Crew::shared().run(count, [&](int i) {
      const ShardRows mine(u.rows, count, i);
      Space& s = *spaces_[i];
      const Unroll v = part_of(u, mine);
      take(u, mine, u.steps + 1, w.hidden, hidden, room(s.hidden, v, 1, w.hidden));
      take(u, mine, u.steps + 1, w.hidden, to_hidden, room(s.to_hidden, v, 1, w.hidden));
      take(u, mine, u.steps, w.effects, to_effects, room(s.effects, v, 0, w.effects));
      take(u, mine, u.steps + 1, w.predicted, to_predicted, room(s.predicted, v, 1, w.predicted));
      const Gradients& all = space_.of(i);
      const auto at = [&](std::size_t part) {
        return all.begin() + static_cast<std::ptrdiff_t>(part * each);
      };
      s.gradient.backward(v, s.hidden.data(), tape + parts.tape_size(mine.first, u.steps), s.to_hidden.data(),
                          s.effects.data(), s.predicted.data(), factor, {at(0), at(1)}, {at(1), at(2)},
                          {at(2), at(3)});
    });
    space_.add_up();
  }

  ModelParts parts;

 private:
  struct Widths {
    int hidden, effects, predicted;
  };
  struct Space {
    explicit Space(const ModelParts& parts) : gradient(parts) {}
    ModelGradient gradient;
    AlignedFloats hidden, to_hidden, effects, predicted;
  };

  void grow(int count) {
    while (spaces_.size() < static_cast<std::size_t>(count)) {
      spaces_.push_back(std::make_unique<Space>(parts));
    }
  }

  Widths widths(const Unroll& u) const {
    return {u.hidden, parts.dynamics.outputs() - u.hidden, parts.prediction.outputs()};
  }

  static Unroll part_of(const Unroll& u, const ShardRows& mine) {
    Unroll v = u;
    v.rows = mine.rows;
    v.observations += std::ptrdiff_t{mine.first} * u.observation;
    v.taken += std::ptrdiff_t{mine.first} * u.steps;
    return v;
  }

  static float* room(AlignedFloats& buffer, const Unroll& v, int more, int width) {
    return reserve(buffer, static_cast<std::size_t>(v.steps + more) * v.rows * width);
  }

  static void take(const Unroll& u, const ShardRows& mine, int steps, std::ptrdiff_t width, const float* from,
                   float* to) {
    for (std::ptrdiff_t k = 0; k < steps; ++k) {
      std::copy_n(from + (k * u.rows + mine.first) * width, mine.rows * width, to + k * mine.rows * width);
    }
  }

  static void put(const Unroll& u, const ShardRows& mine, int steps, std::ptrdiff_t width, const float* from,
                  float* to) {
    for (std::ptrdiff_t k = 0; k < steps; ++k) {
      std::copy_n(from + k * mine.rows * width, mine.rows * width, to + (k * u.rows + mine.first) * width);
    }
  }

  ShardGradients space_;
  std::vector<std::unique_ptr<Space>> spaces_;
};

}  // namespace dicezero
