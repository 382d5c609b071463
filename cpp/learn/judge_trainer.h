// Adam on a judge's weights. A batch is cut into a fixed number of shards whose gradients are added in their
// order: how many threads there are changes nothing. Most numbers of an observation are 0, and the first
// layer passes over them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/judge_net.h"
#include "model/crew.h"

namespace dicezero {

struct JudgeSample {
  const float* observation;  // [inputs]
  const float* target;       // [outputs]
};

class JudgeTrainer {
 public:
  JudgeTrainer(JudgeShape shape, const Kernel& kernel, int batch)
      : shape_(std::move(shape)),
        kernel_(kernel),
        learn_(row_kernel(kernel)),
        shards_(static_cast<std::size_t>(std::clamp(batch / kShardRows, 1, kMostShards))),
        padded_((shape_.num_weights() + kWhole - 1) / kWhole * kWhole),
        theta_(padded_),
        mu_(padded_),
        nu_(padded_),
        loss_(shards_, 0.0) {
    for (std::size_t s = 0; s < shards_; ++s) gradient_.emplace_back(padded_);
    for (int phase = 0; phase < shape_.phases; ++phase) parts_.emplace_back(kernel);
    benches_.resize(shards_);
  }

  // That a trainer of this shape takes: weights, two moments, gradients, and the weights as they are played.
  static double bytes(const JudgeShape& shape, int batch) {
    const int shards = std::clamp(batch / kShardRows, 1, kMostShards);
    double weights = 0.0, below = shape.inputs;  // the shape is a stranger's: no whole number holds them all
    for (const int width : shape.layer_widths()) {
      weights += (below + 1.0) * width;
      below = width;
    }
    return sizeof(float) * (5.0 + shards) * weights * shape.phases;
  }

  const JudgeShape& shape() const { return shape_; }
  std::size_t size() const { return shape_.num_weights(); }
  float* theta() { return theta_.data(); }
  float* mu() { return mu_.data(); }
  float* nu() { return nu_.data(); }
  std::int64_t count = 0;  // steps done

  // One step; returns the sum of the samples' losses.
  double step(const std::vector<JudgeSample>& batch, float rate, float decay) {
    for (int phase = 0; phase < shape_.phases; ++phase) {
      TrainedPart& part = parts_[static_cast<std::size_t>(phase)];
      for (const auto pass : {TrainedPart::Pass::kForward, TrainedPart::Pass::kBackward}) {
        const auto layers = layers_of(shape_, theta_.data(), phase);
        part.load({layers.begin() + 1, layers.end()}, shape_.activation, 0, false, pass);
      }
    }
    const std::size_t rows = batch.size();
    Crew::shared().run(static_cast<int>(shards_), [&](int shard) {
      const std::size_t s = static_cast<std::size_t>(shard), begin = rows * s / shards_,
                        end = rows * (s + 1) / shards_;
      loss_[s] = gradient(benches_[s], {batch.data() + begin, end - begin}, gradient_[s].data());
    });
    ++count;
    AdamStep adam{rate, decay, 1.0f / static_cast<float>(rows), 0.0f, 0.0f};
    const double time = static_cast<double>(count);
    adam.mu_correction = static_cast<float>(1.0 / (1.0 - std::pow(0.9, time)));
    adam.nu_correction = static_cast<float>(1.0 / (1.0 - std::pow(0.999, time)));
    const int pieces = static_cast<int>((padded_ + kPiece - 1) / kPiece);
    Crew::shared().run(pieces, [&](int piece) {
      const std::size_t begin = static_cast<std::size_t>(piece) * kPiece,
                        end = std::min(begin + kPiece, padded_);
      const float* parts[kMostShards];
      for (std::size_t s = 0; s < shards_; ++s) parts[s] = gradient_[s].data() + begin;
      learn_.adam(adam, static_cast<std::ptrdiff_t>(end - begin), static_cast<int>(shards_), parts,
                  theta_.data() + begin, mu_.data() + begin, nu_.data() + begin);
    });
    double total = 0.0;
    for (const double loss : loss_) total += loss;
    return total;
  }

 private:
  static constexpr int kShardRows = 64, kMostShards = 8;
  static constexpr std::size_t kWhole = 64, kPiece = 16384;  // elements

  // What the gradient of a shard takes besides the weights.
  struct Bench {
    AlignedFloats hidden, slopes, kept, sums, scratch, zeros;
    TrainedPart::Scratch part;
    std::vector<const JudgeSample*> chosen;
    std::vector<std::size_t> begin;   // [rows + 1], where a sample's inputs begin in
    std::vector<std::int32_t> index;  // the places of all that are not 0, and
    std::vector<float> factor;        // what stands there
    std::vector<float> predicted, value;
  };

  // Of the sum of the samples' losses, [weights]; returns that sum.
  double gradient(Bench& bench, std::span<const JudgeSample> samples, float* found) const {
    double loss = 0.0;
    for (int phase = 0; phase < shape_.phases; ++phase) {
      float* to = found + shape_.phase_weights() * static_cast<std::size_t>(phase);
      bench.chosen.clear();
      for (const JudgeSample& sample : samples) {
        if (shape_.phase_of(sample.observation) == phase) bench.chosen.push_back(&sample);
      }
      if (bench.chosen.empty()) {
        std::fill_n(to, shape_.phase_weights(), 0.0f);
      } else {
        loss += phase_gradient(bench, phase, to);
      }
    }
    return loss;
  }

