// A game whose rules are Python code: OpenSpiel's, or any object that follows the same protocol. The one
// header outside bindings/ that knows Python; every call needs the GIL. It is the door of the core: whatever
// such a game answers is checked here, once, so that no algorithm behind it has to doubt an id, a probability
// or a return. dicezero.rules.door is its twin for loops in Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rules/foreign_errors.h"
#include "rules/game.h"

namespace dicezero {

class ForeignGame {
 public:
  // Copying a state clones it, so that the algorithms may treat it as a value.
  struct State {
    State() = default;
    explicit State(nanobind::object state) : object(std::move(state)) {}
    State(const State& other)
        : object(other.object.is_valid() ? foreign::cloned(other.object) : nanobind::object()),
          rolled(other.rolled),
          roll_paid(other.roll_paid) {}
    State(State&&) noexcept = default;
    State& operator=(const State& other) {
      if (this != &other) *this = State(other);
      return *this;
    }
    State& operator=(State&&) noexcept = default;

    nanobind::object object;
    bool rolled = false;     // the last action was an outcome of chance
    double roll_paid = 0.0;  // then: what it paid player 0
  };

  explicit ForeignGame(nanobind::object game)
      : game_(std::move(game)),
        num_actions_(count_of("num_distinct_actions")),
        num_outcomes_(nanobind::hasattr(game_, "max_chance_outcomes") ? count_of("max_chance_outcomes") : 0),
        num_players_(count_of("num_players")),
        pays_(asks_to_be_paid()) {
    if (num_players_ < 1 || num_players_ > 2) {
      throw std::invalid_argument(name() + " has " + std::to_string(num_players_) +
                                  " players; games for one or two can be searched");
    }
  }

  const nanobind::object& object() const { return game_; }

  std::string name() const { return foreign::text_of(game_); }
  std::vector<Parameter> parameters() const { return {}; }  // already part of the name

  int num_actions() const { return num_actions_; }
  int num_chance_outcomes() const { return num_outcomes_; }
  int num_players() const { return num_players_; }
  int max_game_length() const { return 0; }  // what a foreign game claims is not relied upon
  double min_utility() const { return utility("min_utility", -std::numeric_limits<double>::infinity()); }
  double max_utility() const { return utility("max_utility", std::numeric_limits<double>::infinity()); }
  bool pays_on_the_way() const { return pays_; }
  std::vector<int> observation_shape() const {
    std::vector<int> shape;
    const nanobind::object result = game_.attr("observation_tensor_shape")();
    double size = 1.0;
    bool fine = nanobind::try_cast(result, shape);
    for (const int n : shape) fine = fine && n >= 0, size *= n;
    if (!fine || size > kMostNumbers)
      throw foreign::bad_game(game_, "observation_tensor_shape", result, "sizes of an array");
    return shape;
  }

  State initial_state() const { return State(game_.attr("new_initial_state")()); }

  int player(const State& s) const {
    const nanobind::object result = s.object.attr("current_player")();
    int player = 0;
    if (!nanobind::try_cast(result, player) ||
        !(player == kChancePlayer || player == kTerminalPlayer || (player >= 0 && player < num_players_))) {
      throw foreign::bad_state(
          s.object, "current_player() is " + foreign::shown(result),
          "give 0.." + std::to_string(num_players_ - 1) + ", -1 where chance acts, -4 at the end");
    }
    if (player == kChancePlayer && num_outcomes_ == 0) throw foreign::undeclared_chance(s.object);
    return player;
  }

  void legal_actions(const State& s, std::vector<Action>& actions) const {
    ask_actions(s, actions);
    // A game that answers differently when asked again cannot be searched. Asking twice always would cost
    // too much, so it is done at first and then now and then.
    if (asked_ < kFirstAsked || asked_ % kAskedAgain == 0) {
      std::vector<Action> again;
      ask_actions(s, again);
      if (again != actions) {
        throw foreign::bad_state(s.object,
                                 "legal_actions() is " + foreign::shown(nanobind::cast(again)) +
                                     ", and was " + foreign::shown(nanobind::cast(actions)) + " a moment ago",
                                 "make it depend on the state alone");
      }
    }
    ++asked_;
  }

