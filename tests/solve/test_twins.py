"""The fast paths against slow twins and sampled games."""

from __future__ import annotations

import numpy as np
import pytest
from plain import Climb, dense_evaluation, even, find_states, plain_key, plain_values

from dicezero import _native
from dicezero.rules import load_game
from dicezero.solve import decisions, optimal, solve, uniform


def make_game(name: str):
    if name == "climb":
        return Climb()
    if name == "tic_tac_toe":
        return _native.TicTacToe()
    points, checkers, sides = map(int, name.split("-"))
    return _native.Nannon(points=points, checkers=checkers, sides=sides)


@pytest.mark.parametrize(
    "name", ["4-2-4", "5-2-5", "3-1-2", "6-3-6", "4-3-4", "3-2-3", "tic_tac_toe", "climb"]
)
def test_values_equal_plain_value_iteration(name: str) -> None:
    game = make_game(name)
    solution = solve(game)
    expected = plain_values(game)
    states = find_states(game)
    for key, state in states.items():
        assert solution.first_player_value(state) == pytest.approx(expected[key], abs=1e-10)
        sign = -1 if state.current_player() == 1 else 1
        assert solution.value(state) == pytest.approx(sign * expected[key], abs=1e-10)
    assert solution.first_player_win == pytest.approx(
        (1 + expected[plain_key(game.new_initial_state())]) / 2, abs=1e-10
    )


@pytest.mark.parametrize("name", ["4-2-4", "3-1-2", "3-2-3", "climb"])
def test_evaluation_equals_a_dense_linear_solve(name: str) -> None:
    game = make_game(name)
    solution = solve(game)
    both = solution.evaluate(uniform(solution.positions), even)
    value, turns = dense_evaluation(game, (even, even))
    assert both.scores[0] == pytest.approx((1 + value) / 2, abs=1e-10)
    assert both.turns[0] == pytest.approx(turns, rel=1e-10)

    def last(state) -> dict[int, float]:
        return {state.legal_actions()[-1]: 0.75, state.legal_actions()[0]: 0.25} | (
            {state.legal_actions()[0]: 1.0} if len(state.legal_actions()) == 1 else {}
        )

    skewed = solution.evaluate(last, even)
    first, second = (dense_evaluation(game, order) for order in ((last, even), (even, last)))
    assert skewed.scores == pytest.approx(((1 + first[0]) / 2, (1 - second[0]) / 2), abs=1e-10)
    assert skewed.turns == pytest.approx((first[1], second[1]), rel=1e-10)


def test_foreign_path_agrees_with_the_ranked_one() -> None:
    inner = make_game("4-2-4")

    class Wrapped:
        """Nannon as a stranger's game: only the protocol is visible."""

        def __getattr__(self, name: str):
            return getattr(inner, name)

        def __str__(self) -> str:
            return "wrapped"

    foreign, native = solve(Wrapped()), solve(make_game("4-2-4"))
    assert foreign.first_player_win == pytest.approx(native.first_player_win, abs=1e-11)
    ours = native.evaluate(optimal(native), uniform(native.positions))
    theirs = foreign.evaluate(optimal(foreign), uniform(foreign.positions))
    assert theirs.scores == pytest.approx(ours.scores, abs=1e-10)
    assert foreign.best_response(even).score == pytest.approx(native.best_response(even).score, abs=1e-10)


def test_evaluation_lies_in_the_interval_of_sampled_games() -> None:
    game = make_game("6-3-6")
    solution = solve(game)
    exact = solution.evaluate(optimal(solution), uniform(solution.positions))
    best, positions = optimal(solution).data, solution.positions
    rng = np.random.default_rng(7)
    games = 2000
    won = np.zeros(games)
    turns = np.zeros(games)
    for i in range(games):
        state, seat = game.new_initial_state(), i % 2
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(outcomes, p=chances)))
                continue
            turns[i] += 1
            mine = state.current_player() == seat
            state.apply_action(
                int(best[positions.index(state)] if mine else rng.choice(state.legal_actions()))
            )
        won[i] = state.returns()[seat] > 0
    assert abs(won.mean() - exact.score) < 4 * won.std() / games**0.5
    assert abs(turns.mean() - exact.mean_turns) < 4 * turns.std() / games**0.5


def test_connect_four_on_a_small_board_is_a_draw() -> None:
    solution = solve("connect_four(rows=4,columns=4)")
    assert solution.states == 161029
    assert solution.first_player_win == 0.5


def test_openspiel_pig_is_solved() -> None:
    pytest.importorskip("pyspiel")
    solution = solve(load_game("pig(winscore=15)"))
    assert 0.5 < solution.first_player_win < 0.8
    best = optimal(solution)
    assert solution.best_response(best).score == pytest.approx(0.5, abs=1e-9)
    assert solution.evaluate(best, best).score == pytest.approx(0.5, abs=1e-9)


def test_states_that_look_alike_to_the_mover_have_one_decision() -> None:
    positions = decisions(make_game("6-3-6"))
    a, b = (positions.game.new_initial_state() for _ in range(2))
    a.apply_action(0)
    assert positions.index(a) == positions.index(a.clone())
    b.apply_action(1)
    assert positions.index(a) != positions.index(b)
