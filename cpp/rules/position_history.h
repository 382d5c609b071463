// The positions a game has been through, as hashes, for rules that look back (repetition, superko). Copies
// share what is older than the last few, so that a state of a long game is as cheap to copy as one of a
// short game.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace dicezero {

class PositionHistory {
 public:
  void push(std::uint64_t hash) {
    if (used_ == kChunk) {
      older_ = std::make_shared<const Chunk>(Chunk{newest_, std::move(older_)});
      used_ = 0;
    }
    newest_[used_++] = hash;
  }

  void clear() {
    older_.reset();
    used_ = 0;
  }

  bool empty() const { return used_ == 0 && !older_; }

  int count(std::uint64_t hash) const {
    int found = 0;
    for_each([&](std::uint64_t other) { found += other == hash; });
    return found;
  }

  bool contains(std::uint64_t hash) const { return count(hash) > 0; }

  // Newest chunk first, within a chunk in the order they were pushed.
  template <class Visit>
  void for_each(Visit visit) const {
    for (int i = 0; i < used_; ++i) visit(newest_[i]);
    for (const Chunk* chunk = older_.get(); chunk != nullptr; chunk = chunk->older.get()) {
      for (const std::uint64_t hash : chunk->hashes) visit(hash);
    }
  }

 private:
  static constexpr int kChunk = 16;
  struct Chunk {
    std::array<std::uint64_t, kChunk> hashes;
    std::shared_ptr<const Chunk> older;
  };

  std::array<std::uint64_t, kChunk> newest_{};
  std::shared_ptr<const Chunk> older_;
  int used_ = 0;
};

}  // namespace dicezero
