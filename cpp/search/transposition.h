// The transposition table: what is known of positions met before. Keys are stored whole, so a hit is never
// another position. With dice a position comes back at many depths and no other depth's result will do, so
// the table may keep one entry for each depth (`by_depth`) instead of one for each position.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rules/game.h"
#include "rules/memory.h"

namespace dicezero {

enum class Bound : std::uint8_t { kNone, kExact, kLower, kUpper };

struct TableEntry {
  double value = 0.0;
  Action best = kNoAction;
  std::int16_t depth = 0;
  std::int16_t extensions = 0;
  Bound bound = Bound::kNone;
  bool complete = false;  // no position below was at the horizon: as good at any greater depth
};

// Positions in the table are told apart by the game's key, or by its 64-bit hash where it has one: a key that
// holds all of a long game's past would hardly ever be met twice.
template <Game G>
auto table_key(const G& game, const typename G::State& s) {
  if constexpr (requires { game.hash(s); }) {
    return game.hash(s);
  } else {
    return game.key(s);
  }
}
template <Game G>
using TableKey = decltype(table_key(std::declval<const G&>(), std::declval<const typename G::State&>()));

// Keys of a fixed size: an open table of two-slot buckets that starts small and doubles up to its limit, so
// that a shallow search does not pay for a deep one's memory.
template <class Key>
class TranspositionTable {
 public:
  TranspositionTable(std::size_t max_entries, bool by_depth) : by_depth_(by_depth) {
    while (limit_ * 2 <= max_entries) limit_ *= 2;
    buckets_.resize(std::min<std::size_t>(limit_, 1 << 12) / 2);
  }

  // The entry will be asked for soon: memory may fetch it meanwhile.
  void prefetch(const Key& key, int depth) const {
#ifdef __GNUC__
    __builtin_prefetch(&buckets_[bucket(key, depth)]);
#endif
  }

  const TableEntry* find(const Key& key, int depth) const {
    const Bucket& b = buckets_[bucket(key, depth)];
    for (const Slot* slot : {&b.deep, &b.fresh}) {
      if (same(*slot, key, depth)) return &slot->entry;
    }
    return nullptr;
  }

  void store(const Key& key, const TableEntry& entry) {
    if (used_ > buckets_.size() && 2 * buckets_.size() < limit_) grow();
    put({key, entry});
  }

 private:
  struct Slot {
    Key key{};
    TableEntry entry;
  };
  // Two slots, on one line of the processor's cache where they fit.
  struct alignas(2 * sizeof(Slot) == 64 ? 64 : alignof(Slot)) Bucket {
    Slot deep;   // keeps the deeper search
    Slot fresh;  // the newer one
  };

  std::size_t bucket(const Key& key, int depth) const {
    const std::uint64_t own = key_hash(key);
    const std::uint64_t hash = by_depth_ ? mix64(own) + static_cast<std::uint64_t>(depth) : own;
    return mix64(hash) & (buckets_.size() - 1);
  }

  bool same(const Slot& slot, const Key& key, int depth) const {
    return slot.entry.bound != Bound::kNone && slot.key == key && (!by_depth_ || slot.entry.depth == depth);
  }

  void put(const Slot& slot) {
    auto& [deep, fresh] = buckets_[bucket(slot.key, slot.entry.depth)];
    if (same(deep, slot.key, slot.entry.depth)) {
      deep = slot;
    } else if (same(fresh, slot.key, slot.entry.depth)) {
      fresh = slot;
    } else if (slot.entry.depth >= deep.entry.depth || deep.entry.bound == Bound::kNone) {
      used_ += fresh.entry.bound == Bound::kNone;
      fresh = deep;
      deep = slot;
    } else {
      used_ += fresh.entry.bound == Bound::kNone;
      fresh = slot;
    }
  }

  void grow() {
    memory::require(2.0 * static_cast<double>(buckets_.size() * sizeof(Bucket)),
                    "a larger transposition table", "give fewer table_entries");
    std::vector<Bucket> old(buckets_.size() * 2);
    old.swap(buckets_);
    used_ = 0;
    for (const Bucket& b : old) {
      if (b.fresh.entry.bound != Bound::kNone) put(b.fresh);
      if (b.deep.entry.bound != Bound::kNone) put(b.deep);
    }
  }

  bool by_depth_;
  std::size_t limit_ = 2;
  std::size_t used_ = 0;
  std::vector<Bucket> buckets_;
};

// Text keys, of games written in Python: a map that takes no more than its limit.
template <>
class TranspositionTable<std::string> {
 public:
  TranspositionTable(std::size_t max_entries, bool by_depth) : limit_(max_entries), by_depth_(by_depth) {}

  void prefetch(const std::string&, int) const {}

  const TableEntry* find(const std::string& key, int depth) const {
    const auto at = entries_.find(full_key(key, depth));
    return at == entries_.end() ? nullptr : &at->second;
  }

  void store(const std::string& key, const TableEntry& entry) {
    const std::string full = full_key(key, entry.depth);
    const auto at = entries_.find(full);
    if (at != entries_.end()) {
      at->second = entry;
    } else if (entries_.size() < limit_) {
      grown_.add(full.size() + sizeof(TableEntry) + 64, "give fewer table_entries",
                 [] { return "a larger transposition table"; });
      entries_.emplace(full, entry);
    }
  }

 private:
  std::string full_key(const std::string& key, int depth) const {
    return by_depth_ ? std::to_string(depth) + ":" + key : key;
  }

  memory::Growth grown_;
  std::size_t limit_;
  bool by_depth_;
  std::unordered_map<std::string, TableEntry> entries_;
};

}  // namespace dicezero
