"""What a Python state promises: refusals, equality, copies, serialisation, boards."""

import copy
import pickle
import random
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from dicezero import load_game
from dicezero.rules import GameError, load_state

NAMES = [
    "nannon",
    "nannon(points=12,checkers=5,sides=6)",
    "nannon(points=20,checkers=19,sides=20)",
    "tic_tac_toe",
    "connect_four",
    "connect_four(rows=3,columns=16)",
]


def line(name, seed=0):
    """Every state of one random game."""
    rng = random.Random(seed)
    state = load_game(name).new_initial_state()
    states = [state.clone()]
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        states.append(state.clone())
    return states


@pytest.mark.parametrize("name", NAMES)
def test_illegal_actions_are_refused_with_the_legal_ones(name):
    for state in line(name):
        legal = state.legal_actions()
        before = str(state), state.history()
        for action in (-1, 10_000, -(2**31)):
            with pytest.raises(ValueError, match=f"action {action} "):
                state.apply_action(action)
            with pytest.raises(ValueError, match=f"action {action} "):
                state.child(action)
        if not state.is_terminal():
            with pytest.raises(ValueError, match=rf"legal: \[{legal[0]}"):
                state.apply_action(99)
        assert (str(state), state.history()) == before


@pytest.mark.parametrize("name", NAMES)
def test_an_action_after_the_end_is_refused(name):
    end = line(name)[-1]
    assert end.legal_actions() == []
    assert end.chance_outcomes() == []
    with pytest.raises(ValueError, match="after the end of the game; start again"):
        end.apply_action(0)


@pytest.mark.parametrize("wrong", ["0", 0.5, None, [0], 2**40])
def test_a_wrong_type_is_refused(wrong):
    state = load_game("tic_tac_toe").new_initial_state()
    with pytest.raises((TypeError, ValueError)):
        state.apply_action(wrong)
    assert state.history() == []


def test_a_wrong_player_or_text_is_refused():
    state = load_game("tic_tac_toe").new_initial_state()
    with pytest.raises(ValueError, match=r"player 2 is out of range; give 0\.\.1"):
        state.observation_tensor(2)
    with pytest.raises(ValueError, match=r"'nonsense' is unknown here; legal: x\(0,0\)"):
        state.string_to_action("nonsense")


@pytest.mark.parametrize("name", NAMES)
def test_strings_and_serialisation_round_trip(name):
    game = load_game(name)
    for state in line(name, seed=3):
        for action in state.legal_actions():
            text = state.action_to_string(action)
            assert state.string_to_action(text) == action
            assert state.action_to_string(state.current_player(), action) == text
        for again in (
            game.deserialize_state(state.serialize()),
            load_state(state.serialize()),
            pickle.loads(pickle.dumps(state)),  # noqa: S301 - our own bytes
            copy.copy(state),
            copy.deepcopy(state),
        ):
            assert again == state
            assert hash(again) == hash(state)
            assert str(again) == str(state)
            assert again.history() == state.history()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a state of tic_tac_toe"),
        ("connect_four|0", "not a state of tic_tac_toe"),
        ("tic_tac_toe|x", "not a list of action ids"),
        ("tic_tac_toe|0,,1", "not a list of action ids"),
        ("tic_tac_toe|0,0", "action 0 is illegal"),
        ("tic_tac_toe|99999999999999", "not a list of action ids"),
    ],
)
def test_foreign_or_broken_text_is_not_deserialised(text, message):
    with pytest.raises(ValueError, match=message):
        load_game("tic_tac_toe").deserialize_state(text)


@pytest.mark.parametrize("text", ["", "tic_tac_toe", "chess|", "tic_tac_toe|(", "nannon(points=0)|1", "|||"])
def test_load_state_refuses_what_is_no_state(text):
    with pytest.raises(ValueError):  # noqa: PT011 - GameError or the native error, each tested above
        load_state(text)
    if "|" not in text:
        with pytest.raises(GameError, match="give what serialize"):
            load_state(text)


def test_equality_is_of_positions_not_of_paths():
    game = load_game("tic_tac_toe")
    one, other = game.new_initial_state(), game.new_initial_state()
    for action in (0, 1, 2):
        one.apply_action(action)
    for action in (2, 1, 0):
        other.apply_action(action)
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other}) == 1
    assert one != other.child(3)
    assert one != "x"
    assert load_game("connect_four") == load_game("connect_four(rows=6,columns=7)")
    assert load_game("connect_four") != load_game("connect_four(rows=5)")
    assert (
        load_game("connect_four(rows=5)").new_initial_state() != load_game("connect_four").new_initial_state()
    )


@pytest.mark.parametrize("name", NAMES)
def test_tensors_are_zeros_and_ones_of_the_shape(name):
    game = load_game(name)
    for state in line(name, seed=1):
        for player in (0, 1):
            tensor = state.observation_tensor(player)
            assert tensor.dtype == np.float32
            assert tensor.size == np.prod(game.observation_tensor_shape())
            assert set(np.unique(tensor)) <= {0.0, 1.0}


@pytest.mark.parametrize("name", NAMES)
def test_a_board_is_svg_that_needs_nothing_from_outside(name):
    for state in line(name, seed=2):
        drawing = ET.fromstring(state._repr_html_())  # noqa: S314 - our own text
        assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
        assert not any(word in state._repr_html_() for word in ("href", "script", "url(", "import"))


def test_discs_on_the_board_are_the_stones():
    state = load_game("connect_four").new_initial_state()
    for column in (3, 3, 2):
        state.apply_action(column)
    text = state._repr_html_()
    assert text.count('fill="#e2582c"') == 2
    assert text.count('fill="#2f6fd6"') == 1


def test_boards_a_person_can_read():
    nannon = load_game("nannon").new_initial_state()
    assert repr(nannon) == (
        "x counts      1  2  3  4  5  6\n"
        "x HOME   1 >  x  x  .  .  o  o  > SAFETY 0\n"
        "o SAFETY 0 <                    < HOME   1\n"
        "o counts      6  5  4  3  2  1\n"
        "opening roll"
    )
    nannon.apply_action(nannon.string_to_action("roll 4"))
    assert repr(nannon).endswith("x to move 4")
    nannon.apply_action(nannon.string_to_action("home/4"))
    assert repr(nannon) == (
        "x counts      1  2  3  4  5  6\n"
        "x HOME   0 >  x  x  .  x  o  o  > SAFETY 0\n"
        "o SAFETY 0 <                    < HOME   1\n"
        "o counts      6  5  4  3  2  1\n"
        "o to roll"
    )
    board = load_game("tic_tac_toe").new_initial_state()
    for action in (4, 0, 2):
        board.apply_action(action)
    assert repr(board) == "  0 1 2\n0 o . x\n1 . x .\n2 . . .\no to move"
    board.apply_action(1)
    board.apply_action(6)
    assert repr(board).endswith("x won")
    four = load_game("connect_four(rows=2,columns=5)").new_initial_state()
    four.apply_action(4)
    assert repr(four) == ". . . . .\n. . . . x\n0 1 2 3 4\no to move"
