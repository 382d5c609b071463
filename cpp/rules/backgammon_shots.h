// The chance that blots are hit by the next roll: roll by roll, and with vectors all rolls side by side.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "rules/backgammon_points.h"

#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
#define DICEZERO_SHOTS_AVX2
#include <immintrin.h>
#endif

namespace dicezero::backgammon {

// What the other side's next roll may do to blots.
struct Shots {
  float hit = 0.0f;    // the probability that it can hit
  float twice = 0.0f;  // ... two of them
  float loss = 0.0f;   // pips lost on average, by the furthest advanced of the blots that can be hit

  bool operator==(const Shots&) const = default;

  // From counts of the 36 rolls and a sum over them.
  static Shots of(int hit, int twice, int loss) {
    return {static_cast<float>(hit) / 36.0f, static_cast<float>(twice) / 36.0f,
            static_cast<float>(loss) / 36.0f};
  }
};

inline constexpr std::uint32_t kWholeBoard = 0x1fffffeu;  // points 1..24

// `blots` and `blocked` (made points of the side that is shot at) in the shooter's counting.
inline Shots plain_shots(const SidePoints& shooter, std::uint32_t blots, std::uint32_t blocked) {
  if (blots == 0) return {};
  const std::uint32_t open = kWholeBoard & ~blocked, from = shooter.occupied;
  int hit = 0, twice = 0, loss = 0;
  const auto count = [&](std::uint32_t hits, bool two, int weight) {
    if (hits == 0) return;
    hit += weight;
    twice += two ? weight : 0;
    // A checker on the shooter's point p has come p pips from its bar.
    loss += weight * (31 - std::countl_zero(hits));
  };
  const auto several = [](std::uint32_t hits) { return (hits & (hits - 1)) != 0; };
  for (int a = 1; a <= 6; ++a) {
    const std::uint32_t enter_a = (1u << (25 - a)) & open;
    // Doubles: up to four steps of one checker, fewer where some must enter first.
    if (shooter.bar == 0 || enter_a != 0) {
      std::uint32_t at = shooter.bar == 0 ? from : from | enter_a;
      std::uint32_t hits = shooter.bar == 0 ? 0 : enter_a & blots;
      for (int left = 4 - shooter.bar; left > 0; --left) {
        hits |= (at >> a) & blots;
        at = (at >> a) & open;
      }
      count(hits, several(hits), 1);
    }
    for (int b = 1; b < a; ++b) {
      const std::uint32_t enter_b = (1u << (25 - b)) & open;
      if (shooter.bar == 0) {
        const std::uint32_t by_a = (from >> a) & blots, by_b = (from >> b) & blots;
        const std::uint32_t by_both = ((((from >> a) & open) >> b) | (((from >> b) & open) >> a)) & blots;
        count(by_a | by_b | by_both, by_a != 0 && by_b != 0 && several(by_a | by_b), 2);
      } else if (shooter.bar == 1) {
        std::uint32_t hits = 0;
        if (enter_a != 0) hits |= (enter_a | (from | enter_a) >> b) & blots;
        if (enter_b != 0) hits |= (enter_b | (from | enter_b) >> a) & blots;
        count(hits, several(hits), 2);
      } else {
        const std::uint32_t hits = (enter_a | enter_b) & blots;
        count(hits, several(hits), 2);
      }
    }
  }
  return Shots::of(hit, twice, loss);
}

#ifdef DICEZERO_SHOTS_AVX2
// The same, eight rolls at a time.
class VectorShots {
 public:
#define DICEZERO_AVX2 __attribute__((target("avx2,popcnt")))
  DICEZERO_AVX2 static Shots count(const SidePoints& shooter, std::uint32_t blots, std::uint32_t blocked) {
    if (blots == 0) return {};
    const Rolls from = all(shooter.occupied), open = all(kWholeBoard & ~blocked), targets = all(blots);
    int hit = 0, twice = 0;
    Rolls loss = _mm256_setzero_si256();
    for (std::size_t first = 0; first < kMixed; first += 8) {
      const Rolls a = load(kLarge, first), b = load(kSmall, first);
      Rolls hits, two;
      if (shooter.bar == 0) {
        const Rolls by_a = _mm256_srlv_epi32(from, a), by_b = _mm256_srlv_epi32(from, b);
        const Rolls by_both = _mm256_or_si256(_mm256_srlv_epi32(_mm256_and_si256(by_a, open), b),
                                              _mm256_srlv_epi32(_mm256_and_si256(by_b, open), a));
        const Rolls hit_a = _mm256_and_si256(by_a, targets), hit_b = _mm256_and_si256(by_b, targets);
        const Rolls once = _mm256_or_si256(hit_a, hit_b);
        hits = _mm256_or_si256(once, _mm256_and_si256(by_both, targets));
        two = _mm256_andnot_si256(_mm256_or_si256(none(hit_a), none(hit_b)), without_lowest(once));
      } else {
        const Rolls in_a = _mm256_and_si256(load(kEnterLarge, first), open),
                    in_b = _mm256_and_si256(load(kEnterSmall, first), open);
        hits = _mm256_or_si256(in_a, in_b);
        if (shooter.bar == 1) {
          const Rolls then_b = _mm256_srlv_epi32(_mm256_or_si256(from, in_a), b),
                      then_a = _mm256_srlv_epi32(_mm256_or_si256(from, in_b), a);
          hits = _mm256_or_si256(hits, _mm256_or_si256(_mm256_andnot_si256(none(in_a), then_b),
                                                       _mm256_andnot_si256(none(in_b), then_a)));
        }
        hits = _mm256_and_si256(hits, targets);
        two = without_lowest(hits);
      }
      hit += 2 * some(hits);
      twice += 2 * some(two);
      loss = _mm256_add_epi32(loss, highest(hits));
    }
    loss = _mm256_add_epi32(loss, loss);
    // Doubles: up to four steps of one checker, fewer where some must enter first.
    const Rolls face = load(kFace, 0);
    Rolls at = _mm256_and_si256(from, load(kIsFace, 0)), hits = _mm256_setzero_si256();
    if (shooter.bar > 0) {
      const Rolls in = _mm256_and_si256(load(kEnter, 0), open);
      hits = _mm256_and_si256(in, targets);
      at = _mm256_andnot_si256(none(in), _mm256_or_si256(at, in));
    }
    for (int left = 4 - shooter.bar; left > 0; --left) {
      at = _mm256_srlv_epi32(at, face);
      hits = _mm256_or_si256(hits, _mm256_and_si256(at, targets));
      at = _mm256_and_si256(at, open);
    }
    hit += some(hits);
    twice += some(without_lowest(hits));
    return Shots::of(hit, twice, total(_mm256_add_epi32(loss, highest(hits))));
  }

