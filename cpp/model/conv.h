// The layers of a tower: convolutions of 3x3 and 1x1, broadcasts over a board's points, pooling. All of them
// work on [boards][points][stride], the channels innermost and padded with zeros to `stride`, and end in a
// ReLU. Immutable after construction; a board's result depends on nothing but the board.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "model/mlp.h"
#include "model/winograd.h"

namespace dicezero {

struct Planes {
  int height, width, channels;
  int points() const { return height * width; }
};

inline int padded_channels(int channels, const Kernel& kernel) {
  return (channels + kernel.panel - 1) / kernel.panel * kernel.panel;
}

// Buffers of one thread for what a layer has in between.
struct LayerSpace {
  AlignedFloats first, second;
  std::vector<std::int32_t> rows;
};

inline LayerSpace& layer_space() {
  thread_local LayerSpace space;
  return space;
}

class Layer {
 public:
  Layer(Planes in, Planes out, const Kernel& kernel)
      : kernel_(kernel),
        in_(in),
        out_(out),
        in_stride_(padded_channels(in.channels, kernel)),
        out_stride_(padded_channels(out.channels, kernel)) {}
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  const Planes& in() const { return in_; }
  const Planes& out() const { return out_; }
  std::size_t in_size() const { return static_cast<std::size_t>(in_.points()) * in_stride_; }  // of a board
  std::size_t out_size() const { return static_cast<std::size_t>(out_.points()) * out_stride_; }

  // y = max(0, this(x) + skip); skip is laid out as y, or null.
  virtual void run(int boards, const float* x, const float* skip, float* y) const = 0;

 protected:
  Kernel kernel_;
  Planes in_, out_;
  int in_stride_, out_stride_;
};

// Boards transformed together: so many that the products have enough rows, so few that what is between the
// transforms, so many channels in all, stays in the second-level cache.
inline int boards_at_once(const Tiling& tiling, int channels) {
  constexpr int kFloats = 128 << 10;
  return std::max(1, kFloats / (tiling.products() * channels));
}

// A 3x3 convolution that keeps the board's shape, by Winograd's filtering.
class WinogradConvolution final : public Layer {
 public:
  // weights [3, 3, inputs, outputs], bias [outputs]. `least` bounds the outputs: minus infinity for no ReLU.
  WinogradConvolution(Planes in, int outputs, const float* weights, const float* bias, const Kernel& kernel,
                      float least = 0.0f)
      : Layer(in, {in.height, in.width, outputs}, kernel),
        least_(least),
        tiling_(best_tiling(in.height, in.width)),
        transforms_(&transforms_of(kernel)),
        bias_(static_cast<std::size_t>(out_stride_)) {
    std::copy_n(bias, outputs, bias_.data());
    const std::vector<float> none(static_cast<std::size_t>(outputs));
    const std::vector<float> points = transformed_filters(tiling_, in.channels * outputs, weights);
    for (int i = 0; i < tiling_.points(); ++i) {
      points_.emplace_back(in.channels, outputs,
                           points.data() + static_cast<std::ptrdiff_t>(i) * in.channels * outputs,
                           none.data(), 1, Activation::kIdentity, kernel);
    }
  }

  void run(int boards, const float* x, const float* skip, float* y) const override {
    LayerSpace& space = layer_space();
    const int most = std::min(boards, boards_at_once(tiling_, in_stride_ + out_stride_));
    const auto size = static_cast<std::size_t>(tiling_.points());
    float* before = reserve(space.first, size * point_stride(tiling_, most, in_stride_));
    float* after = reserve(space.second, size * point_stride(tiling_, most, out_stride_));
    const int h = tiling_.tile_height - kLeastTile, w = tiling_.tile_width - kLeastTile;
    for (int at = 0; at < boards; at += most) {
      const int count = std::min(most, boards - at), rows = count * tiling_.tiles();
      const TransformCall in{tiling_, count, in_stride_, point_stride(tiling_, count, in_stride_)};
      const TransformCall out{tiling_, count, out_stride_, point_stride(tiling_, count, out_stride_), least_};
      transforms_->input[h][w](in, x + at * in_size(), before);
      for (int i = 0; i < tiling_.points(); ++i) {
        points_[i].run(rows, before + i * in.point_stride, in_stride_, nullptr, after + i * out.point_stride);
      }
      transforms_->output[h][w](out, after, bias_.data(), skip ? skip + at * out_size() : nullptr,
                                y + at * out_size());
    }
  }

