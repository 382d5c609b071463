// Beside the dense kernels, in vectors too: sums over the numbers of an observation that are not 0, layers of
// few outputs, and Adam.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/dense.h"

#ifdef DICEZERO_X86
#include <immintrin.h>
#endif

namespace dicezero {

// Adam's numbers for one step. Gradients are sums over shards; `scale` makes them means.
struct AdamStep {
  float rate, decay, scale;
  float mu_correction, nu_correction;  // the moments begin at 0 and are too small by these factors
  float beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f;
};

#if defined(__GNUC__) || defined(__clang__)
#define DICEZERO_UNROLL _Pragma("GCC unroll 16")
#else
#define DICEZERO_UNROLL
#endif
// take_changes: those of kLanes numbers, from `first` on, that differ, and by how much; returns how many do.
// There is room for kLanes of them whatever comes out.
namespace kernel_base {
inline int take_changes(const float* before, const float* after, int first, std::int32_t* index,
                        float* factor) {
  int count = 0;
  for (int i = 0; i < kLanes; ++i) {
    index[count] = first + i;
    factor[count] = after[i] - before[i];
    count += after[i] != before[i];
  }
  return count;
}
#define DICEZERO_TARGET
#include "model/row_kernel.inc"
#undef DICEZERO_TARGET
}  // namespace kernel_base
#ifdef DICEZERO_X86
namespace kernel_avx2 {
#define DICEZERO_TARGET __attribute__((target("avx2,fma")))
DICEZERO_TARGET inline int take_changes(const float* before, const float* after, int first,
                                        std::int32_t* index, float* factor) {
  int count = 0;
  for (auto rest = static_cast<std::uint32_t>(
           _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(before), _mm256_loadu_ps(after), _CMP_NEQ_UQ)));
       rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    index[count] = first + i;
    factor[count++] = after[i] - before[i];
  }
  return count;
}
#include "model/row_kernel.inc"
#undef DICEZERO_TARGET
}  // namespace kernel_avx2
namespace kernel_avx512 {
#define DICEZERO_TARGET __attribute__((target("avx512f,avx2,fma,popcnt")))
DICEZERO_TARGET inline int take_changes(const float* before, const float* after, int first,
                                        std::int32_t* index, float* factor) {
  const __m512 from = _mm512_loadu_ps(before), to = _mm512_loadu_ps(after);
  const __mmask16 differ = _mm512_cmp_ps_mask(from, to, _CMP_NEQ_UQ);
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i places = _mm512_add_epi32(_mm512_set1_epi32(first), lanes);
  _mm512_storeu_si512(index, _mm512_maskz_compress_epi32(differ, places));
  _mm512_storeu_ps(factor, _mm512_maskz_compress_ps(differ, _mm512_sub_ps(to, from)));
  return _mm_popcnt_u32(differ);
}
#include "model/row_kernel.inc"
#undef DICEZERO_TARGET
}  // namespace kernel_avx512
#endif
#undef DICEZERO_UNROLL

inline constexpr int kChangesRoom = 16;  // beyond what `changes` finds, in its answers

struct RowKernel {
  void (*add_rows)(int width, int count, const std::int32_t* index, const float* factor, const float* rows,
                   std::ptrdiff_t stride, float* y);
  void (*add_to_rows)(int width, int count, const std::int32_t* index, const float* factor, const float* x,
                      float* rows, std::ptrdiff_t stride);
  int (*changes)(int size, const float* before, const float* after, std::int32_t* index, float* factor);
  void (*narrow)(int rows, int inputs, int outputs, const float* x, std::ptrdiff_t x_stride,
                 const float* weights, const float* bias, float* y);
  void (*adam)(const AdamStep& step, std::ptrdiff_t size, int parts, const float* const* gradients,
               float* theta, float* mu, float* nu);
};

// The one that goes with a dense kernel.
inline RowKernel row_kernel([[maybe_unused]] const Kernel& dense) {
#ifdef DICEZERO_X86
  if (std::string_view(dense.name) == "avx512")
    return {kernel_avx512::add_rows, kernel_avx512::add_to_rows, kernel_avx512::changes,
            kernel_avx512::narrow, kernel_avx512::adam};
  if (std::string_view(dense.name) == "avx2")
    return {kernel_avx2::add_rows, kernel_avx2::add_to_rows, kernel_avx2::changes, kernel_avx2::narrow,
            kernel_avx2::adam};
#endif
  return {kernel_base::add_rows, kernel_base::add_to_rows, kernel_base::changes, kernel_base::narrow,
          kernel_base::adam};
}

}  // namespace dicezero
