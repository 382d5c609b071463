// Games and states: OpenSpiel's State API over the native rules.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "bindings/module.h"
#include "bindings/state.h"

namespace dicezero {
namespace {

// How a state looks is Python's business (dicezero.rules.draw).
nb::object draw(const char* function, nb::handle state) {
  return nb::module_::import_("dicezero.rules.draw").attr(function)(state);
}

template <Game G>
nb::class_<PyState<G>> bind_game(nb::class_<G>& game, nb::module_& m, const char* state_name) {
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

  nb::class_<S> state(m, state_name);
  state.def("get_game", [](const S& s) { return nb::handle_t<G>(s.game_object); })
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
      .def("__repr__", [](nb::handle_t<S> self) { return nb::str(draw("board_text", self)); })
      .def(
          "_repr_html_", [](nb::handle_t<S> self) { return nb::str(draw("board_svg", self)); },
          "The board as SVG, for notebooks.")
      .def("__eq__",
           [](const S& a, const S& b) {
             return a.game_object.equal(b.game_object) && a.game->key(a.state) == b.game->key(b.state);
           })
      .def("__eq__", [](const S&, nb::handle) { return false; })
      .def("__hash__", [](const S& s) { return static_cast<Py_ssize_t>(mix64(s.game->key(s.state)) >> 1); });
  return state;
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
  using State = PyState<Nannon>;
  bind_game(nannon, m, "NannonState")
      .def_prop_ro(
          "turn", [](const State& s) { return s.game->turn(s.state); },
          "Who moves, or will once the die fell.")
      .def_prop_ro(
          "roll", [](const State& s) { return int{s.state.roll}; }, "What the die shows; 0 before it falls.")
      .def(
          "points",
          [](const State& s, int player) {
            std::vector<int> points;
            for (std::uint32_t rest = s.state.points[checked_viewer(s, player)]; rest != 0; rest &= rest - 1)
              points.push_back(std::countr_zero(rest));
            return points;
          },
          nb::arg("player"), "The points a player stands on, in its own counting.")
      .def(
          "home", [](const State& s, int player) { return int{s.state.home[checked_viewer(s, player)]}; },
          nb::arg("player"), "Checkers of a player at HOME.")
      .def(
          "safety",
          [](const State& s, int player) { return s.game->safe(s.state, checked_viewer(s, player)); },
          nb::arg("player"), "Checkers of a player at SAFETY.");

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
