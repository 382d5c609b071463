// Many searches in lock step: every step is one batched network call. Parts of the batch run on threads of
// their own when the network can be called from several at once; no result depends on how they are split.
#pragma once

#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "search/learned.h"
#include "search/over_rules.h"
#include "search/simulate.h"
#include "search/simulator.h"

namespace dicezero {

// A logit may be "never" (-inf), but nothing may be NaN or +inf. Names the array and the row if
// so.
inline void check_finite(const char* array, std::span<float> values, int rows, bool logits) {
  // Infinity and NaN have all exponent bits set; asking that of the bits lets the compiler look at many at
  // once.
  bool suspect = false;
  for (const float x : values) suspect |= (std::bit_cast<std::uint32_t>(x) & 0x7f800000u) == 0x7f800000u;
  if (!suspect) return;
  const std::size_t width = values.size() / static_cast<std::size_t>(rows);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    if (logits && values[i] < 0.0f) {
      values[i] = -1e30f;
      continue;
    }
    throw std::invalid_argument("the network's " + std::string(array) + " has " + std::to_string(values[i]) +
                                " in row " + std::to_string(i / width) + "; check its weights and its input");
  }
}

// Adds the time until it is destroyed to a count that several threads share.
class Stopwatch {
 public:
  using Nanoseconds = std::atomic<std::int64_t>;

