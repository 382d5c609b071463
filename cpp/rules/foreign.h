// A game whose rules are Python code: OpenSpiel's, or any object that follows the same protocol. The one
// header outside bindings/ that knows Python; every call needs the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/game.h"

namespace dicezero {

class ForeignGame {
 public:
  // Copying a state clones it, so that the algorithms may treat it as a value.
  struct State {
    State() = default;
    explicit State(nanobind::object state) : object(std::move(state)) {}
    State(const State& other)
        : object(other.object.is_valid() ? other.object.attr("clone")() : nanobind::object()) {}
    State(State&&) noexcept = default;
    State& operator=(const State& other) {
      if (this != &other) *this = State(other);
      return *this;
    }
    State& operator=(State&&) noexcept = default;

    nanobind::object object;
  };

  explicit ForeignGame(nanobind::object game) : game_(std::move(game)) {}

  const nanobind::object& object() const { return game_; }

  std::string name() const { return nanobind::cast<std::string>(nanobind::str(game_)); }
  std::vector<Parameter> parameters() const { return {}; }  // already part of the name

  int num_actions() const { return call_int("num_distinct_actions"); }
  int num_chance_outcomes() const { return call_int("max_chance_outcomes"); }
  int num_players() const { return call_int("num_players"); }
  int max_game_length() const { return 0; }  // what a foreign game claims is not relied upon
  std::vector<int> observation_shape() const {
    return nanobind::cast<std::vector<int>>(game_.attr("observation_tensor_shape")());
  }

  State initial_state() const { return State(game_.attr("new_initial_state")()); }
  int player(const State& s) const { return nanobind::cast<int>(s.object.attr("current_player")()); }

  void legal_actions(const State& s, std::vector<Action>& actions) const {
    actions = nanobind::cast<std::vector<Action>>(s.object.attr("legal_actions")());
    if (actions.empty()) {
      throw std::invalid_argument("the game has no legal action in a state that is not terminal: " +
                                  to_string(s));
    }
  }

  void outcomes(const State& s, std::vector<Outcome>& outcomes) const {
    outcomes.clear();
    for (const auto& [action, probability] :
         nanobind::cast<std::vector<std::pair<Action, double>>>(s.object.attr("chance_outcomes")())) {
      outcomes.push_back({action, probability});
    }
    if (outcomes.empty()) throw std::invalid_argument("the game has no chance outcome at: " + to_string(s));
  }

  void apply(State& s, Action action) const { s.object.attr("apply_action")(action); }

  double first_player_return(const State& s) const {
    return nanobind::cast<std::vector<double>>(s.object.attr("returns")()).at(0);
  }

  void observe(const State& s, int viewer, std::span<float> tensor) const {
    const auto values = nanobind::cast<std::vector<float>>(s.object.attr("observation_tensor")(viewer));
    if (values.size() != tensor.size()) {
      throw std::invalid_argument("observation_tensor has " + std::to_string(values.size()) +
                                  " values where observation_tensor_shape says " +
                                  std::to_string(tensor.size()));
    }
    std::copy(values.begin(), values.end(), tensor.begin());
  }

  std::string action_string(const State& s, Action action) const {
    return nanobind::cast<std::string>(s.object.attr("action_to_string")(player(s), action));
  }

  std::string to_string(const State& s) const { return nanobind::cast<std::string>(nanobind::str(s.object)); }

  // What a state prints is what tells it apart, as in OpenSpiel's own solvers, unless it offers key().
  std::string key(const State& s) const {
    if (nanobind::hasattr(s.object, "key"))
      return nanobind::cast<std::string>(nanobind::str(s.object.attr("key")()));
    return std::to_string(player(s)) + "|" + to_string(s);
  }

 private:
  int call_int(const char* method) const { return nanobind::cast<int>(game_.attr(method)()); }

  nanobind::object game_;
};

static_assert(Game<ForeignGame>);

}  // namespace dicezero
