"""Luck taken out: no bias, far less variance; and games played together are the games played alone."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from dicezero.agents import make_agent
from dicezero.evaluation.arena import play_game, play_match, play_pairs
from dicezero.evaluation.exact import agent_policy
from dicezero.evaluation.interval import mean_interval
from dicezero.evaluation.luck import judged_luck, luck_of
from dicezero.evaluation.tables import PolicyAgent
from dicezero.rules import load_game, spec_of
from dicezero.solve import Solution, optimal, uniform

GAME = load_game("nannon")


def test_two_perfect_players_have_no_luck_left(solution: Solution):
    agents = [PolicyAgent(name, optimal(solution)) for name in "ab"]
    found = play_match(GAME, *agents, games=200, seed=1, solution=solution)
    assert found.adjusted_score == pytest.approx(0.5, abs=1e-9)
    assert found.adjusted_ci95 == pytest.approx((0.5, 0.5), abs=1e-9)


def test_the_adjusted_score_is_unbiased_and_far_more_precise(solution: Solution):
    greedy = agent_policy(make_agent("greedy", GAME), solution, seed=0)
    exact = solution.evaluate(greedy, optimal(solution)).score
    agents = PolicyAgent("greedy", greedy), PolicyAgent("optimal", optimal(solution))
    found = play_match(GAME, *agents, games=3000, seed=2, solution=solution)
    low, high = found.adjusted_ci95
    assert abs(found.adjusted_score - exact) < 3.0 * (high - low) / 3.92  # three standard errors
    assert high - low < 0.02
    assert found.variance_ratio > 5.0
    assert found.score != found.adjusted_score


def test_it_is_unbiased_for_poor_players_too(solution: Solution):
    agents = make_agent("random", GAME), PolicyAgent("optimal", optimal(solution))
    exact = solution.evaluate(uniform(solution.positions), optimal(solution)).score
    found = play_match(GAME, *agents, games=1500, seed=3, solution=solution)
    low, high = found.adjusted_ci95
    assert abs(found.adjusted_score - exact) < 3.0 * (high - low) / 3.92
    assert found.variance_ratio > 1.5


class Knowing:
    """A planner whose values are the solution's."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    def predict(self, positions):
        signs = [1.0 if state.current_player() == 0 else -1.0 for state in positions.states]
        values = [self.solution.first_player_value(state) for state in positions.states]
        return None, np.array(values) * signs / 2.0


def test_a_networks_values_take_out_the_luck_that_a_solutions_do(solution: Solution):
    luck = judged_luck(GAME, spec_of(GAME), Knowing(solution), scale=2.0)
    rng = random.Random(1)
    for _ in range(20):
        state = GAME.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        assert luck(state.history(), None) == pytest.approx(luck_of(solution, state.history()), abs=1e-9)


def test_a_match_may_be_adjusted_by_any_values(solution: Solution):
    luck = judged_luck(GAME, spec_of(GAME), Knowing(solution), scale=2.0)
    agents = make_agent("greedy", GAME), PolicyAgent("optimal", optimal(solution))
    mine = play_match(GAME, *agents, games=20, seed=3, luck=luck)
    theirs = play_match(GAME, *agents, games=20, seed=3, solution=solution)
    assert mine.adjusted_return == pytest.approx(theirs.adjusted_return)


def test_games_played_together_are_the_games_played_alone():
    one, other = make_agent("greedy", GAME), make_agent("uct(simulations=20)", GAME)
    for index, record in enumerate(play_pairs(GAME, one, other, pairs=range(6), seed=9)):
        seats = (one, other) if index % 2 == 0 else (other, one)
        alone = play_game(GAME, seats, seed=9, pair=index // 2, game_index=index)
        assert record.action.tolist() == alone.action.tolist()


def test_the_interval_of_a_mean_is_students():
    low, high = mean_interval([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert (low + high) / 2 == pytest.approx(3.5)
    half = 2.5706 * math.sqrt(3.5 / 6)  # the 97.5 % quantile with 5 degrees of freedom
    assert (high - low) / 2 == pytest.approx(half, rel=2e-3)
    assert mean_interval([1.0]) == (-math.inf, math.inf)
