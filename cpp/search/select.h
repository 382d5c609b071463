// How a node picks an edge: the rules of docs/explanation/algorithms/planner.md, each a function of the tree
// and the node.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "search/candidates.h"
#include "search/chance.h"
#include "search/config.h"
#include "search/tree.h"
#include "search/ucb1.h"

namespace dicezero {

// P = softmax(logits) over a node's edges.
inline void softmax_priors(std::span<Edge> edges) {
  float top = -std::numeric_limits<float>::infinity();
  for (const Edge& e : edges) top = std::max(top, e.logit);
  float sum = 0.0f;
  for (Edge& e : edges) sum += e.prior = std::exp(e.logit - top);
  for (Edge& e : edges) e.prior /= sum;
}

class Selector {
 public:
  Selector(const PlanConfig& config, int num_actions) : config_(config), num_actions_(num_actions) {}

  int puct(const Tree& tree, Index node) {
    const Node& n = tree.node(node);
    const std::span<const Edge> edges = tree.edges(node);
    const double exploration = puct_exploration(n);
    const Scale scale = scaled_q(tree, n, edges);
    int best = 0;
    double best_score = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Edge& e = edges[i];
      const double q = e.visits > 0 ? scale(q_[i]) : 0.0;
      const double score = q + exploration * e.prior / (1.0 + e.visits);
      if (score > best_score) best_score = score, best = static_cast<int>(i);
    }
    return best;
  }

  // PUCT in parts: Q as it enters, an entry an edge, and the factor of P / (1 + N).
  std::pair<std::span<const double>, double> puct_parts(const Tree& tree, Index node) {
    const std::span<const Edge> edges = tree.edges(node);
    const Scale scale = scaled_q(tree, tree.node(node), edges);
    for (std::size_t i = 0; i < edges.size(); ++i) q_[i] = edges[i].visits > 0 ? scale(q_[i]) : 0.0;
    return {q_, puct_exploration(tree.node(node))};
  }

