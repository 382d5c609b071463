"""Nannon's reference figures, computed independently of this project."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero import _native
from dicezero.solve import decisions, optimal, solve, uniform

SMALL, MIDDLE, LARGE = (
    "nannon(points=6,checkers=3,sides=6)",
    "nannon(points=8,checkers=4,sides=6)",
    "nannon(points=12,checkers=5,sides=6)",
)


@pytest.fixture(scope="module")
def small():
    return solve(SMALL)


@pytest.fixture(scope="module")
def large():
    return solve(LARGE)


def ordinary_start(solution) -> float:
    """Win probability of a mover at the start position with an ordinary die."""
    state = solution.game.new_initial_state()
    return (1 + float(solution.values[_native.NannonIndex(solution.game).rank(state)])) / 2


def test_small_game_has_the_reference_figures(small) -> None:
    assert small.states == 2530
    assert small.positions.reachable == 2340
    assert small.first_player_win == pytest.approx(0.515736870969, abs=1e-12)
    assert ordinary_start(small) == pytest.approx(0.569848782800, abs=1e-12)
    assert small.residual <= 1e-12
    start = small.game.new_initial_state()
    by_roll = [(1 + value) / 2 for value in small.action_values(start).values()]
    assert by_roll == pytest.approx([0.386293, 0.539548, 0.645001, 0.541428, 0.628537], abs=5e-7)


def test_middle_game_has_the_reference_figure() -> None:
    assert solve(MIDDLE).first_player_win == pytest.approx(0.503690986, abs=5e-10)


def test_large_game_has_the_reference_figures(large) -> None:
    assert large.states == 1_780_776
    assert large.positions.reachable == 1_773_586
    assert large.first_player_win == pytest.approx(0.500755828134, abs=1e-12)
    assert ordinary_start(large) == pytest.approx(0.520022427717, abs=1e-12)


def test_small_game_policies(small) -> None:
    best, even = optimal(small), uniform(small.positions)
    against_random = small.evaluate(best, even)
    assert against_random.score == pytest.approx(0.694359, abs=5e-7)
    assert small.evaluate(best, best).mean_turns == pytest.approx(12.9858, abs=5e-5)
    assert small.evaluate(even, even).mean_turns == pytest.approx(13.0260, abs=5e-5)


def test_large_game_policies(large) -> None:
    best, even = optimal(large), uniform(large.positions)
    # As tight as the digits given need; the small game goes all the way.
    assert large.evaluate(best, even, tolerance=1e-8).score == pytest.approx(0.936202, abs=5e-7)
    assert large.evaluate(best, best, tolerance=1e-6).mean_turns == pytest.approx(49.6086, abs=5e-5)
    assert large.evaluate(even, even, tolerance=1e-6).mean_turns == pytest.approx(44.2880, abs=5e-5)


def test_perfect_play_meets_itself_and_cannot_be_beaten(small) -> None:
    best = optimal(small)
    itself = small.evaluate(best, best)
    assert itself.score == pytest.approx(0.5, abs=1e-12)
    assert itself.scores[0] == pytest.approx(small.first_player_win, abs=1e-11)
    reply = small.best_response(best)
    assert reply.exploitability == pytest.approx(0, abs=1e-9)
    assert reply.scores[0] == pytest.approx(small.first_player_win, abs=1e-9)
    assert small.regret(best).mean == pytest.approx(0, abs=1e-12)


def test_best_reply_beats_perfect_play_against_random(small) -> None:
    even = uniform(small.positions)
    reply = small.best_response(even)
    assert reply.score >= small.evaluate(optimal(small), even).score
    assert reply.score > 0.7
    assert small.regret(even).mean > 0.01


def test_one_result_whatever_the_threads() -> None:
    one, three = (solve(MIDDLE, threads=threads) for threads in (1, 3))
    assert np.array_equal(one.values, three.values)
    assert one.iterations == three.iterations
    even = uniform(one.positions)
    assert one.evaluate(optimal(one), even, threads=1) == one.evaluate(optimal(one), even, threads=3)


def test_every_form_of_a_policy_means_the_same(small) -> None:
    positions = small.positions
    even = uniform(positions)
    legal = positions.legal(0, len(positions))
    spread = legal / legal.sum(1, keepdims=True)
    best = optimal(small).data
    onehot = np.eye(positions.num_actions)[best]
    expected = small.evaluate(optimal(small), even).score
    for a, b in (
        (best.astype(np.int8), spread),
        (onehot.astype(np.float32), spread),
        (best, spread.astype(np.float32)),
        (lambda s: {small.optimal_actions(s)[0]: 1.0}, even),
    ):
        assert small.evaluate(a, b).score == pytest.approx(expected, abs=1e-6)


@given(
    size=st.tuples(st.integers(2, 9), st.integers(2, 9), st.integers(1, 8)).filter(
        lambda t: t[1] <= t[0] and t[2] < t[1] and 2 * (t[2] - 1) <= t[0]
    ),
    data=st.data(),
)
@settings(max_examples=50, deadline=None)
def test_rank_is_a_bijection(size: tuple[int, int, int], data: st.DataObject) -> None:
    points, sides, checkers = size
    game = _native.Nannon(points=points, checkers=checkers, sides=sides)
    index = _native.NannonIndex(game)
    assert index.size() == _native.NannonIndex.count(game)
    for rank in data.draw(st.lists(st.integers(0, index.size() - 1), max_size=50)):
        assert index.round_trip(rank) == rank


def test_starts_with_two_checkers_on_a_point_are_solved_state_by_state() -> None:
    crowded = solve("nannon(points=5,checkers=4,sides=5)")  # both sides start on point 3
    best = optimal(crowded)
    assert crowded.evaluate(best, best).scores[0] == pytest.approx(crowded.first_player_win, abs=1e-10)
    assert crowded.best_response(best).exploitability == pytest.approx(0, abs=1e-9)


def test_rank_is_a_bijection_everywhere() -> None:
    for name in ((4, 2, 4), (6, 3, 6), (8, 5, 7)):
        points, checkers, sides = name
        index = _native.NannonIndex(_native.Nannon(points=points, checkers=checkers, sides=sides))
        assert [index.round_trip(r) for r in range(index.size())] == list(range(index.size()))


@pytest.mark.parametrize(
    "name", [SMALL, "nannon(points=4,checkers=1,sides=4)", "nannon(points=5,checkers=2,sides=5)"]
)
def test_decisions_are_states_that_occur(name: str) -> None:
    positions = decisions(name)
    rng = np.random.default_rng(0)
    chosen = {0, len(positions) - 1, *rng.integers(len(positions), size=200).tolist()}
    for i in chosen:
        state = positions.state(i)
        assert state.current_player() in (0, 1)
        assert positions.index(state) == i
        assert positions.game.deserialize_state(state.serialize()) == state
        assert np.array_equal(positions.observations(i, i + 1)[0], state.observation_tensor())
        assert np.flatnonzero(positions.legal(i, i + 1)[0]).tolist() == state.legal_actions()
