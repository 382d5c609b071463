// Actions of a learned model's choice node that have no edge yet. With thousands of actions nearly none is
// ever taken: a node keeps the likeliest, as many as the rest of the search could come to, in the order in
// which it would.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "search/pool.h"
#include "search/tree.h"

namespace dicezero {

struct Candidate {
  Action action;
  float logit;
  float prior;  // of all actions
  float rest;   // sum of exp(logit - greatest logit) over this action and all less likely ones
};

// The likeliest action that has no edge yet, and the node's greatest logit.
struct NextCandidate {
  const Candidate* action = nullptr;  // null: all have one
  float greatest_logit = 0.0f;
};

class Candidates {
 public:
  enum class Order {
    none,         // all edges are made at once
    likeliest,    // the likeliest first
    lowest_first  // the lowest id, then the likeliest: NDMZ's PUCT weighs priors from the second visit on
  };

  explicit Candidates(Order order) : order_by_(order) {}

  bool used() const { return order_by_ != Order::none; }
  std::size_t bytes() const {
    return kept_.capacity() * sizeof(Candidate) + lists_.capacity() * sizeof(List);
  }

  // For rows that are added in order; a row without logits has an empty list.
  void add_row() { lists_.push_back({}); }

  // Keeps the actions that `visits` more visits could try.
  void set(Index row, const float* logits, int num_actions, int visits) {
    const auto count = static_cast<std::size_t>(num_actions);
    float top = -std::numeric_limits<float>::infinity();
    for (std::size_t a = 0; a < count; ++a) top = std::max(top, logits[a]);
    weight_.resize(count);
    float sum = 0.0f;
    for (std::size_t a = 0; a < count; ++a) sum += weight_[a] = std::exp(logits[a] - top);
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0);
    const std::size_t kept = std::min(static_cast<std::size_t>(std::max(visits, 1)), count);
    const bool lowest_first = order_by_ == Order::lowest_first;
    std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(kept), order_.end(),
                      [&](Action a, Action b) {
                        if (lowest_first && (a == 0 || b == 0)) return a == 0 && b != 0;
                        return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
                      });
    lists_[row] = {kept_.size(), static_cast<std::uint32_t>(kept)};
    kept_.resize(kept_.size() + kept);
    double rest = 0.0;
    for (std::size_t i = count; i-- > 0;) {
      const Action a = order_[i];
      rest += weight_[a];
      if (i < kept) {
        kept_[lists_[row].first + i] = {a, logits[a], weight_[a] / sum, static_cast<float>(rest)};
      }
    }
  }

  void copy(Index row, const Candidates& other, Index from) {
    const List list = other.lists_[from];
    lists_[row] = {kept_.size(), list.count};
    kept_.insert(kept_.end(), other.kept_.begin() + static_cast<std::ptrdiff_t>(list.first),
                 other.kept_.begin() + static_cast<std::ptrdiff_t>(list.first + list.count));
  }

  // Edges are made in the order of the list, so their number is that of the next.
  NextCandidate next(Index row, int edges) const {
    const List list = lists_[row];
    if (static_cast<std::uint32_t>(edges) >= list.count) return {};
    return {&kept_[list.first + static_cast<std::size_t>(edges)], kept_[list.first].logit};
  }

 private:
  struct List {
    std::size_t first = 0;
    std::uint32_t count = 0;
  };

  Order order_by_;
  std::vector<Candidate, PoolAllocator<Candidate>> kept_;
  std::vector<List> lists_;  // by row
  std::vector<float> weight_;
  std::vector<Action> order_;
};

}  // namespace dicezero
