// A 3x3 convolution with bias, skip and ReLU for training: forward, and the gradients of all it was given.
// The weights change with every step, so nothing is kept between calls. One thread; every sum has one order.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "model/conv.h"

namespace dicezero {

// Rows [rows][channels] with whole panels of channels: copies where there are not, zeros in the padding.
inline const float* padded_rows(std::size_t rows, int channels, int stride, const float* from,
                                AlignedFloats& buffer) {
  if (channels == stride) return from;
  float* to = reserve(buffer, rows * stride);
  for (std::size_t i = 0; i < rows; ++i) {
    std::copy_n(from + i * channels, channels, to + i * stride);
    std::fill(to + i * stride + channels, to + (i + 1) * stride, 0.0f);
  }
  return to;
}

struct GradientSpace {
  AlignedFloats x, skip, y, points, sums;
  std::vector<std::int32_t> rows;
};

inline GradientSpace& gradient_space() {
  thread_local GradientSpace space;
  return space;
}

class TrainedConvolution {
 public:
  // weights [3, 3, in.channels, outputs].
  TrainedConvolution(Planes in, int outputs, const float* weights, const Kernel& kernel)
      : kernel_(kernel),
        in_(in),
        outputs_(outputs),
        in_stride_(padded_channels(in.channels, kernel)),
        out_stride_(padded_channels(outputs, kernel)),
        weights_(weights),
        tiling_(best_tiling(in.height, in.width)) {}

  // y [boards, points, outputs] = max(0, x [boards, points, inputs] * weights + bias [outputs] + skip), skip
  // as y, or null.
  void forward(int boards, const float* x, const float* bias, const float* skip, float* y) const {
    run(WinogradConvolution(in_, outputs_, weights_, bias, kernel_), boards, x, skip, y);
  }

  // From y and its gradient: the gradient of what the ReLU was given, which is the skip's, and those of x, of
  // the weights and of the bias. x_gradient may be null where it is not needed.
  void backward(int boards, const float* x, const float* y, const float* y_gradient, float* x_gradient,
                float* weights_gradient, float* bias_gradient, float* skip_gradient) const {
    const std::size_t rows = static_cast<std::size_t>(boards) * in_.points();
    for (int first = 0; first < outputs_; first += kColumns) {
      std::array<float, kColumns> sum{};
      const int columns = std::min(kColumns, outputs_ - first);
      for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t row = i * outputs_ + first;
        for (int o = 0; o < columns; ++o) {
          const float passed = y[row + o] > 0.0f ? y_gradient[row + o] : 0.0f;
          skip_gradient[row + o] = passed;
          sum[o] += passed;
        }
      }
      std::copy_n(sum.begin(), columns, bias_gradient + first);
    }
    if (x_gradient) backward_to_input(boards, skip_gradient, x_gradient);
    backward_to_weights(boards, x, skip_gradient, weights_gradient);
  }

 private:
  // Slices of boards, so that copies with padding stay in the cache.
  void run(const WinogradConvolution& layer, int boards, const float* x, const float* skip, float* y) const {
    GradientSpace& space = gradient_space();
    const int inputs = layer.in().channels, outputs = layer.out().channels;
    const int in_stride = padded_channels(inputs, kernel_), out_stride = padded_channels(outputs, kernel_);
    for (int at = 0; at < boards; at += kSlice) {
      const int count = std::min(kSlice, boards - at);
      const std::size_t first = static_cast<std::size_t>(at) * in_.points(),
                        rows = static_cast<std::size_t>(count) * in_.points();
      const float* in = padded_rows(rows, inputs, in_stride, x + first * inputs, space.x);
      const float* added =
          skip ? padded_rows(rows, outputs, out_stride, skip + first * outputs, space.skip) : nullptr;
      float* to = y + first * outputs;
      if (outputs == out_stride) {
        layer.run(count, in, added, to);
      } else {
        float* out = reserve(space.y, rows * out_stride);
        layer.run(count, in, added, out);
        copy_columns(static_cast<int>(rows), out, out_stride, 0, outputs, to);
      }
    }
  }

