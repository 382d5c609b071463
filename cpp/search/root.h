// The root's own rule: which action each simulation tries, which one is played, and the policy to learn from.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "search/forced.h"
#include "search/halving.h"
#include "search/proof.h"
#include "search/select.h"

namespace dicezero {

// A uniform that can be taken the logarithm of.
inline double positive_uniform(Rng& rng) {
  const double u = rng.uniform();
  return u > 0.0 ? u : 0x1.0p-54;
}

inline double draw_gumbel(Rng& rng) { return -std::log(-std::log(positive_uniform(rng))); }

// Marsaglia and Tsang's method; below 1 by the power of a uniform.
inline double draw_gamma(double alpha, Rng& rng) {
  if (alpha < 1.0) {
    const double gamma = draw_gamma(alpha + 1.0, rng);
    return gamma * std::pow(positive_uniform(rng), 1.0 / alpha);
  }
  const double d = alpha - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double radius = std::sqrt(-2.0 * std::log(positive_uniform(rng)));
    const double x = radius * std::cos(2.0 * std::numbers::pi * rng.uniform());
    const double v = std::pow(1.0 + c * x, 3.0);
    if (v <= 0.0) continue;
    if (std::log(positive_uniform(rng)) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

// What Sequential Halving knew of one action of the root when one of its phases ended.
struct Sighting {
  Action action;
  std::int32_t visits;  // of this search
  float q;              // for the root's mover; NaN before the first visit
  float score;          // what the actions compete by; -inf: out of the running from the start
};

class RootChoice {
 public:
  RootChoice(const PlanConfig& config, int num_actions) : config_(config), num_actions_(num_actions) {}

  // `gumbel`: one number an action, or empty to draw them.
  void begin(Tree& tree, std::span<const double> gumbel, Rng& rng) {
    const std::span<Edge> edges = tree.edges(Tree::kRoot);
    base_visits_.assign(edges.size(), 0);
    for (std::size_t i = 0; i < edges.size(); ++i) base_visits_[i] = edges[i].visits;
    int considered = std::min(config_.max_considered_actions, static_cast<int>(edges.size()));
    switch (config_.root) {
      case RootRule::gumbel:
        set_gumbel(edges, gumbel, rng);
        break;
      case RootRule::gumbel_with_replacement:
        considered = draw_with_replacement(edges, considered, rng);
        break;
      case RootRule::puct:
        if (config_.dirichlet_fraction > 0.0) mix_dirichlet(edges, rng);
        break;
      default:
        break;
    }
    halving_ = SequentialHalving(considered, config_.simulations);
  }

  int pick(const Tree& tree, Selector& selector, Rng& rng) {
    switch (config_.root) {
      case RootRule::puct:
        if (config_.forced_playouts > 0.0) {
          const int forced = first_forced(tree.edges(Tree::kRoot), config_.forced_playouts);
          if (forced >= 0) return forced;
        }
        return selector.puct(tree, Tree::kRoot);
      case RootRule::gumbel:
      case RootRule::gumbel_with_replacement:
        return best_scored(tree, selector, halving_.considered_visits());
      default:
        return draw_from_policy(tree, selector, rng);
    }
  }

  // Whether that ended a phase of Sequential Halving: `note` what it knew then.
  bool simulation_done(int cost, bool visited) { return halving_.simulation_done(cost, visited) && halves(); }

  // Keeps what is known of every action, for a report of how the choice came about.
  void note(const Tree& tree, Selector& selector) {
    const std::span<const Edge> edges = tree.edges(Tree::kRoot);
    const std::span<const double> sigma = selector.sigma(tree, Tree::kRoot);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Edge& e = edges[i];
      const float q = e.visits > 0 ? static_cast<float>(e.q()) : std::numeric_limits<float>::quiet_NaN();
      seen_.push_back({e.action, e.visits - base_visits_[i], q, static_cast<float>(score(i, sigma[i]))});
    }
  }

  // Every action at the end of each phase, phase by phase.
  std::span<const Sighting> seen() const { return seen_; }

  bool halves() const {
    return config_.root == RootRule::gumbel || config_.root == RootRule::gumbel_with_replacement;
  }

  // The edge of the action to play.
  int final_choice(const Tree& tree, Selector& selector, Rng& rng) {
    if (tree.node(Tree::kRoot).exact) return best_proved(tree);
    switch (config_.root) {
      case RootRule::puct:
        return by_visits(tree.edges(Tree::kRoot), rng);
      case RootRule::gumbel:
      case RootRule::gumbel_with_replacement:
        return best_scored(tree, selector, most_new_visits(tree.edges(Tree::kRoot)));
      default:
        return draw_from_policy(tree, selector, rng);
    }
  }

  // What the policy network should learn, an entry an edge.
  void target(const Tree& tree, Selector& selector, std::vector<float>& policy) const {
    const std::span<const Edge> edges = tree.edges(Tree::kRoot);
    if (config_.root == RootRule::puct) {
      visit_shares(edges, policy);
      if (config_.prune_targets && total_visits(edges) > 0.0) prune(tree, selector, policy);
      return;
    }
    const std::span<const float> improved =
        selector.improved_policy(tree, Tree::kRoot, config_.root == RootRule::trpo);
    policy.assign(improved.begin(), improved.end());
  }

 private:
  static constexpr double kNever = -std::numeric_limits<double>::infinity();
  static constexpr double kLowScore = -1e9;

  void set_gumbel(std::span<const Edge> edges, std::span<const double> given, Rng& rng) {
    std::vector<double> drawn;
    if (given.empty()) {
      drawn.resize(static_cast<std::size_t>(num_actions_));
      for (double& g : drawn) g = draw_gumbel(rng);
      given = drawn;
    }
    float top = -std::numeric_limits<float>::infinity();
    for (const Edge& e : edges) top = std::max(top, e.logit);
    base_score_.resize(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      base_score_[i] = given[edges[i].action] + edges[i].logit - top;
    }
  }

  // Returns how many different actions were drawn.
  int draw_with_replacement(std::span<const Edge> edges, int draws, Rng& rng) {
    base_score_.assign(edges.size(), kNever);
    for (int i = 0; i < draws; ++i) {
      base_score_[roulette(edges.size(), [&](std::size_t j) { return edges[j].prior; }, rng)] = 0.0;
    }
    return static_cast<int>(std::count(base_score_.begin(), base_score_.end(), 0.0));
  }

  void mix_dirichlet(std::span<Edge> edges, Rng& rng) const {
    std::vector<double> noise(edges.size());
    double sum = 0.0;
    for (double& x : noise) sum += x = draw_gamma(config_.dirichlet_alpha, rng);
    const double f = config_.dirichlet_fraction;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const double share = sum > 0.0 ? noise[i] / sum : 1.0 / static_cast<double>(noise.size());
      edges[i].prior = static_cast<float>((1.0 - f) * edges[i].prior + f * share);
    }
  }

  double score(std::size_t edge, double sigma) const {
    return base_score_[edge] == kNever ? kNever : std::max(kLowScore, base_score_[edge] + sigma);
  }

  // The best g + logits + sigma(q) among the actions with that many new visits.
  int best_scored(const Tree& tree, Selector& selector, int visits) const {
    const std::span<const Edge> edges = tree.edges(Tree::kRoot);
    const std::span<const double> sigma = selector.sigma(tree, Tree::kRoot);
    int best = -1;
    double best_score = kNever;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (edges[i].visits - base_visits_[i] != visits || base_score_[i] == kNever) continue;
      const double its_score = score(i, sigma[i]);
      if (best < 0 || its_score > best_score) best = static_cast<int>(i), best_score = its_score;
    }
    // No simulation came back to any of them (the paper's budget): the prior decides.
    if (best < 0)
      best = static_cast<int>(std::max_element(base_score_.begin(), base_score_.end()) - base_score_.begin());
    return best;
  }