  // The same over the edges made so far, in any order, and the next action without one: the edge's index, or
  // -1 for that action. Equals go to the lower id, as they do among edges in the order of their ids.
  int puct(const Tree& tree, Index node, const NextCandidate& next) {
    const Node& n = tree.node(node);
    const std::span<const Edge> edges = tree.edges(node);
    const double exploration = puct_exploration(n);
    const Scale scale = scaled_q(tree, n, edges);
    Best best(next, next.action != nullptr ? exploration * next.action->prior : 0.0);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Edge& e = edges[i];
      const double q = e.visits > 0 ? scale(q_[i]) : 0.0;
      best.offer(q + exploration * e.prior / (1.0 + e.visits), e.action, static_cast<int>(i));
    }
    return best.edge;
  }

  // The edge most behind its share of the improved policy, likewise.
  int improved(const Tree& tree, Index node, const NextCandidate& next) {
    const std::span<const Edge> edges = tree.edges(node);
    const std::span<const double> bonus = sigma(tree, node);
    const double bonus_of_next = unvisited_ * sigma_factor_;
    double top = next.action != nullptr ? next.action->logit + bonus_of_next
                                        : -std::numeric_limits<double>::infinity();
    std::int64_t total = 1;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      top = std::max(top, edges[i].logit + bonus[i]);
      total += edges[i].visits;
    }
    float sum = 0.0f;
    float next_share = 0.0f;
    if (next.action != nullptr) {
      sum = std::exp(static_cast<float>(next.greatest_logit + bonus_of_next - top)) * next.action->rest;
      next_share = std::exp(static_cast<float>(next.action->logit + bonus_of_next - top));
    }
    policy_.resize(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      sum += policy_[i] = std::exp(static_cast<float>(edges[i].logit + bonus[i] - top));
    }
    Best best(next, next_share / sum);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const double taken = static_cast<double>(edges[i].visits) / static_cast<double>(total);
      best.offer(policy_[i] / sum - taken, edges[i].action, static_cast<int>(i));
    }
    return best.edge;
  }

  // The fewest visits, in order.
  int least_visited(const Tree& tree, Index node) const {
    const std::span<const Edge> edges = tree.edges(node);
    const auto fewer = [](const Edge& a, const Edge& b) { return a.visits < b.visits; };
    return static_cast<int>(std::min_element(edges.begin(), edges.end(), fewer) - edges.begin());
  }

  // UCB1 on Q scaled to [0, 1]; an edge not tried yet comes first, in order.
  int ucb1(const Tree& tree, Index node) const {
    std::span<const Edge> edges = tree.edges(node);
    const std::int32_t visits = tree.node(node).visits;
    if (config_.widen_choice_k > 0.0) {
      const std::size_t most = most_children(config_.widen_choice_k, config_.widen_choice_alpha, visits);
      edges = edges.first(std::min(edges.size(), most));
    }
    const int untried = first_untried(edges, visits);
    return untried >= 0 ? untried : best_ucb1(edges, visits, ucb_scale(tree));
  }

  // Scaling c instead of every Q leaves the order as it is.
  double ucb_scale(const Tree& tree) const {
    const bool seen = config_.q_normalisation == QNormalisation::tree;
    return config_.ucb_c * (seen ? tree.q_span() : config_.q_high - config_.q_low);
  }

  // sigma(completed Q), an entry an edge (eq. 8, 10 and 33).
  std::span<const double> sigma(const Tree& tree, Index node) {
    sigma_factor_ = normalised_completed_q(tree, node);
    for (double& x : q_) x *= sigma_factor_;
    return q_;
  }

  // pi' of eq. 11, or its TRPO counterpart: an entry an edge.
  std::span<const float> improved_policy(const Tree& tree, Index node, bool trpo) {
    const std::span<const Edge> edges = tree.edges(node);
    policy_.resize(edges.size());
    if (trpo) {
      trpo_policy(tree, node);
      return policy_;
    }
    const std::span<const double> bonus = sigma(tree, node);
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < edges.size(); ++i) top = std::max(top, edges[i].logit + bonus[i]);
    float sum = 0.0f;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      sum += policy_[i] = std::exp(static_cast<float>(edges[i].logit + bonus[i] - top));
    }
    for (float& p : policy_) p /= sum;
    return policy_;
  }

 private:
  // x -> (x - low) * factor.
  struct Scale {
    double low = 0.0;
    double factor = 1.0;
    double operator()(double x) const { return (x - low) * factor; }
  };
  static constexpr double kEpsilon = 1e-8;

  // The best score so far: at first that of the action without an edge, if there is one.
  struct Best {
    Best(const NextCandidate& next, double score_of_next) {
      if (next.action != nullptr) score = score_of_next, action = next.action->action;
    }
    void offer(double other, Action id, int index) {
      if (other > score || (other == score && id < action)) score = other, action = id, edge = index;
    }
    double score = -std::numeric_limits<double>::infinity();
    Action action = std::numeric_limits<Action>::max();
    int edge = -1;
  };

  double puct_exploration(const Node& n) const {
    if (config_.puct_form == PuctForm::ndmz)
      return config_.puct_init * std::sqrt(static_cast<double>(n.visits - 1));
    return (config_.puct_init + std::log((1.0 + config_.puct_base + n.visits) / config_.puct_base)) *
           std::sqrt(static_cast<double>(n.visits));
  }

  static Scale between(double low, double high) { return {low, 1.0 / std::max(high - low, kEpsilon)}; }

  // `siblings` differs between the rules and is left to them; the other three do not.
  Scale common_scale(const Tree& tree) const {
    switch (config_.q_normalisation) {
      case QNormalisation::fixed:
        return {config_.q_low, 1.0 / (config_.q_high - config_.q_low)};
      case QNormalisation::tree:
        if (tree.high() > tree.low()) return {tree.low(), 1.0 / (tree.high() - tree.low())};
        return {};
      default:
        return {};
    }
  }

  // Q of the visited edges into q_, and how PUCT scales it.
  Scale scaled_q(const Tree& tree, const Node& node, std::span<const Edge> edges) {
    q_.resize(edges.size());
    double low = node.value();
    double high = low;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (edges[i].visits == 0) continue;
      q_[i] = edges[i].q();
      low = std::min(low, q_[i]);
      high = std::max(high, q_[i]);
    }
    return config_.q_normalisation == QNormalisation::siblings ? between(low, high) : common_scale(tree);
  }

  // Completed Q, scaled (eq. 10 and 33), into q_; and the factor of sigma (eq. 8). Visited edges are divided
  // once.
  double normalised_completed_q(const Tree& tree, Index node) {
    const std::span<const Edge> edges = tree.edges(node);
    q_.resize(edges.size());
    double weight = 0.0;
    double weighted_q = 0.0;
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    std::int64_t visits = 0;
    std::int32_t most = 0;
    int visited = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Edge& e = edges[i];
      if (e.visits == 0) continue;
      const double q = q_[i] = e.q();
      const double p = std::max(e.prior, std::numeric_limits<float>::min());
      weight += p;
      weighted_q += p * q;
      low = std::min(low, q);
      high = std::max(high, q);
      visits += e.visits;
      most = std::max(most, e.visits);
      ++visited;
    }
    double unvisited = tree.node(node).raw;
    if (config_.mixed_value && visited > 0) {
      const auto n = static_cast<double>(visits);
      unvisited = (unvisited + n * weighted_q / weight) / (1.0 + n);
    }
    if (visited < num_actions_) low = std::min(low, unvisited), high = std::max(high, unvisited);
    const bool siblings = config_.q_normalisation == QNormalisation::siblings;
    const Scale scale = siblings ? between(low, high) : common_scale(tree);
    for (std::size_t i = 0; i < edges.size(); ++i) q_[i] = scale(edges[i].visits > 0 ? q_[i] : unvisited);
    unvisited_ = scale(unvisited);
    return (config_.c_visit + most) * config_.c_scale;
  }

  // The policy with the best Q under a penalty KL(P, new) / factor: P / (factor (alpha - q)), alpha by
  // bisection.
  void trpo_policy(const Tree& tree, Index node) {
    const std::span<const Edge> edges = tree.edges(node);
    const double factor = normalised_completed_q(tree, node);
    if (factor == 0.0) {
      for (std::size_t i = 0; i < edges.size(); ++i) policy_[i] = edges[i].prior;
      return;
    }
    const double lambda = 1.0 / factor;
    double low = -std::numeric_limits<double>::infinity();
    double high = low;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      low = std::max(low, q_[i] + lambda * edges[i].prior);
      high = std::max(high, q_[i] + lambda);
    }
    const auto mass = [&](double alpha) {
      double sum = 0.0;
      for (std::size_t i = 0; i < edges.size(); ++i) sum += lambda * edges[i].prior / (alpha - q_[i]);
      return sum;
    };
    for (int step = 0; step < 60; ++step) {
      const double alpha = 0.5 * (low + high);
      (mass(alpha) > 1.0 ? low : high) = alpha;
    }
    const double sum = mass(high);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      policy_[i] = static_cast<float>(lambda * edges[i].prior / (high - q_[i]) / sum);
    }
  }

  PlanConfig config_;
  int num_actions_;
  double unvisited_ = 0.0;     // scaled completed Q of an action not tried
  double sigma_factor_ = 0.0;  // of the last sigma
  std::vector<double> q_;
  std::vector<float> policy_;
};

}  // namespace dicezero
