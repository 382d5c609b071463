// What a backgammon player looks at besides where the checkers stand: shots, primes, anchors, timing. All of
// it from sets of points (bit p is point p), since it is asked for at every position that a learner compares.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "rules/backgammon_points.h"
#include "rules/backgammon_shots.h"

namespace dicezero::backgammon {

// Of the 36 rolls, those by which one checker can play both dice, for each set of blocked points among the
// twelve in front of it (bit 0 is the nearest).
inline const std::array<std::uint8_t, 4096>& escape_table() {
  static const std::array<std::uint8_t, 4096> table = [] {
    std::array<std::uint8_t, 4096> all{};
    for (std::uint32_t blocked = 0; blocked < 4096; ++blocked) {
      int rolls = 0;
      for (int a = 1; a <= 6; ++a) {
        for (int b = 1; b <= 6; ++b) {
          const auto shut = [&](int pips) { return (blocked >> (pips - 1) & 1) != 0; };
          rolls += !shut(a + b) && !(shut(a) && shut(b));
        }
      }
      all[blocked] = static_cast<std::uint8_t>(rolls);
    }
    return all;
  }();
  return table;
}

// Rolls by which a checker on its own `point` gets away; `made` are the other side's points, as that counts.
inline int escapes(int point, std::uint32_t made) { return escape_table()[(made >> (26 - point)) & 0xfff]; }

inline constexpr int kTactics = 18;
inline constexpr float kUsualPips = 160.0f;  // about what a side begins with

// A number for every point and the bar, in whole vectors.
using PointNumbers = std::array<std::int16_t, 32>;

inline int dot(const PointNumbers& a, const PointNumbers& b) {
  int sum = 0;
  for (std::size_t p = 0; p < a.size(); ++p) sum += a[p] * b[p];
  return sum;
}

// What a checker on each point counts for in the sums of `tactics`.
struct PointWeights {
  PointNumbers ones{}, pips{}, timing{}, deep{};
  std::array<PointNumbers, 27> behind{}, past{};  // [line]: beyond it, and short of it
  std::array<PointNumbers, 27> far{}, square{};   // [mean]: farther than it, and by how much, squared

  constexpr PointWeights() {
    for (int p = 1; p <= 25; ++p) {
      const auto at = static_cast<std::size_t>(p);
      const auto number = [](int n) { return static_cast<std::int16_t>(n); };
      ones[at] = 1;
      pips[at] = number(p);
      timing[at] = number(p > 6 && p <= 18 ? p - 6 : 0);
      deep[at] = number(p > 18);
      for (int line = 0; line <= 26; ++line) {
        const auto of = static_cast<std::size_t>(line);
        behind[of][at] = number(p > line ? p - line : 0);
        past[of][at] = number(p < line && p < 25 ? p : 0);
        far[of][at] = number(p > line);
        square[of][at] = number(p > line ? (p - line) * (p - line) : 0);
      }
    }
  }
};
inline constexpr PointWeights kPointWeights;

// Of each point, the rolls by which a checker there gets away from the other side's `made` points.
inline PointNumbers escapes_of(std::uint32_t made) {
  PointNumbers rolls{};
  for (int p = 7; p <= 25; ++p)
    rolls[static_cast<std::size_t>(p)] = static_cast<std::int16_t>(escapes(p, made));
  return rolls;
}

// What each feature is divided by, so that it is about 0..1.
inline constexpr std::array<float, kTactics> kTacticScales = {
    kUsualPips, 150.0f,  100.0f,  25.0f,  24.0f, 1.0f,  1.0f,  12.0f, 36.0f,
    36.0f,      1296.0f, 3600.0f, 200.0f, 36.0f, 50.0f, 60.0f, 6.0f,  6.0f};

// One side's [18], each about 0..1. `ways` are its own escapes, `theirs` those of the other side from it.
inline void tactics(const std::array<std::uint8_t, 26>& counts, const SidePoints& own,
                    const SidePoints& other, const PointNumbers& ways, const PointNumbers& theirs,
                    std::span<float> features) {
  const PointWeights& of = kPointWeights;
  PointNumbers men{}, moves{};
  for (std::size_t p = 1; p <= 25; ++p) men[p] = counts[p];
  for (std::size_t p = 7; p <= 25; ++p)
    moves[p] = static_cast<std::int16_t>((static_cast<int>(p) - 5) * ways[p]);
  const int back = own.back(), other_back = other.back();
  // The other side's rearmost checker stands on this point of ours: what is beyond it has contact.
  const auto line = static_cast<std::size_t>(25 - other_back);
  const int pips = dot(men, of.pips), all = dot(men, of.ones);
  // How unevenly the checkers behind their mean are spread.
  float spread = 0.0f;
  if (all > 0) {
    const auto mean = static_cast<std::size_t>((pips + all / 2) / all);
    const int far = dot(men, of.far[mean]);
    if (far > 0) spread = static_cast<float>(dot(men, of.square[mean])) / static_cast<float>(far);
  }
  // What our points make of the other side's escape: the worst place behind them, and where it must still go.
  int worst = 36, ahead = 36;
  for (std::size_t p = 15; p <= 24; ++p) worst = std::min<int>(worst, theirs[p]);
  for (int p = 9; p <= 24; ++p)
    ahead = std::min<int>(ahead, p <= other_back ? theirs[static_cast<std::size_t>(p)] : 36);
  // Made points within reach of each other.
  int bonds = 0, run = 0;
  for (std::uint32_t rest = own.made; rest != 0;) {
    const int p = std::countr_zero(rest);
    rest &= rest - 1;
    if (rest == 0) break;
    const int gap = std::countr_zero(rest) - p;
    bonds += gap <= 6 ? 11 : gap <= 11 ? 13 - gap : 0;
  }
  for (std::uint32_t left = own.made; left != 0; left &= left << 1) ++run;  // the longest prime
  const Shots danger = shots(other, own.seen_blots, own.seen_made);
  const std::uint32_t anchors = own.made >> 19;
  const int closed = std::popcount(other.made & 0x7eu);
  const int anchor = own.made == 0 ? 0 : 31 - std::countl_zero(own.made);
  const int away = back == 0  ? 36
                   : back > 6 ? ways[static_cast<std::size_t>(back)]
                              : escapes(back, other.made);

  const std::array<float, kTactics> numbers = {
      static_cast<float>(pips),
      static_cast<float>(dot(men, of.behind[line])),
      static_cast<float>(dot(men, of.past[line])),
      static_cast<float>(back),
      static_cast<float>(anchor),
      danger.hit,
      danger.twice,
      danger.loss,
      static_cast<float>(away),
      static_cast<float>(36 - worst),
      static_cast<float>((36 - ahead) * (36 - ahead)),
      static_cast<float>(dot(men, moves)),
      spread,
      static_cast<float>(closed * closed),
      static_cast<float>(dot(men, of.timing)),
      static_cast<float>(bonds),
      static_cast<float>(run),
      static_cast<float>(std::popcount(anchors) > 1 ? dot(men, of.deep) : 0)};
  for (std::size_t i = 0; i < numbers.size(); ++i) features[i] = numbers[i] / kTacticScales[i];
}

}  // namespace dicezero::backgammon
