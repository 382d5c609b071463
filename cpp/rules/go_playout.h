// A Go board for play-outs: chains kept up to date with pseudo-liberties (pairs of a stone and an empty point
// next to it), so that a move costs a few steps whatever the board's size. A chain is captured when its count
// falls to zero, which happens exactly when its last liberty is filled. The board has a border, so that every
// point has four neighbours at fixed distances; a point is called a spot here.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "rules/go_chains.h"

namespace dicezero {

class GoPlayout {
 public:
  static constexpr int kPass = 0;  // a spot of the border

  // Takes up a position: the stones, which points each colour once lost a stone on, and every earlier
  // position.
  template <class History>
  void set_up(const GoTable& table, const std::array<PointSet, 2>& stones,
              const std::array<PointSet, 2>& lost, const History& history, std::uint64_t hash,
              int most_moves) {
    size_ = table.size, stride_ = table.size + 1;
    zobrist_ = &table.spot_zobrist;
    hash_ = hash;
    num_empty_ = 0;
    const int spots = stride_ * (size_ + 2) + 1;
    for (int s = 0; s < spots; ++s) colour_[s] = kBorder, chain_[s] = kNoChain;
    for (int p = 0; p < table.points; ++p) {
      const int s = spot(p);
      colour_[s] = kEmpty;
      lost_[0][s] = lost[0].has(p), lost_[1][s] = lost[1].has(p);
      vacate(s);
    }
    for (int p = 0; p < table.points; ++p) {
      for (const int colour : {0, 1}) {
        if (stones[colour].has(p)) place(spot(p), colour);
      }
    }
    std::size_t slots = 64;
    while (slots < 3 * static_cast<std::size_t>(most_moves)) slots *= 2;
    seen_.assign(slots, 0);
    history.for_each([this](std::uint64_t h) { remember(h); });
  }

  int spot(int point) const { return (point / size_ + 1) * stride_ + point % size_ + 1; }
  int point(int spot) const { return (spot / stride_ - 1) * size_ + spot % stride_ - 1; }

  int num_empty() const { return num_empty_; }
  int empty_spot(int i) const { return empty_[i]; }

  bool is_legal(int spot, int colour) const {
    return breathes(spot, colour) && !(lost_[colour][spot] && repeats(spot, colour));
  }

  // Own stones all round and too few of the other's on the diagonals to make it false: filling it is a waste.
  bool is_own_eye(int spot, int colour) const {
    for (const int q : around(spot)) {
      if (colour_[q] != colour && colour_[q] != kBorder) return false;
    }
    int others = 0, outside = 0;
    for (const int q : {spot - stride_ - 1, spot - stride_ + 1, spot + stride_ - 1, spot + stride_ + 1}) {
      others += colour_[q] == 1 - colour;
      outside |= colour_[q] == kBorder;
    }
    return others + outside < 2;
  }

  void play(int spot, int colour) {
    place(spot, colour);
    hash_ ^= (*zobrist_)[colour][spot];
    for (const int q : around(spot)) {
      if (colour_[q] == 1 - colour && pseudo_[chain_[q]] == 0) capture(q);
    }
    remember(hash_);
  }

  // Area of the first player minus the second's.
  int area_lead() const {
    int lead = 0;
    std::array<bool, kMostSpots> visited{};
    std::array<std::int16_t, kMostSpots> stack;
    for (int row = 1; row <= size_; ++row) {
      for (int start = row * stride_ + 1; start <= row * stride_ + size_; ++start) {
        if (colour_[start] != kEmpty) {
          lead += colour_[start] == 0 ? 1 : -1;
          continue;
        }
        if (visited[start]) continue;
        int top = 0, region = 0;
        unsigned reaches = 0;
        stack[top++] = static_cast<std::int16_t>(start);
        visited[start] = true;
        while (top > 0) {
          const int s = stack[--top];
          ++region;
          for (const int q : around(s)) {
            reaches |= 1u << colour_[q];
            if (colour_[q] != kEmpty || visited[q]) continue;
            visited[q] = true;
            stack[top++] = static_cast<std::int16_t>(q);
          }
        }
        const unsigned colours = reaches & 3;
        if (colours == 1 || colours == 2) lead += colours == 1 ? region : -region;
      }
    }
    return lead;
  }

 private:
  static constexpr std::int8_t kEmpty = 2, kBorder = 3;
  static constexpr std::int16_t kNoChain = 0;  // of empty spots and of the border: its counts mean nothing
  static constexpr int kMostSpots = (kMostGoSize + 1) * (kMostGoSize + 2) + 1;

