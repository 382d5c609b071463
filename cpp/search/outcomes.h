// Outcomes of a learned model's chance nodes that have no edge yet. Among hundreds of actions that a model
// could name next to none is an outcome: a node keeps the likeliest, as many as the rest of the search could
// come to, or all probabilities where outcomes are drawn.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "search/chance.h"
#include "search/pool.h"
#include "search/tree.h"

namespace dicezero {

class Outcomes {
 public:
  enum class Edges {
    at_once,    // all edges are made with the node, and nothing is kept here
    likeliest,  // the outcome most behind its share is taken: of those without an edge the likeliest
    drawn       // outcomes are drawn by their probability
  };

  Outcomes(Edges edges, int num_actions) : edges_(edges), num_actions_(static_cast<Action>(num_actions)) {}

  bool on_need() const { return edges_ != Edges::at_once; }
  std::size_t bytes() const {
    return kept_.capacity() * sizeof(Kept) + all_.capacity() * sizeof(float) +
           lists_.capacity() * sizeof(List);
  }

  // For rows that are added in order; a row without logits has an empty list.
  void add_row() { lists_.push_back({}); }

  // `visits`: how often the node may still be visited. Ties begin at `offset`, a share of the probability.
  void set(Index row, const float* logits, int visits, double offset) {
    const auto count = static_cast<std::size_t>(num_actions_);
    softmax(logits, count);
    List& list = lists_[row];
    if (edges_ == Edges::drawn) {
      list.first = all_.size();
      list.count = static_cast<std::uint32_t>(count);
      all_.insert(all_.end(), probability_.begin(), probability_.end());
    } else {
      list.first = kept_.size();
      list.start = first_tied(offset);
      keep_likeliest(list.start, std::max(visits, 1));
      list.count = static_cast<std::uint32_t>(kept_.size() - list.first);
    }
  }

  void copy(Index row, const Outcomes& other, Index from) {
    const List list = other.lists_[from];
    lists_[row] = {edges_ == Edges::drawn ? all_.size() : kept_.size(), list.count, list.start};
    const auto copy_to = [&](auto& mine, const auto& theirs) {
      const auto first = theirs.begin() + static_cast<std::ptrdiff_t>(list.first);
      mine.insert(mine.end(), first, first + list.count);
    };
    edges_ == Edges::drawn ? copy_to(all_, other.all_) : copy_to(kept_, other.kept_);
  }

  // The edge to follow at a chance node of that row; made if there is none yet.
  int pick(Tree& tree, Index node, Rng& rng) {
    return edges_ == Edges::drawn ? draw(tree, node, rng) : most_behind_of(tree, node);
  }

  // Makes the edges of the likeliest outcomes that together reach that mass, in the order of their ids; false
  // if that takes more than `most`. The node has no edges yet.
  bool make_likeliest(Tree& tree, Index node, double mass, std::size_t most) const {
    const List list = lists_[tree.node(node).payload];
    std::vector<Kept> chosen;
    double sum = 0.0;
    for (std::uint32_t i = 0; sum < mass; ++i) {
      if (i == list.count || chosen.size() == most) return false;
      chosen.push_back(kept_[list.first + i]);
      sum += chosen.back().probability;
    }
    std::sort(chosen.begin(), chosen.end(), [](const Kept& a, const Kept& b) { return a.action < b.action; });
    for (const Kept& outcome : chosen) make_edge(tree, node, outcome);
    return true;
  }

 private:
  struct Kept {
    Action action;
    float probability;
  };
  struct List {
    std::size_t first = 0;
    std::uint32_t count = 0;
    Action start = 0;  // ties go to the first action from here on, round about
  };

  // As `softmax_priors` does it for edges.
  void softmax(const float* logits, std::size_t count) {
    const float top = *std::max_element(logits, logits + count);
    probability_.resize(count);
    float sum = 0.0f;
    for (std::size_t a = 0; a < count; ++a) sum += probability_[a] = std::exp(logits[a] - top);
    for (float& p : probability_) p /= sum;
  }

  Action first_tied(double u) const {
    for (Action a = 0; a + 1 < num_actions_; ++a) {
      if (u < probability_[a]) return a;
      u -= probability_[a];
    }
    return num_actions_ - 1;
  }

  Action distance(Action start, Action a) const { return a >= start ? a - start : a - start + num_actions_; }

  void keep_likeliest(Action start, int visits) {
    const std::size_t most = std::min(static_cast<std::size_t>(visits), probability_.size());
    order_.resize(probability_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(most), order_.end(),
                      [&](Action a, Action b) {
                        return probability_[a] != probability_[b] ? probability_[a] > probability_[b]
                                                                  : distance(start, a) < distance(start, b);
                      });
    // Within V visits the k likeliest are behind their shares by (1/V - rest)/k on average at the least, an
    // outcome of the rest never by more than the rest. Half of that bound leaves room for rounding.
    double rest = std::accumulate(probability_.begin(), probability_.end(), 0.0);
    const double least = 0.5 / static_cast<double>(visits);
    for (std::size_t k = 0; k < most && (k == 0 || rest * static_cast<double>(k + 1) >= least); ++k) {
      kept_.push_back({order_[k], probability_[order_[k]]});
      rest -= probability_[order_[k]];
    }
  }

  int draw(Tree& tree, Index node, Rng& rng) const {
    const List list = lists_[tree.node(node).payload];
    const float* probability = all_.data() + list.first;
    const int drawn = roulette(list.count, [&](std::size_t i) { return probability[i]; }, rng);
    const std::span<const Edge> edges = tree.edges(node);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (edges[i].action == drawn) return static_cast<int>(i);
    }
    return make_edge(tree, node, {drawn, probability[drawn]});
  }

  // As `most_behind` finds it where all edges are there.
  int most_behind_of(Tree& tree, Index node) const {
    const List list = lists_[tree.node(node).payload];
    const std::span<const Edge> edges = tree.edges(node);
    std::int64_t total = 1;
    for (const Edge& e : edges) total += e.visits;
    int best = -1;
    double best_score = -std::numeric_limits<double>::infinity();
    Action best_distance = 0;
    const auto consider = [&](int edge, Action action, double score) {
      const Action away = distance(list.start, action);
      if (score < best_score || (score == best_score && away > best_distance)) return;
      best = edge, best_score = score, best_distance = away;
    };
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const double share = static_cast<double>(edges[i].visits) / static_cast<double>(total);
      consider(static_cast<int>(i), edges[i].action, edges[i].prior - share);
    }
    // Edges are made in the order of the list; where all were made at once, no other is ever taken.
    const auto made = static_cast<std::uint32_t>(edges.size());
    const bool more = made < list.count && !tree.node(node).opened;
    if (more) consider(-1, kept_[list.first + made].action, kept_[list.first + made].probability);
    return best >= 0 ? best : make_edge(tree, node, kept_[list.first + made]);
  }

  static int make_edge(Tree& tree, Index node, const Kept& outcome) {
    Edge& edge = tree.append_edge(node);
    edge.action = outcome.action;
    edge.prior = outcome.probability;
    return tree.node(node).num_edges - 1;
  }

  Edges edges_;
  Action num_actions_;
  std::vector<Kept, PoolAllocator<Kept>> kept_;   // likeliest: the lists, one after another
  std::vector<float, PoolAllocator<float>> all_;  // drawn: [A] a row that has logits
  std::vector<List> lists_;                       // by row
  std::vector<float> probability_;
  std::vector<Action> order_;
};

}  // namespace dicezero
