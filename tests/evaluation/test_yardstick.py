"""The exact measurement of games with payments of their own, by hand, and for one player."""

from __future__ import annotations

import math

import numpy as np
import pytest
from toys import Climb, Stakes

from dicezero.agents import make_agent
from dicezero.evaluation.exact import exact_score
from dicezero.evaluation.luck import luck_of
from dicezero.evaluation.strength import losses, strength
from dicezero.evaluation.yardstick import Yardstick
from dicezero.solve import Policy, Solution, optimal, solve, uniform

GAMBLE, TAKE = 1, 0


@pytest.fixture(scope="module")
def stakes() -> Solution:
    return solve(Stakes(0.75))


def always(solution: Solution, action: int) -> Policy:
    return Policy(solution.positions, np.full(len(solution.positions), action, np.int16))


def test_payments_of_three_by_hand(stakes: Solution):
    """A gamble is worth 0.75 * 3 - 0.25 = 2, taking 1 for sure 1; returns are said to be -4..4."""
    assert (stakes.scale.low, stakes.scale.high) == (-4.0, 4.0)
    assert stakes.initial_value == pytest.approx(0.0)
    gamble = strength(always(stakes, GAMBLE), stakes)
    assert gamble.vs_optimal == pytest.approx(0.5)
    assert gamble.mean_return == pytest.approx(0.0)
    assert gamble.vs_random == pytest.approx(0.5 + 0.5 / 8)  # random play earns 1.5
    assert gamble.regret == pytest.approx(0.0)
    take = strength(always(stakes, TAKE), stakes)
    assert take.mean_return == pytest.approx(-1.0)
    assert take.vs_optimal == pytest.approx(0.5 - 1 / 8)
    assert take.vs_optimal_seats == pytest.approx((0.5 - 1 / 8, 0.5 - 1 / 8))
    assert take.exploitability == pytest.approx(1 / 8)
    assert take.regret == pytest.approx(1 / 8)
    assert sum(m.cost for m in take.mistakes) == pytest.approx(1 / 8)
    # Clipped to [-1, 1] the gamble would be worth 0.5, less than 1 for sure.
    best = stakes.optimal_actions(stakes.game.new_initial_state())
    assert best == [GAMBLE]


def test_one_way_to_measure(stakes: Solution):
    policy = always(stakes, TAKE)
    found = Yardstick(stakes).figures(policy)
    deep = strength(policy, stakes)
    assert {name: getattr(deep, name) for name in found} == pytest.approx(found)
    score = exact_score(make_agent("random", stakes.game), stakes)
    assert score.vs_random == pytest.approx(0.5)
    assert score.mean_return == pytest.approx(-0.5)
    assert score.optimal_return == pytest.approx(0.0)


def test_alone_there_are_returns_and_no_scores():
    """Each step of the climb pays 1 and goes on with a half: 1 + 1/2 + 1/4 + 1/8 for four steps."""
    solution = solve(Climb(4))
    top = strength(optimal(solution), solution)
    assert solution.initial_value == top.mean_return == top.optimal_return == pytest.approx(1.875)
    assert (top.vs_optimal, top.vs_random, top.exploitability) == (None, None, None)
    assert top.exploitability_return is None
    assert top.decisions_played == pytest.approx(1.875)
    assert top.mistakes == ()
    chance = strength(uniform(solution.positions), solution)
    assert chance.mean_return == pytest.approx(0.5 * (1 + 0.25 + 0.25**2 + 0.25**3))
    assert sum(m.cost for m in chance.mistakes) == pytest.approx(1.875 - chance.mean_return)
    found = Yardstick(solution).figures(always(solution, 0))
    assert found == pytest.approx(
        {
            "mean_return": 0.0,
            "optimal_return": 1.875,
            "random_return": chance.mean_return,
            "regret": found["regret"],
        }
    )
    score = exact_score(make_agent("random", solution.game), solution)
    assert math.isnan(score.vs_optimal)
    assert score.mean_return == pytest.approx(chance.mean_return)


def test_what_mistakes_cost_is_what_is_missing(stakes: Solution):
    for solution in (stakes, solve(Climb(3))):
        rng = np.random.default_rng(1)
        legal = solution.positions.legal(0, len(solution.positions))
        weights = np.where(legal, rng.random(legal.shape), 0.0)
        policy = Policy(solution.positions, weights / weights.sum(axis=1, keepdims=True))
        loss, _ = losses(policy, solution)
        yardstick = Yardstick(solution)
        missing = yardstick.optimal_return - yardstick.against_optimal(policy).mean_return
        visits = solution.visits(policy, optimal(solution), discounted=True)
        assert float(loss @ visits) == pytest.approx(solution.scale.loss(missing), abs=1e-9)


def test_luck_counts_what_is_paid(stakes: Solution):
    assert luck_of(stakes, [GAMBLE, 1, TAKE]) == pytest.approx(3 - 2)
    assert luck_of(stakes, [GAMBLE, 0, GAMBLE, 1]) == pytest.approx((-1 - 2) - (3 - 2))
    climb = solve(Climb(2))
    assert luck_of(climb, [1, 1, 1, 0]) == pytest.approx((1 - 0.5) + 0.0)
