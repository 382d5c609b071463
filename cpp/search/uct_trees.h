// Several Monte Carlo searches of one position, each in a tree of its own with a seed of its own: root
// parallelisation. What comes out depends on how many trees there are, never on how many threads grow them.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "search/uct.h"

namespace dicezero {

// The seed of tree i: the first tree is that of a search with one; for the others `row_seed` of
// src/dicezero/search/random.py.
inline std::uint64_t tree_seed(std::uint64_t seed, std::size_t i) {
  return i == 0 ? seed : mix64(mix64(seed) ^ (static_cast<std::uint64_t>(i) * 0xd1342543de82ef95ULL));
}

// The part of the budget of tree i of n on that many threads. Trees that wait for a thread share its time.
inline UctOptions share_of(UctOptions options, std::size_t i, std::size_t n, std::size_t threads) {
  const auto trees = static_cast<std::int64_t>(n);
  if (options.simulations > 0) {
    const bool one_more = static_cast<std::int64_t>(i) < options.simulations % trees;
    options.simulations = options.simulations / trees + one_more;
  }
  options.seconds /= static_cast<double>((n + threads - 1) / threads);
  options.max_nodes = std::max<std::int64_t>(1, options.max_nodes / trees);
  return options;
}

// The statistics of the roots' actions, summed in the order of the trees; sorted by action.
inline std::vector<Edge> summed_roots(std::span<const Tree* const> trees) {
  std::vector<Edge> sums;
  for (const Tree* tree : trees) {
    for (const Edge& e : tree->edges(Tree::kRoot)) {
      const auto place = std::lower_bound(sums.begin(), sums.end(), e.action,
                                          [](const Edge& a, Action action) { return a.action < action; });
      Edge& sum = place != sums.end() && place->action == e.action ? *place : *sums.insert(place, Edge{});
      sum.action = e.action;
      sum.visits += e.visits;
      sum.value_sum += e.value_sum;
    }
  }
  return sums;
}

template <Game G>
class UctTrees {
 public:
  using S = Search<PlayoutWorld<G>>;
  using Ask = std::function<bool()>;

  // `interrupted` is called on the calling thread only. `is_interrupt` is in a catch block whether what was
  // thrown is Ctrl-C, which ends the search instead of losing it.
  UctTrees(std::span<S> searches, const UctOptions& options, int threads, Ask interrupted, Ask is_interrupt)
      : searches_(searches),
        options_(options),
        threads_(std::clamp<std::size_t>(static_cast<std::size_t>(threads), 1, searches.size())),
        interrupted_(std::move(interrupted)),
        is_interrupt_(std::move(is_interrupt)),
        reports_(searches.size(), UctReport{"interrupted", 0, 0.0}),
        errors_(threads_) {}

  // One report for all trees.
  UctReport run() {
    working_ = threads_ - 1;
    std::vector<std::thread> others;
    for (std::size_t worker = 1; worker < threads_; ++worker) {
      others.emplace_back([this, worker] {
        work(worker, [this] { return stop_.load(std::memory_order_relaxed); });
        const std::lock_guard lock(mutex_);
        --working_;
        ended_.notify_one();
      });
    }
    work(0, [this] { return asked_to_stop(); });
    wait_for_others();
    for (std::thread& other : others) other.join();
    for (const std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(error);
    }
    return summed();
  }

 private:
  bool asked_to_stop() {
    if (interrupted_()) stop_ = true;
    return stop_;
  }

  void work(std::size_t worker, const Ask& stopped) {
    try {
      for (std::size_t i; !stop_ && (i = next_++) < searches_.size();) grow(i, stopped);
    } catch (...) {
      errors_[worker] = std::current_exception();
      stop_ = true;
    }
  }

  void grow(std::size_t i, const Ask& stopped) {
    UctRun<G> run(searches_[i], share_of(options_, i, searches_.size(), threads_));
    try {
      reports_[i] = run.run(stopped);
    } catch (...) {
      if (!is_interrupt_() || (i == 0 && run.done() == 0)) throw;
      reports_[i] = run.interrupted();
      stop_ = true;
    }
  }

  // Ctrl-C is noticed while the others are still at work.
  void wait_for_others() {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, std::chrono::milliseconds(20), [this] { return working_ == 0; })) {
      lock.unlock();
      try {
        asked_to_stop();
      } catch (...) {
        errors_[0] = std::current_exception();
        stop_ = true;
      }
      lock.lock();
    }
  }

  UctReport summed() const {
    UctReport all = reports_[0];
    for (std::size_t i = 1; i < reports_.size(); ++i) {
      all.simulations += reports_[i].simulations;
      all.saved += reports_[i].saved;
      if (reports_[i].stopped == "interrupted") all.stopped = reports_[i].stopped;
    }
    return all;
  }

  std::span<S> searches_;
  UctOptions options_;
  std::size_t threads_;
  Ask interrupted_;
  Ask is_interrupt_;
  std::vector<UctReport> reports_;
  std::vector<std::exception_ptr> errors_;
  std::atomic<bool> stop_ = false;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t working_ = 0;  // threads besides the calling one
};

}  // namespace dicezero
