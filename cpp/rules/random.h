// Random numbers as an argument: every stream is named by (seed, stream) and never by the clock.
#pragma once

#include <bit>
#include <cstdint>

namespace dicezero {

// SplitMix64: one step of a Weyl sequence through a mixing function. Also used to combine seeds.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// xoshiro256++ seeded from (seed, stream): streams of one seed are independent of each other and
// of how many threads draw from them.
class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed, std::uint64_t stream = 0) {
    std::uint64_t x = mix64(seed) ^ (stream * 0xd1342543de82ef95ULL);
    for (auto& word : state_) word = x = mix64(x);
  }

  constexpr std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, 1), 53 bits.
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // Uniform in {0, …, n-1} by multiply-shift; the bias is below n / 2^32, far under what any
  // experiment here could notice.
  constexpr std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32);
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace dicezero
