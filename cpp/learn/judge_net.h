// A network that judges afterstates, laid out for play: one hidden layer's sums are carried from one row to
// the next, since the afterstates of a position differ in little.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "learn/kernels.h"
#include "model/judge.h"

namespace dicezero {

class JudgeNet {
 public:
  JudgeNet(JudgeShape shape, const Kernel& kernel)
      : shape_(std::move(shape)), kernel_(kernel), learn_(learn_kernel(kernel)) {
    if (shape_.widths.empty()) throw std::invalid_argument("a judge needs at least one hidden layer");
    width_ = (shape_.widths[0] + kernel.panel - 1) / kernel.panel * kernel.panel;
  }

  const JudgeShape& shape() const { return shape_; }
  const Kernel& kernel() const { return kernel_; }

  // Takes weights over; to be called by one thread while none asks.
  void load(const float* theta) {
    first_.resize(static_cast<std::size_t>(shape_.phases));
    upper_.clear();
    for (int phase = 0; phase < shape_.phases; ++phase) {
      const auto layers = shape_.layers(theta, phase);
      float* rows = reserve(first_[static_cast<std::size_t>(phase)],
                            static_cast<std::size_t>(shape_.inputs + 1) * static_cast<std::size_t>(width_));
      for (int i = 0; i <= shape_.inputs; ++i) {  // the bias is the last row
        const float* from = i < shape_.inputs
                                ? layers[0].weights + static_cast<std::ptrdiff_t>(i) * layers[0].outputs
                                : layers[0].bias;
        std::copy_n(from, layers[0].outputs, rows + static_cast<std::ptrdiff_t>(i) * width_);
      }
      auto& above = upper_.emplace_back();
      for (std::size_t l = 1; l < layers.size(); ++l) {
        const bool last = l + 1 == layers.size();
        above.emplace_back(layers[l].inputs, layers[l].outputs, layers[l].weights, layers[l].bias, 1,
                           last ? Activation::kIdentity : shape_.activation, kernel_);
      }
    }
  }

  // Buffers of one thread.
  struct Workspace {
    AlignedFloats sums, hidden, even, odd, scratch, said, zeros;
    std::vector<std::int32_t> index, order;
    std::vector<float> factor, value;
  };

  // Observations [rows, inputs] to what is said of each [rows, outputs] and its value [rows].
  void judge(int rows, const float* observations, Workspace& space, float* said, float* value) const {
    const int outputs = shape_.outputs();
    space.index.resize(static_cast<std::size_t>(shape_.inputs));
    space.factor.resize(static_cast<std::size_t>(shape_.inputs));
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
            learn_.differences(shape_.inputs, before, seen, space.index.data(), space.factor.data());
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
        float* y = reserve(*buffers[l % 2], static_cast<std::size_t>(count) * layers[l].stride());
        layers[l].run(count, x, stride, nullptr, y);
        x = y;
        stride = layers[l].stride();
      }
      if (count == rows) {
        read_outputs(shape_, kernel_, rows, x, stride, space.scratch, said, value);
        continue;
      }
      float* part = reserve(space.said, static_cast<std::size_t>(count) * outputs);
      space.value.resize(static_cast<std::size_t>(count));
      read_outputs(shape_, kernel_, count, x, stride, space.scratch, part, space.value.data());
      for (int i = 0; i < count; ++i) {
        const std::ptrdiff_t row = space.order[static_cast<std::size_t>(i)];
        std::copy_n(part + static_cast<std::ptrdiff_t>(i) * outputs, outputs, said + row * outputs);
        value[row] = space.value[static_cast<std::size_t>(i)];
      }
    }
  }

 private:
  JudgeShape shape_;
  Kernel kernel_;
  LearnKernel learn_;
  int width_;                              // of the first layer, in whole panels
  std::vector<AlignedFloats> first_;       // [phase], rows of the first layer and its bias
  std::vector<std::vector<Dense>> upper_;  // [phase][layer above]
};

}  // namespace dicezero
