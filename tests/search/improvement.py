"""Does a planner improve on its prior? One-step bandits (Gumbel paper, section 3) for any plan function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from table_model import TableModel

from dicezero.search.config import Dirichlet, SearchConfig

# Example 1 of the paper.
EXAMPLE_PRIOR = np.array([0.5, 0.3, 0.2])
EXAMPLE_Q = np.array([0.0, 0.0, 1.0])


def bandit(logits: np.ndarray, q: np.ndarray) -> TableModel:
    """State 0 offers the arms; arm a leads to state 1 + a, worth q(a) for ever."""
    arms = len(q)
    stay = np.repeat(np.arange(arms + 1)[:, None], arms, axis=1)
    stay[0] = 1 + np.arange(arms)
    policy = np.zeros((arms + 1, arms))
    policy[0] = logits
    prior = np.exp(logits) / np.exp(logits).sum()
    return TableModel(
        following=stay,
        reward=np.zeros((arms + 1, arms), np.float32),
        policy_logits=policy.astype(np.float32),
        value=np.append(prior @ q, q).astype(np.float32),
    )


def played(
    plan: Callable[..., Any], model: TableModel, rows: int, config: SearchConfig, **noise: np.ndarray
) -> Any:
    """The plan of ``rows`` independent searches of one bandit."""
    arms = model.following.shape[1]
    root = model.root(np.zeros(rows, np.int64), np.ones((rows, arms), bool))
    return plan(model, root, config, seed=17, **noise)


def check_gumbel_improves(plan: Callable[..., Any], *, bandits: int, arms: int, rows: int) -> None:
    """Inequality 6 at every n <= k, and inequality 7, which implies it, for every single Gumbel vector."""
    rng = np.random.default_rng(0)
    for _ in range(bandits):
        logits, q = rng.normal(0, 1, arms).astype(np.float32), rng.uniform(-1, 1, arms)
        model = bandit(logits, q)
        prior = np.exp(logits) / np.exp(logits).sum()
        for n in range(1, arms + 1):
            gumbel = rng.gumbel(size=(rows, arms))
            config = SearchConfig(simulations=n, max_considered_actions=n, players="single")
            result = played(plan, model, rows, config, gumbel=gumbel)
            sampled = (gumbel + logits).argmax(axis=1)  # what the prior itself would have played
            gain = q[result.action] - q[sampled]
            assert (gain >= 0).all(), (n, gain.min())
            error = q[result.action].std() / np.sqrt(rows)
            assert q[result.action].mean() >= prior @ q - 3 * error
            # Algorithm 1 searches the n best by Gumbel and logits, each once.
            top = np.sort(np.argsort(-(gumbel + logits), axis=1)[:, :n], axis=1)
            np.testing.assert_array_equal(np.nonzero(result.visits)[1].reshape(rows, n), top)


def check_example_1(plan: Callable[..., Any], *, rows: int) -> None:
    """With n = 2, top-n and PUCT with Dirichlet noise fall below the prior's 0.2, Gumbel does not."""
    prior_value = EXAMPLE_PRIOR @ EXAMPLE_Q
    model = bandit(np.log(EXAMPLE_PRIOR), EXAMPLE_Q)
    gumbel = SearchConfig(simulations=2, max_considered_actions=2, players="single")
    top = played(plan, model, rows, gumbel, gumbel=np.zeros((rows, 3)))
    assert EXAMPLE_Q[top.action].mean() == 0.0 < prior_value

    # AlphaZero's noise: a quarter, with alpha at ten over the number of moves.
    puct = SearchConfig(
        simulations=2,
        root="puct",
        interior="puct",
        players="single",
        q_normalisation="fixed",
        q_range=(0.0, 1.0),
        dirichlet=Dirichlet(fraction=0.25, alpha=10 / 3),
    )
    found = EXAMPLE_Q[played(plan, model, rows, puct).action]
    assert found.mean() + 3 * found.std() / np.sqrt(rows) < prior_value

    found = EXAMPLE_Q[played(plan, model, rows, gumbel).action]
    assert found.mean() - 3 * found.std() / np.sqrt(rows) > prior_value
    # Without replacement: action 2 is found if it is among the two drawn.
    share = 0.2 + 0.5 * 0.2 / 0.5 + 0.3 * 0.2 / 0.7
    assert abs(found.mean() - share) < 4 * found.std() / np.sqrt(rows)


def check_halving_of_figure_1(plan: Callable[..., Any]) -> None:
    """Four phases of 3, 6, 12 and 25 visits for 16, 8, 4 and 2 actions, and 6 simulations left over."""
    rng = np.random.default_rng(4)
    arms = 20
    model = bandit(rng.normal(0, 1, arms), rng.uniform(-1, 1, arms))
    config = SearchConfig(simulations=200, max_considered_actions=16, players="single")
    result = played(plan, model, 3, config)
    expected = [0] * 4 + [3] * 8 + [3 + 6] * 4 + [3 + 6 + 12] * 2 + [3 + 6 + 12 + 25 + 3] * 2
    for row in result.visits:
        assert sorted(row.tolist()) == expected
    for row, action in zip(result.visits, result.action, strict=True):
        assert row[action] == row.max()
