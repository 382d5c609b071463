// The Python classes of a game and of its states: OpenSpiel's API over the native rules.
#pragma once

#include <utility>

#include "bindings/arrays.h"
#include "bindings/parameters.h"
#include "bindings/state.h"
#include "bindings/values.h"

namespace dicezero {

// How a state looks is Python's business (dicezero.rules.draw).
inline nb::object draw(const char* function, nb::handle state) {
  return nb::module_::import_("dicezero.rules.draw").attr(function)(state);
}

template <NativeGame G>
nb::class_<G> bind_game_class(nb::module_& m, const char* name) {
  nb::class_<G> game(m, name);
  bind_parameters(game);
  game.def(
          "new_initial_state",
          [](nb::handle_t<G> self, const std::optional<nb::str>& position) {
            return position ? state_at<G>(self, utf8_text(*position)) : initial_state<G>(self);
          },
          nb::arg("position") = nb::none(),
          "The state before the first move, or at a position in the notation of state.position().")
      .def(
          "deserialize_state",
          [](nb::handle_t<G> self, const nb::str& text) {
            return deserialize(initial_state<G>(self), utf8_text(text));
          },
          nb::arg("text"), "The state that state.serialize() wrote; the moves are checked again.")
      .def("short_name", &G::name)
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
      .def("min_utility", &G::min_utility, "The least return of a player; -inf where there is no bound.")
      .def("max_utility", &G::max_utility, "The greatest return of a player; inf where there is no bound.")
      .def(
          "utility_sum",
          [](const G& g) { return g.num_players() == 2 ? std::optional<double>(0.0) : std::nullopt; },
          "What the returns add up to; None in a game for one.")
      .def("max_game_length", &G::max_game_length, "Most moves a game can have; 0 where there is no bound.")
      .def("observation_tensor_shape", &G::observation_shape)
      .def(
          "observation_layout", [](const G& g) { return layout_of(g) == Layout::planes ? "planes" : "flat"; },
          nb::sig("def observation_layout(self) -> typing.Literal['flat', 'planes']"),
          "\"planes\": the shape is channels, height and width of a board; else \"flat\".")
      .def("pays_on_the_way", &pays_on_the_way<G>, "Whether there are rewards before the end.")
      .def(
          "takes_turns", [](const G&) { return static_cast<bool>(G::kAlternates); },
          "Whether the players strictly alternate, chance aside.")
      .def("results", &results_of<G>,
           "All returns of a finished game, ascending and symmetric about 0; empty where it does not say.")
      .def(
          "observation_phases", &phases_of<G>,
          "Phases that are judged apart; with several the last numbers of an observation say which, one-hot.")
      .def("discount", &discount_of<G>)
      .def(
          "symmetries",
          [](const G& g) {
            std::vector<std::pair<std::vector<int>, std::vector<int>>> all;
            for (Symmetry& s : symmetries_of(g)) all.emplace_back(std::move(s.cells), std::move(s.actions));
            return all;
          },
          "(cells, actions) of every way to turn the board that changes nothing: element i of what is turned "
          "is element cells[i] or actions[i] of what was.")
      .def(
          "auxiliary_shape",
          [](const G& g) {
            const AuxiliaryShape shape = auxiliary_shape_of(g);
            return std::pair(shape.planes, shape.numbers);
          },
          "(planes, numbers) that a finished game tells beside its result: state.auxiliary_targets().");
  return game;
}

// A game of the user's that extends one of ours may hold states of itself. What such a circle is broken by is
// the game's own dictionary, so that there is nothing to clear here.
template <Game G>
int traverse_state(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<PyState<G>>(self)->game_object.ptr());
  return 0;
}

template <NativeGame G>
nb::class_<PyState<G>> bind_state_class(nb::module_& m, const char* name) {
  using S = PyState<G>;
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_state<G>)}, {0, nullptr}};
  nb::class_<S> state(m, name, nb::type_slots(slots));
  state.def("get_game", [](const S& s) { return nb::handle_t<G>(s.game_object); })
      .def("num_players", [](const S& s) { return s.game->num_players(); })
      .def("current_player", [](const S& s) { return s.game->player(s.state); })
      .def("is_terminal", [](const S& s) { return s.game->player(s.state) == kTerminalPlayer; })
      .def("is_chance_node", [](const S& s) { return s.game->player(s.state) == kChancePlayer; })
      .def("is_player_node", [](const S& s) { return s.game->player(s.state) >= 0; })
      .def(
          "mid_turn", [](const S& s) { return mid_turn(*s.game, s.state); },
          "Whether the last action was only part of a turn, which the same player goes on with.")
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
      .def("returns", &returns<G>,
           "One number a player: zeros until the end, or all that was paid so far where the game pays on the "
           "way.")
      .def("rewards", &rewards<G>,
           "One number a player: what the last action or outcome paid; the returns at the end of a game that "
           "pays only there.")
      .def(
          "player_return", [](const S& s, int player) { return returns(s).at(checked_viewer(s, player)); },
          nb::arg("player"))
      .def(
          "player_reward", [](const S& s, int player) { return rewards(s).at(checked_viewer(s, player)); },
          nb::arg("player"))
      .def("observation_tensor", &observation_tensor<G>, nb::arg("player") = nb::none(),
           "Flat float32, from the view of `player` (default: who acts, or acts next).")
      .def("auxiliary_targets", &auxiliary_tensor<G>,
           "Of a finished game, flat float32 in [-1, 1] for player 0: a number a cell for each plane of "
           "game.auxiliary_shape(), then its other numbers.")
      .def("action_to_string", &action_to_string<G>, nb::arg("action"))
      .def(
          "action_to_string", [](const S& s, int, Action action) { return action_to_string(s, action); },
          nb::arg("player"), nb::arg("action"))
      .def(
          "string_to_action",
          [](const S& s, const nb::str& text) { return string_to_action(s, utf8_text(text)); },
          nb::arg("text"))
      .def(
          "string_to_action",
          [](const S& s, int, const nb::str& text) { return string_to_action(s, utf8_text(text)); },
          nb::arg("player"), nb::arg("text"))
      .def("serialize", &serialize<G>, "Text that game.deserialize_state() turns into this state.")
      .def("position", &position<G>,
           "The position in the game's own notation, which game.new_initial_state() reads; what serialize() "
           "writes where the game has none.")
      .def("history", [](const S& s) { return s.history; })
      .def("move_number", [](const S& s) { return s.history.size(); })
      .def(
          "key", [](const S& s) { return key_object(s.game->key(s.state)); },
          nb::sig("def key(self) -> int | str"), "One number or text a position, whatever led to it.")
      .def("__str__", [](const S& s) { return s.game->to_string(s.state); })
      .def("__repr__", [](nb::handle_t<S> self) { return nb::str(draw("board_text", self)); })
      .def(
          "_repr_html_", [](nb::handle_t<S> self) { return nb::str(draw("board_svg", self)); },
          "The board as SVG, for notebooks.")
      .def("__eq__",
           [](const S& a, const S& b) {
             return a.game_object.equal(b.game_object) && a.game->key(a.state) == b.game->key(b.state) &&
                    return_so_far(*a.game, a.state) == return_so_far(*b.game, b.state);
           })
      .def("__eq__", [](const S&, nb::handle) { return false; })
      .def("__hash__",
           [](const S& s) { return static_cast<Py_ssize_t>(mix64(key_hash(s.game->key(s.state))) >> 1); });
  return state;
}

}  // namespace dicezero