  void outcomes(const State& s, std::vector<Outcome>& outcomes) const {
    const nanobind::object result = s.object.attr("chance_outcomes")();
    std::vector<std::pair<Action, double>> pairs;
    if (!nanobind::try_cast(result, pairs))
      throw foreign::bad_outcomes(s.object, result, "is no list of (outcome, probability)");
    if (pairs.empty()) throw foreign::bad_outcomes(s.object, result, "is empty");
    outcomes.clear();
    double total = 0.0;
    Action last = kNoAction;
    for (const auto& [action, probability] : pairs) {
      if (action < 0 || action >= num_outcomes_)
        throw foreign::bad_outcomes(
            s.object, result, "leaves 0..max_chance_outcomes()-1, 0.." + std::to_string(num_outcomes_ - 1));
      if (action <= last) throw foreign::bad_outcomes(s.object, result, "is not sorted and unique");
      if (!(probability > 0.0 && probability <= 1.0 + kSlack))
        throw foreign::bad_outcomes(s.object, result, "has a probability that is not in (0, 1]");
      last = action;
      total += probability;
      outcomes.push_back({action, probability});
    }
    if (!(std::fabs(total - 1.0) <= kSlack * static_cast<double>(pairs.size())))
      throw foreign::bad_outcomes(s.object, result, "sums to " + foreign::shown(nanobind::float_(total)));
  }

  // OpenSpiel's 2048 repeats after an outcome the reward of the move before it; its returns do not count
  // twice.
  void apply(State& s, Action action) const {
    const bool rolls = pays_ && player(s) == kChancePlayer;
    const double before = rolls ? first_player_return(s) : 0.0;
    s.object.attr("apply_action")(action);
    s.rolled = rolls;
    s.roll_paid = rolls ? first_player_return(s) - before : 0.0;
  }

  double first_player_return(const State& s) const { return first_of(s, "returns"); }
  double reward(const State& s) const { return s.rolled ? s.roll_paid : first_of(s, "rewards"); }

  // What led from `before` to `after` paid player 0. OpenSpiel's rewards() are not to be called at chance
  // nodes and just after one may be those of the action before it; its returns() are all that was paid so
  // far.
  double reward(const State& before, const State& after) const {
    if (nanobind::hasattr(game_, "get_type")) return first_player_return(after) - first_player_return(before);
    return reward(after);
  }

  // Optional: a number, or a function without arguments.
  double discount() const {
    if (!nanobind::hasattr(game_, "discount")) return 1.0;
    nanobind::object result = game_.attr("discount");
    if (PyCallable_Check(result.ptr())) result = result();
    double value = 0.0;
    if (!nanobind::try_cast(result, value) || !(value > 0.0 && value <= 1.0))
      throw foreign::bad_game(game_, "discount", result, "a number above 0, 1 at most");
    return value;
  }

  void observe(const State& s, int viewer, std::span<float> tensor) const {
    using Floats = nanobind::ndarray<const float, nanobind::c_contig, nanobind::device::cpu>;
    const nanobind::object result = s.object.attr("observation_tensor")(viewer);
    std::size_t size = 0;
    if (Floats array; nanobind::try_cast(result, array, false)) {
      size = array.size();
      if (size == tensor.size()) std::copy_n(array.data(), size, tensor.begin());
    } else {
      std::vector<float> values;
      const bool complex =
          nanobind::hasattr(result, "dtype") && foreign::text_of(result.attr("dtype").attr("kind")) == "c";
      if (complex || !nanobind::try_cast(result, values))
        throw foreign::bad_state(s.object, "observation_tensor() is a " + foreign::type_of(result),
                                 "give a flat list of floats");
      size = values.size();
      if (size == tensor.size()) std::copy(values.begin(), values.end(), tensor.begin());
    }
    if (size != tensor.size()) {
      throw foreign::bad_state(
          s.object, "observation_tensor() has " + std::to_string(size) + " values",
          "give the " + std::to_string(tensor.size()) + " that observation_tensor_shape() says");
    }
    if (!std::all_of(tensor.begin(), tensor.end(), [](float x) { return std::isfinite(x); }))
      throw foreign::bad_state(s.object, "observation_tensor() has a value that is not finite",
                               "give finite floats");
  }

  std::string action_string(const State& s, Action action) const {
    return foreign::text_of(s.object.attr("action_to_string")(player(s), action));
  }