 private:
  float least_;
  Tiling tiling_;
  const Transforms* transforms_;
  AlignedFloats bias_;
  std::vector<Dense> points_;
};

// A 1x1 convolution.
class PointwiseConvolution final : public Layer {
 public:
  // weights [inputs, outputs], bias [outputs].
  PointwiseConvolution(Planes in, int outputs, const float* weights, const float* bias, const Kernel& kernel)
      : Layer(in, {in.height, in.width, outputs}, kernel),
        dense_(in.channels, outputs, weights, bias, 1, Activation::kRelu, kernel) {}

  void run(int boards, const float* x, const float* skip, float* y) const override {
    DenseCall call = dense_.call(boards * in_.points(), x, in_stride_, nullptr, y);
    call.skip = skip;
    kernel_.run(call);
  }

 private:
  Dense dense_;
};

// A 3x3 convolution of every other point: [height, width] to halves, rounded up. Zeros are added below and
// right of an even side, on both sides of an odd one.
class StridedConvolution final : public Layer {
 public:
  // weights [3, 3, inputs, outputs], bias [outputs].
  StridedConvolution(Planes in, int outputs, const float* weights, const float* bias, const Kernel& kernel)
      : Layer(in, {(in.height + 1) / 2, (in.width + 1) / 2, outputs}, kernel),
        dense_(9 * in.channels, outputs, weights, bias, 1, Activation::kRelu, kernel) {}

  void run(int boards, const float* x, const float* skip, float* y) const override {
    const int row = 9 * in_.channels, top = in_.height % 2, left = in_.width % 2;
    float* taps = reserve(layer_space().first, static_cast<std::size_t>(out_.points()) * row);
    for (int board = 0; board < boards; ++board, x += in_size(), y += out_size()) {
      float* to = taps;
      for (int i = 0; i < out_.points(); ++i) {
        for (int tap = 0; tap < 9; ++tap, to += in_.channels) {
          const int down = 2 * (i / out_.width) - top + tap / 3,
                    across = 2 * (i % out_.width) - left + tap % 3;
          if (down < 0 || down >= in_.height || across < 0 || across >= in_.width) {
            std::fill_n(to, in_.channels, 0.0f);
          } else {
            std::copy_n(x + static_cast<std::ptrdiff_t>(down * in_.width + across) * in_stride_, in_.channels,
                        to);
          }
        }
      }
      DenseCall call = dense_.call(out_.points(), taps, row, nullptr, y);
      call.skip = skip ? skip + board * out_size() : nullptr;
      kernel_.run(call);
    }
  }

 private:
  Dense dense_;
};

// One dense layer over all points of a plane, the same for every plane. It is a product from the left, so the
// planes take the weights' place in the kernel.
class BroadcastLayer final : public Layer {
 public:
  // weights [points before, points after], bias [points after].
  BroadcastLayer(Planes in, const float* weights, const float* bias, const Kernel& kernel)
      : Layer(in, in, kernel),
        weights_(static_cast<std::size_t>(in.points()) * in.points()),
        biases_(out_size()),
        rows_(static_cast<std::size_t>(in.points())) {
    const int points = in.points();
    for (int i = 0; i < points; ++i) {
      for (int k = 0; k < points; ++k) weights_.data()[i * points + k] = weights[k * points + i];
      std::fill_n(biases_.data() + static_cast<std::ptrdiff_t>(i) * in_stride_, in_.channels, bias[i]);
    }
    std::iota(rows_.begin(), rows_.end(), 0);
  }

