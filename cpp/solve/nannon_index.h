// Nannon's positions, ranked without a hash table. A position is what lies on the board before a roll,
// seen by the player about to roll: the mover's checkers and the other's. Checkers borne off never come
// back, so positions are ranked by stratum (a, b) = checkers the mover and the other still have to bear
// off, strata of fewer checkers first; inside a stratum by the mover's points, then by the other's.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "rules/nannon.h"

namespace dicezero {

// A stratum and its mirror image (b, a) lie side by side: moves lead from one to the other or to
// components before them, so a component is the unit that has to be solved together.
struct NannonStratum {
  int a;
  int b;
  std::uint64_t begin;
  std::uint64_t end;
};

class NannonIndex {
 public:
  static constexpr int kMax = Nannon::kMaxPoints;

  explicit NannonIndex(const Nannon& game) : game_(game), n_(game.points()), k_(game.checkers()) {
    for (int m = 0; m <= kMax; ++m) {
      choose_[m][0] = 1;
      for (int i = 1; i <= kMax; ++i) choose_[m][i] = m == 0 ? 0 : choose_[m - 1][i - 1] + choose_[m - 1][i];
    }
    order_strata();
    rank_masks();
  }

  // Ordered pairs of the mover's and the other's checkers, finished ones included: the paper's count.
  static std::uint64_t count(const Nannon& game) {
    const int n = game.points();
    const int k = game.checkers();
    std::uint64_t total = 0;
    std::uint64_t own = 1;  // n choose i
    for (int i = 0; i <= k; own = own * static_cast<std::uint64_t>(n - i) / (i + 1), ++i) {
      std::uint64_t other = 1;  // n - i choose j
      for (int j = 0; j <= k && i + j <= n;
           other = other * static_cast<std::uint64_t>(n - i - j) / (j + 1), ++j)
        total += own * other * static_cast<std::uint64_t>((k + 1 - i) * (k + 1 - j));
    }
    return total;
  }

  // Only placings with one checker a point have a rank. With many checkers on few points the start is not
  // one.
  static bool covers(const Nannon& game) { return 2 * (game.checkers() - 1) <= game.points(); }

  std::uint32_t size() const { return static_cast<std::uint32_t>(strata_.back().end); }
  const std::vector<NannonStratum>& strata() const { return strata_; }
  const Nannon& game() const { return game_; }

  // Rank of the position of `s` for the side whose turn it is; the roll does not matter.
  std::uint32_t rank(const Nannon::State& s) const {
    const std::uint32_t own = s.points[s.turn] >> 1;
    const std::uint32_t other = reversed_[s.points[1 - s.turn] >> 1];
    const int i = std::popcount(own);
    const int j = std::popcount(other);
    const Layout& layout = layout_[i + s.home[s.turn]][j + s.home[1 - s.turn]];
    return layout.begin[i] + colex_[own] * layout.row[i] + layout.column[i][j] + colex_[squeeze(other, own)];
  }

  // The position of that rank with player 0 about to roll an ordinary die; over if a side is done.
  Nannon::State unrank(std::uint32_t rank) const {
    const auto stratum = std::partition_point(strata_.begin(), strata_.end(),
                                              [&](const NannonStratum& s) { return s.end <= rank; });
    const Layout& layout = layout_[stratum->a][stratum->b];
    int i = 0;
    while (i < stratum->a && layout.begin[i + 1] <= rank) ++i;
    const std::uint32_t own = masks_[i][(rank - layout.begin[i]) / layout.row[i]];
    const std::uint32_t rest = (rank - layout.begin[i]) % layout.row[i];
    int j = 0;
    while (j < stratum->b && layout.column[i][j + 1] <= rest) ++j;
    const std::uint32_t other = spread(masks_[j][rest - layout.column[i][j]], own);
    Nannon::State s{};
    s.points[0] = own << 1;
    s.points[1] = reversed_[other] << 1;
    s.home[0] = static_cast<std::uint8_t>(stratum->a - i);
    s.home[1] = static_cast<std::uint8_t>(stratum->b - j);
    s.opening = 0;
    s.finished = stratum->a == 0 || stratum->b == 0;
    return s;
  }

 private:
  // Where things stand inside one stratum. i, j: checkers on the board of the mover and of the other.
  struct Layout {
    std::array<std::uint32_t, kMax + 2> begin{};  // first rank with i
    std::array<std::uint32_t, kMax + 1> row{};    // positions for one placing of the mover's i checkers
    std::array<std::array<std::uint32_t, kMax + 2>, kMax + 1> column{};  // of these, how many come before j
  };

  void order_strata() {
    for (int a = 0; a <= k_; ++a)
      for (int b = 0; b <= k_; ++b) strata_.push_back({a, b, 0, 0});
    std::sort(strata_.begin(), strata_.end(), [](const NannonStratum& x, const NannonStratum& y) {
      return std::array{x.a + x.b, std::max(x.a, x.b), x.a} < std::array{y.a + y.b, std::max(y.a, y.b), y.a};
    });
    layout_.assign(k_ + 1, std::vector<Layout>(k_ + 1));
    std::uint64_t next = 0;
    for (NannonStratum& stratum : strata_) {
      Layout& layout = layout_[stratum.a][stratum.b];
      stratum.begin = next;
      for (int i = 0; i <= stratum.a; ++i) {
        layout.begin[i] = static_cast<std::uint32_t>(next);
        for (int j = 0; j <= stratum.b; ++j) {
          layout.column[i][j] = layout.row[i];
          layout.row[i] += static_cast<std::uint32_t>(choose_[n_ - i][j]);
        }
        next += choose_[n_][i] * layout.row[i];
      }
      stratum.end = next;
    }
  }

  void rank_masks() {
    const std::uint32_t all = 1u << n_;
    colex_.resize(all);
    reversed_.resize(all);
    masks_.resize(n_ + 1);
    for (std::uint32_t mask = 0; mask < all; ++mask) {
      auto& alike = masks_[std::popcount(mask)];
      colex_[mask] = static_cast<std::uint32_t>(alike.size());
      alike.push_back(mask);
      for (int p = 0; p < n_; ++p) reversed_[mask] |= (mask >> p & 1) << (n_ - 1 - p);
    }
  }

  // Removes from `mask` the places that `taken` occupies, highest first; `spread` puts them back.
  static std::uint32_t squeeze(std::uint32_t mask, std::uint32_t taken) {
    for (; taken != 0; taken &= ~std::bit_floor(taken)) {
      const std::uint32_t below = std::bit_floor(taken) - 1;
      mask = (mask & below) | (mask >> 1 & ~below);
    }
    return mask;
  }

  static std::uint32_t spread(std::uint32_t mask, std::uint32_t taken) {
    for (; taken != 0; taken &= taken - 1) {
      const std::uint32_t below = (taken & -taken) - 1;
      mask = (mask & below) | (mask & ~below) << 1;
    }
    return mask;
  }

  Nannon game_;
  int n_;
  int k_;
  std::array<std::array<std::uint64_t, kMax + 1>, kMax + 1> choose_{};
  std::vector<NannonStratum> strata_;
  std::vector<std::vector<Layout>> layout_;
  std::vector<std::uint32_t> colex_;               // rank of a mask among those with as many bits
  std::vector<std::uint32_t> reversed_;            // the same points counted from the other end
  std::vector<std::vector<std::uint32_t>> masks_;  // by number of bits, ascending
};

}  // namespace dicezero
