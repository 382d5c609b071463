// An arena of rows of floats.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "search/pool.h"
#include "search/tree.h"

namespace dicezero {

// Rows of floats whose addresses stay put while more are added; on cache-line boundaries where the width is.
class RowArena {
 public:
  explicit RowArena(int width) : width_(static_cast<std::size_t>(width)) {}

  Index add() {
    if (size_ == blocks_.size() * kRowsPerBlock) {
      blocks_.emplace_back(static_cast<float*>(Pool::shared().take(block_bytes())), GiveBack{block_bytes()});
    }
    return static_cast<Index>(size_++);
  }
  float* row(Index i) const {
    return blocks_[static_cast<std::size_t>(i) / kRowsPerBlock].get() +
           static_cast<std::size_t>(i) % kRowsPerBlock * width_;
  }
  std::size_t width() const { return width_; }
  std::size_t bytes() const { return blocks_.size() * block_bytes(); }

 private:
  struct GiveBack {
    std::size_t bytes;
    void operator()(float* block) const { Pool::shared().give(block, bytes); }
  };

  static constexpr std::size_t kRowsPerBlock = 32;
  std::size_t block_bytes() const { return kRowsPerBlock * width_ * sizeof(float); }

  std::size_t width_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<float[], GiveBack>> blocks_;
};

}  // namespace dicezero
