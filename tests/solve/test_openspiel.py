"""Our solutions against OpenSpiel's own value iteration."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from plain import find_states, plain_values

from dicezero import _native
from dicezero.rules import register_with_pyspiel
from dicezero.solve import optimal, solve, uniform

pyspiel = pytest.importorskip("pyspiel")
minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")

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


def test_dots_and_boxes_pays_the_margin_and_lets_a_player_move_again(value_iteration: ValueIteration) -> None:
    game = pyspiel.load_game("dots_and_boxes(num_rows=1,num_cols=2,utility_margin=true)")
    theirs = value_iteration(game, depth_limit=-1, threshold=1e-9)
    solution = solve(game)
    assert (solution.scale.low, solution.scale.high) == (-2.0, 2.0)
    again = 0
    for i in range(len(solution.positions)):
        state = solution.positions.state(i)
        assert solution.first_player_value(state) == theirs[str(state)]
        children = [state.child(action) for action in state.legal_actions()]
        again += any(child.current_player() == state.current_player() for child in children)
    assert again > 10
    large = pyspiel.load_game("dots_and_boxes(num_rows=2,num_cols=2,utility_margin=true)")
    assert solve(large).initial_value == minimax.alpha_beta_search(large)[0]


@pytest.mark.parametrize("name", ["catch(rows=5,columns=3)", "cliff_walking(height=3,width=4)"])
def test_games_for_one_player_equal_the_plain_twin(name: str) -> None:
    game = pyspiel.load_game(name)
    solution, expected = solve(game), plain_values(game)
    for key, state in find_states(game).items():
        assert solution.first_player_value(state) == pytest.approx(expected[key], abs=1e-9)
    assert solution.initial_value == pytest.approx(game.max_utility())  # as OpenSpiel knows it
    assert solution.first_player_win is None
    best = solution.evaluate(optimal(solution), uniform(solution.positions))
    assert best.mean_return == pytest.approx(game.max_utility())
    assert solution.regret(optimal(solution)).mean == pytest.approx(0.0, abs=1e-12)
