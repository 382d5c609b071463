// N-tuple networks: a value is the sum of one entry from each of a few tables, each read under every symmetry
// of the board; the entry is named by the values of the table's cells.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/huge.h"
#include "rules/cells.h"

namespace dicezero {

// Which entries a board reads. Entries of all tables are numbered through, table after table.
class TupleIndex {
 public:
  using Entry = std::uint32_t;

  TupleIndex(const CellBoard& board, const std::vector<std::vector<int>>& tuples, int views) : views_(views) {
    const int bits = bits_of(board.values);
    if (tuples.empty()) throw std::invalid_argument("tuples are missing; give at least one");
    for (const std::vector<int>& tuple : tuples) tables_.push_back(table(board, tuple, bits));
  }

  // Bits of a cell's value in an entry's number.
  static int bits_of(int values) { return values <= 2 ? 1 : values <= 4 ? 2 : values <= 8 ? 3 : 4; }

  int tables() const { return static_cast<int>(tables_.size()); }
  int views() const { return views_; }
  int reads() const { return tables() * views_; }  // entries that make one value
  std::size_t entries() const { return size_; }
  std::size_t first(int table) const { return tables_[static_cast<std::size_t>(table)].first; }
  std::size_t entries(int table) const { return tables_[static_cast<std::size_t>(table)].size; }

  // The entries [tables, views] of a board whose words under the symmetries are `words` [views].
  void find(const std::uint64_t* words, Entry* found) const {
    for (const Table& table : tables_) {
      const Run* const runs = table.runs.data();
      const Entry first = static_cast<Entry>(table.first);
      switch (table.runs.size()) {
        case 1:
          for (int v = 0; v < views_; ++v) *found++ = first + runs[0].of(words[v]);
          break;
        case 2:
          for (int v = 0; v < views_; ++v) *found++ = first + runs[0].of(words[v]) + runs[1].of(words[v]);
          break;
        default:
          for (int v = 0; v < views_; ++v) {
            Entry entry = first;
            for (const Run& run : table.runs) entry += run.of(words[v]);
            *found++ = entry;
          }
      }
    }
  }

 private:
  // Neighbouring cells of a tuple move to their place in the entry's number together.
  struct Run {
    std::uint64_t mask;
    int shift;
    Entry of(std::uint64_t word) const { return static_cast<Entry>((word & mask) >> shift); }
  };
  struct Table {
    std::size_t first;
    std::size_t size;
    std::vector<Run> runs;
  };

  Table table(const CellBoard& board, const std::vector<int>& tuple, int bits) {
    const int cells = static_cast<int>(board.places.size());
    if (tuple.empty() || tuple.size() > 7) {
      throw std::invalid_argument("a tuple of " + std::to_string(tuple.size()) +
                                  " cells is no table; give 1..7 cells");
    }
    Table made{size_, std::size_t{1} << (static_cast<std::size_t>(bits) * tuple.size()), {}};
    int last = -1, number = 0;
    for (const int cell : tuple) {
      if (cell <= last || cell >= cells) {
        throw std::invalid_argument("cell " + std::to_string(cell) +
                                    " of a tuple does not fit; give rising " + "cells of 0.." +
                                    std::to_string(cells - 1));
      }
      last = cell;
      const int place = 4 * board.places[static_cast<std::size_t>(cell)];
      const int shift = place - bits * number++;
      const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << place;
      if (!made.runs.empty() && made.runs.back().shift == shift) {
        made.runs.back().mask |= mask;
      } else {
        made.runs.push_back({mask, shift});
      }
    }
    size_ += made.size;
    if (size_ > std::size_t{1} << 31) {
      throw std::invalid_argument(
          "the tuples' tables have more than 2^31 entries; give fewer or shorter ones");
    }
    return made;
  }

  int views_;
  std::size_t size_ = 0;
  std::vector<Table> tables_;
};

// The tables and what is in them.
class TupleNet {
 public:
  using Entry = TupleIndex::Entry;
  static constexpr int kMostReads = 256;

  TupleNet(TupleIndex index, float weight) : index_(std::move(index)), weights_(index_.entries(), weight) {
    if (index_.reads() > kMostReads) {
      throw std::invalid_argument("the tuples make " + std::to_string(index_.reads()) +
                                  " reads a position; at most " + std::to_string(kMostReads) +
                                  " are allowed");
    }
  }

  const TupleIndex& index() const { return index_; }
  HugeArray<float>& weights() { return weights_; }
  const HugeArray<float>& weights() const { return weights_; }

  // Of the entries [reads] that a board reads; added in their order.
  float value(const Entry* entries) const {
    const float* const weights = weights_.data();
    float sum = 0.0f;
    for (int i = 0, n = index_.reads(); i < n; ++i) sum += weights[entries[i]];
    return sum;
  }

  void prefetch(const Entry* entries) const {
#if defined(__GNUC__)
    const float* const weights = weights_.data();
    for (int i = 0, n = index_.reads(); i < n; ++i) __builtin_prefetch(weights + entries[i]);
#else
    (void)entries;
#endif
  }

  // Of many positions: the entries of a few are on their way from memory while those before are added.
  template <CellGame G>
  void values(const G& game, std::span<const typename G::State> states, std::span<float> values) const {
    constexpr std::size_t kTogether = 8;
    const std::size_t reads = static_cast<std::size_t>(index_.reads());
    std::uint64_t words[kMostReads];
    Entry entries[kTogether * kMostReads];
    for (std::size_t first = 0; first < states.size(); first += kTogether) {
      const std::size_t count = std::min(kTogether, states.size() - first);
      for (std::size_t i = 0; i < count; ++i) {
        game.cell_words(states[first + i], std::span(words, static_cast<std::size_t>(index_.views())));
        index_.find(words, entries + i * reads);
        prefetch(entries + i * reads);
      }
      for (std::size_t i = 0; i < count; ++i) values[first + i] = value(entries + i * reads);
    }
  }

 private:
  TupleIndex index_;
  HugeArray<float> weights_;
};

}  // namespace dicezero
