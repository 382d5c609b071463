// Chance nodes: the average of their outcomes, with Ballard's Star1 and Star2 pruning. Both rest on the
// bounds of the utility: outcomes not yet searched lie between them, so a window for the average gives a
// window for each.
#pragma once

#include <algorithm>
#include <cmath>

#include "search/minimax.h"

namespace dicezero {

template <Game G>
double Minimax<G>::search_chance(const State& s, Left left, double alpha, double beta, int ply) {
  if (!options_.chance) {
    throw std::invalid_argument(
        "the game has chance nodes, which minimax and alphabeta do not handle; use expectiminimax");
  }
  Frame& f = frame(ply);
  game_.outcomes(s, f.outcomes);
  std::erase_if(f.outcomes, [](const Outcome& o) { return o.probability <= 0.0; });
  record_chance(s, f.outcomes);
  const std::size_t n = f.outcomes.size();
  f.lower.assign(n, low_);
  f.upper.assign(n, high_);
  bool touched = false;
  double bound;
  if (options_.chance_pruning == ChancePruning::kStar2 && probe_outcomes(s, left, alpha, beta, ply, bound)) {
    return bound;
  }
  // What the outcomes after i can add: [rest_low[i], rest_high[i]], in place of their own bounds.
  double rest_low = 0.0, rest_high = 0.0;
  for (std::size_t i = n; i-- > 0;) {
    const double p = f.outcomes[i].probability;
    const double low = p * f.lower[i], high = p * f.upper[i];
    f.lower[i] = rest_low;
    f.upper[i] = rest_high;
    rest_low += low;
    rest_high += high;
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double p = f.outcomes[i].probability;
    const double child_alpha = (alpha - sum - f.upper[i]) / p;
    const double child_beta = (beta - sum - f.lower[i]) / p;
    // Even the best (worst) this outcome could be leaves the average outside the window.
    if (child_alpha >= high_ || child_beta <= low_) {
      cutoffs_ += n - i;
      horizon_ = touched;
      return child_alpha >= high_ ? alpha : beta;
    }
    State child = s;
    game_.apply(child, f.outcomes[i].action);
    const double value = visit(child, f.outcomes[i].action, left, std::max(child_alpha, low_),
                               std::min(child_beta, high_), ply + 1);
    touched = touched || horizon_;
    sum += p * value;
    // Rounding must not turn a bound into a value inside the window, hence min and max.
    if (value <= child_alpha || value >= child_beta) {
      cutoffs_ += n - 1 - i;
      horizon_ = touched;
      return value <= child_alpha ? std::min(alpha, sum + f.upper[i]) : std::max(beta, sum + f.lower[i]);
    }
  }
  horizon_ = touched;
  return sum;
}

// Star2: one move of each outcome is searched first. At a MAX node it bounds the outcome from below, at a MIN
// node from above; often that alone takes the average out of the window, and else it narrows Star1's bounds.
template <Game G>
bool Minimax<G>::probe_outcomes(const State& s, Left left, double alpha, double beta, int ply,
                                double& bound) {
  // Extensions and ProbCut search a move differently in its place among the others: a probe would not bound
  // it.
  if (left.depth < 1 || options_.singular_extensions > 0 || options_.probcut.depth > 0) return false;
  if (!std::isfinite(low_) || !std::isfinite(high_) || (alpha <= low_ && beta >= high_)) return false;
  Frame& f = frame(ply);
  const std::size_t n = f.outcomes.size();
  double total_low = low_, total_high = high_;
  bool touched = false;
  if (recorder_) recorder_->pause();
  bool outside = false;
  for (std::size_t i = 0; i < n && !outside; ++i) {
    const double p = f.outcomes[i].probability;
    State child = s;
    game_.apply(child, f.outcomes[i].action);
    const int player = game_.player(child);
    if (player == kTerminalPlayer || player == kChancePlayer) continue;
    Frame& below = frame(ply + 1);
    prepare_moves(child, player, left, kNoAction, ply + 1, below.actions, true);
    const double child_alpha = std::max(low_, (alpha - (total_high - p * f.upper[i])) / p);
    const double child_beta = std::min(high_, (beta - (total_low - p * f.lower[i])) / p);
    if (child_alpha >= child_beta) continue;
    const double weight = weight_of(child);
    game_.apply(child, below.actions.front());
    const double below_alpha = child_alpha / weight, below_beta = child_beta / weight;
    const double found = follow(child, left.next(), below_alpha, below_beta, ply + 2);
    const double value = weight * found;
    touched = touched || horizon_;
    if (player == maximiser_ && found > below_alpha) {
      total_low += p * (value - f.lower[i]);
      f.lower[i] = value;
      outside = total_low >= beta;
    } else if (player != maximiser_ && found < below_beta) {
      total_high -= p * (f.upper[i] - value);
      f.upper[i] = value;
      outside = total_high <= alpha;
    }
  }
  if (recorder_) recorder_->resume();
  if (!outside) return false;
  cutoffs_ += n;
  horizon_ = touched;
  bound = total_low >= beta ? total_low : total_high;
  note(kChancePlayer, "cut by probing");
  return true;
}

template <Game G>
void Minimax<G>::record_chance(const State& s, const std::vector<Outcome>& outcomes) {
  if (!recording()) return;
  std::vector<RecordedNode> children;
  for (const Outcome& o : outcomes) {
    RecordedNode& child = children.emplace_back();
    child.action = o.action;
    child.label = game_.action_string(s, o.action);
    child.prior = o.probability;
    child.player = player_after(s, o.action);
  }
  recorder_->expand(kChancePlayer, std::move(children));
}

}  // namespace dicezero