  void run(int boards, const float* x, const float* skip, float* y) const override {
    const int points = in_.points(), panel = kernel_.panel;
    float* packed = reserve(layer_space().first, in_size());
    for (int board = 0; board < boards; ++board, x += in_size(), y += in_size()) {
      float* to = packed;
      for (int c = 0; c < in_stride_; c += panel) {
        for (int i = 0; i < points; ++i, to += panel) {
          std::copy_n(x + static_cast<std::ptrdiff_t>(i) * in_stride_ + c, panel, to);
        }
      }
      kernel_.run({points, points, in_stride_, weights_.data(), points, packed, biases_.data(), rows_.data(),
                   in_stride_, y, in_stride_, Activation::kRelu, skip ? skip + board * in_size() : nullptr});
    }
  }

 private:
  AlignedFloats weights_, biases_;
  std::vector<std::int32_t> rows_;
};

// Mean and maximum of some planes, added to others everywhere on the board:
//   local = max(0, x L), seen = max(0, x S), y = max(0, (local + [mean seen, maximum seen] M) O + skip).
// M O is one matrix, and what it gives is a bias of the last product, a row of its own for each board.
class PoolingLayer final : public Layer {
 public:
  struct Part {
    const float* weights;  // [inputs, channels]; 2 channels inputs for `mix`
    const float* bias;     // [channels]
  };

  PoolingLayer(Planes in, Part local, Part pooled, Part mix, Part output, const Kernel& kernel)
      : Layer(in, in, kernel),
        local_(make(in.channels, local.weights, local.bias, Activation::kRelu)),
        pooled_(make(in.channels, pooled.weights, pooled.bias, Activation::kRelu)),
        output_(make(in.channels, output.weights, output.bias, Activation::kRelu)),
        mix_(folded(mix, output)),
        transforms_(&transforms_of(kernel)) {}

  void run(int boards, const float* x, const float* skip, float* y) const override {
    LayerSpace& space = layer_space();
    const int points = in_.points();
    float* planes = reserve(space.first, in_size());
    float* summary = reserve(space.second, static_cast<std::size_t>(3) * in_stride_);
    float* bias = summary + 2 * static_cast<std::ptrdiff_t>(in_stride_);
    for (int board = 0; board < boards; ++board, x += in_size(), y += in_size()) {
      pooled_.run(points, x, in_stride_, nullptr, planes);
      transforms_->pool(points, in_stride_, planes, summary);
      mix_.run(1, summary, 0, nullptr, bias);
      local_.run(points, x, in_stride_, nullptr, planes);
      DenseCall call = output_.call(points, planes, in_stride_, nullptr, y);
      call.bias = bias;
      call.skip = skip ? skip + board * in_size() : nullptr;
      kernel_.run(call);
    }
  }

 private:
  Dense make(int inputs, const float* weights, const float* bias, Activation activation) const {
    return {inputs, in_.channels, weights, bias, 1, activation, kernel_};
  }

  // mix's matrix and bias times the output's matrix, plus the output's bias; its inputs padded as planes are.
  Dense folded(const Part& mix, const Part& output) const {
    const int n = in_.channels;
    std::vector<float> weights(static_cast<std::size_t>(2) * in_stride_ * n),
        bias(static_cast<std::size_t>(n));
    for (int i = 0; i <= 2 * n; ++i) {  // the last is the bias
      const float* row = i < 2 * n ? mix.weights + static_cast<std::ptrdiff_t>(i) * n : mix.bias;
      float* to = i < 2 * n ? weights.data() + static_cast<std::ptrdiff_t>(i < n ? i : in_stride_ + i - n) * n
                            : bias.data();
      for (int j = 0; j < n; ++j) {
        double sum = i < 2 * n ? 0.0 : output.bias[j];
        for (int k = 0; k < n; ++k)
          sum += double{row[k]} * output.weights[static_cast<std::ptrdiff_t>(k) * n + j];
        to[j] = static_cast<float>(sum);
      }
    }
    return make(2 * in_stride_, weights.data(), bias.data(), Activation::kIdentity);
  }

  Dense local_, pooled_, output_, mix_;
  const Transforms* transforms_;
};

}  // namespace dicezero
