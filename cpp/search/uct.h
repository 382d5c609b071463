// Monte Carlo tree search around the shared tree: when to stop, and which move to play.
#pragma once

#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "search/playout_world.h"
#include "search/simulate.h"

namespace dicezero {

struct UctOptions {
  std::int64_t simulations = 0;  // budget of this search, or 0
  double seconds = 0.0;          // or 0
  std::int64_t max_nodes = 0;    // of the tree
  bool final_mean = false;       // play the best mean (Algorithm 1), else the most visited action
  bool stop_forced = false;      // metareasoning: one legal move
  bool stop_decided = false;     // the leader cannot be overtaken any more
  double tie_bound = 0.0;        // the rest are tied to within that share of the utility range; 0 is off
  double low = -1.0;
  double high = 1.0;
  int check_every = 64;  // simulations between two looks at the clock and at the stopping rules
};

// The edge of the move to play: ties go to the better mean (or more visits), then to the lowest id.
inline int final_edge(std::span<const Edge> edges, bool by_mean) {
  const auto better = [by_mean](const Edge& a, const Edge& b) {
    if (b.visits == 0 || a.visits == 0)
      return a.visits != b.visits ? a.visits > b.visits : a.action < b.action;
    if (by_mean && a.q() != b.q()) return a.q() > b.q();
    if (a.visits != b.visits) return a.visits > b.visits;
    if (a.q() != b.q()) return a.q() > b.q();
    return a.action < b.action;
  };
  int best = 0;
  for (std::size_t i = 1; i < edges.size(); ++i) {
    if (better(edges[i], edges[best])) best = static_cast<int>(i);
  }
  return best;
}

// No way of spending `left` more simulations changes the final move.
inline bool decided(std::span<const Edge> edges, const UctOptions& options, double left) {
  const int leader = final_edge(edges, options.final_mean);
  const Edge& top = edges[leader];
  if (top.visits == 0) return false;
  const double worst = (top.value_sum + left * options.low) / (top.visits + left);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& e = edges[i];
    if (static_cast<int>(i) == leader) continue;
    if (!options.final_mean) {
      if (e.visits + left >= top.visits) return false;
    } else if ((e.value_sum + left * options.high) / (e.visits + left) >= worst) {
      return false;
    }
  }
  return true;
}

// With 95 % confidence (Hoeffding, shared among the actions) no action is better than the leader by more than
// the bound: actions that are surely worse are out of the race, and the others are tied.
inline bool tied(std::span<const Edge> edges, const UctOptions& options) {
  if (!std::isfinite(options.high - options.low)) return false;  // there is no share of such a range
  const double unit = 1.0 / (options.high - options.low);
  const double log_term = std::log(2.0 * static_cast<double>(edges.size()) / 0.05) / 2.0;
  const auto radius = [&](const Edge& e) { return std::sqrt(log_term / e.visits); };
  const Edge& top = edges[final_edge(edges, options.final_mean)];
  if (top.visits == 0) return false;
  const double floor = (top.q() - options.low) * unit - radius(top);
  for (const Edge& e : edges) {
    if (e.visits == 0) return false;
    if (&e != &top && (e.q() - options.low) * unit + radius(e) - floor > options.tie_bound) return false;
  }
  return true;
}

struct UctReport {
  std::string stopped;
  std::int64_t simulations = 0;
  double saved = 0.0;  // simulations of the budget not spent; an estimate under a time budget
};

template <Game G>
class UctRun {
 public:
  using S = Search<PlayoutWorld<G>>;
  using Interrupted = std::function<bool()>;

  UctRun(S& search, const UctOptions& options) : search_(search), options_(options) {}

  UctReport run(const Interrupted& interrupted) {
    Tree& tree = search_.tree();
    if (tree.node(Tree::kRoot).num_edges == 0) search_.world().open_edges(tree, Tree::kRoot);
    // A forced move is played out once, so that there is a value to report.
    if (options_.stop_forced && tree.edges(Tree::kRoot).size() == 1) {
      simulate();
      return finish("one legal move");
    }
    int until_check = options_.check_every + 1;
    while (true) {
      if (options_.simulations > 0 && done_ >= options_.simulations) return finish("simulations");
      if (--until_check == 0) {
        until_check = options_.check_every;
        if (const char* reason = reason_to_stop(interrupted)) return finish(reason);
      }
      simulate();
    }
  }

  std::int64_t done() const { return done_; }
  UctReport interrupted() const { return finish("interrupted"); }

 private:
  void simulate() {
    search_.simulate();
    ++done_;
  }

  const char* reason_to_stop(const Interrupted& interrupted) {
    const std::span<const Edge> edges = std::as_const(search_).tree().edges(Tree::kRoot);
    if (options_.seconds > 0.0 && elapsed() >= options_.seconds) return "time";
    if (static_cast<std::int64_t>(search_.tree().size()) >= options_.max_nodes) return "nodes";
    if (options_.stop_decided && decided(edges, options_, left())) return "decided";
    if (options_.tie_bound > 0.0 && tied(edges, options_)) return "tied";
    if (interrupted()) return "interrupted";
    return nullptr;
  }

  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  // Simulations still to come: known, or at the pace so far.
  double left() const {
    if (options_.simulations > 0) return static_cast<double>(options_.simulations - done_);
    const double spent = std::max(elapsed(), 1e-9);
    return std::max(0.0, options_.seconds - spent) * static_cast<double>(done_) / spent;
  }

  UctReport finish(const char* reason) const {
    const bool early = std::string(reason) != "simulations" && std::string(reason) != "time";
    return {reason, done_, early ? std::floor(left()) : 0.0};
  }

  S& search_;
  UctOptions options_;
  std::int64_t done_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The expected line from the root with that action: the final rule at every choice node, up to the first
// chance node, in the tree that visited the action most.
inline std::vector<Action> expected_line(std::span<const Tree* const> trees, Action action, bool by_mean) {
  const Tree* tree = nullptr;
  const Edge* taken = nullptr;
  for (const Tree* one : trees) {
    for (const Edge& e : one->edges(Tree::kRoot)) {
      if (e.action == action && e.visits > (taken == nullptr ? 0 : taken->visits)) tree = one, taken = &e;
    }
  }
  std::vector<Action> line;
  while (taken != nullptr) {
    line.push_back(taken->action);
    const Index at = taken->child;
    taken = nullptr;
    if (at == kNone || tree->node(at).kind != NodeKind::choice) break;
    const std::span<const Edge> edges = tree->edges(at);
    if (!edges.empty() && edges[final_edge(edges, by_mean)].visits > 0)
      taken = &edges[final_edge(edges, by_mean)];
  }
  return line;
}

}  // namespace dicezero
