// How a play-out picks its moves: at random, by a one-ply look with an evaluation, or by the user's function.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "rules/game.h"
#include "search/select.h"

namespace dicezero {

// sensible: random but for moves that the game itself knows to be senseless.
enum class PlayoutRule : std::uint8_t { random, sensible, greedy, softmax, custom };

template <Game G>
struct PlayoutPolicy {
  using State = typename G::State;

  PlayoutRule rule = PlayoutRule::random;
  double epsilon = 0.1;      // greedy: how often a move is drawn at random instead
  double temperature = 0.1;  // softmax: of the evaluation, in the game's utility
  std::function<double(const State&, int)>
      evaluate;                                // (state, player): what the state is worth to the player
  std::function<Action(const State&)> choose;  // custom: a legal action
};

template <Game G>
class Playout {
 public:
  using State = typename G::State;

  Playout(const G& game, PlayoutPolicy<G> policy) : game_(game), policy_(std::move(policy)) {}

  const G& game() const { return game_; }
  bool is_random() const {
    return policy_.rule == PlayoutRule::random || policy_.rule == PlayoutRule::sensible;
  }

  // A random game from there to the end, all of it in registers where the state is small. Returns the first
  // player's return.
  double run_random(State state, Rng& rng) {
    Rng local = rng;
    const double first = finish(state, local);
    rng = local;
    return first;
  }

  // The same by the policy; `state` is left where it ends, or where something throws.
  double run(State& state, Rng& rng) {
    for (int player; (player = game_.player(state)) != kTerminalPlayer;) {
      game_.apply(state, player == kChancePlayer ? random_outcome(game_, state, rng, outcomes_)
                                                 : choose(state, player, rng));
    }
    return game_.first_player_return(state);
  }

  // The same from a decision on, and what is paid from there on to player 0, discounted.
  double run_discounted(State& state, double discount, Rng& rng) {
    double sum = 0.0, weight = 1.0;
    bool first = true;
    for (int player; (player = game_.player(state)) != kTerminalPlayer;) {
      if (player != kChancePlayer && !std::exchange(first, false)) weight *= discount;
      game_.apply(state, player == kChancePlayer ? random_outcome(game_, state, rng, outcomes_)
                                                 : choose(state, player, rng));
      sum += weight * last_reward(game_, state);
    }
    return sum;
  }

 private:
  double finish(const State& state, Rng& rng) {
    if constexpr (requires { game_.sensible_return(state, rng); }) {
      if (policy_.rule == PlayoutRule::sensible) return game_.sensible_return(state, rng);
    }
    return play_out(game_, state, rng, actions_, outcomes_);
  }

  Action choose(const State& state, int player, Rng& rng) {
    if (policy_.rule == PlayoutRule::custom) return policy_.choose(state);
    if (is_random() || (policy_.rule == PlayoutRule::greedy && rng.uniform() < policy_.epsilon)) {
      return random_action(game_, state, rng, actions_);
    }
    game_.legal_actions(state, actions_);
    if (actions_.size() == 1) return actions_[0];
    worth_.resize(actions_.size());
    for (std::size_t i = 0; i < actions_.size(); ++i) worth_[i] = worth(state, actions_[i], player);
    const auto best = std::max_element(worth_.begin(), worth_.end());
    if (policy_.rule == PlayoutRule::greedy) return actions_[best - worth_.begin()];
    const double top = *best;
    double sum = 0.0;
    for (double& w : worth_) sum += w = std::exp((w - top) / policy_.temperature);
    return actions_[roulette(worth_.size(), [&](std::size_t i) { return worth_[i] / sum; }, rng)];
  }

  double worth(const State& state, Action action, int player) {
    State next = state;
    game_.apply(next, action);
    const double first = return_so_far(game_, next);
    const double paid = player == 0 ? first : -first;
    const int mover = game_.player(next);
    if (mover == kTerminalPlayer) return paid;
    return paid + (mover == kChancePlayer ? 1.0 : discount_of(game_)) * policy_.evaluate(next, player);
  }

  G game_;
  PlayoutPolicy<G> policy_;
  std::vector<Action> actions_;
  std::vector<Outcome> outcomes_;
  std::vector<double> worth_;
};

}  // namespace dicezero
