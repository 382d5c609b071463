// Winograd's minimal filtering: m outputs of a filter of three taps from m + 2 products instead of 3m (Lavin
// and Gray 2016; the matrices are Toom and Cook's). A 3x3 convolution takes it along both sides of a tile of
// the board, so the products of a point of all transformed tiles are one matrix product.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "model/dense.h"

namespace dicezero {

template <int kRows, int kColumns>
using Coefficients = std::array<std::array<float, kColumns>, kRows>;

// The transforms for m outputs: out = A ((G filter) * (B in)), the product elementwise.
template <int m>
struct Filtering {
  Coefficients<m + 2, m + 2> input{};  // B
  Coefficients<m, m + 2> output{};     // A
  Coefficients<m + 2, 3> filter{};     // G
};

// From the points where the polynomials are evaluated; infinity is the last, of itself. With p of degree m +
// 1 and zeros at the points: row i of B is p / (x - point i), of G the powers of the point over what that is
// there. What B and A hold is exact in binary.
template <int m>
constexpr Filtering<m> filtering(const std::array<double, m + 1>& points) {
  Filtering<m> made;
  for (int i = 0; i <= m + 1; ++i) {
    std::array<double, m + 3> polynomial{1.0};
    double at_point = 1.0;
    for (int k = 0, degree = 0; k <= m; ++k) {
      if (k == i) continue;
      ++degree;
      for (int d = degree; d >= 0; --d) {
        polynomial[d] = (d > 0 ? polynomial[d - 1] : 0.0) - points[k] * polynomial[d];
      }
      if (i <= m) at_point *= points[i] - points[k];
    }
    for (int k = 0; k <= m + 1; ++k) made.input[i][k] = static_cast<float>(polynomial[k]);
    double power = 1.0;
    for (int k = 0; k < (m > 3 ? m : 3); ++k, power *= i <= m ? points[i] : 1.0) {
      if (k < 3) made.filter[i][k] = static_cast<float>(i <= m ? power / at_point : k == 2);
      if (k < m) made.output[k][i] = static_cast<float>(i <= m ? power : k == m - 1);
    }
  }
  return made;
}

// Points that keep the coefficients, and with them the rounding, small: half the error of the usual 1 and 2.
template <int m>
constexpr Filtering<m> chosen_filtering() {
  if constexpr (m == 2) return filtering<2>({0.0, 1.0, -1.0});
  if constexpr (m == 3) return filtering<3>({0.0, 0.75, -0.75, 2.0});
  if constexpr (m == 4) return filtering<4>({0.0, 0.75, -0.75, 1.5, -1.5});
}
template <int m>
inline constexpr Coefficients<m + 2, m + 2> kInputTransform = chosen_filtering<m>().input;
template <int m>
inline constexpr Coefficients<m, m + 2> kOutputTransform = chosen_filtering<m>().output;
template <int m>
inline constexpr Coefficients<m + 2, m> kOutputAdjoint = [] {
  Coefficients<m + 2, m> turned{};
  for (int i = 0; i < m + 2; ++i) {
    for (int k = 0; k < m; ++k) turned[i][k] = kOutputTransform<m>[k][i];
  }
  return turned;
}();
template <int m>
inline constexpr Coefficients<m + 2, 3> kFilterTransform = chosen_filtering<m>().filter;

inline constexpr int kLeastTile = 2, kMostTile = 4;

// How a board is cut: tiles of tile_height x tile_width outputs, each transformed to `points` numbers a
// channel.
struct Tiling {
  int height, width;
  int tile_height, tile_width;

