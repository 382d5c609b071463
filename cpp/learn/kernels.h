// What learning computes in vectors, beside the dense kernels: sparse sums and Adam.
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
namespace kernel_base {
// A bit for each of the numbers that differ, kLanes of them.
inline std::uint32_t differing(const float* a, const float* b) {
  std::uint32_t mask = 0;
  for (int i = 0; i < kLanes; ++i) mask |= static_cast<std::uint32_t>(a[i] != b[i]) << i;
  return mask;
}
#define DICEZERO_TARGET
#include "learn/learn_kernel.inc"
#undef DICEZERO_TARGET
}  // namespace kernel_base
#ifdef DICEZERO_X86
namespace kernel_avx2 {
#define DICEZERO_TARGET __attribute__((target("avx2,fma")))
DICEZERO_TARGET inline std::uint32_t differing(const float* a, const float* b) {
  return static_cast<std::uint32_t>(
      _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(a), _mm256_loadu_ps(b), _CMP_NEQ_UQ)));
}
#include "learn/learn_kernel.inc"
#undef DICEZERO_TARGET
}  // namespace kernel_avx2
namespace kernel_avx512 {
#define DICEZERO_TARGET __attribute__((target("avx512f,avx2,fma")))
DICEZERO_TARGET inline std::uint32_t differing(const float* a, const float* b) {
  return _mm512_cmp_ps_mask(_mm512_loadu_ps(a), _mm512_loadu_ps(b), _CMP_NEQ_UQ);
}
#include "learn/learn_kernel.inc"
#undef DICEZERO_TARGET
}  // namespace kernel_avx512
#endif
#undef DICEZERO_UNROLL

struct LearnKernel {
  void (*add_rows)(int width, int count, const std::int32_t* index, const float* factor, const float* rows,
                   std::ptrdiff_t stride, float* y);
  int (*differences)(int size, const float* before, const float* after, std::int32_t* index, float* factor);
  void (*adam)(const AdamStep& step, std::ptrdiff_t size, int parts, const float* const* gradients,
               float* theta, float* mu, float* nu);
};

// The one that goes with a dense kernel.
inline LearnKernel learn_kernel([[maybe_unused]] const Kernel& dense) {
#ifdef DICEZERO_X86
  if (std::string_view(dense.name) == "avx512")
    return {kernel_avx512::add_rows, kernel_avx512::differences, kernel_avx512::adam};
  if (std::string_view(dense.name) == "avx2")
    return {kernel_avx2::add_rows, kernel_avx2::differences, kernel_avx2::adam};
#endif
  return {kernel_base::add_rows, kernel_base::differences, kernel_base::adam};
}

}  // namespace dicezero
