"""Bradley-Terry ratings: closed forms, simulation, and what must be refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dicezero.evaluation.ratings import bradley_terry


def test_two_players_have_the_closed_form():
    ratings = bradley_terry(["a", "b"], [[0, 75], [25, 0]], [[0, 100], [100, 0]], virtual_draws=0)
    difference = ratings[0].elo - ratings[1].elo
    assert difference == pytest.approx(400 * math.log10(3))
    assert ratings[0].elo == pytest.approx(-ratings[1].elo)
    # Each sits half the difference from the mean, so its error is half that of the difference:
    # the information of 100 games at p = 3/4 is 100 * 3/16.
    error = 1.959964 * math.sqrt(16 / 300) * 400 / math.log(10) / 2
    assert ratings[0].error95 == pytest.approx(error, rel=1e-5)


def test_it_recovers_the_ratings_that_made_the_results():
    true = np.array([-200.0, -50.0, 0.0, 250.0])
    games = 4000
    rng = np.random.default_rng(1)
    size = len(true)
    points, met = np.zeros((size, size)), np.zeros((size, size))
    for i in range(size):
        for j in range(i + 1, size):
            wins = rng.binomial(games, 1 / (1 + 10 ** ((true[j] - true[i]) / 400)))
            points[i, j], points[j, i] = wins, games - wins
            met[i, j] = met[j, i] = games
    for rating, truth in zip(bradley_terry("abcd", points, met), true, strict=True):
        assert rating.error95 < 12
        assert abs(rating.elo - truth) < 2 * rating.error95


def test_winning_everything_is_finite_with_a_virtual_draw_and_refused_without():
    points, met = [[0, 10], [0, 0]], [[0, 10], [10, 0]]
    ratings = bradley_terry(["a", "b"], points, met)
    assert 200 < ratings[0].elo < 1000
    with pytest.raises(ValueError, match="virtual_draws > 0"):
        bradley_terry(["a", "b"], points, met, virtual_draws=0)


def test_equal_results_are_equal_ratings():
    met = 10 * (1 - np.eye(3))
    assert [r.elo for r in bradley_terry("abc", met / 2, met)] == pytest.approx([0, 0, 0])


def test_inconsistent_tables_are_refused():
    with pytest.raises(ValueError, match="must both be"):
        bradley_terry(["a"], [[0, 1], [1, 0]], [[0, 2], [2, 0]])
    with pytest.raises(ValueError, match="add up to the games"):
        bradley_terry(["a", "b"], [[0, 9], [9, 0]], [[0, 10], [10, 0]])
    met = [[0, 2, 0], [2, 0, 0], [0, 0, 0]]
    with pytest.raises(ValueError, match="no chain of games connects a with c"):
        bradley_terry(["a", "b", "c"], np.array(met) / 2, met)
