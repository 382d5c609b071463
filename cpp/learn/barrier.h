// Where a few threads wait for each other every few microseconds.
#pragma once

#include <atomic>
#include <thread>

namespace dicezero {

class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) : threads_(threads) {}

  void wait() {
    if (threads_ == 1) return;
    const int turn = turn_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      turn_.store(turn + 1, std::memory_order_release);
      return;
    }
    // Another that has its own core comes at once; one that waits for a core gets this one.
    for (int tries = 0; turn_.load(std::memory_order_acquire) == turn; ++tries) {
      if (tries >= kSpins) std::this_thread::yield();
    }
  }

 private:
  static constexpr int kSpins = 2000;
  const int threads_;
  alignas(64) std::atomic<int> arrived_ = 0;
  alignas(64) std::atomic<int> turn_ = 0;
};

}  // namespace dicezero
