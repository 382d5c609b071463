// The root of a minimax search: iterative deepening, and the best move so far whatever stops it.
#pragma once

#include <algorithm>

#include "search/minimax.h"

namespace dicezero {

template <Game G>
MinimaxReport Minimax<G>::run(const State& root) {
  start_ = std::chrono::steady_clock::now();
  maximiser_ = game_.player(root);
  MinimaxReport report;
  std::vector<Action>& actions = frame(0).actions;
  game_.legal_actions(root, actions);
  for (const Action action : actions) report.root.push_back({action});
  report.action = actions.front();
  if (options_.skip_forced && actions.size() == 1) {
    report.value = evaluate(root);
    report.line = {report.action};
    report.stopped = "one legal move";
  } else {
    deepen(root, report);
  }
  report.nodes = nodes_;
  report.leaves = leaves_;
  report.cutoffs = cutoffs_;
  report.table_hits = table_hits_;
  return report;
}

// The halves of the window one after the other: "is it better than the middle", "is it worse". Where results
// are -1, 0 and 1 neither half has an inside, and both together take fewer nodes than the whole. What the
// game holds likelier is asked first.
template <Game G>
MinimaxReport Minimax<G>::prove(const State& root) {
  if (kDeepens || !std::isfinite(low_) || !std::isfinite(high_)) return run(root);
  start_ = std::chrono::steady_clock::now();
  maximiser_ = game_.player(root);
  MinimaxReport report;
  const double half = 0.5 * (low_ + high_);
  const bool above_first = evaluate(root) >= half;
  double lower = low_, upper = high_;
  report.stopped = "complete";
  try {
    for (const bool above : {above_first, !above_first}) {
      const double alpha = above ? half : low_, beta = above ? high_ : half;
      Action best = kNoAction;
      count_node();
      const double value =
          search_choice(root, maximiser_, {options_.depth, 0}, alpha, beta, 0, report.action, best);
      if (horizon_) {
        report.stopped = "depth";
        break;
      }
      if (value > alpha || report.action == kNoAction) report.action = best;
      if (value > alpha) lower = value;
      if (value < beta) upper = value;
      if (lower >= upper) break;
    }
  } catch (const Stopped& stopped) {
    report.stopped = stopped.reason;
  }
  report.value = lower;
  report.nodes = nodes_;
  return report;
}

template <Game G>
void Minimax<G>::deepen(const State& root, MinimaxReport& report) {
  report.value = middle();
  const int first = options_.iterative || kDeepens ? 1 : options_.depth;
  try {
    for (int depth = std::min(first, options_.depth);; ++depth) {
      if (recorder_) recorder_->restart();
      search_root(root, depth, report);
      lengthen_line(root, depth, report.line);
      report.depth = depth == kToTheEnd ? deepest_ : depth;
      if (!horizon_) {
        report.stopped = "complete";
        return;
      }
      if (depth >= options_.depth) {
        report.stopped = "depth";
        return;
      }
    }
  } catch (const Stopped& stopped) {
    report.stopped = stopped.reason;
  } catch (...) {
    if (!hooks_.is_interruption || !hooks_.is_interruption()) throw;
    report.stopped = "interrupted";
  }
}

// One iteration. The report is kept up to date move by move, so that whatever stops the search finds in it
// the best so far: the move that led the last iteration is searched first, and only a better one takes its
// place.
template <Game G>
void Minimax<G>::search_root(const State& root, int depth, MinimaxReport& report) {
  const Left left{depth, options_.singular_extensions};
  count_node();
  Frame& f = frame(0);
  const Action leader = report.depth > 0 ? report.action : kNoAction;
  prepare_moves(root, maximiser_, left, leader, 0, f.actions, !options_.exact_root);
  // Stopped before a single move is done, the search plays what the move ordering puts first.
  if (report.line.empty()) report.action = f.actions.front();
  const Action singular = singular_move(root, maximiser_, left, 0, f.actions);
  record_choice(root, maximiser_);
  double alpha = low_;
  double best = -kInfinity;
  bool touched = false;
  for (RootMove& move : report.root) move.exact = false;
  for (std::size_t i = 0; i < f.actions.size(); ++i) {
    const Action action = f.actions[i];
    const std::uint64_t before = nodes_;
    RootMove& move = *std::find_if(report.root.begin(), report.root.end(),
                                   [&](const RootMove& m) { return m.action == action; });
    State child = root;
    game_.apply(child, action);
    const double floor = options_.prune && !options_.exact_root ? alpha : low_;
    const double value =
        visit(child, action, action == singular ? extended(left) : left.next(), floor, high_, 1);
    move.nodes += nodes_ - before;
    move.value = value;
    move.exact = value > floor || floor == low_;
    touched = touched || horizon_;
    if (value > best) {
      best = value;
      report.action = action;
      report.value = value;
      report.line = frame(1).line;
      report.line.insert(report.line.begin(), action);
    }
    alpha = std::max(alpha, best);
    if (options_.prune && !options_.exact_root && alpha >= high_) {
      cutoffs_ += f.actions.size() - 1 - i;
      touched = horizon_;  // this move alone proves the value, even where it is the last
      break;
    }
  }
  horizon_ = touched;
  if (recorder_) recorder_->leave(best, -kInfinity, kInfinity);
}

// Where the table answered, the line broke off: goes on with the table's exact moves, up to the first chance
// node.
template <Game G>
void Minimax<G>::lengthen_line(const State& root, int depth, std::vector<Action>& line) const {
  if (!table_) return;
  State s = root;
  for (const Action action : line) game_.apply(s, action);
  while (static_cast<int>(line.size()) < std::min(depth, kMaxPlies)) {
    const int player = game_.player(s);
    if (player == kTerminalPlayer || player == kChancePlayer) return;
    const TableEntry* entry = table_->find(table_key(game_, s), depth - static_cast<int>(line.size()));
    if (entry == nullptr || entry->bound != Bound::kExact || entry->best == kNoAction) return;
    line.push_back(entry->best);
    game_.apply(s, entry->best);
  }
}

}  // namespace dicezero
