// The dense layers of one part of a network, for training: forward with every layer's outputs kept, backward
// to the gradients of inputs, weights and biases. The weights are packed anew at every load, as each step
// changes them; any number of threads may then use them, each with a scratch of its own. Rows of the buffers
// are whole panels apart (stride); what stands beyond a layer's outputs is finite.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/dense.h"
#include "model/mlp.h"

namespace dicezero {

class TrainedPart {
 public:
  struct Layer {
    int inputs, outputs;
    const float* weights;  // [inputs, outputs]
    const float* bias;     // [outputs]
  };
  struct Gradient {
    float* weights;
    float* bias;
  };
  struct Scratch {
    AlignedFloats panels, product, zeros;
  };
  enum class Pass { kForward, kBackward };

  explicit TrainedPart(const Kernel& kernel) : kernel_(kernel) {}

  // `one_hot` of the first layer's inputs, its last ones, are one-hot: a row brings the number of its one.
  // The last layer is linear. A leaf takes no gradient of its inputs. What the other pass needs is not
  // loaded.
  void load(const std::vector<Layer>& layers, Activation activation, int one_hot, bool leaf, Pass pass) {
    layers_ = layers;
    activation_ = activation;
    one_hot_ = one_hot;
    leaf_ = leaf;
    packed_.resize(layers.size());
    turned_.resize(layers.size());
    biases_.resize(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const Layer& l = layers[i];
      if (pass == Pass::kBackward) {
        if (i > 0 || !leaf) pack_turned(columns(i), l.outputs, l.weights, turned_[i]);
        continue;
      }
      pack(columns(i), l.outputs, l.weights, l.outputs, packed_[i]);
      const int rows = i == 0 && one_hot ? one_hot : 1;
      float* bias = reserve(biases_[i], static_cast<std::size_t>(rows) * stride(i));
      for (std::ptrdiff_t a = 0; a < rows; ++a) {
        const float* add = i == 0 && one_hot ? l.weights + (columns(0) + a) * l.outputs : nullptr;
        for (int j = 0; j < l.outputs; ++j) bias[a * stride(i) + j] = l.bias[j] + (add ? add[j] : 0.0f);
        std::fill(bias + a * stride(i) + l.outputs, bias + (a + 1) * stride(i), 0.0f);
      }
    }
  }

  std::size_t size() const { return layers_.size(); }
  int outputs() const { return layers_.back().outputs; }
  std::ptrdiff_t stride(std::size_t layer) const { return padded(layers_[layer].outputs); }
  int columns(std::size_t layer) const {
    return layers_[layer].inputs - (layer == 0 ? one_hot_ : 0);
  }  // of x

  // Floats that hold a row of every layer's outputs.
  std::ptrdiff_t row_floats() const {
    std::ptrdiff_t total = 0;
    for (std::size_t i = 0; i < layers_.size(); ++i) total += stride(i);
    return total;
  }

  // Rows [first, first + rows) of each layer's outputs, which lie in `kept`, layer after layer, each of `all`
  // rows.
  void forward(int rows, const float* x, std::ptrdiff_t x_stride, const std::int32_t* ones, int first,
               int all, float* kept) const {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      float* y = rows_of(kept, i, first, all);
      const bool last = i + 1 == layers_.size();
      kernel_.run({rows, columns(i), layers_[i].outputs, x, x_stride, packed_[i].data(), biases_[i].data(),
                   i == 0 ? ones : nullptr, stride(i), y, stride(i),
                   last ? Activation::kIdentity : activation_});
      x = y;
      x_stride = stride(i);
    }
  }

  // From the gradients of the last layer's outputs, which stand in `sums`, those of every layer's sums, laid
  // out as `kept`, and those of x [rows, padded columns] unless this is a leaf.
  void backward(int rows, int first, int all, const float* kept, float* sums, float* x_gradient,
                Scratch& scratch) const {
    for (std::size_t i = layers_.size(); i-- > 0;) {
      if (i == 0 && leaf_) return;
      const Layer& l = layers_[i];
      float* below = i ? rows_of(sums, i - 1, first, all) : x_gradient;
      const std::ptrdiff_t below_stride = padded(columns(i));
      kernel_.run({rows, l.outputs, columns(i), rows_of(sums, i, first, all), stride(i), turned_[i].data(),
                   zeros(below_stride, scratch), nullptr, 0, below, below_stride, Activation::kIdentity});
      if (i == 0) return;
      kernel_.multiply_slopes(rows * below_stride, activation_, rows_of(kept, i - 1, first, all), below);
    }
  }

