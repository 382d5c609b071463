"""The sequential test keeps its error rates and stops early."""

from __future__ import annotations

import numpy as np
import pytest

from dicezero.agents import make_agent
from dicezero.evaluation.arena import play_match
from dicezero.evaluation.sprt import Sprt, SprtConfig, elo_score, parse_sprt
from dicezero.rules import load_game
from dicezero.solve import Solution

TRIALS = 400


def verdicts(elo: float, config: SprtConfig, seed: int) -> tuple[float, float]:
    """Share of H1 and mean number of pairs, over coins of that strength."""
    rng = np.random.default_rng(seed)
    kept, pairs = 0, 0
    for _ in range(TRIALS):
        test = Sprt(config)
        while test.verdict is None:
            for score in rng.binomial(2, elo_score(elo), size=500) / 2:
                if test.add(float(score)):
                    break
        kept += test.verdict == "H1"
        pairs += test.pairs
    return kept / TRIALS, pairs / TRIALS


def test_error_rates_are_those_asked_for():
    config = SprtConfig(0.0, 40.0, alpha=0.05, beta=0.1)
    wrong, pairs_0 = verdicts(0.0, config, 1)
    right, pairs_1 = verdicts(40.0, config, 2)
    margin = 2.0 * np.sqrt(0.05 * 0.95 / TRIALS)
    assert wrong <= 0.05 + margin
    assert right >= 0.9 - 1.5 * margin
    # A test of fixed size with these rates needs ((1.645 + 1.282) sigma / difference) ** 2 pairs.
    fixed = ((1.645 + 1.282) * np.sqrt(0.125) / (elo_score(40.0) - 0.5)) ** 2
    assert pairs_0 < 0.75 * fixed
    assert pairs_1 < 0.75 * fixed


def test_clear_cases_are_settled_the_right_way():
    config = SprtConfig(0.0, 40.0)
    assert verdicts(-80.0, config, 3)[0] < 0.01
    assert verdicts(120.0, config, 4)[0] > 0.99


def test_a_match_stops_at_the_verdict(solution: Solution):
    game = load_game("nannon")
    agents = make_agent("optimal", game), make_agent("random", game)
    for luck in (None, solution):
        found = play_match(game, *agents, games=4000, seed=1, sprt=SprtConfig(0.0, 50.0), solution=luck)
        assert found.sprt == "H1"
        assert found.games < 500
        assert found.games % 2 == 0
    other_way = play_match(game, *agents[::-1], games=4000, seed=1, sprt=SprtConfig(0.0, 50.0))
    assert other_way.sprt == "H0"


def test_mistakes_are_named():
    assert parse_sprt("0,10") == SprtConfig(0.0, 10.0)
    with pytest.raises(ValueError, match="is not elo0,elo1"):
        parse_sprt("ten")
    with pytest.raises(ValueError, match="elo0=10"):
        parse_sprt("10,0")
    with pytest.raises(ValueError, match="alpha"):
        parse_sprt("0,10", alpha=0.0)
