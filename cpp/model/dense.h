// A dense layer y = act(x W + b) in float32 on one thread. The weights are packed once, into the panels of
// columns that the kernel of this machine's instruction set walks over. A row's result does not depend on the
// batch it is in.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dicezero {

enum class Activation { kIdentity, kRelu, kSelu, kTanh };

// Everything a kernel needs. Strides count floats; the stride of y covers the outputs rounded up to whole
// panels.
struct DenseCall {
  int rows, inputs, outputs;
  const float* x;
  std::ptrdiff_t x_stride;
  const float* weights;          // packed: [panel][input][column of the panel]
  const float* bias;             // one row, or a table of rows
  const std::int32_t* bias_row;  // [rows], which row of the table, or null
  std::ptrdiff_t bias_stride;
  float* y;
  std::ptrdiff_t y_stride;
  Activation activation;
  const float* skip = nullptr;  // added before the activation, laid out as y; or null
  std::ptrdiff_t x_step = 1;    // from one input of a row to the next; with strides 1 and n x is transposed
};

#if defined(__GNUC__) || defined(__clang__)
#define DICEZERO_VECTORS
#define DICEZERO_UNROLL _Pragma("GCC unroll 16")
#else
#define DICEZERO_UNROLL
#endif

namespace kernel_base {  // every machine: SSE2 on x86-64, NEON on ARM
#define DICEZERO_TARGET
#define DICEZERO_LANES 4
#include "model/dense_kernel.inc"
#undef DICEZERO_LANES
#undef DICEZERO_TARGET
}  // namespace kernel_base

#if defined(DICEZERO_VECTORS) && defined(__x86_64__) && !defined(_MSC_VER)
#define DICEZERO_X86
namespace kernel_avx2 {
#define DICEZERO_TARGET __attribute__((target("avx2,fma")))
#define DICEZERO_LANES 8
#include "model/dense_kernel.inc"
#undef DICEZERO_LANES
#undef DICEZERO_TARGET
}  // namespace kernel_avx2

namespace kernel_avx512 {
#define DICEZERO_TARGET __attribute__((target("avx512f,avx2,fma")))
#define DICEZERO_LANES 16
#include "model/dense_kernel.inc"
#undef DICEZERO_LANES
#undef DICEZERO_TARGET
}  // namespace kernel_avx512
#endif
#undef DICEZERO_UNROLL

struct Kernel {
  const char* name;
  int panel;  // columns
  void (*run)(const DenseCall&);
  void (*finish)(int columns, const float* x, const float* bias, Activation activation, float* y);
  void (*exp_negative)(int columns, float* x);
  void (*multiply_slopes)(std::ptrdiff_t size, Activation activation, const float* y, float* gradient);
  void (*sum_rows)(int rows, int columns, const float* x, std::ptrdiff_t stride, float* sums);
};

// Leaves out what is faster than the kernel that DICEZERO_KERNEL names, as on a machine that has no more.
inline void limit_kernels(std::vector<Kernel>& list) {
  const char* asked = std::getenv("DICEZERO_KERNEL");
  if (asked == nullptr || *asked == 0) return;
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Kernel& k) { return asked == std::string(k.name); });
  if (found == list.end()) {
    std::string known;
    for (const Kernel& k : list) known += (known.empty() ? "" : ", ") + std::string(k.name);
    throw std::invalid_argument("DICEZERO_KERNEL=" + std::string(asked) + " is unknown here; give one of " +
                                known);
  }
  list.erase(list.begin(), found);
}

// The kernels this machine can run, fastest first.
inline const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> found = [] {
    std::vector<Kernel> list;
#ifdef DICEZERO_X86
    if (__builtin_cpu_supports("avx512f")) {
      list.push_back({"avx512", kernel_avx512::kPanel, kernel_avx512::dense, kernel_avx512::finish,
                      kernel_avx512::exp_negative, kernel_avx512::multiply_slopes, kernel_avx512::sum_rows});
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      list.push_back({"avx2", kernel_avx2::kPanel, kernel_avx2::dense, kernel_avx2::finish,
                      kernel_avx2::exp_negative, kernel_avx2::multiply_slopes, kernel_avx2::sum_rows});
    }
#endif
    list.push_back({"base", kernel_base::kPanel, kernel_base::dense, kernel_base::finish,
                    kernel_base::exp_negative, kernel_base::multiply_slopes, kernel_base::sum_rows});
    limit_kernels(list);
    return list;
  }();
  return found;
}

// Floats on cache-line boundaries, all zero at first.
class AlignedFloats {
 public:
  explicit AlignedFloats(std::size_t size = 0)
      : data_(size ? new (std::align_val_t{64}) float[size]() : nullptr), size_(size) {}
  float* data() { return data_.get(); }
  const float* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(float* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  std::unique_ptr<float[], Free> data_;
  std::size_t size_;
};

class Dense {
 public:
  // weights [inputs, outputs], biases [bias_rows, outputs]: more than one row where each row of a batch
  // brings the index of its own (a one-hot input whose weights were added to the bias).
  Dense(int inputs, int outputs, const float* weights, const float* biases, int bias_rows,
        Activation activation, const Kernel& kernel)
      : kernel_(kernel),
        activation_(activation),
        inputs_(inputs),
        outputs_(outputs),
        stride_((outputs + kernel.panel - 1) / kernel.panel * kernel.panel),
        weights_(static_cast<std::size_t>(inputs) * stride_),
        biases_(static_cast<std::size_t>(bias_rows) * stride_) {
    for (int j = 0; j < outputs; ++j) {
      const int first = j / kernel.panel * kernel.panel;  // of the panel
      float* panel = weights_.data() + static_cast<std::ptrdiff_t>(first) * inputs;
      for (int k = 0; k < inputs; ++k) {
        panel[static_cast<std::ptrdiff_t>(k) * kernel.panel + j - first] =
            weights[static_cast<std::ptrdiff_t>(k) * outputs + j];
      }
      for (int a = 0; a < bias_rows; ++a) {
        biases_.data()[static_cast<std::ptrdiff_t>(a) * stride_ + j] =
            biases[static_cast<std::ptrdiff_t>(a) * outputs + j];
      }
    }
  }

  int inputs() const { return inputs_; }
  int outputs() const { return outputs_; }
  int stride() const { return stride_; }  // of a row of y

  // y [rows, stride()] = act(x [rows, x_stride] W + b); columns of y from outputs() on are scratch.
  void run(int rows, const float* x, std::ptrdiff_t x_stride, const std::int32_t* bias_row, float* y) const {
    if (rows > 0) kernel_.run(call(rows, x, x_stride, bias_row, y));  // kernels look at a first row
  }

  // The same as a record, for callers that add a skip or bring biases of their own.
  DenseCall call(int rows, const float* x, std::ptrdiff_t x_stride, const std::int32_t* bias_row,
                 float* y) const {
    return {rows,           inputs_,  outputs_, x, x_stride, weights_.data(),
            biases_.data(), bias_row, stride_,  y, stride_,  activation_};
  }

 private:
  Kernel kernel_;
  Activation activation_;
  int inputs_, outputs_, stride_;
  AlignedFloats weights_, biases_;
};

}  // namespace dicezero
