// What a Python state does: checks, then the native rules, with the actions so far kept beside the position.
#pragma once

#include <nanobind/ndarray.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/rules.h"
#include "rules/auxiliary.h"

namespace dicezero {

template <Game G>
std::string serialize(const PyState<G>& self);
template <Game G>
PyState<G> deserialize(PyState<G> state, const std::string& text);

inline std::string join(const std::vector<Action>& actions) {
  std::string text = "[";
  for (const Action a : actions) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(a);
  }
  return text + "]";
}

template <Game G>
std::vector<Action> legal_actions(const PyState<G>& self) {
  std::vector<Action> actions;
  const int player = self.game->player(self.state);
  if (player == kChancePlayer) {
    std::vector<Outcome> outcomes;
    self.game->outcomes(self.state, outcomes);
    for (const Outcome& o : outcomes) actions.push_back(o.action);
  } else if (player != kTerminalPlayer) {
    self.game->legal_actions(self.state, actions);
  }
  return actions;
}

template <Game G>
void check_action(const PyState<G>& self, Action action) {
  if (self.game->player(self.state) == kTerminalPlayer) {
    throw std::invalid_argument(
        "action " + std::to_string(action) +
        " comes after the end of the game; start again with game.new_initial_state()");
  }
  const std::vector<Action> legal = legal_actions(self);
  if (std::find(legal.begin(), legal.end(), action) == legal.end()) {
    throw std::invalid_argument("action " + std::to_string(action) + " is illegal; legal: " + join(legal));
  }
}

template <Game G>
void apply_action(PyState<G>& self, Action action) {
  check_action(self, action);
  self.game->apply(self.state, action);
  self.history.push_back(action);
}

// Whose view is meant when none is named: the player to act, or at a chance node the one who acts next.
template <Game G>
int default_viewer(const PyState<G>& self) {
  const int player = self.game->player(self.state);
  if (player >= 0) return player;
  if constexpr (requires { self.game->turn(self.state); }) return self.game->turn(self.state);
  return 0;
}

template <Game G>
int checked_viewer(const PyState<G>& self, std::optional<int> player) {
  if (!player) return default_viewer(self);
  if (*player < 0 || *player >= self.game->num_players()) {
    throw std::invalid_argument("player " + std::to_string(*player) + " is out of range; give 0.." +
                                std::to_string(self.game->num_players() - 1));
  }
  return *player;
}

using FlatTensor = nb::ndarray<nb::numpy, float, nb::ndim<1>>;

// A new array of so many numbers, zeros until `write` is given them.
template <class F>
FlatTensor new_tensor(std::size_t size, F&& write) {
  auto* data = new float[size]();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  write(std::span<float>(data, size));
  return FlatTensor(data, {size}, owner);
}

template <Game G>
FlatTensor observation_tensor(const PyState<G>& self, std::optional<int> player) {
  return new_tensor(observation_size(*self.game), [&](std::span<float> tensor) {
    self.game->observe(self.state, checked_viewer(self, player), tensor);
  });
}

template <Game G>
FlatTensor auxiliary_tensor(const PyState<G>& self) {
  return new_tensor(auxiliary_size(*self.game),
                    [&](std::span<float> targets) { auxiliary_targets(*self.game, self.state, targets); });
}

template <Game G>
std::string action_to_string(const PyState<G>& self, Action action) {
  check_action(self, action);
  return self.game->action_string(self.state, action);
}

template <Game G>
Action string_to_action(const PyState<G>& self, const std::string& text) {
  std::string known;
  for (const Action a : legal_actions(self)) {
    const std::string name = self.game->action_string(self.state, a);
    if (name == text) return a;
    if (!known.empty()) known += ", ";
    known += name;
  }
  // Other names that players have for their moves, such as UCI's in chess.
  if constexpr (requires { self.game->parse_action(self.state, text); }) {
    if (self.game->player(self.state) >= 0) {
      if (const auto action = self.game->parse_action(self.state, text)) return *action;
    }
  }
  throw std::invalid_argument("action '" + text +
                              "' is unknown here; legal: " + (known.empty() ? "none" : known));
}

// One number a player.
template <Game G>
std::vector<double> for_each_player(const PyState<G>& self, double first) {
  if (self.game->num_players() == 1) return {first};
  return {first, first == 0.0 ? 0.0 : -first};
}

template <Game G>
std::vector<double> returns(const PyState<G>& self) {
  return for_each_player(self, return_so_far(*self.game, self.state));
}

template <Game G>
std::vector<double> rewards(const PyState<G>& self) {
  return for_each_player(self, last_reward(*self.game, self.state));
}

template <Game G>
PyState<G> initial_state(nb::handle game) {
  const G& g = nb::cast<const G&>(game);
  return {nb::borrow<nb::object>(game), &g, g.initial_state(), {}, nullptr};
}

template <Game G>
inline constexpr bool kHasPositions =
    requires(const G& game, const std::string& text) { game.from_position(text); };

// The position in the game's own notation.
template <Game G>
std::string position(const PyState<G>& self) {
  if constexpr (kHasPositions<G>) {
    return self.game->position(self.state);
  } else {
    return serialize(self);
  }
}

template <Game G>
PyState<G> state_at(nb::handle game, const std::string& text) {
  PyState<G> state = initial_state<G>(game);
  if constexpr (kHasPositions<G>) {
    state.state = state.game->from_position(text);
    state.start = std::make_shared<const std::string>(text);
    return state;
  } else {
    return deserialize(std::move(state), text);
  }
}

// The game's name, the position it began with if that is not the game's own start, and the actions that led
// here: enough to build the state again, and checked when it is.
template <Game G>
std::string serialize(const PyState<G>& self) {
  std::string text = full_name(*self.game) + "|";
  if (self.start) text += *self.start + "|";
  for (std::size_t i = 0; i < self.history.size(); ++i) {
    if (i > 0) text += ',';
    text += std::to_string(self.history[i]);
  }
  return text;
}

template <Game G>
PyState<G> deserialize(PyState<G> state, const std::string& text) {
  const std::string prefix = full_name(*state.game) + "|";
  if (text.compare(0, prefix.size(), prefix) != 0) {
    throw std::invalid_argument("the text is not a state of " + full_name(*state.game) +
                                "; it must begin with '" + prefix + "'");
  }
  std::size_t begin = prefix.size();
  if (const std::size_t bar = text.find('|', begin); kHasPositions<G> && bar != std::string::npos) {
    state = state_at<G>(state.game_object, text.substr(begin, bar - begin));
    begin = bar + 1;
  }
  for (std::size_t at = begin; at < text.size();) {
    Action action = kNoAction;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), action);
    at = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || (at < text.size() && text[at++] != ',')) {
      throw std::invalid_argument("the text is not a list of action ids at position " + std::to_string(at));
    }
    apply_action(state, action);
  }
  return state;
}

}  // namespace dicezero
