"""Games given as nested lists or JSON."""

import json
import math

import pytest

from dicezero.rules.protocol import CHANCE_PLAYER, TERMINAL_PLAYER, Game, State
from dicezero.search import explicit_reader
from dicezero.search.explicit import ExplicitGame
from dicezero.search.minimax import MinimaxConfig, minimax_search

COIN = {"bet": {"chance": [[0.5, 10, "heads"], [0.5, -8, "tails"]]}, "pass": 0}


def test_follows_the_protocol():
    game = ExplicitGame.parse(COIN)
    assert isinstance(game, Game)
    state = game.new_initial_state()
    assert isinstance(state, State)
    assert (game.num_players(), game.num_distinct_actions(), game.max_chance_outcomes()) == (2, 2, 2)
    assert (game.min_utility(), game.max_utility(), game.max_game_length()) == (-10, 10, 2)
    assert state.action_to_string(0, 0) == "bet"
    assert state.string_to_action("pass") == 1
    state.apply_action(0)
    assert state.is_chance_node()
    assert state.current_player() == CHANCE_PLAYER
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    assert str(state.child(1)) == "bet, tails"
    tails = state.child(1)
    assert tails.current_player() == TERMINAL_PLAYER
    assert tails.returns() == [-8, 8]
    assert tails.legal_actions() == []
    assert state.history() == [0]


def test_players_take_turns_and_moves_are_named_as_in_the_textbook():
    game = ExplicitGame.parse([[3, 12], [2, [7, 1]]])
    root = game.new_initial_state()
    assert root.current_player() == 0
    assert [root.action_to_string(a) for a in root.legal_actions()] == ["a1", "a2"]
    right = root.child(1)
    assert right.current_player() == 1
    assert [right.action_to_string(a) for a in right.legal_actions()] == ["c1", "c2"]
    assert right.child(1).current_player() == 0


def test_json_is_the_same_tree():
    tree = [{"player": 0, "children": {"x": 1, "y": [2, 3]}}, COIN]
    a, b = ExplicitGame.parse(tree), ExplicitGame.parse(json.dumps(tree))
    assert a.nodes == b.nodes


def test_a_named_player_moves_twice_and_turns_go_on_from_there():
    game = ExplicitGame.parse({"player": 1, "children": [{"player": 1, "children": [[1, 5], 4]}, 3]})
    root = game.new_initial_state()
    twice = root.child(0)
    assert (root.current_player(), twice.current_player(), twice.child(0).current_player()) == (1, 1, 0)
    assert minimax_search(game, root).value == -3  # MIN at the root takes the 3 of player 0


def test_chance_keeps_the_turn():
    game = ExplicitGame.parse([{"chance": [[0.25, [1, 2]], [0.75, [3, 4]]]}, 0])
    assert game.new_initial_state().child(0).child(0).current_player() == 1
    assert minimax_search(game, game.new_initial_state(), MinimaxConfig("expectiminimax")).value == 2.5


def test_one_player():
    game = ExplicitGame.parse([[3, 12], [2, 4]], players=1)
    assert game.num_players() == 1
    assert game.new_initial_state().child(0).child(1).returns() == [12]
    assert minimax_search(game, game.new_initial_state()).value == 12


def test_works_in_openspiels_expectiminimax():
    minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")
    game = ExplicitGame.parse(COIN)
    value, action = minimax.expectiminimax(game.new_initial_state(), 10, None, 0)
    ours = minimax_search(game, game.new_initial_state(), MinimaxConfig("expectiminimax"))
    assert (value, action) == (ours.value, ours.action) == (1.0, 0)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (3, "single leaf"),
        ([], "the root has no moves"),
        ([[1, 2], []], "move 1 has no moves"),
        ([1, None], "move 1 is None"),
        ([1, True], "move 1 is True"),
        ([1, "2"], "move 1 is '2'"),
        ([1, math.nan], "finite"),
        ({"": 1}, "without a name"),
        ({"chance": [[0.5, 1], [0.4, 2]]}, "sum to 0.9"),
        ({"chance": []}, "chance node"),
        ({"chance": [[0.5, 1], [0.5, 2]], "x": 1}, "alone"),
        ({"chance": [[1.5, 1]]}, "probability 1.5"),
        ({"chance": [[1.0]]}, "outcome 0"),
        ({"player": 2, "children": [1, 2]}, "player=2"),
        ({"player": 0, "kids": [1, 2]}, "'player' and 'children'"),
        ("[1, 2", "not valid JSON"),
    ],
)
def test_bad_trees_are_refused_where_they_are_bad(tree, message):
    with pytest.raises(ValueError, match=message):
        ExplicitGame.parse(tree)


