// Tables of hundreds of megabytes that are read in random places: in pages of two megabytes where the system
// has them, or half of the time goes to finding the pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace dicezero {

template <class T>
class HugeArray {
 public:
  HugeArray() = default;
  HugeArray(std::size_t size, T value) : size_(size), data_(allocate(size)) {
    std::uninitialized_fill_n(data_.get(), size, value);
  }

  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  static_assert(std::is_trivially_destructible_v<T>);
  static constexpr std::align_val_t kAlignment{std::size_t{2} << 20};
  struct Free {
    void operator()(T* p) const { ::operator delete(p, kAlignment); }
  };

  static T* allocate(std::size_t size) {
    void* const memory = ::operator new(std::max<std::size_t>(1, size * sizeof(T)), kAlignment);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (size * sizeof(T) >= static_cast<std::size_t>(kAlignment)) {
      (void)madvise(memory, size * sizeof(T), MADV_HUGEPAGE);  // a wish; without it all is the same, slower
    }
#endif
    return static_cast<T*>(memory);
  }

  std::size_t size_ = 0;
  std::unique_ptr<T, Free> data_;
};

}  // namespace dicezero
