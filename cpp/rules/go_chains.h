// The chains of a Go position and their liberties, worked out from the stones: plain code for states in a
// tree, where it is asked once a position. Play-outs keep theirs up to date instead (go_playout.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "rules/go_table.h"

namespace dicezero {

class GoChains {
 public:
  struct Chain {
    int colour;
    int liberties;       // different empty points next to it
    std::uint64_t hash;  // of its stones together
  };

  GoChains(const GoTable& table, const std::array<PointSet, 2>& stones) : table_(table) {
    std::fill_n(label_.begin(), table.points, kEmpty);
    std::array<std::int16_t, kMostGoPoints> seen_by;  // the chain that counted an empty point last
    std::fill_n(seen_by.begin(), table.points, kEmpty);
    std::array<std::int16_t, kMostGoPoints> stack;
    for (int start = 0; start < table.points; ++start) {
      const int colour = stones[0].has(start) ? 0 : stones[1].has(start) ? 1 : -1;
      if (colour < 0 || label_[start] != kEmpty) continue;
      const auto id = static_cast<std::int16_t>(size_);
      Chain chain{colour, 0, 0};
      int top = 0;
      stack[top++] = static_cast<std::int16_t>(start);
      label_[start] = id;
      while (top > 0) {
        const int p = stack[--top];
        chain.hash ^= table.zobrist[colour][p];
        for (const int q : table.neighbours[p]) {
          if (stones[colour].has(q)) {
            if (label_[q] != kEmpty) continue;
            label_[q] = id;
            stack[top++] = static_cast<std::int16_t>(q);
          } else if (!stones[1 - colour].has(q) && seen_by[q] != id) {
            seen_by[q] = id;
            ++chain.liberties;
          }
        }
      }
      chains_[size_++] = chain;
    }
  }

  bool is_empty(int point) const { return label_[point] == kEmpty; }
  const Chain& at(int point) const { return chains_[label_[point]]; }

  // Whether a stone of that colour there has a liberty once what it captures is gone.
  bool breathes(int point, int colour) const {
    for (const int q : table_.neighbours[point]) {
      if (is_empty(q)) return true;
      if (at(q).colour == colour ? at(q).liberties > 1 : at(q).liberties == 1) return true;
    }
    return false;
  }

  // What the move changes of the position's hash: its stone, and the stones it captures.
  std::uint64_t hash_change(int point, int colour) const {
    std::uint64_t change = table_.zobrist[colour][point];
    std::array<int, 4> taken;
    int count = 0;
    for (const int q : table_.neighbours[point]) {
      if (is_empty(q) || at(q).colour == colour || at(q).liberties != 1) continue;
      bool again = false;
      for (int i = 0; i < count; ++i) again = again || taken[i] == label_[q];
      if (again) continue;
      taken[count++] = label_[q];
      change ^= at(q).hash;
    }
    return change;
  }

 private:
  static constexpr std::int16_t kEmpty = -1;

  const GoTable& table_;
  std::array<std::int16_t, kMostGoPoints> label_;
  std::array<Chain, kMostGoPoints> chains_;
  int size_ = 0;
};

// Whose each point is by area scoring, [points]: 1 the first player's, -1 the second's, 0 nobody's. Stones
// and the empty points that reach only one colour count.
inline void go_owners(const GoTable& table, const std::array<PointSet, 2>& stones,
                      std::span<std::int8_t> owner) {
  PointSet visited;
  std::array<std::int16_t, kMostGoPoints> region;
  for (int start = 0; start < table.points; ++start) {
    if (stones[0].has(start) || stones[1].has(start)) {
      owner[start] = stones[0].has(start) ? 1 : -1;
      continue;
    }
    if (visited.has(start)) continue;
    int size = 0;
    bool reaches[2] = {false, false};
    region[size++] = static_cast<std::int16_t>(start);
    visited.add(start);
    for (int i = 0; i < size; ++i) {
      for (const int q : table.neighbours[region[i]]) {
        if (stones[0].has(q) || stones[1].has(q)) {
          reaches[stones[0].has(q) ? 0 : 1] = true;
        } else if (!visited.has(q)) {
          visited.add(q);
          region[size++] = static_cast<std::int16_t>(q);
        }
      }
    }
    const auto whose = static_cast<std::int8_t>(reaches[0] - reaches[1]);
    for (int i = 0; i < size; ++i) owner[region[i]] = whose;
  }
}

// The first player's points minus the second's.
inline int go_area_lead(const GoTable& table, const std::array<PointSet, 2>& stones) {
  std::array<std::int8_t, kMostGoPoints> owner;
  go_owners(table, stones, owner);
  return std::accumulate(owner.begin(), owner.begin() + table.points, 0);
}

}  // namespace dicezero
