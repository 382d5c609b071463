"""Tic-tac-toe and Connect Four against known totals and against OpenSpiel's."""

import random

import pytest

from dicezero import load_game, perft


def test_tic_tac_toe_has_5478_states():
    seen, stack = set(), [load_game("tic_tac_toe").new_initial_state()]
    while stack:
        state = stack.pop()
        if state.key() in seen:
            continue
        seen.add(state.key())
        stack.extend(state.child(action) for action in state.legal_actions())
    assert len(seen) == 5478


def test_tic_tac_toe_has_255168_games():
    complete = {1: 0, 0: 0, -1: 0}

    def count(state):
        if state.is_terminal():
            complete[int(state.returns()[0])] += 1
        for action in state.legal_actions():
            count(state.child(action))

    # The first move's nine branches fall into three kinds: 4 corners, 4 edges, 1 centre.
    root = load_game("tic_tac_toe").new_initial_state()
    for first, copies in ((0, 4), (1, 4), (4, 1)):
        before = dict(complete)
        count(root.child(first))
        for result in complete:
            complete[result] = before[result] + copies * (complete[result] - before[result])
    assert sum(complete.values()) == 255_168
    assert complete == {1: 131_184, -1: 77_904, 0: 46_080}


def test_tic_tac_toe_counts():
    assert perft("tic_tac_toe", 9) == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def test_connect_four_counts():
    """The first six are the powers of seven; then columns fill and games end."""
    assert perft("connect_four", 8) == [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


def agree(ours, theirs):
    assert ours.legal_actions() == theirs.legal_actions()
    assert ours.is_terminal() == theirs.is_terminal()
    assert ours.current_player() == theirs.current_player()
    assert ours.returns() == theirs.returns()
    assert str(ours) == str(theirs)


@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("connect_four", 10_000),
        ("connect_four(rows=4,columns=5)", 500),
        ("connect_four(rows=7,columns=8)", 300),
        ("connect_four(rows=5,columns=4)", 300),
        ("tic_tac_toe", 500),
    ],
)
def test_every_position_of_random_games_is_openspiels(name, games):
    pyspiel = pytest.importorskip("pyspiel")
    rng = random.Random(7)
    game, other = load_game(name), pyspiel.load_game(name)
    for _ in range(games):
        ours, theirs = game.new_initial_state(), other.new_initial_state()
        agree(ours, theirs)
        while not ours.is_terminal():
            action = rng.choice(ours.legal_actions())
            assert ours.action_to_string(action) == theirs.action_to_string(action)
            ours.apply_action(action)
            theirs.apply_action(action)
            agree(ours, theirs)


def test_observations_show_the_viewers_stones_first():
    state = load_game("connect_four(rows=4,columns=5)").new_initial_state()
    for column in (2, 2, 0):
        state.apply_action(column)
    mine, theirs = state.observation_tensor(0).reshape(2, 4, 5)
    assert mine.tolist() == [[1, 0, 1, 0, 0]] + [[0] * 5] * 3
    assert theirs.tolist() == [[0] * 5, [0, 0, 1, 0, 0], [0] * 5, [0] * 5]
    other = state.observation_tensor(1).reshape(2, 4, 5)
    assert (other[0] == theirs).all()
    assert (other[1] == mine).all()
