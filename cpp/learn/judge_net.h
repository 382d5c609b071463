// A network that judges afterstates, laid out for play: one hidden layer's sums are carried from one row to
// the next, since the afterstates of a position differ in little.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "model/judge.h"
#include "model/row_kernels.h"

namespace dicezero {

class JudgeNet final : public LearningJudge {
 public:
  JudgeNet(JudgeShape shape, const Kernel& kernel)
      : shape_(std::move(shape)), kernel_(kernel), learn_(row_kernel(kernel)) {
    if (shape_.widths.empty()) throw std::invalid_argument("a judge needs at least one hidden layer");
    width_ = whole(shape_.widths[0]);
    last_width_ = whole(shape_.widths.back());
  }

  const JudgeShape& shape() const override { return shape_; }
  std::unique_ptr<Space> space() const override { return std::make_unique<Workspace>(); }

  // Takes weights over; to be called by one thread while none evaluates.
  void load(const float* theta) {
    first_.resize(static_cast<std::size_t>(shape_.phases));
    last_.resize(first_.size());
    upper_.clear();
    for (int phase = 0; phase < shape_.phases; ++phase) {
      const auto layers = layers_of(shape_, theta, phase);
      float* rows = reserve(first_[static_cast<std::size_t>(phase)],
                            static_cast<std::size_t>(shape_.inputs + 1) * static_cast<std::size_t>(width_));
      for (int i = 0; i <= shape_.inputs; ++i) {  // the bias is the last row
        const float* from = i < shape_.inputs
                                ? layers[0].weights + static_cast<std::ptrdiff_t>(i) * layers[0].outputs
                                : layers[0].bias;
        std::copy_n(from, layers[0].outputs, rows + static_cast<std::ptrdiff_t>(i) * width_);
      }
      auto& above = upper_.emplace_back();
      for (std::size_t l = 1; l + 1 < layers.size(); ++l) {
        above.emplace_back(layers[l].inputs, layers[l].outputs, layers[l].weights, layers[l].bias, 1,
                           shape_.activation, kernel_);
      }
      // The last layer by its outputs, then its bias.
      const TrainedPart::Layer& last = layers.back();
      const std::ptrdiff_t outputs = last.outputs;
      float* columns = reserve(last_[static_cast<std::size_t>(phase)],
                               static_cast<std::size_t>(outputs) * static_cast<std::size_t>(last_width_ + 1));
      for (std::ptrdiff_t k = 0; k < outputs; ++k) {
        for (int i = 0; i < last.inputs; ++i) columns[k * last_width_ + i] = last.weights[i * outputs + k];
      }
      std::copy_n(last.bias, outputs, columns + outputs * last_width_);
    }
  }

  struct Workspace final : Space {
    AlignedFloats sums, hidden, even, odd, logits, scratch, predicted, zeros;
    std::vector<std::int32_t> index, order;
    std::vector<float> factor, value;
  };

  void judge(int rows, const float* observations, Space& own, float* predicted, float* value) const override {
    Workspace& space = static_cast<Workspace&>(own);
    const int outputs = shape_.outputs();
    space.index.resize(static_cast<std::size_t>(shape_.inputs + kChangesRoom));
    space.factor.resize(space.index.size());
    float* hidden = reserve(space.hidden, static_cast<std::size_t>(rows) * static_cast<std::size_t>(width_));
    float* sums = reserve(space.sums, static_cast<std::size_t>(width_));
    const float* none = reserve(space.zeros, static_cast<std::size_t>(std::max(shape_.inputs, width_)));
    for (int phase = 0; phase < shape_.phases; ++phase) {
      const float* table = first_[static_cast<std::size_t>(phase)].data();
      const float* bias = table + static_cast<std::ptrdiff_t>(shape_.inputs) * width_;
      space.order.clear();
      const float* before = none;
      std::copy_n(bias, width_, sums);
      for (int row = 0; row < rows; ++row) {
        const float* seen = observations + static_cast<std::ptrdiff_t>(row) * shape_.inputs;
        if (shape_.phase_of(seen) != phase) continue;
        const int changed =
            learn_.changes(shape_.inputs, before, seen, space.index.data(), space.factor.data());
        learn_.add_rows(width_, changed, space.index.data(), space.factor.data(), table, width_, sums);
        kernel_.finish(width_, sums, none, shape_.activation,
                       hidden + static_cast<std::ptrdiff_t>(space.order.size()) * width_);
        space.order.push_back(row);
        before = seen;
      }
      if (space.order.empty()) continue;
      const int count = static_cast<int>(space.order.size());
      const float* x = hidden;
      std::ptrdiff_t stride = width_;
      AlignedFloats* buffers[2] = {&space.even, &space.odd};
      const auto& layers = upper_[static_cast<std::size_t>(phase)];
      for (std::size_t l = 0; l < layers.size(); ++l) {
        const std::ptrdiff_t next = whole(layers[l].outputs());
        float* y = reserve(*buffers[l % 2], static_cast<std::size_t>(count * next));
        DenseCall call = layers[l].call(count, x, stride, nullptr, y);
        call.y_stride = next;  // beyond the layer's outputs there are zeros, which `narrow` reads
        kernel_.run(call);
        x = y;
        stride = next;
      }
      const float* columns = last_[static_cast<std::size_t>(phase)].data();
      float* logits = reserve(space.logits, static_cast<std::size_t>(count) * outputs);
      learn_.narrow(count, last_width_, outputs, x, stride, columns,
                    columns + static_cast<std::ptrdiff_t>(outputs) * last_width_, logits);
      if (count == rows) {
        read_outputs(shape_, kernel_, rows, logits, outputs, space.scratch, predicted, value);
        continue;
      }
      float* part = reserve(space.predicted, static_cast<std::size_t>(count) * outputs);
      space.value.resize(static_cast<std::size_t>(count));
      read_outputs(shape_, kernel_, count, logits, outputs, space.scratch, part, space.value.data());
      for (int i = 0; i < count; ++i) {
        const std::ptrdiff_t row = space.order[static_cast<std::size_t>(i)];
        std::copy_n(part + static_cast<std::ptrdiff_t>(i) * outputs, outputs, predicted + row * outputs);
        value[row] = space.value[static_cast<std::size_t>(i)];
      }
    }
  }

 private:
  // In whole panels, and whole parts of a sum of `narrow`.
  int whole(int width) const {
    const int unit = std::max(kernel_.panel, 16);
    return (width + unit - 1) / unit * unit;
  }

  JudgeShape shape_;
  Kernel kernel_;
  RowKernel learn_;
  int width_, last_width_;                 // of the first hidden layer and of the last
  std::vector<AlignedFloats> first_;       // [phase], rows of the first layer and its bias
  std::vector<AlignedFloats> last_;        // [phase], columns of the last layer and its bias
  std::vector<std::vector<Dense>> upper_;  // [phase][layer between]
};

}  // namespace dicezero