  // Of the moves that are worth what the root is proved to be worth, the likeliest.
  int best_proved(const Tree& tree) const {
    const Node& root = tree.node(Tree::kRoot);
    const std::span<const Edge> edges = tree.edges(Tree::kRoot);
    int best = -1;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!leads_to_exact(tree, edges[i])) continue;
      const auto worth = static_cast<float>(exact_worth(tree, root, edges[i], config_.discount));
      if (worth == root.raw && (best < 0 || edges[i].prior > edges[best].prior)) best = static_cast<int>(i);
    }
    return best;
  }

  int most_new_visits(std::span<const Edge> edges) const {
    int most = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) most = std::max(most, edges[i].visits - base_visits_[i]);
    return most;
  }

  int draw_from_policy(const Tree& tree, Selector& selector, Rng& rng) const {
    const std::span<const float> policy =
        selector.improved_policy(tree, Tree::kRoot, config_.root == RootRule::trpo);
    return roulette(policy.size(), [&](std::size_t i) { return policy[i]; }, rng);
  }

  void prune(const Tree& tree, Selector& selector, std::vector<float>& policy) const {
    std::vector<double> kept;
    pruned_visits(tree, Tree::kRoot, selector, config_.forced_playouts, kept);
    double total = 0.0;
    for (const double visits : kept) total += visits;
    for (std::size_t i = 0; i < kept.size(); ++i) policy[i] = static_cast<float>(kept[i] / total);
  }

  // N / sum N; the priors while nothing has come back.
  static void visit_shares(std::span<const Edge> edges, std::vector<float>& shares) {
    const double total = total_visits(edges);
    shares.resize(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      shares[i] = total > 0.0 ? static_cast<float>(edges[i].visits / total) : edges[i].prior;
    }
  }

  int by_visits(std::span<const Edge> edges, Rng& rng) const {
    std::vector<float> shares;
    visit_shares(edges, shares);
    std::size_t best = 0;
    for (std::size_t i = 1; i < edges.size(); ++i) {
      const bool better_q = edges[i].visits > 0 && edges[i].q() > edges[best].q();
      if (shares[i] > shares[best] || (shares[i] == shares[best] && better_q)) best = i;
    }
    if (config_.temperature == 0.0) return static_cast<int>(best);
    double sum = 0.0;
    std::vector<double> weight(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      sum += weight[i] = std::pow(static_cast<double>(shares[i]) / shares[best], 1.0 / config_.temperature);
    }
    return roulette(edges.size(), [&](std::size_t i) { return weight[i] / sum; }, rng);
  }

  PlanConfig config_;
  int num_actions_;
  SequentialHalving halving_;
  std::vector<double> base_score_;  // an entry a root edge: g + logits - max logits, or 0 / never
  std::vector<int> base_visits_;    // visits a reused root brought along
  std::vector<Sighting> seen_;
};

}  // namespace dicezero
