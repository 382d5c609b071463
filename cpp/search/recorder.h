// The searched tree, kept for looking at: every node with what is known of its value, branches that were
// never searched included, and after every leaf the intervals of the nodes above it (figure 6.5 of the
// textbook).
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "search/minimax_options.h"

namespace dicezero {

using Interval = std::pair<double, double>;

struct RecordedNode {
  int player = kTerminalPlayer;
  Action action = kNoAction;
  std::string label;
  double prior = -1.0;  // probability of the outcome that leads here; -1 after a choice
  double value = 0.0;   // meaningful once closed
  Interval interval;
  bool searched = false;  // false: pruned
  bool closed = false;
  std::string note;
  std::vector<int> children;  // those searched first, in that order
  int searched_children = 0;
};

// After the leaf at the end of `path` (node ids from the root down).
struct RecordedStep {
  std::vector<int> path;
  std::vector<Interval> intervals;  // of every node on the path, the leaf last
};

class Recorder {
 public:
  Recorder(std::size_t max_nodes, Interval bounds, int maximiser)
      : max_nodes_(max_nodes), bounds_(bounds), maximiser_(maximiser) {}

  bool recording() const { return paused_ == 0; }
  void pause() { ++paused_; }
  void resume() { --paused_; }

  void restart() {
    nodes_.assign(1, RecordedNode{});
    nodes_[0].interval = bounds_;
    nodes_[0].searched = true;
    steps_.clear();
    open_ = {0};
    truncated_ = false;
  }

  // The node that is open now belongs to `player` and has these children: (action, label, probability or -1).
  void expand(int player, std::vector<RecordedNode> children) {
    const int at = open_.back();
    if (at < 0 || !nodes_[at].children.empty()) return;
    nodes_[at].player = player;
    if (nodes_.size() + children.size() > max_nodes_) {
      truncated_ = true;
      nodes_[at].note = "more below";
      return;
    }
    for (RecordedNode& child : children) {
      child.interval = bounds_;
      nodes_[at].children.push_back(static_cast<int>(nodes_.size()));
      nodes_.push_back(std::move(child));
    }
  }

  void enter(Action action) {
    int found = -1;
    if (const int at = open_.back(); at >= 0) {
      std::vector<int>& children = nodes_[at].children;
      for (std::size_t i = 0; i < children.size(); ++i) {
        if (nodes_[children[i]].action != action) continue;
        found = children[i];
        if (nodes_[found].searched) break;
        nodes_[found].searched = true;
        const auto first = children.begin() + nodes_[at].searched_children++;
        std::rotate(first, children.begin() + i, children.begin() + i + 1);
        break;
      }
    }
    open_.push_back(found);
  }

  void leaf(int player, double value, const char* note) {
    const int at = open_.back();
    if (at < 0) return;
    RecordedNode& node = nodes_[at];
    node.player = player;
    node.value = value;
    node.interval = {value, value};
    node.closed = true;
    node.note = note;
    for (std::size_t i = open_.size() - 1; i-- > 0;) refresh(nodes_[open_[i]]);
    RecordedStep step{open_, {}};
    for (const int id : open_) step.intervals.push_back(nodes_[id].interval);
    steps_.push_back(std::move(step));
  }

  void note(int player, const std::string& text) {
    if (const int at = open_.back(); at >= 0) {
      nodes_[at].player = player;
      nodes_[at].note = text;
    }
  }

  // Leaves the open node, whose search in the window (alpha, beta) gave `value`.
  void leave(double value, double alpha, double beta) {
    const int at = open_.back();
    open_.pop_back();
    if (at < 0) return;
    RecordedNode& node = nodes_[at];
    node.value = value;
    node.closed = true;
    Interval known{value <= alpha ? bounds_.first : value, value >= beta ? bounds_.second : value};
    refresh(node);
    known = {std::max(known.first, node.interval.first), std::min(known.second, node.interval.second)};
    if (known.first <= known.second) node.interval = known;
  }

  const std::vector<RecordedNode>& nodes() const { return nodes_; }
  const std::vector<RecordedStep>& steps() const { return steps_; }
  bool truncated() const { return truncated_; }

 private:
  // The parent's interval by those of its children.
  void refresh(RecordedNode& node) const {
    if (node.children.empty()) return;
    Interval sum{0.0, 0.0};
    Interval most{-kInfinity, -kInfinity};
    Interval least{kInfinity, kInfinity};
    for (const int id : node.children) {
      const auto& [low, high] = nodes_[id].interval;
      if (const double p = nodes_[id].prior; p > 0.0) sum = {sum.first + p * low, sum.second + p * high};
      most = {std::max(most.first, low), std::max(most.second, high)};
      least = {std::min(least.first, low), std::min(least.second, high)};
    }
    node.interval = node.player == kChancePlayer ? sum : node.player == maximiser_ ? most : least;
  }

  std::size_t max_nodes_;
  Interval bounds_;
  int maximiser_;
  int paused_ = 0;
  bool truncated_ = false;
  std::vector<RecordedNode> nodes_;
  std::vector<RecordedStep> steps_;
  std::vector<int> open_;  // ids from the root to the open node; -1 where it is not recorded
};

}  // namespace dicezero
