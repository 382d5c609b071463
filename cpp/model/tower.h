// A tower of blocks over planes, and the heads on top of it. Immutable after construction; the buffers are
// the caller's thread's own.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/conv.h"

namespace dicezero {

// One array of weights as it comes, row-major.
struct WeightArray {
  std::vector<int> shape;
  const float* data;
};

// kind        arrays
// convolution weights [3, 3, I, O] or [1, 1, I, O], bias [O]
// strided     weights [3, 3, I, O], bias [O]: every other point
// broadcast   weights [points, points], bias [points]
// pooling     weights and bias of local, pooled and output [1, 1, C, C], [C], and of mix [2 C, C], [C], in
// the
//             order local, pooled, mix, output
struct LayerSpec {
  std::string kind;
  std::vector<WeightArray> arrays;
};

// Layers one after another; with `skip` the block's input is added to the last one's answer.
struct BlockSpec {
  bool skip;
  std::vector<LayerSpec> layers;
};

inline std::string shape_text(const std::vector<int>& shape) {
  std::string text = "[";
  for (const int n : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(n);
  return text + "]";
}

// The array's numbers, if it has the shape; -1 stands for any size.
inline const float* shaped(const LayerSpec& layer, std::size_t index, const std::vector<int>& shape) {
  if (index >= layer.arrays.size()) {
    throw std::invalid_argument("a " + layer.kind + " layer has " + std::to_string(layer.arrays.size()) +
                                " arrays; it needs more");
  }
  const std::vector<int>& given = layer.arrays[index].shape;
  bool fits = given.size() == shape.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = shape[i] == -1 || shape[i] == given[i];
  if (!fits) {
    throw std::invalid_argument("array " + std::to_string(index) + " of a " + layer.kind +
                                " layer has shape " + shape_text(given) + "; the planes before it need " +
                                shape_text(shape));
  }
  return layer.arrays[index].data;
}

inline std::unique_ptr<Layer> make_layer(Planes in, const LayerSpec& spec, const Kernel& kernel) {
  const int channels = in.channels, points = in.points();
  if (spec.kind == "broadcast") {
    return std::make_unique<BroadcastLayer>(in, shaped(spec, 0, {points, points}), shaped(spec, 1, {points}),
                                            kernel);
  }
  if (spec.kind == "pooling") {
    std::array<PoolingLayer::Part, 4> parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::vector<int> matrix =
          i == 2 ? std::vector{2 * channels, channels} : std::vector{1, 1, channels, channels};
      parts[i] = {shaped(spec, 2 * i, matrix), shaped(spec, 2 * i + 1, {channels})};
    }
    return std::make_unique<PoolingLayer>(in, parts[0], parts[1], parts[2], parts[3], kernel);
  }
  if (spec.kind != "convolution" && spec.kind != "strided") {
    throw std::invalid_argument("layer '" + spec.kind +
                                "' is unknown; give one of 'convolution', 'strided', 'broadcast', 'pooling'");
  }
  const bool pointwise = spec.kind == "convolution" && !spec.arrays.empty() &&
                         !spec.arrays[0].shape.empty() && spec.arrays[0].shape.front() == 1;
  const int side = pointwise ? 1 : 3;
  const float* weights = shaped(spec, 0, {side, side, channels, -1});
  const int outputs = spec.arrays[0].shape[3];
  const float* bias = shaped(spec, 1, {outputs});
  if (spec.kind == "strided") return std::make_unique<StridedConvolution>(in, outputs, weights, bias, kernel);
  if (pointwise) return std::make_unique<PointwiseConvolution>(in, outputs, weights, bias, kernel);
  return std::make_unique<WinogradConvolution>(in, outputs, weights, bias, kernel);
}

// Beyond these sizes the counts of numbers would leave an int.
inline constexpr int kMostLines = 512, kMostChannels = 4096;

// Three buffers: a block's input, which the skip needs to the end, and a layer's input and output.
using TowerSpace = std::array<AlignedFloats, 3>;

class Tower {
 public:
  Tower(Planes in, const std::vector<BlockSpec>& blocks, const Kernel& kernel) : kernel_(kernel), in_(in) {
    if (in.height < 1 || in.width < 1 || in.channels < 1 || in.height > kMostLines || in.width > kMostLines ||
        in.channels > kMostChannels) {
      throw std::invalid_argument("planes of " + std::to_string(in.channels) + " x " +
                                  std::to_string(in.height) + " x " + std::to_string(in.width) +
                                  " are no board; give 1.." + std::to_string(kMostChannels) +
                                  " planes of 1.." + std::to_string(kMostLines) + " lines");
    }
    Planes planes = in;
    for (const BlockSpec& spec : blocks) {
      Block block{spec.skip, {}};
      const Planes before = planes;
      for (const LayerSpec& layer : spec.layers) {
        block.layers.push_back(make_layer(planes, layer, kernel));
        planes = block.layers.back()->out();
        board_size_ =
            std::max({board_size_, block.layers.back()->in_size(), block.layers.back()->out_size()});
      }
      if (block.layers.empty()) throw std::invalid_argument("a block has no layers; give one or more");
      if (spec.skip && (planes.channels != before.channels || planes.points() != before.points())) {
        throw std::invalid_argument("a block with a skip turns " + std::to_string(before.channels) +
                                    " planes into " + std::to_string(planes.channels) + "; give as many");
      }
      blocks_.push_back(std::move(block));
    }
    if (blocks_.empty()) throw std::invalid_argument("a tower has no blocks; give one or more");
    out_ = planes;
  }

  const Planes& in() const { return in_; }
  const Planes& out() const { return out_; }
  int in_stride() const { return padded_channels(in_.channels, kernel_); }
  int out_stride() const { return padded_channels(out_.channels, kernel_); }

  // Boards that pass through all blocks together: few enough that their planes stay in the second-level
  // cache, so many that loading the weights does not count.
  int slice() const {
    constexpr std::size_t kFloats = 128 << 10;
    return static_cast<int>(std::clamp<std::size_t>(kFloats / board_size_, 1, 64));
  }

  // Where the input of `boards` boards goes: [boards][points][in_stride()], zeros in the padding.
  float* input(int boards, TowerSpace& space) const {
    for (AlignedFloats& buffer : space) reserve(buffer, static_cast<std::size_t>(boards) * board_size_);
    return space[0].data();
  }

  // [boards][points][out_stride()], in one of the buffers.
  const float* run(int boards, TowerSpace& space) const {
    int at = 0;
    for (const Block& block : blocks_) {
      const int first = at;
      for (const auto& layer : block.layers) {
        const bool last = &layer == &block.layers.back();
        int to = 0;
        while (to == at || to == first) ++to;
        layer->run(boards, space[at].data(), last && block.skip ? space[first].data() : nullptr,
                   space[to].data());
        at = to;
      }
    }
    return space[at].data();
  }

 private:
  struct Block {
    bool skip;
    std::vector<std::unique_ptr<Layer>> layers;
  };

  Kernel kernel_;
  Planes in_, out_{};
  std::vector<Block> blocks_;
  std::size_t board_size_ = 0;  // of the largest planes on the way
};

}  // namespace dicezero
