// The legal moves of backgammon. One action moves up to two checkers: both dice of a roll, or half of a
// double, whose other half is the same player's next action.
//
// Why pairs: counted over 19,000 turns of random games, a whole turn as one action leads to 18.4 positions,
// and needs 24,427 ids for the ways to play a double; pairs make a tree of 19.5 edges with 676 ids; single
// checkers make one of 38.0 edges, since most positions are reached in either order. So pairs cost next to
// nothing against whole turns in the tree, and a policy over them fits a small network.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "rules/backgammon_board.h"
#include "rules/bits.h"
#include "rules/game.h"
#include "rules/random.h"

namespace dicezero {

// Action ids: 26 * first + second, two of the mover's points, 0 where no checker moves. Of a roll of two
// different dice `first` moves by the larger die and `second` by the smaller, whichever is played first: the
// position after both is the same. Of a double first >= second.
class BackgammonPairs {
 public:
  static constexpr int kCount = 26 * 26;
  static constexpr Action kPass = 0;

  static constexpr Action id(int first, int second) { return 26 * first + second; }
  static constexpr int first(Action action) { return action / 26; }
  static constexpr int second(Action action) { return action % 26; }

  void add(int first, int second) {
    const auto i = static_cast<std::size_t>(id(first, second));
    words_[i / 64] |= 1ULL << i % 64;
  }
  void remove(int first, int second) {
    const auto i = static_cast<std::size_t>(id(first, second));
    words_[i / 64] &= ~(1ULL << i % 64);
  }
  bool has(int first, int second) const {
    const auto i = static_cast<std::size_t>(id(first, second));
    return (words_[i / 64] >> i % 64 & 1) != 0;
  }
  int size() const {
    int count = 0;
    for (const std::uint64_t word : words_) count += std::popcount(word);
    return count;
  }
  bool empty() const { return size() == 0; }
  void list(std::vector<Action>& actions) const {
    actions.clear();
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1) {
        actions.push_back(static_cast<Action>(64 * w) + std::countr_zero(rest));
      }
    }
  }
  Action random(Rng& rng) const {
    int n = static_cast<int>(rng.below(static_cast<std::uint32_t>(size())));
    for (std::size_t w = 0;; ++w) {
      const int here = std::popcount(words_[w]);
      if (n < here)
        return static_cast<Action>(64 * w) + nth_set_bit(words_[w], static_cast<std::uint32_t>(n));
      n -= here;
    }
  }

 private:
  std::array<std::uint64_t, (kCount + 63) / 64> words_{};
};

namespace backgammon {

template <class F>
void each_point(std::uint32_t points, F&& f) {
  for (; points != 0; points &= points - 1) f(std::countr_zero(points));
}

// Points 1..limit.
inline std::uint32_t up_to(int limit) { return (2u << limit) - 1; }

// The turns with two different dice. Both must be played if any way allows it, else the larger, else the
// smaller.
inline BackgammonPairs mixed_pairs(const BackgammonView& view, int large, int small) {
  BackgammonPairs pairs;
  const std::uint32_t by_large = view.sources(large), by_small = view.sources(small);
  bool both = false;
  BackgammonView after = view;
  each_point(by_large, [&](int from) {
    after.move(from, large);
    const std::uint32_t next = after.sources(small);
    both |= next != 0;
    each_point(next, [&](int second) { pairs.add(from, second); });
    after.undo(from, large);
  });
  each_point(by_small, [&](int from) {
    after.move(from, small);
    const std::uint32_t next = after.sources(large);
    both |= next != 0;
    each_point(next, [&](int first) { pairs.add(first, from); });
    after.undo(from, small);
  });
  if (!both) {
    each_point(by_large, [&](int from) { pairs.add(from, 0); });
    if (by_large == 0) each_point(by_small, [&](int from) { pairs.add(0, from); });
    if (by_large == 0 && by_small == 0) pairs.add(0, 0);
    return pairs;
  }
  // Two ids can lead to one position in two ways only; one of each is dropped.
  // One checker moved by both dice with nothing to hit on either way: keep the larger die first.
  each_point(view.occupied & ~up_to(large), [&](int from) {
    const int hits = static_cast<int>(view.blots >> (from - large) | view.blots >> (from - small)) & 1;
    if (hits == 0 && pairs.has(from, from - large)) pairs.remove(from - small, from);
  });
  // Two checkers borne off by either die: keep the higher one first.
  each_point(view.occupied & up_to(small), [&](int high) {
    each_point(view.occupied & up_to(high - 1), [&](int low) {
      if (pairs.has(high, low)) pairs.remove(low, high);
    });
  });
  return pairs;
}

// The most checkers, up to `wanted`, that can be moved by `die` from points in descending order, none above
// `limit`. The order loses nothing: what moves from further back can always move first.
inline int longest(BackgammonView& view, int die, int limit, int wanted) {
  if (wanted == 0) return 0;
  int best = 0;
  for (std::uint32_t rest = view.sources(die) & up_to(limit); rest != 0 && best < wanted;) {
    const int from = 31 - std::countl_zero(rest);
    rest &= ~(1u << from);
    view.move(from, die);
    best = std::max(best, 1 + longest(view, die, from, wanted - 1));
    view.undo(from, die);
  }
  return best;
}

// Half of a double: up to two moves that begin a longest sequence of at most `left` (4, or 2 in the second
// half).
inline BackgammonPairs double_pairs(BackgammonView view, int die, int limit, int left) {
  BackgammonPairs pairs;
  const int most = longest(view, die, limit, left);
  if (most == 0) pairs.add(0, 0);
  if (most == 0) return pairs;
  each_point(view.sources(die) & up_to(limit), [&](int from) {
    if (most == 1) return pairs.add(from, 0);
    view.move(from, die);
    each_point(view.sources(die) & up_to(from), [&](int second) {
      view.move(second, die);
      if (longest(view, die, second, most - 2) == most - 2) pairs.add(from, second);
      view.undo(second, die);
    });
    view.undo(from, die);
  });
  return pairs;
}

}  // namespace backgammon
}  // namespace dicezero