def test_bad_options_are_refused():
    with pytest.raises(ValueError, match="players=3"):
        ExplicitGame.parse([1, 2], players=3)
    with pytest.raises(ValueError, match="first_player=1"):
        ExplicitGame.parse([1, 2], players=1, first_player=1)


def test_sizes_are_limited(monkeypatch):
    monkeypatch.setattr(explicit_reader, "MAX_NODES", 10)
    with pytest.raises(ValueError, match="more than 10 nodes"):
        ExplicitGame.parse([[1] * 5, [2] * 5])
    deep = 1
    for _ in range(explicit_reader.MAX_DEPTH + 2):
        deep = [deep]
    monkeypatch.setattr(explicit_reader, "MAX_NODES", 10_000)
    with pytest.raises(ValueError, match="levels deep"):
        ExplicitGame.parse(deep)
    with pytest.raises(ValueError, match=r"not valid JSON|levels deep"):
        ExplicitGame.parse("[" * 100_000 + "1" + "]" * 100_000)


def test_illegal_actions_are_refused():
    state = ExplicitGame.parse([1, 2]).new_initial_state()
    with pytest.raises(ValueError, match=r"action 2 is illegal; legal: \[0, 1\]"):
        state.apply_action(2)
    with pytest.raises(ValueError, match="unknown here; legal: a1, a2"):
        state.string_to_action("b1")


def test_max_and_min_are_said_by_name():
    by_turn = ExplicitGame.parse([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    named = ExplicitGame.parse({"max": [{"min": [3, 12, 8]}, {"min": [2, 4, 6]}, {"min": [14, 5, 2]}]})
    assert named.nodes == by_turn.nodes
    twice = ExplicitGame.parse({"max": {"on": {"max": {"up": 5, "down": 7}}, "off": {"min": [6, 9]}}})
    assert minimax_search(twice, twice.new_initial_state()).value == 7


def test_a_wrapper_names_the_tree_and_its_players():
    game = ExplicitGame.parse('{"tree": [[1, 2], [3, 0]], "name": "alone", "players": 1}')
    assert (str(game), game.num_players()) == ("alone", 1)
    assert minimax_search(game, game.new_initial_state()).value == 3
    last = ExplicitGame.parse({"tree": [1, 2], "first_player": 1})
    assert last.new_initial_state().current_player() == 1


def test_estimates_are_what_a_search_sees_at_its_horizon():
    tree = {
        "safe": 3,
        "bold": {"min": [8, 1], "estimate": 5},
        "dice": {"chance": [[0.5, {"min": [9, 9], "estimate": 0}], [0.5, 2]]},
    }
    game = ExplicitGame.parse(tree)
    root = game.new_initial_state()
    shallow = minimax_search(game, root, MinimaxConfig("expectiminimax", depth=1, chance_pruning="none"))
    assert [shallow.action_values[a] for a in (0, 1, 2)] == [3, 5, 1]
    assert minimax_search(game, root, MinimaxConfig("expectiminimax")).value == 5.5
    assert not hasattr(ExplicitGame.parse([1, 2]).new_initial_state(), "evaluate")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 2}', "'a' stands twice in one object"),
        ("[1, [2, 3", "not valid JSON: Expecting ',' delimiter: line 1 column 10"),
        ('{"max": [1, 2], "min": [3]}', r"the root has the keys \['max', 'min'\]; give 'max' or 'min' alone"),
        ('[1, {"up": [1, {"min": [], "estimate": 1}]}]', "the root, move 1, move up, move 1 has no moves"),
        ('[1, {"max": [1, 2], "estimate": "x"}]', "the root, move 1 has estimate= 'x'; an estimate must be"),
        ('{"tree": [1, 2], "plyers": 1}', "unknown key 'plyers' beside 'tree'; give first_player, name"),
        ('{"tree": [1, 2], "players": true}', "players=True is out of range"),
        ("[1, 1" + "0" * 400 + "]", "a leaf must be a finite number"),
        ('{"min": [1, 2], "player": 1}', "has the keys"),
    ],
)
def test_a_file_says_where_it_is_wrong(tmp_path, text, message):
    file = tmp_path / "tree.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=message) as caught:
        ExplicitGame.read(file)
    assert str(caught.value).startswith(f"{file} is no game tree: ")


def test_files_are_limited_and_named(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=r"there is no file '.*none.json'; give the path"):
        ExplicitGame.read(tmp_path / "none.json")
    file = tmp_path / "tree.json"
    file.write_text("[1, 2, 3]")
    monkeypatch.setattr("dicezero.search.explicit.MAX_BYTES", 5)
    with pytest.raises(ValueError, match="more than 5 bytes"):
        ExplicitGame.read(file)
