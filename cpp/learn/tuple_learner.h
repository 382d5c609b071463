// TD learning of an n-tuple network from the games it plays, one player and chance: every move is learned
// from as soon as the next is chosen.
//
// `lanes` games go on in lock step. A step has two halves with a barrier after each: first every game chooses
// its move with the tables as they are (games are shared out among the threads, the tables are only read),
// then every table takes the changes, game after game (tables are shared out). So what is learned does not
// depend on the number of threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "learn/barrier.h"
#include "learn/lane.h"
#include "model/ntuple.h"
#include "rules/memory.h"

namespace dicezero {

struct TupleLearning {
  double learning_rate = 1.0;  // of an error, shared by the entries that made the value
  double lambda = 0.0;         // how much of an error goes to the afterstates before, each less than the next
  bool coherent = true;        // rates of their own for entries (TC learning): small where errors cancel out
  int lanes = 16;              // games in lock step; the result depends on it
  int max_decisions = 0;       // after which a game is cut off; 0 is never
};

struct TupleRound {
  std::uint64_t games = 0, decisions = 0, truncated = 0, errors = 0;
  double returns = 0.0;         // sum over games
  double squared_errors = 0.0;  // sum over errors learned from
};

// What TC learning remembers of an entry: the sum of its errors, and that of their absolute values.
struct Coherence {
  float sum = 0.0f;
  float absolute = 0.0f;
};

template <CellGame G>
class TupleLearner {
 public:
  using Entry = TupleIndex::Entry;
  using Report = std::function<void(std::uint64_t games, std::uint64_t decisions)>;  // may throw

  // `coherence` has an element for every entry of the network; none where it is not used.
  TupleLearner(const G& game, TupleNet& net, HugeArray<Coherence>& coherence)
      : game_(game), net_(net), coherence_(coherence) {}

  // Game i of the round draws from the stream (seed, i).
  TupleRound play(std::uint64_t games, std::uint64_t seed, const TupleLearning& how, int threads,
                  const Report& report) {
    how_ = how;
    games_ = games;
    seed_ = seed;
    over_ = started_ = 0;
    error_ = nullptr;
    int trace = 1;
    while (trace < kMostTrace && std::pow(how.lambda, trace) >= kLeastShare) ++trace;
    lanes_.clear();
    const auto lanes = std::min<std::uint64_t>(games, static_cast<std::uint64_t>(how.lanes));
    const double entries = (trace + 1.0) * net_.index().reads();
    memory::claim(static_cast<double>(lanes) * (sizeof(Lane<G>) + entries * sizeof(Entry)),
                  std::to_string(lanes) + " games side by side", "give fewer lanes");
    for (std::uint64_t i = 0; i < lanes; ++i) {
      lanes_.emplace_back(game_, net_, trace, how.max_decisions);
      lanes_.back().begin(seed, started_++);
    }
    run(std::clamp(threads, 1, static_cast<int>(std::clamp<std::uint64_t>(lanes, 1, kMostThreads))), report);
    if (error_) std::rethrow_exception(error_);
    TupleRound round{games};
    for (const Lane<G>& lane : lanes_) {  // in their order: the sums have fractions
      round.decisions += lane.decisions();
      round.truncated += lane.truncated();
      round.errors += lane.errors();
      round.returns += lane.returns();
      round.squared_errors += lane.squared_errors();
    }
    return round;
  }

 private:
  static constexpr int kMostTrace = 8;
  static constexpr std::uint64_t kMostThreads = 256;  // nothing depends on how many there are
  static constexpr double kLeastShare = 0.05;         // of an error: what gets less gets none
  static constexpr int kReportEvery = 1 << 12;        // steps

  void run(int threads, const Report& report) {
    SpinBarrier barrier(threads);
    const auto work = [&](int thread) {
      const auto count = static_cast<std::ptrdiff_t>(lanes_.size());
      const auto begin = lanes_.begin() + count * thread / threads;
      const auto end = lanes_.begin() + count * (thread + 1) / threads;
      for (int step = 1; over_ < games_ && !error_; ++step) {
        // Step 1. Every game: what its next moves would read, then which is best. The first loop brings the
        // entries on their way from memory, the second adds them up.
        for (auto lane = begin; lane != end; ++lane) {
          lane->expand();
          prefetch(*lane);
        }
        for (auto lane = begin; lane != end; ++lane) lane->choose();
        barrier.wait();
        // Step 2. Every table: the changes. One thread looks after the games that are over; nobody else reads
        // what it writes before the barrier.
        for (int table = thread; table < net_.index().tables(); table += threads) learn(table);
        if (thread == 0) turn_over(step, report);
        barrier.wait();
      }
    };
    std::vector<std::thread> others;
    for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
    work(0);
    for (std::thread& other : others) other.join();
  }

  // What the second half will change; the weights were read a step ago.
  void prefetch([[maybe_unused]] const Lane<G>& lane) const {
#if defined(__GNUC__)
    if (!how_.coherent || lane.depth() == 0) return;
    const Entry* const entries = lane.trace(0);
    for (int i = 0, n = net_.index().reads(); i < n; ++i)
      __builtin_prefetch(coherence_.data() + entries[i], 1);
#endif
  }

  void turn_over(int step, const Report& report) {
    for (Lane<G>& lane : lanes_) {
      if (!lane.over()) continue;
      ++over_;
      if (started_ < games_) {
        lane.begin(seed_, started_++);
      } else {
        lane.rest();
      }
    }
    if (step % kReportEvery != 0) return;
    std::uint64_t decisions = 0;
    for (const Lane<G>& lane : lanes_) decisions += lane.decisions();
    try {
      report(over_, decisions);
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  void learn(int table) {
    const std::size_t views = static_cast<std::size_t>(net_.index().views());
    const std::size_t first = static_cast<std::size_t>(table) * views;
    const float rate = static_cast<float>(how_.learning_rate);
    for (const Lane<G>& lane : lanes_) {
      if (!lane.learns()) continue;
      float share = lane.error() / static_cast<float>(net_.index().reads());
      for (int k = 0; k < lane.depth(); ++k, share *= static_cast<float>(how_.lambda)) {
        const Entry* const entries = lane.trace(k) + first;
        for (std::size_t v = 0; v < views; ++v) {
          how_.coherent ? change_coherently(entries[v], rate, share) : change(entries[v], rate, share);
        }
      }
    }
  }

  void change(Entry entry, float rate, float share) { net_.weights()[entry] += rate * share; }

  void change_coherently(Entry entry, float rate, float share) {
    Coherence& known = coherence_[entry];
    const float own = known.absolute > 0.0f ? std::abs(known.sum) / known.absolute : 1.0f;
    net_.weights()[entry] += rate * own * share;
    known.sum += share;
    known.absolute += std::abs(share);
  }

  const G& game_;
  TupleNet& net_;
  HugeArray<Coherence>& coherence_;
  TupleLearning how_;
  std::uint64_t games_ = 0, seed_ = 0, over_ = 0, started_ = 0;
  std::exception_ptr error_;
  std::vector<Lane<G>> lanes_;
};

}  // namespace dicezero
