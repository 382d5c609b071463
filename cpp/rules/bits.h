// Bit helpers shared by the bitboard games.
#pragma once

#include <bit>
#include <cstdint>

namespace dicezero {

// Index of the n-th (from 0) set bit; n < popcount(bits).
constexpr int nth_set_bit(std::uint64_t bits, std::uint32_t n) {
  while (n-- > 0) bits &= bits - 1;
  return std::countr_zero(bits);
}

}  // namespace dicezero