  std::string to_string(const State& s) const { return foreign::text_of(s.object); }

  // What a state prints is what identifies it, as in OpenSpiel's own solvers, unless it offers key().
  std::string key(const State& s) const {
    if (nanobind::hasattr(s.object, "key")) return foreign::text_of(s.object.attr("key")());
    if (foreign::prints_address(s.object)) throw foreign::unprinted(s.object);
    return std::to_string(player(s)) + "|" + to_string(s);
  }

  // Whether `key` can distinguish its positions.
  bool has_key(const State& s) const {
    return nanobind::hasattr(s.object, "key") || !foreign::prints_address(s.object);
  }

 private:
  static constexpr double kSlack = 1e-9;
  static constexpr double kMostNumbers = 1e8;  // in one observation
  static constexpr std::uint64_t kFirstAsked = 32;
  static constexpr std::uint64_t kAskedAgain = 32;

  void ask_actions(const State& s, std::vector<Action>& actions) const {
    const nanobind::object result = s.object.attr("legal_actions")();
    const auto wrong = [&](const std::string& why) {
      return foreign::bad_state(
          s.object, "legal_actions() " + foreign::shown(result) + " " + why,
          "give sorted ids in 0..num_distinct_actions()-1, 0.." + std::to_string(num_actions_ - 1));
    };
    if (!nanobind::try_cast(result, actions)) throw wrong("is no list of ints");
    if (actions.empty()) {
      throw foreign::bad_state(s.object, "there is no legal action though the game goes on",
                               "end the game, or offer a pass as an action");
    }
    Action last = kNoAction;
    for (const Action a : actions) {
      if (a < 0 || a >= num_actions_) throw wrong("leaves the range");
      if (a <= last) throw wrong("is not sorted and unique");
      last = a;
    }
  }

  // One number a player, finite; of two players they cancel out.
  double first_of(const State& s, const char* method) const {
    const nanobind::object result = s.object.attr(method)();
    std::vector<double> values;
    bool fine = nanobind::try_cast(result, values) && values.size() == static_cast<std::size_t>(num_players_);
    for (const double x : values) fine = fine && std::isfinite(x);
    if (!fine) {
      throw foreign::bad_state(
          s.object, std::string(method) + "() is " + foreign::shown(result),
          "give a finite number for each of " + std::to_string(num_players_) + " players");
    }
    if (num_players_ == 2 && std::fabs(values[0] + values[1]) > kSlack * std::max(1.0, std::fabs(values[0])))
      throw foreign::bad_state(s.object,
                               std::string(method) + "() " + foreign::shown(result) + " does not sum to 0",
                               "make what one player wins what the other loses");
    return values[0];
  }

  int count_of(const char* method) const {
    const nanobind::object result = game_.attr(method)();
    int count = 0;
    if (!nanobind::try_cast(result, count) || count < 0)
      throw foreign::bad_game(game_, method, result, "a count");
    return count;
  }

  double utility(const char* method, double unbounded) const {
    if (!nanobind::hasattr(game_, method)) return unbounded;
    const nanobind::object result = game_.attr(method)();
    double value = 0.0;
    if (!nanobind::try_cast(result, value) || std::isnan(value))
      throw foreign::bad_game(game_, method, result, "a number");
    return value;
  }

  // OpenSpiel's games have it in their type; others by offering rewards().
  bool asks_to_be_paid() const {
    if (nanobind::hasattr(game_, "pays_on_the_way"))
      return nanobind::cast<bool>(nanobind::bool_(game_.attr("pays_on_the_way")()));
    if (nanobind::hasattr(game_, "get_type")) {
      const nanobind::object type = game_.attr("get_type")();
      if (nanobind::hasattr(type, "reward_model"))
        return foreign::text_of(type.attr("reward_model").attr("name")) == "REWARDS";
    }
    return !nanobind::hasattr(game_, "short_name") &&
           nanobind::hasattr(game_.attr("new_initial_state")(), "rewards");
  }

  nanobind::object game_;
  int num_actions_;
  int num_outcomes_;
  int num_players_;
  bool pays_;
  mutable std::uint64_t asked_ = 0;  // calls of legal_actions()
};

static_assert(Game<ForeignGame>);

}  // namespace dicezero