  // Another convolution: the filters turned by half a circle, inputs and outputs exchanged.
  void backward_to_input(int boards, const float* gradient, float* x_gradient) const {
    std::vector<float> turned(static_cast<std::size_t>(9) * in_.channels * outputs_);
    for (int tap = 0; tap < 9; ++tap) {
      const float* from = weights_ + static_cast<std::ptrdiff_t>(8 - tap) * in_.channels * outputs_;
      float* to = turned.data() + static_cast<std::ptrdiff_t>(tap) * in_.channels * outputs_;
      for (int i = 0; i < in_.channels; ++i) {
        for (int o = 0; o < outputs_; ++o) to[o * in_.channels + i] = from[i * outputs_ + o];
      }
    }
    const std::vector<float> none(static_cast<std::size_t>(in_.channels));
    run(WinogradConvolution({in_.height, in_.width, outputs_}, in_.channels, turned.data(), none.data(),
                            kernel_, -std::numeric_limits<float>::infinity()),
        boards, gradient, nullptr, x_gradient);
  }

  // In transformed space the gradient of a point's matrix is a sum over tiles of input times output gradient.
  void backward_to_weights(int boards, const float* x, const float* gradient, float* weights_gradient) const {
    GradientSpace& space = gradient_space();
    const Transforms& transforms = transforms_of(kernel_);
    const int h = tiling_.tile_height - kLeastTile, w = tiling_.tile_width - kLeastTile;
    const int most = std::min(boards, boards_at_once(tiling_, in_stride_ + out_stride_));
    const auto points = static_cast<std::size_t>(tiling_.points());
    const std::size_t matrix = static_cast<std::size_t>(in_.channels) * out_stride_;
    float* sums = reserve(space.sums, points * matrix);
    std::fill_n(sums, points * matrix, 0.0f);
    float* before = reserve(space.points, points * (point_stride(tiling_, most, in_stride_) +
                                                    point_stride(tiling_, most, out_stride_)));
    float* after = before + points * point_stride(tiling_, most, in_stride_);
    for (int i = static_cast<int>(space.rows.size()); i < in_.channels; ++i) space.rows.push_back(i);
    for (int at = 0; at < boards; at += most) {
      const int count = std::min(most, boards - at);
      const std::size_t first = static_cast<std::size_t>(at) * in_.points(),
                        rows = static_cast<std::size_t>(count) * in_.points();
      const TransformCall in{tiling_, count, in_stride_, point_stride(tiling_, count, in_stride_)};
      const TransformCall out{tiling_, count, out_stride_, point_stride(tiling_, count, out_stride_)};
      transforms.input[h][w](
          in, padded_rows(rows, in_.channels, in_stride_, x + first * in_.channels, space.x), before);
      transforms.output_adjoint[h][w](
          out, padded_rows(rows, outputs_, out_stride_, gradient + first * outputs_, space.y), after);
      for (std::size_t i = 0; i < points; ++i) {
        float* sum = sums + i * matrix;
        DenseCall call{in_.channels,
                       count * tiling_.tiles(),
                       out_stride_,
                       before + i * in.point_stride,
                       1,
                       after + i * out.point_stride,
                       sum,
                       space.rows.data(),
                       out_stride_,
                       sum,
                       out_stride_,
                       Activation::kIdentity};
        call.x_step = in_stride_;
        kernel_.run(call);
      }
    }
    // Step 2. Back from transformed space.
    std::vector<float> packed(points * in_.channels * outputs_);
    copy_columns(static_cast<int>(points) * in_.channels, sums, out_stride_, 0, outputs_, packed.data());
    std::fill_n(weights_gradient, static_cast<std::size_t>(9) * in_.channels * outputs_, 0.0f);
    transform_filters<true>(tiling_, in_.channels * outputs_, weights_gradient, packed.data());
  }

  static constexpr int kSlice = 16;    // boards
  static constexpr int kColumns = 16;  // a cache line

  Kernel kernel_;
  Planes in_;
  int outputs_, in_stride_, out_stride_;
  const float* weights_;
  Tiling tiling_;
};

}  // namespace dicezero
