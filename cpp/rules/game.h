// What a game is. A game is an immutable object that holds its parameters; a state is a small value
// that only the game can read. Every algorithm of the core is a template over this concept, so a new
// game is one header (docs/howto/add-a-game.md walks through the smallest of them).
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "rules/parameters.h"
#include "rules/random.h"

namespace dicezero {

// Actions and chance outcomes have ids from 0, each in a range of its own, as in OpenSpiel.
using Action = std::int32_t;

inline constexpr Action kNoAction = -1;
inline constexpr int kChancePlayer = -1;
inline constexpr int kTerminalPlayer = -4;

struct Outcome {
  Action action;
  double probability;
};

// How an observation is laid out: a vector, or planes of a board {channels, height, width}.
enum class Layout { flat, planes };

// A way to turn or mirror the board under which the rules are the same. Element i of what is
// turned is element cells[i] (actions[i]) of what was.
struct Symmetry {
  std::vector<int> cells;    // [height * width]
  std::vector<int> actions;  // [num_actions]
};

template <class G>
concept Game = std::copyable<typename G::State> &&
               requires(const G& game, const typename G::State& state, typename G::State& changed,
                        Action action, int player, std::vector<Action>& actions,
                        std::vector<Outcome>& outcomes, std::span<float> tensor) {
                 { game.name() } -> std::same_as<std::string>;
                 {
                   game.parameters()
                 } -> std::same_as<std::vector<Parameter>>;  // all of them, with their values

                 // Shape of the game.
                 { game.num_actions() } -> std::same_as<int>;          // choice actions are 0..num_actions-1
                 { game.num_chance_outcomes() } -> std::same_as<int>;  // 0 for a game without chance
                 { game.num_players() } -> std::same_as<int>;          // 1 or 2
                 { game.max_game_length() } -> std::same_as<int>;  // upper bound, or 0 where there is none
                 { game.min_utility() } -> std::same_as<double>;  // least return of a player; -inf: unbounded
                 { game.max_utility() } -> std::same_as<double>;  // greatest; +inf: unbounded
                 { game.observation_shape() } -> std::same_as<std::vector<int>>;

                 // Rules. `apply` trusts its caller: the bindings check the action first.
                 { game.initial_state() } -> std::same_as<typename G::State>;
                 { game.player(state) } -> std::same_as<int>;  // 0, 1, kChancePlayer or kTerminalPlayer
                 {
                   game.legal_actions(state, actions)
                 } -> std::same_as<void>;                                   // choice nodes; sorted, replaces
                 { game.outcomes(state, outcomes) } -> std::same_as<void>;  // chance nodes; sorted, replaces
                 { game.apply(changed, action) } -> std::same_as<void>;
                 // What player 0 got: at the end of the game, or so far where the game pays on the way. Two
                 // players share a sum of zero.
                 { game.first_player_return(state) } -> std::same_as<double>;

                 // How it looks. `observe` writes the tensor from that player's view; it arrives filled with
                 // zeros.
                 { game.observe(state, player, tensor) } -> std::same_as<void>;
                 { game.action_string(state, action) } -> std::same_as<std::string>;
                 { game.to_string(state) } -> std::same_as<std::string>;

                 // Two states have one key if and only if the game goes on alike from both; what was paid so
                 // far does not count.
                 { game.key(state) } -> std::equality_comparable;
               };

// What the bindings need besides: how to make the game from named values.
template <class G>
concept NativeGame = Game<G> && requires(const Parameters& parameters) {
  { G::parameter_info() } -> std::same_as<std::vector<ParameterInfo>>;
  { G::make(parameters) } -> std::same_as<G>;  // throws std::invalid_argument: parameter, value and range
  { G::kAlternates } -> std::convertible_to<bool>;  // do players strictly take turns, chance aside?
};

// ---- traits a game may leave out; docs/howto/add-a-game.md lists them ----

// May the game pay before its end? Known when it is compiled, or (a game in Python) when it is called.
template <class G>
inline constexpr bool kMayPay = [] {
  if constexpr (requires(const G& game) { game.pays_on_the_way(); }) return true;
  if constexpr (requires { G::kRewards; }) return static_cast<bool>(G::kRewards);
  return false;
}();

template <Game G>
bool pays_on_the_way(const G& game) {
  if constexpr (requires { game.pays_on_the_way(); }) {
    return game.pays_on_the_way();
  } else {
    return kMayPay<G>;
  }
}

// What the last action or outcome paid player 0, as OpenSpiel counts: where the game pays only at the end,
// the return comes with the action that ends it.
template <Game G>
double last_reward(const G& game, const typename G::State& state) {
  if constexpr (kMayPay<G>) {
    if (pays_on_the_way(game)) return game.reward(state);
  }
  return game.player(state) == kTerminalPlayer ? game.first_player_return(state) : 0.0;
}

// What player 0 has got so far: nothing before the end, unless the game pays on the way.
template <Game G>
double return_so_far(const G& game, const typename G::State& state) {
  const bool counts = pays_on_the_way(game) || game.player(state) == kTerminalPlayer;
  return counts ? game.first_player_return(state) : 0.0;
}

// Is the mover's last action only part of its turn? Then nothing is judged before the turn is complete.
template <Game G>
bool mid_turn(const G& game, const typename G::State& state) {
  if constexpr (requires { game.mid_turn(state); }) {
    return game.mid_turn(state);
  } else {
    return false;
  }
}

// All returns that a finished game can have, ascending and symmetric about 0; empty where the game has
// none, or pays on the way.
template <Game G>
std::vector<double> results_of(const G& game) {
  if constexpr (requires { game.results(); }) {
    return game.results();
  } else {
    return {};
  }
}

// Phases that are judged by networks of their own; with several the last numbers of an observation are
// which, one-hot.
template <Game G>
int phases_of(const G& game) {
  if constexpr (requires { game.phases(); }) {
    return game.phases();
  } else {
    return 1;
  }
}

// May the game count what comes after a decision less than what the decision pays?
template <class G>
inline constexpr bool kMayDiscount = requires(const G& game) { game.discount(); };

// One decision is one step: all that is paid before the next decision, by the move, by chance and by the end,
// counts in full, and the value of the next decision counts `discount` times.
template <Game G>
double discount_of(const G& game) {
  if constexpr (kMayDiscount<G>) {
    return game.discount();
  } else {
    return 1.0;
  }
}

template <Game G>
Layout layout_of(const G& game) {
  if constexpr (requires { game.layout(); }) {
    return game.layout();
  } else {
    return Layout::flat;
  }
}

template <Game G>
std::vector<Symmetry> symmetries_of(const G& game) {
  if constexpr (requires { game.symmetries(); }) {
    return game.symmetries();
  } else {
    return {};
  }
}

// More states than this the game certainly does not have; infinity where nothing is known beforehand.
template <Game G>
double state_bound(const G& game) {
  if constexpr (requires { game.state_bound(); }) {
    return game.state_bound();
  } else {
    return std::numeric_limits<double>::infinity();
  }
}

template <Game G>
std::size_t observation_size(const G& game) {
  std::size_t size = 1;
  for (const int n : game.observation_shape()) size *= static_cast<std::size_t>(n);
  return size;
}

// ---- keys: a number, a text, or an array of numbers ----

template <class Key>
std::uint64_t key_hash(const Key& key) {
  if constexpr (std::integral<Key>) {
    return static_cast<std::uint64_t>(key);
  } else {
    std::uint64_t hash = 0x243f6a8885a308d3ULL;
    for (const auto& part : key) hash = mix64(hash ^ static_cast<std::uint64_t>(part));
    return hash;
  }
}

struct KeyHash {
  template <class Key>
  std::size_t operator()(const Key& key) const {
    return static_cast<std::size_t>(mix64(key_hash(key)));
  }
};

// The name as it is written: nannon(points=6,checkers=3,sides=6).
template <Game G>
std::string full_name(const G& game) {
  std::string text;
  for (const Parameter& p : game.parameters()) {
    if (!text.empty()) text += ',';
    text += p.name + "=" + written_value(p.value);
  }
  return text.empty() ? game.name() : game.name() + "(" + text + ")";
}

// One uniformly random legal action of a choice node. Games with bitboards offer a faster one.
template <Game G>
Action random_action(const G& game, const typename G::State& state, Rng& rng, std::vector<Action>& buffer) {
  if constexpr (requires {
                  { game.random_action(state, rng) } -> std::same_as<Action>;
                }) {
    return game.random_action(state, rng);
  } else {
    game.legal_actions(state, buffer);
    return buffer[rng.below(static_cast<std::uint32_t>(buffer.size()))];
  }
}

// Roulette: one outcome drawn by its probability.
inline Action sample_outcome(std::span<const Outcome> outcomes, Rng& rng) {
  double u = rng.uniform();
  for (const Outcome& outcome : outcomes) {
    if (u < outcome.probability) return outcome.action;
    u -= outcome.probability;
  }
  return outcomes.back().action;  // rounding left a sliver above the last cumulative sum
}

// One outcome of a chance node. Games with a plain die offer a faster one.
template <Game G>
Action random_outcome(const G& game, const typename G::State& state, Rng& rng, std::vector<Outcome>& buffer) {
  if constexpr (requires {
                  { game.random_outcome(state, rng) } -> std::same_as<Action>;
                }) {
    return game.random_outcome(state, rng);
  } else {
    game.outcomes(state, buffer);
    return sample_outcome(buffer, rng);
  }
}

// Plays to the end at random. Returns the first player's return. Games may offer a faster one.
template <Game G>
double play_out(const G& game, typename G::State state, Rng& rng, std::vector<Action>& actions,
                std::vector<Outcome>& outcomes) {
  if constexpr (requires {
                  { game.random_return(state, rng) } -> std::same_as<double>;
                }) {
    return game.random_return(state, rng);
  } else {
    for (int player; (player = game.player(state)) != kTerminalPlayer;) {
      game.apply(state, player == kChancePlayer ? random_outcome(game, state, rng, outcomes)
                                                : random_action(game, state, rng, actions));
    }
    return game.first_player_return(state);
  }
}

}  // namespace dicezero
