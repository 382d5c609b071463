// Exact values of a game for one player whose positions come in layers: a move stays in its layer, chance
// leads to a later one. So one sweep from the last layer to the first solves it, and no more than a few
// layers of values are ever held. Positions that are one but for a symmetry of the board are one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rules/cells.h"
#include "rules/each_afterstate.h"
#include "solve/monitor.h"

namespace dicezero {

// `layer` is a number that no move changes and every outcome of chance raises, by `max_layer_step` at most;
// `state_of` makes the choice node of a board's word. Chance pays nothing, and nothing is discounted.
template <class G>
concept LayeredGame =
    CellGame<G> && requires(const G& game, const typename G::State& state, std::uint64_t word) {
      { game.layer(state) } -> std::same_as<int>;
      { game.max_layer_step() } -> std::same_as<int>;
      { game.state_of(word) } -> std::same_as<typename G::State>;
    };

struct LayersSolved {
  std::uint64_t states = 0;  // choice nodes, symmetric ones counted once; the ends of the game too
  std::uint64_t layers = 0;
  double value = 0.0;   // from the start, best play
  double policy = 0.0;  // from the start, play by `choose`; NaN without one
};

template <LayeredGame G>
class LayerSolver {
 public:
  using State = typename G::State;
  // Which of the afterstates of a choice node a policy takes.
  using Choose = std::function<std::size_t(std::span<const State> afters)>;

  LayerSolver(const G& game, std::uint64_t max_states, const Monitor& monitor)
      : game_(game), max_states_(max_states), monitor_(monitor) {}

  LayersSolved solve(const Choose& choose = {}) {
    reach();
    values_.assign(words_.size(), {});
    for (std::size_t layer = words_.size(); layer-- > 0;) {
      sweep(layer, choose);
      const std::size_t later = layer + static_cast<std::size_t>(game_.max_layer_step());
      if (later < words_.size()) values_[later] = {};  // nobody looks there any more
      tell("values", words_.size() - layer);
    }
    LayersSolved found{states_, 0, 0.0, 0.0};
    for (const auto& words : words_) found.layers += !words.empty();
    const Pair start = expected(game_.initial_state());
    found.value = start.best;
    found.policy = choose ? start.policy : std::numeric_limits<double>::quiet_NaN();
    return found;
  }

 private:
  struct Pair {
    double best = 0.0;
    double policy = 0.0;
  };

  std::uint64_t canonical(const State& state) const {
    std::uint64_t words[8];
    const std::span<std::uint64_t> views(words, static_cast<std::size_t>(game_.num_views()));
    game_.cell_words(state, views);
    return *std::min_element(views.begin(), views.end());
  }

  // Calls f(next, probability) for every choice node or end behind chance.
  template <class F>
  void follow(const State& state, double probability, F&& f) const {
    if (game_.player(state) != kChancePlayer) return f(state, probability);
    std::vector<Outcome> outcomes;
    game_.outcomes(state, outcomes);
    for (const Outcome& outcome : outcomes) {
      State next = state;
      game_.apply(next, outcome.action);
      follow(next, probability * outcome.probability, f);
    }
  }

  void add(const State& state) {
    const std::size_t layer = static_cast<std::size_t>(game_.layer(state));
    if (layer >= words_.size()) words_.resize(layer + 1);
    grown_.add(2 * sizeof(std::uint64_t), "take a smaller board or a max_tile", [&] {
      return "more than the " + std::to_string(states_) + " positions found so far of " + game_.name();
    });
    words_[layer].push_back(canonical(state));
  }

  // Every layer's positions, sorted, each once.
  void reach() {
    follow(game_.initial_state(), 1.0, [&](const State& state, double) { add(state); });
    for (std::size_t layer = 0; layer < words_.size(); ++layer) {
      std::vector<std::uint64_t> own = std::move(words_[layer]);
      settle(own);
      states_ += own.size();
      if (states_ > max_states_) {
        throw std::invalid_argument(game_.name() + " has more than " + std::to_string(max_states_) +
                                    " positions; give a larger max_states, a smaller board or a max_tile");
      }
      for (const std::uint64_t word : own) {
        const State state = game_.state_of(word);
        if (game_.player(state) < 0) continue;
        for_each_afterstate(game_, state, actions_, [&](Action, const State& after) {
          if (game_.player(after) == kTerminalPlayer) return;
          follow(after, 1.0, [&](const State& next, double) { add(next); });
        });
        for (std::size_t later = layer + 1; later < words_.size(); ++later) {
          if (words_[later].size() > kMostUnsorted && words_[later].size() > 2 * sorted_[later % kRing]) {
            settle(words_[later]);
            sorted_[later % kRing] = words_[later].size();
          }
        }
      }
      sorted_[layer % kRing] = 0;
      words_[layer] = std::move(own);
      words_[layer].shrink_to_fit();
      tell("positions", layer);
    }
  }

  static void settle(std::vector<std::uint64_t>& words) {
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
  }

  Pair expected(const State& state) const {
    Pair sum;
    follow(state, 1.0, [&](const State& next, double probability) {
      if (game_.player(next) == kTerminalPlayer) return;
      const std::size_t layer = static_cast<std::size_t>(game_.layer(next));
      const std::vector<std::uint64_t>& words = words_[layer];
      const auto at = std::lower_bound(words.begin(), words.end(), canonical(next));
      const Pair& value = values_[layer][static_cast<std::size_t>(at - words.begin())];
      sum.best += probability * value.best;
      sum.policy += probability * value.policy;
    });
    return sum;
  }

  void sweep(std::size_t layer, const Choose& choose) {
    std::vector<Pair>& values = values_[layer];
    values.assign(words_[layer].size(), {});
    std::vector<State> afters;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const State state = game_.state_of(words_[layer][i]);
      if (game_.player(state) < 0) continue;
      afters.clear();
      for_each_afterstate(game_, state, actions_,
                          [&](Action, const State& after) { afters.push_back(after); });
      const std::size_t chosen = choose ? choose(afters) : afters.size();
      Pair& value = values[i];
      value.best = -std::numeric_limits<double>::infinity();
      for (std::size_t move = 0; move < afters.size(); ++move) {
        const bool over = game_.player(afters[move]) == kTerminalPlayer;
        const Pair following = over ? Pair{} : expected(afters[move]);
        const double reward = last_reward(game_, afters[move]);
        value.best = std::max(value.best, reward + following.best);
        if (move == chosen) value.policy = reward + following.policy;
      }
    }
  }

  void tell(const char* phase, std::uint64_t done) {
    Progress progress{};
    progress.phase = phase;
    progress.done = done;
    progress.total = phase[0] == 'v' ? words_.size() : 0;
    monitor_(progress);
  }

  static constexpr std::size_t kMostUnsorted = std::size_t{1} << 22, kRing = 8;

  const G& game_;
  std::uint64_t max_states_, states_ = 0;
  memory::Growth grown_;
  const Monitor& monitor_;
  std::vector<std::vector<std::uint64_t>> words_;  // [layers], canonical words
  std::vector<std::vector<Pair>> values_;          // [layers], of a few layers at a time
  std::size_t sorted_[kRing] = {};                 // how many of a later layer's words were left by sorting
  std::vector<Action> actions_;
};

}  // namespace dicezero
