// A tower by the book, in double precision and plain loops: what the fast one is held to.
#pragma once

#include <algorithm>
#include <vector>

#include "model/tower.h"

namespace dicezero {

struct PlainBoard {
  Planes planes;
  std::vector<double> at;  // [height, width, channels]

  double get(int y, int x, int c) const {
    if (y < 0 || y >= planes.height || x < 0 || x >= planes.width) return 0.0;
    return at[static_cast<std::size_t>((y * planes.width + x) * planes.channels + c)];
  }
};

inline PlainBoard plain_convolution(const PlainBoard& in, const WeightArray& weights, const float* bias,
                                    int stride) {
  const int side = weights.shape[0], outputs = weights.shape[3], channels = in.planes.channels;
  const int height = (in.planes.height + stride - 1) / stride,
            width = (in.planes.width + stride - 1) / stride;
  const int top = side == 1 ? 0 : stride == 1 || in.planes.height % 2 ? 1 : 0;
  const int left = side == 1 ? 0 : stride == 1 || in.planes.width % 2 ? 1 : 0;
  PlainBoard out{{height, width, outputs}, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int o = 0; o < outputs; ++o) {
        double sum = bias[o];
        for (int tap = 0; tap < side * side; ++tap) {
          for (int c = 0; c < channels; ++c) {
            sum += in.get(stride * y - top + tap / side, stride * x - left + tap % side, c) *
                   weights.data[(tap * channels + c) * outputs + o];
          }
        }
        out.at.push_back(sum);
      }
    }
  }
  return out;
}

inline PlainBoard plain_relu(PlainBoard board) {
  for (double& x : board.at) x = std::max(x, 0.0);
  return board;
}

inline PlainBoard plain_layer(const PlainBoard& in, const LayerSpec& spec) {
  const auto& arrays = spec.arrays;
  const int points = in.planes.points(), channels = in.planes.channels;
  if (spec.kind == "broadcast") {
    PlainBoard out{in.planes, std::vector<double>(in.at.size())};
    for (int i = 0; i < points; ++i) {
      for (int c = 0; c < channels; ++c) {
        double& sum = out.at[static_cast<std::size_t>(i * channels + c)];
        sum = arrays[1].data[i];
        for (int k = 0; k < points; ++k) {
          sum += in.at[static_cast<std::size_t>(k * channels + c)] * arrays[0].data[k * points + i];
        }
      }
    }
    return out;
  }
  if (spec.kind != "pooling") {
    return plain_convolution(in, arrays[0], arrays[1].data, spec.kind == "strided" ? 2 : 1);
  }
  PlainBoard local = plain_relu(plain_convolution(in, arrays[0], arrays[1].data, 1));
  const PlainBoard pooled = plain_relu(plain_convolution(in, arrays[2], arrays[3].data, 1));
  std::vector<double> summary(static_cast<std::size_t>(2 * channels));
  for (int i = 0; i < points * channels; ++i) {
    const double x = pooled.at[static_cast<std::size_t>(i)];
    summary[static_cast<std::size_t>(i % channels)] += x / points;
    double& most = summary[static_cast<std::size_t>(channels + i % channels)];
    most = i < channels ? x : std::max(most, x);
  }
  for (int i = 0; i < points * channels; ++i) {
    double sum = arrays[5].data[i % channels];
    for (int k = 0; k < 2 * channels; ++k) {
      sum += summary[static_cast<std::size_t>(k)] * arrays[4].data[k * channels + i % channels];
    }
    local.at[static_cast<std::size_t>(i)] += sum;
  }
  return plain_convolution(local, arrays[6], arrays[7].data, 1);
}

inline PlainBoard plain_tower(PlainBoard board, const std::vector<BlockSpec>& blocks) {
  for (const BlockSpec& block : blocks) {
    const PlainBoard before = board;
    for (const LayerSpec& layer : block.layers) {
      board = plain_layer(board, layer);
      if (&layer == &block.layers.back() && block.skip) {
        for (std::size_t i = 0; i < board.at.size(); ++i) board.at[i] += before.at[i];
      }
      board = plain_relu(board);
    }
  }
  return board;
}

}  // namespace dicezero
