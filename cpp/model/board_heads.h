// The heads of a network over planes: each looks at a few planes of its own, then has one or two dense
// layers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/tower.h"

namespace dicezero {

// A head's weights: a 1x1 convolution [channels, planes] and the dense layers over its points, the last
// linear.
// A `number` is what the last layer's columns stand for, one column or logits over a support.
struct HeadSpec {
  LayerWeights planes;
  std::vector<LayerWeights> layers;
  bool number = false;
};

struct HeadSpace {
  AlignedFloats planes, input, even, odd;
};

class BoardHeads {
 public:
  BoardHeads(Planes in, const std::vector<HeadSpec>& heads, const NumberHead& number, const Kernel& kernel)
      : in_(in),
        stride_(padded_channels(in.channels, kernel)),
        planes_(all_planes(in, heads, kernel)),
        number_(number) {
    int first = 0;
    for (const HeadSpec& spec : heads) {
      heads_.push_back(
          {first, spec.planes.outputs, spec.number, Mlp(spec.layers, Activation::kRelu, kernel)});
      first += spec.planes.outputs;
      if (heads_.back().layers.inputs() != spec.planes.outputs * in.points()) {
        throw std::invalid_argument("a head's first layer takes " +
                                    std::to_string(heads_.back().layers.inputs()) + " numbers, but its " +
                                    std::to_string(spec.planes.outputs) + " planes have " +
                                    std::to_string(spec.planes.outputs * in.points()));
      }
      if (spec.number && heads_.back().layers.outputs() != number.columns()) {
        throw std::invalid_argument("a head of numbers has " +
                                    std::to_string(heads_.back().layers.outputs()) + " columns; it needs " +
                                    std::to_string(number.columns()));
      }
    }
  }

  int count() const { return static_cast<int>(heads_.size()); }
  // Of a head's outputs.
  int columns(int head) const { return heads_[head].number ? 1 : heads_[head].layers.outputs(); }

  // x [boards][points][stride of the tower] -> each head's outputs, [boards][columns]; null is not computed.
  void run(int boards, const float* x, HeadSpace& space, float* const* answers) const {
    if (heads_.empty()) return;
    const int points = in_.points(), rows = boards * points;
    float* planes = reserve(space.planes, static_cast<std::size_t>(rows) * planes_.stride());
    planes_.run(rows, x, stride_, nullptr, planes);
    for (std::size_t i = 0; i < heads_.size(); ++i) {
      const Head& head = heads_[i];
      if (!answers[i]) continue;
      const std::ptrdiff_t width = static_cast<std::ptrdiff_t>(points) * head.planes;
      float* input = reserve(space.input, static_cast<std::size_t>(boards * width));
      copy_columns(rows, planes, planes_.stride(), head.first, head.planes, input);
      const float* out = head.layers.run(boards, input, width, nullptr, space.even, space.odd);
      if (head.number) {
        number_.read(boards, out, head.layers.stride(), 0, answers[i]);
      } else {
        copy_columns(boards, out, head.layers.stride(), 0, head.layers.outputs(), answers[i]);
      }
    }
  }

 private:
  struct Head {
    int first, planes;  // columns of the merged convolution
    bool number;
    Mlp layers;
  };

  // The convolutions of all heads as one.
  static Dense all_planes(Planes in, const std::vector<HeadSpec>& heads, const Kernel& kernel) {
    int total = 0;
    for (const HeadSpec& head : heads) total += head.planes.outputs;
    std::vector<float> weights(static_cast<std::size_t>(in.channels) * total), bias;
    int first = 0;
    for (const HeadSpec& head : heads) {
      const LayerWeights& own = head.planes;
      if (own.inputs != in.channels) {
        throw std::invalid_argument("a head takes " + std::to_string(own.inputs) +
                                    " planes, but the tower gives " + std::to_string(in.channels));
      }
      for (int k = 0; k < own.inputs; ++k) {
        std::copy_n(own.weights + static_cast<std::ptrdiff_t>(k) * own.outputs, own.outputs,
                    weights.data() + static_cast<std::ptrdiff_t>(k) * total + first);
      }
      bias.insert(bias.end(), own.biases, own.biases + own.outputs);
      first += own.outputs;
    }
    return {in.channels, total, weights.data(), bias.data(), 1, Activation::kRelu, kernel};
  }

  Planes in_;
  int stride_;
  Dense planes_;
  NumberHead number_;
  std::vector<Head> heads_;
};

}  // namespace dicezero