  explicit Stopwatch(Nanoseconds& total) : total_(total) {}
  ~Stopwatch() { total_ += std::chrono::nanoseconds(std::chrono::steady_clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  Nanoseconds& total_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Has a learned model evaluate every pending node of the active searches.
class ModelCaller {
 public:
  using World = LearnedWorld;

  ModelCaller(Simulator& simulator, bool identities, Stopwatch::Nanoseconds& network_time)
      : simulator_(simulator),
        network_time_(network_time),
        num_actions_(simulator.num_actions()),
        num_identities_(identities ? simulator.num_identities() : 0) {}

  void ask(std::span<Search<LearnedWorld>* const> active) {
    hidden_.clear();
    next_hidden_.clear();
    action_.clear();
    for (Search<LearnedWorld>* search : active) {
      for (const Index node : search->pending()) {
        const LearnedWorld::Request request = search->world().request(search->tree(), node);
        hidden_.push_back(request.hidden);
        action_.push_back(request.action);
        next_hidden_.push_back(request.next_hidden);
      }
    }
    const std::size_t rows = action_.size();
    const auto a = static_cast<std::size_t>(num_actions_);
    const auto n = static_cast<std::size_t>(num_identities_);
    reward_.resize(rows);
    value_.resize(rows);
    policy_.resize(rows * a);
    identity_.resize(rows * n);
    chance_.resize(n > 0 ? rows * a : 0);
    const int m = static_cast<int>(rows);
    {
      const Stopwatch running(network_time_);
      simulator_.step({m, hidden_.data(), action_.data(), next_hidden_.data(), reward_.data(), policy_.data(),
                       value_.data(), n > 0 ? identity_.data() : nullptr, n > 0 ? chance_.data() : nullptr});
    }
    check_finite("reward", reward_, m, false);
    check_finite("value", value_, m, false);
    check_finite("policy_logits", policy_, m, true);
    check_finite("identity_logits", identity_, m, true);
    check_finite("chance_logits", chance_, m, true);
    std::size_t row = 0;
    for (Search<LearnedWorld>* search : active) {
      for (std::size_t i = 0; i < search->pending().size(); ++i, ++row) {
        search->fill(i, {policy_.data() + row * a, value_[row], reward_[row], identity_.data() + row * n,
                         n > 0 ? chance_.data() + row * a : nullptr});
      }
    }
  }

 private:
  Simulator& simulator_;
  Stopwatch::Nanoseconds& network_time_;
  int num_actions_;
  int num_identities_;
  std::vector<float*> hidden_, next_hidden_;
  std::vector<std::int32_t> action_;
  std::vector<float> reward_, value_, policy_, identity_, chance_;
};

// Has an evaluator evaluate every pending position.
template <Game G>
class PositionCaller {
 public:
  using World = RulesWorld<G>;

  PositionCaller(Evaluator& evaluator, const G& game, Stopwatch::Nanoseconds& network_time)
      : evaluator_(evaluator),
        network_time_(network_time),
        game_(game),
        num_actions_(game.num_actions()),
        size_(evaluator.observation_size()) {}

  void ask(std::span<Search<World>* const> active) {
    observations_.clear();
    legal_.clear();
    std::size_t rows = 0;
    for (Search<World>* search : active) {
      for (const Index node : search->pending()) add_row(*search, node, rows++);
    }
    const auto a = static_cast<std::size_t>(num_actions_);
    policy_.resize(rows * a);
    value_.resize(rows);
    const int m = static_cast<int>(rows);
    {
      const Stopwatch running(network_time_);
      evaluator_.evaluate(m, observations_.data(), legal_.data(), policy_.data(), value_.data());
    }
    check_finite("value", value_, m, false);
    check_finite("policy_logits", policy_, m, true);
    std::size_t row = 0;
    for (Search<World>* search : active) {
      for (std::size_t i = 0; i < search->pending().size(); ++i, ++row) {
        search->fill(i, {policy_.data() + row * a, value_[row]});
      }
    }
  }

 private:
  void add_row(const Search<World>& search, Index node, std::size_t row) {
    observations_.resize((row + 1) * static_cast<std::size_t>(size_));
    legal_.resize((row + 1) * static_cast<std::size_t>(num_actions_));
    const Tree& tree = search.tree();
    game_.observe(
        search.world().state(tree, node), tree.node(node).player,
        {observations_.data() + row * static_cast<std::size_t>(size_), static_cast<std::size_t>(size_)});
    if (tree.node(node).kind != NodeKind::choice) return;  // nothing is legal while chance acts
    for (const Edge& e : tree.edges(node))
      legal_[row * static_cast<std::size_t>(num_actions_) + e.action] = 1;
  }

  Evaluator& evaluator_;
  Stopwatch::Nanoseconds& network_time_;
  const G& game_;
  int num_actions_;
  int size_;
  std::vector<float> observations_, policy_, value_;
  std::vector<std::uint8_t> legal_;
};

// Evaluates the roots, which are positions like any other; that is not part of the budget.
template <class Caller>
void fill_roots(std::span<Search<typename Caller::World>> searches, Caller caller) {
  std::vector<Search<typename Caller::World>*> all;
  for (auto& search : searches) {
    search.await_root();
    all.push_back(&search);
  }
  caller.ask(all);
  for (auto* search : all) search->root_filled();
}

// Runs every search of one part to the end of its budget.
template <class Caller>
void run_part(std::span<Search<typename Caller::World>> searches, Caller caller) {
  std::vector<Search<typename Caller::World>*> active;
  for (auto& search : searches) active.push_back(&search);
  while (true) {
    std::erase_if(active, [](auto* search) { return !search->advance(); });
    if (active.empty()) return;
    caller.ask(active);
  }
}

// A network that several threads may ask at once gets parts of this many searches: large enough for the
// network to run at full speed, small enough for their trees to stay near the core.
inline constexpr std::size_t kPartSize = 48;

// Each part is first handed to `prepare`, with the place of its first search, on the thread that runs it.
template <class Caller, class Prepare>
void run_parts(std::span<Search<typename Caller::World>> searches, const Caller& caller, int threads,
               const Prepare& prepare) {
  if (searches.empty()) return;
  // Parts are of even size, and as many for each thread: with one part more than that, all threads but one
  // would wait for it.
  const std::size_t workers_wanted =
      std::min<std::size_t>(static_cast<std::size_t>(threads), searches.size());
  const std::size_t a_round = workers_wanted * kPartSize;
  const std::size_t parts = (searches.size() + a_round - 1) / a_round * workers_wanted;
  std::atomic<std::size_t> next_part = 0;
  std::vector<std::exception_ptr> errors(workers_wanted);
  const auto work = [&](std::size_t worker) {
    try {
      for (std::size_t p; (p = next_part++) < parts;) {
        const std::size_t begin = searches.size() * p / parts;
        const std::size_t end = searches.size() * (p + 1) / parts;
        prepare(searches.subspan(begin, end - begin), begin);
        run_part(searches.subspan(begin, end - begin), caller);
      }
    } catch (...) {
      errors[worker] = std::current_exception();
      next_part = parts;  // the others need not go on
    }
  };
  std::vector<std::thread> workers;
  for (std::size_t w = 1; w < workers_wanted; ++w) workers.emplace_back(work, w);
  work(0);
  for (std::thread& worker : workers) worker.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

template <class Caller>
void run_parts(std::span<Search<typename Caller::World>> searches, const Caller& caller, int threads) {
  run_parts(searches, caller, threads, [](auto, std::size_t) {});
}

}  // namespace dicezero
