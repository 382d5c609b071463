// Expectimax over judged afterstates: every move of the mover, every outcome of chance, the best reply of
// the next mover, and so on; a judge values the last afterstates. One player or two.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rules/afterstates.h"
#include "rules/each_afterstate.h"
#include "rules/game.h"

namespace dicezero {

// What is still to come after each of `afters`, for the player who moved there, divided by the scale and seen
// from that move: what chance pays at once, and the next decision discounted by one step. Asked of many at
// once; none of them is the end of the game.
template <class J, class G>
concept JudgeOf = requires(J& judge, const G& game, std::span<const typename G::State> afters,
                           std::span<const int> movers, std::span<float> values) {
  { judge.values(game, afters, movers, values) } -> std::same_as<void>;
};

struct JudgedOptions {
  int plies = 1;       // moves ahead; between two of them chance acts and is averaged over
  int candidates = 0;  // moves of a decision that are looked at deeper, the best at one ply; 0: all
  double rare = 0.0;   // outcomes less likely than this share of the likeliest are answered at one ply
  double scale = 1.0;  // what a judge's 1 stands for
};

// Every move of a position by its id, and what it is worth to the mover; NaN for those that were no
// candidates.
struct JudgedMoves {
  std::vector<Action> actions;
  std::vector<double> values;
  std::uint64_t nodes = 0;   // positions looked at
  std::uint64_t leaves = 0;  // afterstates judged
};

template <Game G, JudgeOf<G> J>
class JudgedSearch {
 public:
  using State = typename G::State;

  JudgedSearch(const G& game, J& judge, const JudgedOptions& options)
      : game_(game), judge_(judge), options_(options) {}

  JudgedMoves moves(const State& root) {
    nodes_ = leaves_ = 0;
    known_.clear();
    Decisions found;
    add(found, root, 1.0, options_.plies);
    worths(found);
    JudgedMoves result{{}, {}, nodes_, leaves_};
    for (const Move& move : found.moves) {
      result.actions.push_back(move.action);
      result.values.push_back(move.value);
    }
    return result;
  }

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  static constexpr std::size_t kMostKnown = std::size_t{1} << 20;  // then the cache begins anew

  struct Move {
    Action action;
    State after;
    double reward;  // to the mover, scaled
    double value;   // reward and what follows, to the mover
  };
  // Choice nodes that are decided together, so that their afterstates are judged in one batch.
  struct Decision {
    std::size_t first, count;  // of moves
    int mover;
    int plies;
    double weight;  // probability and discount
  };
  struct Decisions {
    std::vector<Decision> nodes;
    std::vector<Move> moves;
    double constant = 0.0;  // what is worth something without a decision, weighted, to player 0
  };
  using Key = std::decay_t<decltype(std::declval<const G&>().key(std::declval<const State&>()))>;
  using Known = std::pair<Key, int>;  // an afterstate and how deep it was looked at
  struct KnownHash {
    std::size_t operator()(const Known& known) const {
      return static_cast<std::size_t>(
          mix64(key_hash(known.first) + static_cast<std::uint64_t>(known.second)));
    }
  };

  double sign(int player) const { return player == 0 ? 1.0 : -1.0; }

  void add(Decisions& found, const State& state, double weight, int plies) {
    const int mover = game_.player(state);
    const std::size_t first = found.moves.size();
    ++nodes_;
    const auto push = [&](Action action, const State& after, double reward) {
      found.moves.push_back({action, after, sign(mover) * reward / options_.scale, kUnknown});
    };
    if constexpr (requires { game_.mid_turn(state); }) {
      for_each_turn(game_, state, push);
    } else {
      for_each_afterstate(game_, state, actions_, [&](Action action, const State& after) {
        push(action, after, last_reward(game_, after));
      });
    }
    found.nodes.push_back({first, found.moves.size() - first, mover, plies, weight});
  }