  // Gradients of weights and biases from those of the sums of rows [first, first + rows) of `all`; x and ones
  // are of the first of them.
  void collect(int rows, int first, int all, const float* x, std::ptrdiff_t x_stride,
               const std::int32_t* ones, const float* kept, const float* sums,
               const std::vector<Gradient>& gradients, Scratch& scratch) const {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const Layer& l = layers_[i];
      const float* input = i ? rows_of(kept, i - 1, first, all) : x;
      const float* sum = rows_of(sums, i, first, all);
      pack(rows, l.outputs, sum, stride(i), scratch.panels);
      const bool whole = stride(i) == l.outputs;
      float* to = whole ? gradients[i].weights
                        : reserve(scratch.product, static_cast<std::size_t>(columns(i)) * stride(i));
      kernel_.run({columns(i), rows, l.outputs, input, 1, scratch.panels.data(), zeros(stride(i), scratch),
                   nullptr, 0, to, stride(i), Activation::kIdentity, nullptr, i ? stride(i - 1) : x_stride});
      if (!whole) copy_columns(columns(i), to, stride(i), 0, l.outputs, gradients[i].weights);
      kernel_.sum_rows(rows, l.outputs, sum, stride(i), gradients[i].bias);
      if (i == 0 && one_hot_) {
        float* picked = gradients[0].weights + static_cast<std::ptrdiff_t>(columns(0)) * l.outputs;
        std::fill_n(picked, static_cast<std::ptrdiff_t>(one_hot_) * l.outputs, 0.0f);
        for (std::ptrdiff_t row = 0; row < rows; ++row) {
          float* one = picked + static_cast<std::ptrdiff_t>(ones[row]) * l.outputs;
          for (int j = 0; j < l.outputs; ++j) one[j] += sum[row * stride(0) + j];
        }
      }
    }
  }

  template <class Float>  // of a buffer of every layer's rows: those of a layer, from `first` on
  Float* rows_of(Float* buffer, std::size_t layer, int first, int all) const {
    for (std::size_t i = 0; i < layer; ++i) buffer += stride(i) * all;
    return buffer + stride(layer) * first;
  }

  std::ptrdiff_t padded(int width) const {
    return (width + kernel_.panel - 1) / kernel_.panel * kernel_.panel;
  }

 private:
  static const float* zeros(std::ptrdiff_t width, Scratch& scratch) {
    return reserve(scratch.zeros, static_cast<std::size_t>(width));  // nobody writes there
  }

  void pack(int inputs, int outputs, const float* from, std::ptrdiff_t from_stride,
            AlignedFloats& panels) const {
    float* to = reserve(panels, static_cast<std::size_t>(inputs * padded(outputs)));
    for (int first = 0; first < outputs; first += kernel_.panel) {
      const int width = std::min(kernel_.panel, outputs - first);
      for (std::ptrdiff_t k = 0; k < inputs; ++k, to += kernel_.panel) {
        std::copy_n(from + k * from_stride + first, width, to);
        std::fill(to + width, to + kernel_.panel, 0.0f);
      }
    }
  }

  // The first `inputs` rows of the weights, transposed.
  void pack_turned(int inputs, int outputs, const float* weights, AlignedFloats& panels) const {
    float* to = reserve(panels, static_cast<std::size_t>(outputs * padded(inputs)));
    const std::ptrdiff_t panel = kernel_.panel, row = outputs;
    for (int first = 0; first < inputs; first += kernel_.panel, to += panel * outputs) {
      const int width = std::min(kernel_.panel, inputs - first);
      if (width < kernel_.panel) std::fill_n(to, panel * outputs, 0.0f);
      const float* from = weights + first * row;
      int i = 0;
      for (; i + 4 <= width; i += 4) turn_four(outputs, from + i * row, panel, to + i);
      for (; i < width; ++i) {
        for (std::ptrdiff_t k = 0; k < outputs; ++k) to[k * panel + i] = from[i * row + k];
      }
    }
  }

  // Four rows x [4, columns] as four columns of y.
  static void turn_four(int columns, const float* x, std::ptrdiff_t y_stride, float* y) {
    const std::ptrdiff_t row = columns;
    int k = 0;
#ifdef DICEZERO_VECTORS
    using Four = float __attribute__((vector_size(16), aligned(4), may_alias));
    const auto four = [](const float* p) { return *reinterpret_cast<const Four*>(p); };
    const auto put = [](float* p, Four v) { *reinterpret_cast<Four*>(p) = v; };
    for (; k + 4 <= columns; k += 4, y += 4 * y_stride) {
      const Four a = four(x + k), b = four(x + row + k), c = four(x + 2 * row + k), d = four(x + 3 * row + k);
      const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                 ba = __builtin_shufflevector(a, b, 2, 6, 3, 7);
      const Four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
                 dc = __builtin_shufflevector(c, d, 2, 6, 3, 7);
      put(y, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
      put(y + y_stride, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
      put(y + 2 * y_stride, __builtin_shufflevector(ba, dc, 0, 1, 4, 5));
      put(y + 3 * y_stride, __builtin_shufflevector(ba, dc, 2, 3, 6, 7));
    }
#endif
    for (; k < columns; ++k, y += y_stride) {
      for (int i = 0; i < 4; ++i) y[i] = x[i * row + k];
    }
  }

  Kernel kernel_;
  std::vector<Layer> layers_;
  Activation activation_ = Activation::kIdentity;
  int one_hot_ = 0;
  bool leaf_ = false;
  std::vector<AlignedFloats> packed_, turned_, biases_;
};

}  // namespace dicezero
