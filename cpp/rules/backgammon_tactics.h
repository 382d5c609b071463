// What a backgammon player looks at besides where the checkers stand: shots, primes, anchors, timing. All of
// it from sets of points (bit p is point p), since it is asked for at every position that a learner compares.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "rules/backgammon_board.h"

namespace dicezero::backgammon {

// One side's checkers as sets, in its own counting and in the other side's.
struct SidePoints {
  std::uint32_t occupied = 0;                   // points 1..24
  std::uint32_t made = 0;                       // two checkers or more
  std::uint32_t seen_made = 0, seen_blots = 0;  // as the other side counts: point p is its 25 - p
  int bar = 0;

  explicit SidePoints(const std::array<std::uint8_t, 26>& counts) {
    // Eight points at a time: a byte's highest bit says whether it holds enough, and a product gathers them.
    for (int word = 0; word < 3; ++word) {
      std::uint64_t eight;
      std::memcpy(&eight, counts.data() + 1 + 8 * word, 8);
      occupied |= gathered(eight + 0x7f7f7f7f7f7f7f7fULL) << (1 + 8 * word);
      made |= gathered(eight + 0x7e7e7e7e7e7e7e7eULL) << (1 + 8 * word);
    }
    seen_made = turned(made);
    seen_blots = turned(occupied & ~made);
    bar = counts[BackgammonBoard::kBar];
  }

  static std::uint32_t gathered(std::uint64_t bytes) {
    return static_cast<std::uint32_t>(((bytes & 0x8080808080808080ULL) >> 7) * 0x0102040810204080ULL >> 56);
  }
  // Bit p to bit 25 - p.
  static std::uint32_t turned(std::uint32_t points) {
    points = (points & 0x55555555u) << 1 | (points >> 1 & 0x55555555u);
    points = (points & 0x33333333u) << 2 | (points >> 2 & 0x33333333u);
    points = (points & 0x0f0f0f0fu) << 4 | (points >> 4 & 0x0f0f0f0fu);
    points = points << 24 | (points & 0xff00u) << 8 | (points >> 8 & 0xff00u) | points >> 24;
    return points >> 6;
  }

  // The rearmost checker's point; 25 on the bar, 0 where all are borne off.
  int back() const { return bar > 0 ? 25 : occupied == 0 ? 0 : 31 - std::countl_zero(occupied); }
};

// What the other side's next roll may do to blots.
struct Shots {
  float hit = 0.0f;    // the probability that it can hit
  float twice = 0.0f;  // ... two of them
  float loss = 0.0f;   // pips lost on average, by the furthest advanced of the blots that can be hit
};

// `blots` and `blocked` (made points of the side that is shot at) in the shooter's counting.
inline Shots shots(const SidePoints& shooter, std::uint32_t blots, std::uint32_t blocked) {
  Shots found;
  if (blots == 0) return found;
  constexpr std::uint32_t kBoard = 0x1fffffeu;  // points 1..24
  const std::uint32_t open = kBoard & ~blocked, from = shooter.occupied;
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
  found.hit = static_cast<float>(hit) / 36.0f;
  found.twice = static_cast<float>(twice) / 36.0f;
  found.loss = static_cast<float>(loss) / 36.0f;
  return found;
}

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

// One side's [18], each about 0..1.
inline void tactics(const std::array<std::uint8_t, 26>& counts, const SidePoints& own,
                    const SidePoints& other, std::span<float> features) {
  const int back = own.back(), other_back = other.back();
  // The other side's rearmost checker stands on this point of ours: what is beyond it has contact.
  const int line = 25 - other_back;
  int pips = 0, behind = 0, past = 0, men = 0, mobility = 0, timing = 0, deep = 0;
  for (std::uint32_t rest = own.occupied; rest != 0; rest &= rest - 1) {
    const int p = std::countr_zero(rest), n = counts[static_cast<std::size_t>(p)];
    pips += p * n;
    men += n;
    if (p > line) behind += (p - line) * n;
    if (p < line) past += p * n;
    if (p > 6) mobility += (p - 5) * n * escapes(p, other.made);
    if (p > 6 && p <= 18) timing += (p - 6) * n;
    if (p > 18) deep += n;
  }
  pips += 25 * own.bar;
  behind += (25 - line) * own.bar;
  men += own.bar;
  deep += own.bar;
  mobility += 20 * own.bar * escapes(25, other.made);
  // How unevenly the checkers behind their mean are spread.
  float spread = 0.0f;
  if (men > 0) {
    const int mean = (pips + men / 2) / men;
    int square = 0, far = 0;
    for (std::uint32_t rest = own.occupied & ~((2u << mean) - 1); rest != 0; rest &= rest - 1) {
      const int p = std::countr_zero(rest), n = counts[static_cast<std::size_t>(p)];
      square += (p - mean) * (p - mean) * n;
      far += n;
    }
    square += (25 - mean) * (25 - mean) * own.bar;
    far += own.bar;
    if (far > 0) spread = static_cast<float>(square) / static_cast<float>(far);
  }
  // What our points make of the other side's escape: the worst place behind them, and where it must still go.
  int worst = 36, ahead = 36;
  for (int p = 15; p <= 24; ++p) worst = std::min(worst, escapes(p, own.made));
  for (int p = std::min(other_back, 24); p >= 9; --p) ahead = std::min(ahead, escapes(p, own.made));
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

  std::size_t i = 0;
  features[i++] = static_cast<float>(pips) / kUsualPips;
  features[i++] = static_cast<float>(std::max(behind, 0)) / 150.0f;
  features[i++] = static_cast<float>(past) / 100.0f;
  features[i++] = static_cast<float>(back) / 25.0f;
  features[i++] = static_cast<float>(anchor) / 24.0f;
  features[i++] = danger.hit;
  features[i++] = danger.twice;
  features[i++] = danger.loss / 12.0f;
  features[i++] = back > 0 ? static_cast<float>(escapes(back, other.made)) / 36.0f : 1.0f;
  features[i++] = static_cast<float>(36 - worst) / 36.0f;
  features[i++] = static_cast<float>((36 - ahead) * (36 - ahead)) / 1296.0f;
  features[i++] = static_cast<float>(mobility) / 3600.0f;
  features[i++] = spread / 200.0f;
  features[i++] = static_cast<float>(closed * closed) / 36.0f;
  features[i++] = static_cast<float>(timing) / 50.0f;
  features[i++] = static_cast<float>(bonds) / 60.0f;
  features[i++] = static_cast<float>(run) / 6.0f;
  features[i++] = std::popcount(anchors) > 1 ? static_cast<float>(deep) / 6.0f : 0.0f;
}

}  // namespace dicezero::backgammon
