// Choice nodes: the best of their moves, the order of these, forward pruning (beam, ProbCut) and singular
// extensions.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "search/minimax.h"

namespace dicezero {

template <Game G>
double Minimax<G>::search_choice(const State& s, int player, Left left, double alpha, double beta, int ply,
                                 Action table_move, Action& best_action) {
  Frame& f = frame(ply);
  const bool maximise = player == maximiser_;
  prepare_moves(s, player, left, table_move, ply, f.actions, true);
  const Action singular = singular_move(s, player, left, ply, f.actions);
  record_choice(s, player);
  double best = maximise ? -kInfinity : kInfinity;
  bool touched = false;
  for (std::size_t i = 0; i < f.actions.size(); ++i) {
    const Action action = f.actions[i];
    State child = s;
    game_.apply(child, action);
    const double value =
        visit(child, action, action == singular ? extended(left) : left.next(), alpha, beta, ply + 1);
    touched = touched || horizon_;
    if (best_action == kNoAction || (maximise ? value > best : value < best)) {
      best = value;
      best_action = action;
      if (!options_.only_value) {
        const std::vector<Action>& rest = frame(ply + 1).line;
        f.line.assign(1, action);
        f.line.insert(f.line.end(), rest.begin(), rest.end());
      }
    }
    if (!options_.prune) continue;
    (maximise ? alpha : beta) = maximise ? std::max(alpha, best) : std::min(beta, best);
    if (alpha >= beta) {
      touched = horizon_;  // this move alone proves the bound
      cutoffs_ += f.actions.size() - 1 - i;
      if (options_.ordering == MoveOrdering::kFull) order_.refuted(ply, player, action, left.depth);
      break;
    }
  }
  horizon_ = touched;
  return best;
}

// The moves to search, best guess first. `first` (the table's move, or the last iteration's) leads.
template <Game G>
void Minimax<G>::prepare_moves(const State& s, int player, Left left, Action first, int ply,
                               std::vector<Action>& actions, bool only_relevant) {
  game_.legal_actions(s, actions);
  const bool full = options_.ordering == MoveOrdering::kFull;
  // What the game proves within two plies must also lie within the horizon, or the value would change.
  if constexpr (requires { knowledge_.keep_relevant(s, actions); }) {
    if (only_relevant && full && options_.prune && left.depth >= 2) knowledge_.keep_relevant(s, actions);
  }
  if (actions.size() < 2) return;
  if (options_.beam > 0 && actions.size() > static_cast<std::size_t>(options_.beam)) {
    sort_by_evaluation(s, player, actions);
    actions.resize(options_.beam);
    if (options_.ordering == MoveOrdering::kNone) std::sort(actions.begin(), actions.end());
  }
  constexpr bool kPromises = requires { knowledge_.promise(s, first); };
  if (full && (kPromises || !Knowledge<G>::kEvaluates || left.depth < 2)) {
    order_.template sort<G>(knowledge_, s, ply, player, first, actions);
    return;
  }
  if (options_.ordering != MoveOrdering::kNone) sort_by_evaluation(s, player, actions);
  if (const auto at = std::find(actions.begin(), actions.end(), first);
      at != actions.end() && (full || ply == 0)) {
    std::rotate(actions.begin(), at, at + 1);
  }
}

template <Game G>
void Minimax<G>::sort_by_evaluation(const State& s, int player, std::vector<Action>& actions) {
  std::vector<std::pair<double, Action>> scored;
  scored.reserve(actions.size());
  for (const Action action : actions) {
    State child = s;
    game_.apply(child, action);
    const double value = static_value(child);
    scored.emplace_back(player == maximiser_ ? -value : value, action);
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < actions.size(); ++i) actions[i] = scored[i].second;
}

// The move that a search two plies shallower finds better than every other by the margin; none if there is
// none. It will be searched one ply deeper, so that a clearly best line is followed past the horizon.
template <Game G>
Action Minimax<G>::singular_move(const State& s, int player, Left left, int ply,
                                 const std::vector<Action>& actions) {
  if (left.extensions <= 0 || left.depth < 1 || left.depth >= kMaxPlies) return kNoAction;
  if (actions.size() == 1) return actions.front();
  if (recorder_) recorder_->pause();
  const Left shallow{std::max(0, left.depth - 3), 0};
  double best = -kInfinity, second = -kInfinity;
  Action singular = kNoAction;
  for (const Action action : actions) {
    State child = s;
    game_.apply(child, action);
    const double value = follow(child, shallow, -kInfinity, kInfinity, ply + 1);
    const double for_mover = player == maximiser_ ? value : -value;
    if (for_mover > best) {
      second = std::exchange(best, for_mover);
      singular = action;
    } else {
      second = std::max(second, for_mover);
    }
  }
  if (recorder_) recorder_->resume();
  return best - second >= options_.singular_margin ? singular : kNoAction;
}

// ProbCut: is the value of this node outside the window with a probability past the threshold? `value` is
// then the side of the window it is on.
template <Game G>
bool Minimax<G>::probably_outside(const State& s, int player, Left left, double alpha, double beta, int ply,
                                  double& value) {
  const ProbCut& p = options_.probcut;
  if (p.depth == 0 || left.depth != p.depth) return false;
  // slope and offset foretell values for the mover; seen by the other side the offset changes its sign.
  const double offset = player == maximiser_ ? p.offset : -p.offset;
  const double margin = p.threshold * p.sigma;
  // The evaluation says on which side, if any, a shallow search is worth its nodes.
  const double guess = evaluate(s);
  const bool above = guess >= beta;
  if (!above && guess > alpha) return false;
  // The shallow value at which the deep one is outside, asked with a window that has no inside.
  const double line = above ? (beta + margin - offset) / p.slope : (alpha - margin - offset) / p.slope;
  if (above ? line > high_ : line < low_) return false;  // no shallow value could decide
  if (recorder_) recorder_->pause();
  const double shallow = above ? search(s, {p.shallow, 0}, std::nextafter(line, -kInfinity), line, ply)
                               : search(s, {p.shallow, 0}, line, std::nextafter(line, kInfinity), ply);
  if (recorder_) recorder_->resume();
  frame(ply).line.clear();
  if (above ? shallow < line : shallow > line) return false;
  value = above ? beta : alpha;
  ++cutoffs_;
  horizon_ = true;
  note(player, "probcut");
  return true;
}

// Quiescence of a game that knows which moves are worth a look: only those are searched, and the mover may
// also leave things as they are.
template <Game G>
double Minimax<G>::search_noisy(const State& s, int player, Left left, double alpha, double beta, int ply) {
  const bool maximise = player == maximiser_;
  double best = evaluate(s);
  Frame& f = frame(ply);
  if (!options_.prune || (maximise ? best < beta : best > alpha)) {
    knowledge_.noisy_moves(s, f.actions);
  } else {
    f.actions.clear();
  }
  if (f.actions.empty()) {
    horizon_ = true;
    return leaf(player, best, "horizon");
  }
  record_choice(s, player);
  for (const Action action : f.actions) {
    if (options_.prune) (maximise ? alpha : beta) = maximise ? std::max(alpha, best) : std::min(beta, best);
    if (options_.prune && alpha >= beta) break;
    State child = s;
    game_.apply(child, action);
    const double value = visit(child, action, left.next(), alpha, beta, ply + 1);
    if (maximise ? value > best : value < best) {
      best = value;
      const std::vector<Action>& rest = frame(ply + 1).line;
      f.line.assign(1, action);
      f.line.insert(f.line.end(), rest.begin(), rest.end());
    }
  }
  horizon_ = true;
  return best;
}

template <Game G>
void Minimax<G>::record_choice(const State& s, int player) {
  if (!recording()) return;
  std::vector<Action> actions;
  game_.legal_actions(s, actions);
  std::vector<RecordedNode> children;
  for (const Action action : actions) {
    RecordedNode& child = children.emplace_back();
    child.action = action;
    child.label = game_.action_string(s, action);
    child.player = player_after(s, action);
  }
  recorder_->expand(player, std::move(children));
}

}  // namespace dicezero
