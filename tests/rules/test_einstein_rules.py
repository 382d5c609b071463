"""EinStein würfelt nicht against OpenSpiel's, and by known positions."""

import random

import pytest

from dicezero import load_game
from dicezero.rules import GameError

# OpenSpiel's steps of black, then of white: diagonal, one way, the other way; and the same in our numbers.
STEPS = {0: {0: 0, 1: 1, 2: 2}, 1: {3: 1, 4: 0, 5: 2}}


def our_action(action, player):
    """OpenSpiel's number is row, column, one of six steps, captures; ours is the mover's cell and step."""
    cell, rest = divmod(action, 12)
    return 3 * (cell if player == 0 else 24 - cell) + STEPS[player][rest // 2]


def their_cells(state):
    return str(state).replace("|", " ").replace("_", ".").replace("..", ".").split()


def our_cells(state):
    return [
        cell.replace("x", "b").replace("o", "w")
        for row in str(state).splitlines()[:5]
        for cell in row.split()
    ]


def test_every_state_of_random_games_is_openspiels():
    pyspiel = pytest.importorskip("pyspiel")
    rng, ours_game = random.Random(2), load_game("einstein_wurfelt_nicht")
    theirs_game, returns = pyspiel.load_game("einstein_wurfelt_nicht"), set()
    for _ in range(100):
        ours, theirs = ours_game.new_initial_state(), theirs_game.new_initial_state()
        while not theirs.is_terminal():
            player = theirs.current_player()
            assert ours.current_player() == player
            assert our_cells(ours) == their_cells(theirs)
            if player < 0:
                assert ours.chance_outcomes() == theirs.chance_outcomes()
                action = rng.choice(theirs.legal_actions())
                ours.apply_action(action)
            else:
                action = rng.choice(theirs.legal_actions())
                assert ours.legal_actions() == sorted(our_action(a, player) for a in theirs.legal_actions())
                captures = ours.action_to_string(our_action(action, player)).endswith("*")
                assert captures == (action % 2 == 1)
                ours.apply_action(our_action(action, player))
            theirs.apply_action(action)
        assert ours.is_terminal()
        assert ours.returns() == theirs.returns()
        returns.add(tuple(ours.returns()))
    assert len(returns) == 2


def test_a_small_board_with_a_fixed_setup():
    game = load_game("einstein_wurfelt_nicht(board_size=3,layers=2,setup=fixed)")
    state = game.new_initial_state()
    assert str(state).splitlines() == ["x1 x2  .", "x3  . o1", " . o2 o3", "o to roll"]
    assert [state.action_to_string(outcome) for outcome in state.legal_actions()] == [
        "roll 1",
        "roll 2",
        "roll 3",
    ]
    state.apply_action(state.string_to_action("roll 3"))
    assert {state.action_to_string(a) for a in state.legal_actions()} == {"3-diag", "3-right*", "3-down*"}
    state.apply_action(state.string_to_action("3-right*"))  # its own cube 2
    assert str(state).splitlines() == ["x1 x2  .", "x3  . o1", " . o3  .", "x to roll"]
    for text in ("roll 1", "1-diag", "roll 2"):
        state.apply_action(state.string_to_action(text))
    # Two is gone: the next lower or the next higher may move.
    assert {state.action_to_string(a)[0] for a in state.legal_actions()} == {"1", "3"}


@pytest.mark.parametrize(
    ("steps", "returns"),
    [
        (["1-right"] * 4 + ["1-down"] * 3, [-1.0, 1.0]),  # round the corners: o, who begins, is there first
        (["1-diag", "1-diag*"], [1.0, -1.0]),
    ],
)
def test_the_far_corner_wins_and_so_does_taking_the_last_cube(steps, returns):
    state = load_game("einstein_wurfelt_nicht(board_size=3,layers=1,setup=fixed)").new_initial_state()
    for text in steps:
        assert not state.is_terminal()
        state.apply_action(state.string_to_action("roll 1"))
        state.apply_action(state.string_to_action(text))
    assert state.is_terminal()
    assert state.returns() == returns


@pytest.mark.parametrize("size", [3, 5])
def test_the_mirrored_board_is_played_alike(size):
    game = load_game(f"einstein_wurfelt_nicht(board_size={size},layers=2,setup=fixed)")
    (_, _), (cells, actions) = game.symmetries()
    assert [actions[a] for a in actions] == list(range(3 * size * size))
    shape = game.observation_tensor_shape()
    rng, state = random.Random(4), game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        planes = state.observation_tensor(0).reshape(shape[0], -1)
        assert planes[:, cells][:, cells].tolist() == planes.tolist()


def test_the_viewer_sees_itself_in_the_first_corner():
    game = load_game("einstein_wurfelt_nicht(board_size=3,layers=2,setup=fixed)")
    state, cells = game.new_initial_state(), 9
    for viewer in (0, 1):
        planes = state.observation_tensor(viewer).reshape(-1, cells)
        assert planes[:3].argmax(axis=1).tolist() == ([0, 1, 3] if viewer == 0 else [3, 1, 0])
        assert planes[3:6].sum() == 3
        assert planes[11].all()  # chance acts


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("einstein_wurfelt_nicht(board_size=6)", r"board_size=6 is out of range; give 2\.\.5"),
        ("einstein_wurfelt_nicht(board_size=3,layers=3)", r"layers=3 is out of range; give 1\.\.2"),
        ("einstein_wurfelt_nicht(setup=free)", "setup=free is out of range; give random or fixed"),
    ],
)
def test_wrong_parameters_are_named(name, message):
    with pytest.raises(GameError, match=message):
        load_game(name)
