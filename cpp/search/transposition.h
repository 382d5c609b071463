// The transposition table: what is known of positions met before. Keys are stored whole, so a hit is never
// another position; a result counts only if it was searched to the same depth, or to the end of the game.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "rules/game.h"

namespace dicezero {

enum class Bound : std::uint8_t { kNone, kExact, kLower, kUpper };

struct TableEntry {
  double value = 0.0;
  Action best = kNoAction;
  std::int16_t depth = 0;
  std::int16_t extensions = 0;
  Bound bound = Bound::kNone;
  bool complete = false;  // no position below was cut off by depth: good at any depth
};

// Numeric keys: an open table of two-slot buckets that starts small and doubles up to its limit, so that a
// shallow search does not pay for a deep one's memory.
template <class Key>
class TranspositionTable {
 public:
  explicit TranspositionTable(std::size_t max_entries) {
    while (limit_ * 2 <= max_entries) limit_ *= 2;
    slots_.resize(std::min<std::size_t>(limit_, 1 << 12));
  }

  const TableEntry* find(const Key& key) const {
    const std::size_t i = bucket(key);
    for (const std::size_t slot : {i, i ^ 1}) {
      if (slots_[slot].entry.bound != Bound::kNone && slots_[slot].key == key) return &slots_[slot].entry;
    }
    return nullptr;
  }

  void store(const Key& key, const TableEntry& entry) {
    if (used_ * 2 > slots_.size() && slots_.size() < limit_) grow();
    put({key, entry});
  }

 private:
  struct Slot {
    Key key{};
    TableEntry entry;
  };

  std::size_t bucket(const Key& key) const { return mix64(key) & (slots_.size() - 1); }

  // The first slot of a bucket keeps the deeper search, the second the newer one.
  void put(const Slot& slot) {
    const std::size_t i = bucket(slot.key) & ~std::size_t{1};
    Slot& deep = slots_[i];
    Slot& fresh = slots_[i + 1];
    if (deep.key == slot.key || deep.entry.bound == Bound::kNone || slot.entry.depth >= deep.entry.depth) {
      if (deep.entry.bound == Bound::kNone) ++used_;
      if (deep.key != slot.key && deep.entry.bound != Bound::kNone) {
        if (fresh.entry.bound == Bound::kNone) ++used_;
        fresh = deep;
      }
      deep = slot;
      // One key, one entry: an older one in the second slot would outlive its replacement.
      if (fresh.entry.bound != Bound::kNone && fresh.key == slot.key) {
        fresh = Slot{};
        --used_;
      }
    } else {
      if (fresh.entry.bound == Bound::kNone) ++used_;
      fresh = slot;
    }
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    used_ = 0;
    for (const Slot& slot : old) {
      if (slot.entry.bound != Bound::kNone) put(slot);
    }
  }

  std::size_t limit_ = 2;
  std::size_t used_ = 0;
  std::vector<Slot> slots_;
};

// Text keys, of games written in Python: a map that takes no more than its limit.
template <>
class TranspositionTable<std::string> {
 public:
  explicit TranspositionTable(std::size_t max_entries) : limit_(max_entries) {}

  const TableEntry* find(const std::string& key) const {
    const auto at = entries_.find(key);
    return at == entries_.end() ? nullptr : &at->second;
  }

  void store(const std::string& key, const TableEntry& entry) {
    const auto at = entries_.find(key);
    if (at != entries_.end()) {
      at->second = entry;
    } else if (entries_.size() < limit_) {
      entries_.emplace(key, entry);
    }
  }

 private:
  std::size_t limit_;
  std::unordered_map<std::string, TableEntry> entries_;
};

}  // namespace dicezero
