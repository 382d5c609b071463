"""Exact measurement of agents, and sampling that agrees with it."""

from __future__ import annotations

import pytest

from dicezero.agents import make_agent
from dicezero.evaluation.arena import play_match
from dicezero.evaluation.exact import exact_score
from dicezero.rules import load_game
from dicezero.solve import Solution, solve


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve("nannon")


def test_perfect_play_and_random_play_have_the_known_scores(solution: Solution):
    game = load_game("nannon")
    best = exact_score(make_agent("optimal", game), solution)
    assert best.vs_optimal == pytest.approx(0.5, abs=1e-9)
    assert best.vs_random == pytest.approx(0.694359, abs=5e-7)
    assert best.regret == pytest.approx(0.0, abs=1e-9)
    worst = exact_score(make_agent("random", game), solution)
    assert worst.vs_optimal == pytest.approx(1 - 0.694359, abs=5e-7)
    assert worst.vs_random == pytest.approx(0.5, abs=1e-9)


def test_deeper_search_is_better_and_nobody_beats_perfect_play(solution: Solution):
    game = load_game("nannon")
    calls: list[tuple[int, int]] = []
    specs = ("random", "greedy", "expectiminimax(depth=2)", "optimal")
    scores = [
        exact_score(make_agent(spec, game), solution, on_decision=lambda *c: calls.append(c))
        for spec in specs
    ]
    against_best = [score.vs_optimal for score in scores]
    assert against_best == sorted(against_best)
    assert against_best[-1] <= 0.5 + 1e-9
    assert calls[-1] == (len(solution.positions), len(solution.positions))


def test_a_match_agrees_with_the_exact_score(solution: Solution):
    game = load_game("nannon")
    for spec, games in (("optimal", 1600), ("greedy", 1200)):
        agent = make_agent(spec, game)
        exact = exact_score(agent, solution).vs_random
        low, high = play_match(game, agent, make_agent("random", game), games=games, seed=1).ci95
        assert low <= exact <= high
        assert high - low < 0.06
