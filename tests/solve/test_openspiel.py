"""Our solutions against OpenSpiel's own value iteration."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dicezero import _native
from dicezero.rules import register_with_pyspiel
from dicezero.solve import solve

pyspiel = pytest.importorskip("pyspiel")

ValueIteration = Callable[..., dict[str, float]]


def test_tic_tac_toe(value_iteration: ValueIteration) -> None:
    theirs = value_iteration(pyspiel.load_game("tic_tac_toe"), depth_limit=-1, threshold=1e-9)
    for game in (_native.TicTacToe(), pyspiel.load_game("tic_tac_toe")):
        solution = solve(game)
        assert solution.states == 5478
        assert solution.first_player_win == 0.5
        state = game.new_initial_state()
        for action in (0, 1, 3, 4):
            assert solution.first_player_value(state) == theirs[str(state)]
            state.apply_action(action)


def test_nannon_through_its_registration(value_iteration: ValueIteration) -> None:
    register_with_pyspiel()
    game = pyspiel.load_game("nannon(points=6,checkers=3,sides=6)")
    theirs = value_iteration(game, depth_limit=-1, threshold=1e-11, cyclic_game=True)
    solution = solve(_native.Nannon())
    ours, root = _native.Nannon().new_initial_state(), game.new_initial_state()
    value = sum(p * theirs[str(root.child(roll))] for roll, p in root.chance_outcomes())
    assert (1 + value) / 2 == pytest.approx(0.515736870969, abs=1e-9)
    assert solution.first_player_value(ours) == pytest.approx(value, abs=1e-9)
    for roll in ours.legal_actions():
        child = theirs[str(root.child(roll))]
        assert solution.first_player_value(ours.child(roll)) == pytest.approx(child, abs=1e-9)
