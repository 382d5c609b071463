// Memory for trees. Pieces of some size are kept for the next search instead of going back to the system,
// which hands memory out page by page, each cleared first: a tenth of a search's time.
#pragma once

#include <cstddef>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>
#include <vector>

#include "rules/memory.h"

namespace dicezero {

class Pool {
 public:
  // The one of the process; never destroyed, since trees may live until the very end.
  static Pool& shared() {
    static Pool& pool = *new Pool;
    return pool;
  }

  void* take(std::size_t bytes) {
    const std::size_t size = whole_pages(bytes);
    if (pooled(size)) {
      const std::lock_guard lock(mutex_);
      if (const auto kept = spare_.find(size); kept != spare_.end() && !kept->second.empty()) {
        void* piece = kept->second.back();
        kept->second.pop_back();
        held_ -= size;
        return piece;
      }
    }
    grown_.add(size, "search with fewer simulations, or fewer positions at a time",
               [] { return std::string("more room for the tree of this search"); });
    return ::operator new(size, std::align_val_t{64});
  }

  void give(void* piece, std::size_t bytes) noexcept {
    const std::size_t size = whole_pages(bytes);
    if (pooled(size)) {
      const std::lock_guard lock(mutex_);
      if (held_ + size <= kMost) {
        try {
          spare_[size].push_back(piece);
          held_ += size;
          return;
        } catch (const std::bad_alloc&) {  // no room to remember it: let it go
        }
      }
    }
    ::operator delete(piece, std::align_val_t{64});
  }

 private:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kMost = std::size_t{64} << 20;  // bytes kept

  static std::size_t whole_pages(std::size_t bytes) {
    return bytes < kPage ? bytes : (bytes + kPage - 1) / kPage * kPage;
  }
  // Small pieces the system's allocator keeps itself; the largest are for single, long searches.
  static bool pooled([[maybe_unused]] std::size_t size) {
#if defined(__SANITIZE_ADDRESS__)
    return false;  // so that the sanitizer sees every use after the end
#else
    return size >= kPage && size <= kMost / 16;
#endif
  }

  memory::Growth grown_;
  std::mutex mutex_;
  std::unordered_map<std::size_t, std::vector<void*>> spare_;
  std::size_t held_ = 0;
};

// For standard containers.
template <class T>
struct PoolAllocator {
  using value_type = T;
  PoolAllocator() = default;
  template <class U>
  PoolAllocator(const PoolAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(Pool::shared().take(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) noexcept { Pool::shared().give(p, n * sizeof(T)); }
  bool operator==(const PoolAllocator&) const = default;
};

}  // namespace dicezero