  int down() const { return (height + tile_height - 1) / tile_height; }
  int across() const { return (width + tile_width - 1) / tile_width; }
  int tiles() const { return down() * across(); }
  int points() const { return (tile_height + 2) * (tile_width + 2); }
  int products() const { return tiles() * points(); }
};

// The tiling with the fewest products; of equals the one with the smaller tiles, which rounds less.
inline Tiling best_tiling(int height, int width) {
  Tiling best{height, width, kLeastTile, kLeastTile};
  for (int h = kLeastTile; h <= kMostTile; ++h) {
    for (int w = kLeastTile; w <= kMostTile; ++w) {
      const Tiling next{height, width, h, w};
      if (next.products() < best.products()) best = next;
    }
  }
  return best;
}

// Filters [3][3][size] -> [points][size], one matrix of a convolution's filters a point; both are added to
// what is there. The adjoint takes gradients back.
template <int kHeight, int kWidth, bool kAdjoint>
void transform_filters(int size, float* filters, float* points) {
  for (int i = 0; i < kHeight + 2; ++i) {
    for (int k = 0; k < kWidth + 2; ++k, points += size) {
      for (int tap = 0; tap < 9; ++tap) {
        const float factor = kFilterTransform<kHeight>[i][tap / 3] * kFilterTransform<kWidth>[k][tap % 3];
        if (factor == 0.0f) continue;
        float* filter = filters + static_cast<std::ptrdiff_t>(tap) * size;
        float *to = kAdjoint ? filter : points, *from = kAdjoint ? points : filter;
        for (int n = 0; n < size; ++n) to[n] += factor * from[n];
      }
    }
  }
}

template <bool kAdjoint>
void transform_filters(const Tiling& tiling, int size, float* filters, float* points) {
  using Run = void (*)(int, float*, float*);
  static constexpr Run kRun[3][3] = {{transform_filters<2, 2, kAdjoint>, transform_filters<2, 3, kAdjoint>,
                                      transform_filters<2, 4, kAdjoint>},
                                     {transform_filters<3, 2, kAdjoint>, transform_filters<3, 3, kAdjoint>,
                                      transform_filters<3, 4, kAdjoint>},
                                     {transform_filters<4, 2, kAdjoint>, transform_filters<4, 3, kAdjoint>,
                                      transform_filters<4, 4, kAdjoint>}};
  kRun[tiling.tile_height - kLeastTile][tiling.tile_width - kLeastTile](size, filters, points);
}

inline std::vector<float> transformed_filters(const Tiling& tiling, int size, const float* filters) {
  std::vector<float> points(static_cast<std::size_t>(tiling.points()) * size);
  transform_filters<false>(tiling, size, const_cast<float*>(filters), points.data());
  return points;
}

// What a transform works on: `boards` boards of [height, width, channels], channels padded to whole panels,
// beside [points][tiles of all boards][channels], `point_stride` floats from point to point.
struct TransformCall {
  Tiling tiling;
  int boards, channels;
  std::ptrdiff_t point_stride;
  float least = 0.0f;  // of an output: the ReLU's 0, or minus infinity
};

// Strides of a multiple of 4 KiB would put all points into the same few lines of the first-level cache.
inline std::ptrdiff_t point_stride(const Tiling& tiling, int boards, int channels) {
  return static_cast<std::ptrdiff_t>(tiling.tiles()) * boards * channels + 16;
}

#ifdef DICEZERO_VECTORS
#define DICEZERO_UNROLL _Pragma("GCC unroll 8")
#define DICEZERO_INLINE __attribute__((always_inline)) inline
#else
#define DICEZERO_UNROLL
#define DICEZERO_INLINE inline
#endif

namespace kernel_base {
#define DICEZERO_TARGET
#include "model/winograd_kernel.inc"
#undef DICEZERO_TARGET
}  // namespace kernel_base

#ifdef DICEZERO_X86
namespace kernel_avx2 {
#define DICEZERO_TARGET __attribute__((target("avx2,fma")))
#include "model/winograd_kernel.inc"
#undef DICEZERO_TARGET
}  // namespace kernel_avx2

namespace kernel_avx512 {
#define DICEZERO_TARGET __attribute__((target("avx512f,avx2,fma")))
#include "model/winograd_kernel.inc"
#undef DICEZERO_TARGET
}  // namespace kernel_avx512
#endif
#undef DICEZERO_UNROLL
#undef DICEZERO_INLINE

// The transforms of one instruction set by the tile's height and width, less kLeastTile.
struct Transforms {
  using Input = void (*)(const TransformCall&, const float* x, float* points);
  using Output = void (*)(const TransformCall&, const float* points, const float* bias, const float* skip,
                          float* y);
  // The gradient of outputs -> [points][panels of columns][tiles of all boards][column of the panel], as the
  // dense kernels take weights.
  using Adjoint = Input;
  Input input[3][3];
  Output output[3][3];
  Adjoint output_adjoint[3][3];
  void (*pool)(int points, int channels, const float* x, float* mean_and_maximum);
};

inline const Transforms& transforms_of(const Kernel& kernel) {
#ifdef DICEZERO_X86
  if (kernel.run == kernel_avx512::dense) return kernel_avx512::transforms<Transforms>;
  if (kernel.run == kernel_avx2::dense) return kernel_avx2::transforms<Transforms>;
#endif
  return kernel_base::transforms<Transforms>;
}

}  // namespace dicezero