  double phase_gradient(Bench& bench, int phase, float* found) const {
    // Step 1. Forward; `hidden` are the outputs of the first layer [rows, stride].
    const TrainedPart& part = parts_[static_cast<std::size_t>(phase)];
    const int rows = static_cast<int>(bench.chosen.size()), width = shape_.widths[0];
    const std::ptrdiff_t stride = part.padded(width);
    const std::size_t hidden_floats = static_cast<std::size_t>(rows * stride);
    float* hidden = reserve(bench.hidden, hidden_floats);
    first_layer(bench, layers_of(shape_, theta_.data(), phase)[0], stride, hidden);
    const std::size_t floats = static_cast<std::size_t>(part.row_floats() * rows);
    float* kept = reserve(bench.kept, floats);
    float* sums = reserve(bench.sums, floats);
    part.forward(rows, hidden, stride, nullptr, 0, rows, kept);
    // Step 2. The gradient at the outputs.
    const double loss = output_gradient(bench, part, rows, kept, sums);
    // Step 3. Backward, to the sums of the first layer.
    float* slopes = reserve(bench.slopes, hidden_floats);
    part.backward(rows, 0, rows, kept, sums, slopes, bench.part);
    kernel_.multiply_slopes(rows * stride, shape_.activation, hidden, slopes);
    // Step 4. What each weight had to do with it.
    std::fill_n(found, static_cast<std::ptrdiff_t>(shape_.inputs) * width, 0.0f);
    for (std::size_t row = 0; row < bench.chosen.size(); ++row) {
      const std::size_t from = bench.begin[row];
      learn_.add_to_rows(width, static_cast<int>(bench.begin[row + 1] - from), bench.index.data() + from,
                         bench.factor.data() + from, slopes + static_cast<std::ptrdiff_t>(row) * stride,
                         found, width);
    }
    found += static_cast<std::ptrdiff_t>(shape_.inputs) * width;
    kernel_.sum_rows(rows, width, slopes, stride, found);
    found += width;
    std::vector<TrainedPart::Gradient> places;
    for (std::size_t layer = 0; layer < part.size(); ++layer) {
      const int outputs = shape_.layer_widths()[layer + 1];
      const std::ptrdiff_t weights = static_cast<std::ptrdiff_t>(part.columns(layer)) * outputs;
      places.push_back({found, found + weights});
      found += weights + outputs;
    }
    part.collect(rows, 0, rows, hidden, stride, nullptr, kept, sums, places, bench.part);
    return loss;
  }

  // The first layer's outputs, and what it saw.
  void first_layer(Bench& bench, const TrainedPart::Layer& layer, std::ptrdiff_t stride, float* y) const {
    const float* zeros = reserve(bench.zeros, static_cast<std::size_t>(std::max<std::ptrdiff_t>(
                                                  layer.inputs, stride)));  // nobody writes there
    const std::size_t most = bench.chosen.size() * static_cast<std::size_t>(layer.inputs) + kChangesRoom;
    bench.index.resize(std::max(bench.index.size(), most));
    bench.factor.resize(bench.index.size());
    bench.begin.assign(1, 0);
    for (const JudgeSample* sample : bench.chosen) {
      std::int32_t* index = bench.index.data() + bench.begin.back();
      float* factor = bench.factor.data() + bench.begin.back();
      const int count = learn_.changes(layer.inputs, zeros, sample->observation, index, factor);
      bench.begin.push_back(bench.begin.back() + static_cast<std::size_t>(count));
      std::copy_n(layer.bias, layer.outputs, y);
      std::fill(y + layer.outputs, y + stride, 0.0f);
      learn_.add_rows(layer.outputs, count, index, factor, layer.weights, layer.outputs, y);
      kernel_.finish(static_cast<int>(stride), y, zeros, shape_.activation, y);
      y += stride;
    }
  }

  // Of cross-entropy with the results' probabilities, or of the squared error of the value.
  double output_gradient(Bench& bench, const TrainedPart& part, int rows, const float* kept,
                         float* sums) const {
    const std::size_t last = part.size() - 1;
    const std::ptrdiff_t stride = part.stride(last);
    const int outputs = shape_.outputs();
    const bool several = !shape_.results.empty();
    bench.predicted.resize(static_cast<std::size_t>(rows * outputs));
    bench.value.resize(static_cast<std::size_t>(rows));
    read_outputs(shape_, kernel_, rows, part.rows_of(kept, last, 0, rows), stride, bench.scratch,
                 bench.predicted.data(), bench.value.data());
    float* slopes = part.rows_of(sums, last, 0, rows);
    double loss = 0.0;
    for (int row = 0; row < rows; ++row) {
      const float* target = bench.chosen[static_cast<std::size_t>(row)]->target;
      float* slope = slopes + row * stride;
      std::fill_n(slope, stride, 0.0f);
      for (int k = 0; k < outputs; ++k) {
        const float predicted = bench.predicted[static_cast<std::size_t>(row * outputs + k)],
                    error = predicted - target[k];
        slope[k] = several ? error : 2.0f * error;
        loss += several ? -static_cast<double>(target[k]) * std::log(std::max(predicted, 1e-12f))
                        : static_cast<double>(error) * error;
      }
    }
    return loss;
  }

  JudgeShape shape_;
  Kernel kernel_;
  RowKernel learn_;
  std::size_t shards_, padded_;
  AlignedFloats theta_, mu_, nu_;
  std::vector<AlignedFloats> gradient_;
  std::vector<double> loss_;
  std::vector<TrainedPart> parts_;  // [phase], the layers above the first
  std::vector<Bench> benches_;      // [shard]
};

}  // namespace dicezero