  std::array<int, 4> around(int spot) const { return {spot - stride_, spot - 1, spot + 1, spot + stride_}; }

  bool breathes(int spot, int colour) const {
    const std::array<int, 4> near = around(spot);
    for (const int q : near) {
      if (colour_[q] == kEmpty) return true;
    }
    // A chain may touch the spot from several sides: every touch is one pseudo-liberty that the move takes.
    for (const int q : near) {
      if (colour_[q] == kBorder) continue;
      int touches = 0;
      for (const int r : near) touches += chain_[r] == chain_[q];
      if (colour_[q] == colour ? pseudo_[chain_[q]] > touches : pseudo_[chain_[q]] == touches) return true;
    }
    return false;
  }

  bool repeats(int spot, int colour) const {
    std::uint64_t after = hash_ ^ (*zobrist_)[colour][spot];
    const std::array<int, 4> near = around(spot);
    for (int i = 0; i < 4; ++i) {
      const int q = near[i];
      if (colour_[q] != 1 - colour) continue;
      int touches = 0;
      bool counted = false;
      for (int j = 0; j < 4; ++j) {
        if (chain_[near[j]] != chain_[q]) continue;
        ++touches;
        counted = counted || j < i;
      }
      if (counted || pseudo_[chain_[q]] != touches) continue;
      int r = q;
      do {
        after ^= (*zobrist_)[1 - colour][r];
        r = next_[r];
      } while (r != q);
    }
    for (std::size_t i = after & (seen_.size() - 1);; i = (i + 1) & (seen_.size() - 1)) {
      if (seen_[i] == after) return true;
      if (seen_[i] == 0) return false;
    }
  }

  void place(int spot, int colour) {
    const int last = empty_[--num_empty_];
    empty_[empty_at_[spot]] = static_cast<std::int16_t>(last);
    empty_at_[last] = empty_at_[spot];
    colour_[spot] = static_cast<std::int8_t>(colour);
    chain_[spot] = next_[spot] = static_cast<std::int16_t>(spot);
    length_[spot] = 1;
    int liberties = 0;
    for (const int q : around(spot)) {
      liberties += colour_[q] == kEmpty;
      --pseudo_[chain_[q]];
    }
    pseudo_[spot] = static_cast<std::int16_t>(liberties);
    for (const int q : around(spot)) {
      if (colour_[q] == colour && chain_[q] != chain_[spot]) join(chain_[q], chain_[spot]);
    }
  }

  // The shorter chain takes the longer one's name. Swapping two links makes two rings one.
  void join(int a, int b) {
    if (length_[a] < length_[b]) std::swap(a, b);
    pseudo_[a] = static_cast<std::int16_t>(pseudo_[a] + pseudo_[b]);
    length_[a] = static_cast<std::int16_t>(length_[a] + length_[b]);
    int s = b;
    do {
      chain_[s] = static_cast<std::int16_t>(a);
      s = next_[s];
    } while (s != b);
    std::swap(next_[a], next_[b]);
  }

  void capture(int start) {
    const int colour = colour_[start];
    int s = start;
    do {
      for (const int q : around(s)) ++pseudo_[chain_[q]];
      lost_[colour][s] = true;
      hash_ ^= (*zobrist_)[colour][s];
      colour_[s] = kEmpty;
      vacate(s);
      s = next_[s];
    } while (s != start);
  }

  void vacate(int spot) {
    chain_[spot] = kNoChain;
    empty_[num_empty_] = static_cast<std::int16_t>(spot);
    empty_at_[spot] = static_cast<std::int16_t>(num_empty_++);
  }

  void remember(std::uint64_t hash) {
    std::size_t i = hash & (seen_.size() - 1);
    while (seen_[i] != 0 && seen_[i] != hash) i = (i + 1) & (seen_.size() - 1);
    seen_[i] = hash;
  }

  int size_ = 0, stride_ = 0;
  const std::array<std::vector<std::uint64_t>, 2>* zobrist_ = nullptr;
  std::array<std::int8_t, kMostSpots> colour_;
  std::array<std::int16_t, kMostSpots> chain_;                 // a stone that names the chain
  std::array<std::int16_t, kMostSpots> next_;                  // round the chain
  std::array<std::int16_t, kMostSpots> length_, pseudo_ = {};  // by name
  std::array<std::int16_t, kMostSpots> empty_, empty_at_;
  std::array<std::array<bool, kMostSpots>, 2> lost_;
  int num_empty_ = 0;
  std::uint64_t hash_ = 0;
  std::vector<std::uint64_t> seen_;  // open addressing; 0 is free, and the empty board never comes back
};

}  // namespace dicezero