  // The value of every move. Step 1. All are judged where they stand, in one batch, for decisions of one ply
  // and to choose candidates. Step 2. Candidates are followed through chance to the next decisions.
  void worths(Decisions& found) {
    std::vector<std::size_t> asked;
    std::vector<State> afters;
    std::vector<int> movers;
    for (const Decision& node : found.nodes) {
      const bool all_deeper = node.plies > 1 && !filters(node);
      for (std::size_t i = node.first; i < node.first + node.count; ++i) {
        Move& move = found.moves[i];
        if (game_.player(move.after) == kTerminalPlayer) {
          move.value = move.reward;
        } else if (!all_deeper) {
          asked.push_back(i);
          afters.push_back(move.after);
          movers.push_back(node.mover);
        }
      }
    }
    if (!asked.empty()) {
      std::vector<float> values(asked.size());
      judge_.values(game_, std::span<const State>(afters), std::span<const int>(movers),
                    std::span<float>(values));
      leaves_ += asked.size();
      for (std::size_t i = 0; i < asked.size(); ++i) {
        Move& move = found.moves[asked[i]];
        move.value = move.reward + static_cast<double>(values[i]);
      }
    }
    for (const Decision& node : found.nodes) {
      if (node.plies > 1) deepen(found, node);
    }
  }

  bool filters(const Decision& node) const {
    return options_.candidates > 0 && node.count > static_cast<std::size_t>(options_.candidates);
  }

  void deepen(Decisions& found, const Decision& node) {
    std::vector<std::size_t> chosen(node.count);
    std::iota(chosen.begin(), chosen.end(), node.first);
    if (filters(node)) {
      std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
        return found.moves[a].value > found.moves[b].value;
      });
      for (auto left_out = chosen.begin() + options_.candidates; left_out != chosen.end(); ++left_out)
        found.moves[*left_out].value = kUnknown;
      chosen.resize(static_cast<std::size_t>(options_.candidates));
    }
    for (const std::size_t i : chosen) {
      Move& move = found.moves[i];
      if (game_.player(move.after) == kTerminalPlayer) continue;
      move.value = move.reward + sign(node.mover) * following(move.after, node.plies - 1);
    }
  }

  // What follows an afterstate, to player 0, with so many plies to go.
  double following(const State& after, int plies) {
    const Known key{game_.key(after), plies};
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    Decisions next;
    average(next, after, 1.0, plies);
    worths(next);
    double value = next.constant;
    for (const Decision& node : next.nodes) {
      double best = -std::numeric_limits<double>::infinity();
      for (std::size_t i = node.first; i < node.first + node.count; ++i)
        best = std::max(best, next.moves[i].value);  // NaN never wins
      value += node.weight * sign(node.mover) * best;
    }
    if (known_.size() >= kMostKnown) known_.clear();
    known_.emplace(key, value);
    return value;
  }

  // The decisions behind all outcomes; without chance, the next decision itself.
  void average(Decisions& found, const State& state, double weight, int plies) {
    const int player = game_.player(state);
    if (player == kTerminalPlayer) return;
    if (player != kChancePlayer) return add(found, state, weight * discount_of(game_), plies);
    ++nodes_;
    std::vector<Outcome> outcomes;
    game_.outcomes(state, outcomes);
    double likeliest = 0.0;
    for (const Outcome& outcome : outcomes) likeliest = std::max(likeliest, outcome.probability);
    for (const Outcome& outcome : outcomes) {
      State next = state;
      game_.apply(next, outcome.action);
      const double share = weight * outcome.probability;
      found.constant += share * last_reward(game_, next) / options_.scale;
      average(found, next, share, outcome.probability < options_.rare * likeliest ? 1 : plies);
    }
  }

  const G& game_;
  J& judge_;
  JudgedOptions options_;
  std::uint64_t nodes_ = 0, leaves_ = 0;
  std::unordered_map<Known, double, KnownHash> known_;
  std::vector<Action> actions_;
};

}  // namespace dicezero
