// Which move to try first. Good moves first is what makes alpha-beta prune: the table's move, then what the
// game itself holds promising, then killers (moves that refuted a sibling), then moves that refuted often.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "search/knowledge.h"

namespace dicezero {

class MoveOrder {
 public:
  explicit MoveOrder(int num_actions) : num_actions_(num_actions) {}

  // A move pruned the rest of its siblings.
  void refuted(int ply, int player, Action action, int depth) {
    auto& pair = killers(ply);
    if (pair[0] != action) pair = {action, pair[0]};
    if (auto* count = history(player, action)) *count += static_cast<std::int64_t>(std::min(depth, 64)) + 1;
  }

  template <Game G>
  void sort(const Knowledge<G>& knowledge, const typename G::State& state, int ply, int player,
            Action table_move, std::vector<Action>& actions) {
    if (actions.size() < 2) return;
    const auto pair = killers(ply);
    scored_.clear();
    for (const Action action : actions) {
      std::int64_t score = 0;
      if constexpr (requires { knowledge.promise(state, action); })
        score += (static_cast<std::int64_t>(knowledge.promise(state, action)) << 40);
      if (action == pair[0]) score += std::int64_t{2} << 38;
      if (action == pair[1]) score += std::int64_t{1} << 38;
      if (const auto* count = history(player, action))
        score += std::min<std::int64_t>(*count, (1LL << 38) - 1);
      if (action == table_move) score = std::numeric_limits<std::int64_t>::max();
      scored_.push_back({score, action});
    }
    // By insertion: moves are few, and std::stable_sort would allocate a buffer at every node.
    for (auto at = scored_.begin(); at != scored_.end(); ++at) {
      const auto place = std::upper_bound(scored_.begin(), at, at->first,
                                          [](auto score, const auto& m) { return score > m.first; });
      std::rotate(place, at, at + 1);
    }
    for (std::size_t i = 0; i < actions.size(); ++i) actions[i] = scored_[i].second;
  }

 private:
  std::array<Action, 2>& killers(int ply) {
    while (killers_.size() <= static_cast<std::size_t>(ply)) killers_.push_back({kNoAction, kNoAction});
    return killers_[ply];
  }

  std::int64_t* history(int player, Action action) {
    const std::size_t i = 2 * static_cast<std::size_t>(action) + (player & 1);
    if (action < 0 || action >= num_actions_ || i >= kMostHistory) return nullptr;
    if (history_.size() <= i) history_.resize(i + 1, 0);
    return &history_[i];
  }

  static constexpr std::size_t kMostHistory = 1 << 20;  // games with more actions than this do without

  int num_actions_;
  std::vector<std::array<Action, 2>> killers_;
  std::vector<std::int64_t> history_;  // by action and player: how often, how far from the horizon
  std::vector<std::pair<std::int64_t, Action>> scored_;
};

}  // namespace dicezero
