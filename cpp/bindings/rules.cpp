// Games and states: OpenSpiel's State API over the native rules.
#include "bindings/rules.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "bindings/module.h"

namespace dicezero {
namespace {

std::string join(const std::vector<Action>& actions) {
  std::string text = "[";
  for (const Action a : actions) text += (text.size() > 1 ? ", " : "") + std::to_string(a);
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

// Whose view is meant when none is named: the player to act, or at a chance node whoever acts next.
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

template <Game G>
nb::ndarray<nb::numpy, float, nb::ndim<1>> observation_tensor(const PyState<G>& self,
                                                              std::optional<int> player) {
  std::size_t size = 1;
  for (const int n : self.game->observation_shape()) size *= static_cast<std::size_t>(n);
  auto* data = new float[size]();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  self.game->observe(self.state, checked_viewer(self, player), {data, size});
  return nb::ndarray<nb::numpy, float, nb::ndim<1>>(data, {size}, owner);
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
    known += (known.empty() ? "" : ", ") + name;
  }
  throw std::invalid_argument("action '" + text +
                              "' is unknown here; legal: " + (known.empty() ? "none" : known));
}

template <Game G>
std::vector<double> returns(const PyState<G>& self) {
  const double first =
      self.game->player(self.state) == kTerminalPlayer ? self.game->first_player_return(self.state) : 0.0;
  return {first, -first};
}

// The game's name and the actions that led here: enough to build the state again, and checked when it is.
template <Game G>
std::string serialize(const PyState<G>& self) {
  std::string text = full_name(*self.game) + "|";
  for (std::size_t i = 0; i < self.history.size(); ++i)
    text += (i ? "," : "") + std::to_string(self.history[i]);
  return text;
}

template <Game G>
PyState<G> deserialize(PyState<G> state, const std::string& text) {
  const std::string prefix = full_name(*state.game) + "|";
  if (text.compare(0, prefix.size(), prefix) != 0) {
    throw std::invalid_argument("the text is not a state of " + full_name(*state.game) +
                                "; it must begin with '" + prefix + "'");
  }
  for (std::size_t at = prefix.size(); at < text.size();) {
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

template <Game G>
void bind_game(nb::class_<G>& game, nb::module_& m, const char* state_name) {
  using S = PyState<G>;
  const auto new_state = [](nb::handle_t<G> self) {
    const G& g = nb::cast<const G&>(self);
    return S{nb::borrow<nb::object>(self), &g, g.initial_state(), {}};
  };
  game.def("new_initial_state", new_state, "The state before the first move.")
      .def(
          "deserialize_state",
          [new_state](nb::handle_t<G> self, const std::string& text) {
            return deserialize(new_state(self), text);
          },
          nb::arg("text"), "The state that state.serialize() wrote; the moves are checked again.")
      .def("short_name", &G::name)
      .def("get_parameters",
           [](const G& g) {
             nb::typed<nb::dict, std::string, int> parameters;
             for (const Parameter& p : g.parameters()) parameters[p.name.c_str()] = p.value;
             return parameters;
           })
      .def("__str__", &full_name<G>)
      .def("__repr__", &full_name<G>)
      .def("__eq__", [](const G& a, const G& b) { return full_name(a) == full_name(b); })
      .def("__eq__", [](const G&, nb::handle) { return false; })
      .def("__hash__", [](const G& g) { return nb::hash(nb::cast(full_name(g))); })
      .def("__reduce__",
           [](const G& g) {  // a name is all it takes; also what copy and other processes use
             return nb::make_tuple(nb::module_::import_("dicezero.rules.registry").attr("load_game"),
                                   nb::make_tuple(full_name(g)));
           })
      .def("num_distinct_actions", &G::num_actions, "Choice actions have ids 0..num_distinct_actions()-1.")
      .def("max_chance_outcomes", &G::num_chance_outcomes,
           "Chance outcomes have ids 0..max_chance_outcomes()-1.")
      .def("num_players", &G::num_players)
      .def("min_utility", [](const G&) { return -1.0; })
      .def("max_utility", [](const G&) { return 1.0; })
      .def("utility_sum", [](const G&) { return 0.0; })
      .def("max_game_length", &G::max_game_length, "Most moves a game can have; 0 where there is no bound.")
      .def("observation_tensor_shape", &G::observation_shape);

  nb::class_<S>(m, state_name)
      .def("get_game", [](const S& s) { return s.game_object; })
      .def("num_players", [](const S& s) { return s.game->num_players(); })
      .def("current_player", [](const S& s) { return s.game->player(s.state); })
      .def("is_terminal", [](const S& s) { return s.game->player(s.state) == kTerminalPlayer; })
      .def("is_chance_node", [](const S& s) { return s.game->player(s.state) == kChancePlayer; })
      .def("is_player_node", [](const S& s) { return s.game->player(s.state) >= 0; })
      .def("legal_actions", &legal_actions<G>, "Sorted ids; the outcomes at a chance node, none at the end.")
      .def("legal_actions_mask",
           [](const S& s) {
             const bool chance = s.game->player(s.state) == kChancePlayer;
             std::vector<int> mask(chance ? s.game->num_chance_outcomes() : s.game->num_actions(), 0);
             for (const Action a : legal_actions(s)) mask[a] = 1;
             return mask;
           })
      .def(
          "chance_outcomes",
          [](const S& s) {
            std::vector<Outcome> outcomes;
            if (s.game->player(s.state) == kChancePlayer) s.game->outcomes(s.state, outcomes);
            std::vector<std::pair<Action, double>> pairs;
            for (const Outcome& o : outcomes) pairs.emplace_back(o.action, o.probability);
            return pairs;
          },
          "(outcome, probability) pairs; empty unless chance acts.")
      .def("apply_action", &apply_action<G>, nb::arg("action"))
      .def(
          "child",
          [](const S& s, Action action) {
            S copy = s;
            apply_action(copy, action);
            return copy;
          },
          nb::arg("action"))
      .def("clone", [](const S& s) { return s; })
      .def("__copy__", [](const S& s) { return s; })
      .def(
          "__deepcopy__", [](const S& s, nb::handle) { return s; }, nb::arg("memo"))
      .def("__reduce__",
           [](const S& s) {
             return nb::make_tuple(nb::module_::import_("dicezero.rules.registry").attr("load_state"),
                                   nb::make_tuple(serialize(s)));
           })
      .def("returns", &returns<G>, "One number a player, zeros until the end.")
      .def("rewards", &returns<G>)
      .def(
          "player_return", [](const S& s, int player) { return returns(s).at(checked_viewer(s, player)); },
          nb::arg("player"))
      .def("observation_tensor", &observation_tensor<G>, nb::arg("player") = nb::none(),
           "Flat float32, from the view of `player` (default: who acts, or acts next).")
      .def("action_to_string", &action_to_string<G>, nb::arg("action"))
      .def(
          "action_to_string", [](const S& s, int, Action action) { return action_to_string(s, action); },
          nb::arg("player"), nb::arg("action"))
      .def("string_to_action", &string_to_action<G>, nb::arg("text"))
      .def(
          "string_to_action",
          [](const S& s, int, const std::string& text) { return string_to_action(s, text); },
          nb::arg("player"), nb::arg("text"))
      .def("serialize", &serialize<G>, "Text that game.deserialize_state() turns into this state.")
      .def("history", [](const S& s) { return s.history; })
      .def("move_number", [](const S& s) { return s.history.size(); })
      .def(
          "key", [](const S& s) { return s.game->key(s.state); },
          "One number a position, whatever led to it.")
      .def("__str__", [](const S& s) { return s.game->to_string(s.state); })
      .def("__eq__",
           [](const S& a, const S& b) {
             return a.game_object.equal(b.game_object) && a.game->key(a.state) == b.game->key(b.state);
           })
      .def("__eq__", [](const S&, nb::handle) { return false; })
      .def("__hash__", [](const S& s) { return static_cast<Py_ssize_t>(mix64(s.game->key(s.state)) >> 1); });
}

}  // namespace

void bind_rules(nb::module_& m) {
  nb::class_<Nannon> nannon(m, "Nannon");
  nannon
      .def(nb::init<int, int, int>(), nb::kw_only(), nb::arg("points") = 6, nb::arg("checkers") = 3,
           nb::arg("sides") = 6)
      .def_prop_ro("points", &Nannon::points)
      .def_prop_ro("checkers", &Nannon::checkers)
      .def_prop_ro("sides", &Nannon::sides);
  bind_game(nannon, m, "NannonState");

  nb::class_<TicTacToe> tic_tac_toe(m, "TicTacToe");
  tic_tac_toe.def(nb::init<>());
  bind_game(tic_tac_toe, m, "TicTacToeState");

  nb::class_<ConnectFour> connect_four(m, "ConnectFour");
  connect_four.def(nb::init<int, int>(), nb::kw_only(), nb::arg("rows") = 6, nb::arg("columns") = 7)
      .def_prop_ro("rows", &ConnectFour::rows)
      .def_prop_ro("columns", &ConnectFour::columns);
  bind_game(connect_four, m, "ConnectFourState");
}

}  // namespace dicezero
