// Random towers and heads for the tests of board networks.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <utility>
#include <vector>

#include "model/board_net.h"
#include "rules/random.h"

namespace dicezero {

using Floats = std::vector<float>;

inline int up_to(Rng& rng, int most) {
  return 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(most)));
}

[[noreturn]] inline void fail(const char* what) {
  std::printf("soak_board: %s\n", what);
  std::exit(1);
}

// Weights that stay where they are while specs point to them.
class Drawn {
 public:
  explicit Drawn(Rng& rng) : rng_(rng) {}

  const float* numbers(std::size_t count, double scale) {
    Floats& made = kept_.emplace_back(count);
    for (float& x : made) x = static_cast<float>(scale * (2.0 * rng_.uniform() - 1.0));
    return made.data();
  }
  WeightArray array(std::vector<int> shape) {
    std::size_t count = 1, inputs = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      count *= static_cast<std::size_t>(shape[i]);
      if (i + 1 < shape.size()) inputs *= static_cast<std::size_t>(shape[i]);
    }
    const float* data = numbers(count, 1.5 / std::sqrt(static_cast<double>(inputs)));
    return {std::move(shape), data};
  }
  LayerWeights dense(int inputs, int outputs) {
    return {inputs, outputs, 1, array({inputs, outputs}).data, array({outputs}).data};
  }
  HeadSpec head(const Planes& planes, int columns, bool number = false) {
    const int own = up_to(rng_, 5);
    HeadSpec spec{dense(planes.channels, own), {}, number};
    int inputs = own * planes.points();
    if (rng_.below(2)) {
      const int width = up_to(rng_, 40);
      spec.layers.push_back(dense(inputs, width));
      inputs = width;
    }
    spec.layers.push_back(dense(inputs, columns));
    return spec;
  }

  // Blocks that begin with `planes`, which becomes what they end with; the last has `channels` if that is
  // not 0.
  std::vector<BlockSpec> tower(Planes& planes, int channels, bool halving) {
    std::vector<BlockSpec> blocks;
    for (int halve = halving ? static_cast<int>(rng_.below(3)) : 0; halve > 0; --halve) {
      blocks.push_back({false, {convolution(planes, up_to(rng_, 40), 3, "strided")}});
    }
    blocks.push_back({false, {convolution(planes, channels ? channels : up_to(rng_, 70), 3)}});
    for (int count = static_cast<int>(rng_.below(4)); count > 0; --count) blocks.push_back(residual(planes));
    return blocks;
  }

 private:
  LayerSpec convolution(Planes& planes, int outputs, int side, const char* kind = "convolution") {
    LayerSpec spec{kind, {array({side, side, planes.channels, outputs}), array({outputs})}};
    if (spec.kind == "strided") planes = {(planes.height + 1) / 2, (planes.width + 1) / 2, outputs};
    planes.channels = outputs;
    return spec;
  }

  BlockSpec residual(Planes planes) {
    const int wide = planes.channels, narrow = up_to(rng_, 40), points = planes.points();
    switch (rng_.below(points <= 400 ? 4 : 3)) {
      case 0:
        return {true, {convolution(planes, wide, 3), convolution(planes, wide, 3)}};
      case 1:
        return {true,
                {convolution(planes, narrow, 1), convolution(planes, narrow, 3),
                 convolution(planes, narrow, 3), convolution(planes, wide, 1)}};
      case 2:
        return {true,
                {{"pooling",
                  {array({1, 1, wide, wide}), array({wide}), array({1, 1, wide, wide}), array({wide}),
                   array({2 * wide, wide}), array({wide}), array({1, 1, wide, wide}), array({wide})}}}};
      default:
        return {true,
                {convolution(planes, wide, 1),
                 {"broadcast", {array({points, points}), array({points})}},
                 convolution(planes, wide, 1)}};
    }
  }

  Rng& rng_;
  std::deque<Floats> kept_;
};

}  // namespace dicezero