 private:
  using Rolls = __m256i;
  static constexpr std::size_t kMixed = 16;  // fifteen, and one that does nothing
  using Table = std::array<std::uint32_t, kMixed>;
  static constexpr Table kLarge = {2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6, 31};
  static constexpr Table kSmall = {1, 1, 2, 1, 2, 3, 1, 2, 3, 4, 1, 2, 3, 4, 5, 31};
  static constexpr Table kFace = {1, 2, 3, 4, 5, 6, 31, 31};
  static constexpr Table kIsFace = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0, 0};
  static constexpr Table entries(const Table& dice) {
    Table points{};
    for (std::size_t i = 0; i < kMixed; ++i)
      points[i] = dice[i] == 0 || dice[i] > 6 ? 0 : 1u << (25 - dice[i]);
    return points;
  }
  static const Table kEnterLarge, kEnterSmall, kEnter;

  DICEZERO_AVX2 static Rolls all(std::uint32_t points) {
    return _mm256_set1_epi32(static_cast<std::int32_t>(points));
  }
  DICEZERO_AVX2 static Rolls load(const Table& table, std::size_t first) {
    return _mm256_loadu_si256(reinterpret_cast<const Rolls*>(table.data() + first));
  }
  DICEZERO_AVX2 static Rolls none(Rolls points) { return _mm256_cmpeq_epi32(points, _mm256_setzero_si256()); }
  DICEZERO_AVX2 static Rolls without_lowest(Rolls points) {
    return _mm256_and_si256(points, _mm256_add_epi32(points, _mm256_set1_epi32(-1)));
  }
  // Rolls that have any point.
  DICEZERO_AVX2 static int some(Rolls points) {
    return 8 - _mm_popcnt_u32(static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(none(points)))));
  }
  // The highest point of each; 0 where there is none. Without the bit below it, conversion cannot round up.
  DICEZERO_AVX2 static Rolls highest(Rolls points) {
    const Rolls top = _mm256_andnot_si256(_mm256_srli_epi32(points, 1), points);
    const Rolls exponent = _mm256_srli_epi32(_mm256_castps_si256(_mm256_cvtepi32_ps(top)), 23);
    return _mm256_andnot_si256(none(points), _mm256_sub_epi32(exponent, _mm256_set1_epi32(127)));
  }
  DICEZERO_AVX2 static int total(Rolls numbers) {
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return _mm_cvtsi128_si32(sum);
  }
#undef DICEZERO_AVX2
};
inline constexpr VectorShots::Table VectorShots::kEnterLarge = VectorShots::entries(VectorShots::kLarge);
inline constexpr VectorShots::Table VectorShots::kEnterSmall = VectorShots::entries(VectorShots::kSmall);
inline constexpr VectorShots::Table VectorShots::kEnter = VectorShots::entries(VectorShots::kFace);
#endif

inline Shots shots(const SidePoints& shooter, std::uint32_t blots, std::uint32_t blocked) {
#ifdef DICEZERO_SHOTS_AVX2
  static const bool vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
  if (vectors) return VectorShots::count(shooter, blots, blocked);
#endif
  return plain_shots(shooter, blots, blocked);
}

}  // namespace dicezero::backgammon
