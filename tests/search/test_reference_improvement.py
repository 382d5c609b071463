"""The slow planner improves on its prior where the Gumbel paper says so, and only there."""

from __future__ import annotations

import numpy as np
import pytest
from improvement import (
    bandit,
    check_example_1,
    check_gumbel_improves,
    check_halving_of_figure_1,
    played,
)

from dicezero.search.config import SearchConfig
from dicezero.search.reference import reference_plan


def test_gumbel_improves_at_every_budget() -> None:
    check_gumbel_improves(reference_plan, bandits=3, arms=5, rows=60)


def test_example_1() -> None:
    check_example_1(reference_plan, rows=500)


def test_sequential_halving_of_figure_1() -> None:
    check_halving_of_figure_1(reference_plan)


@pytest.mark.parametrize("rule", ["trpo", "mpo", "gumbel_with_replacement"])
def test_the_other_roots_improve_too(rule: str) -> None:
    rng = np.random.default_rng(8)
    logits, q = rng.normal(0, 1, 4), rng.uniform(-1, 1, 4)
    prior = np.exp(logits) / np.exp(logits).sum()
    config = SearchConfig(simulations=6, root=rule, players="single", c_scale=0.1, completed_q="raw")
    result = played(reference_plan, bandit(logits, q), 150, config)
    found = q[result.action]
    assert found.mean() > prior @ q - 3 * found.std() / np.sqrt(len(found))
    # Eq. 19: with the exact value for the unvisited, the training target improves on the prior.
    assert (result.policy @ q > prior @ q - 1e-6).all()
    np.testing.assert_allclose(result.policy.sum(axis=1), 1.0, atol=1e-9)
