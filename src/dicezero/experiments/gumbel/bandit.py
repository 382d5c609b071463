"""Bandits with a predictor as one-step games that the project's own planner searches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dicezero.search.config import Dirichlet, SearchConfig
from dicezero.search.plan import PlanResult, plan
from dicezero.search.simulator import Floats, Root, Step

Array = npt.NDArray[np.float64]

_GREEDY = 1e6  # c_scale so large that Q alone decides
CONSIDERED = 16  # m of the paper's experiments

_SEARCH = SearchConfig(
    players="single", interior="puct", q_normalisation="fixed", q_range=(0.0, 1.0), c_scale=1.0
)
METHODS: dict[str, SearchConfig] = {
    "Gumbel": replace(_SEARCH, root="gumbel"),
    "without replacement": replace(_SEARCH, root="gumbel", c_scale=_GREEDY),
    "with replacement": replace(_SEARCH, root="gumbel_with_replacement"),
    "top-n": replace(_SEARCH, root="gumbel", c_scale=_GREEDY),
    "PUCT": replace(_SEARCH, root="puct", temperature=1.0),
    "PUCT, most visits": replace(_SEARCH, root="puct", temperature=0.0),
    "TRPO": replace(_SEARCH, root="trpo"),
    "MPO": replace(_SEARCH, root="mpo"),
}


@dataclass(frozen=True)
class Bandits:
    """B bandits of k arms, each with a predictor.

    Attributes:
        logits: [B, k] the predictor's.
        q: [B, k] what each arm is worth, in [0, 1].
    """

    logits: Floats
    q: Array

    @cached_property
    def prior(self) -> Array:
        """[B, k] the predictor's probabilities."""
        raised = np.exp(self.logits.astype(np.float64) - self.logits.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float64)

    @cached_property
    def value(self) -> Array:
        """[B] what the predictor itself would win: sum of prior and q."""
        return np.asarray((self.prior * self.q).sum(axis=1), np.float64)

    def repeated(self, times: int) -> Bandits:
        """Each bandit so often, one after another."""
        return Bandits(np.repeat(self.logits, times, axis=0), np.repeat(self.q, times, axis=0))


def random_bandits(count: int, arms: int, *, knowledge: float, seed: int) -> Bandits:
    """Arms worth uniform numbers; logits are normal, with ``knowledge`` as their correlation with q."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(0.0, 1.0, (count, arms))
    standardised = (q - 0.5) * np.sqrt(12.0)
    logits = knowledge * standardised + np.sqrt(1.0 - knowledge**2) * rng.normal(0.0, 1.0, (count, arms))
    return Bandits(logits.astype(np.float32), q)


class BanditModel:
    """The bandits as a learned model: arm a of row b leads to a state that is worth q[b, a] for ever.

    Each look at a state has its own error, normal with deviation ``noise``: visiting an arm again and
    averaging is the stochastic bandit of section 3.4.
    """

    def __init__(self, bandits: Bandits, *, noise: float = 0.0, value_error: float = 0.0, seed: int = 0):
        self._bandits, self._noise = bandits, noise
        self._rng = np.random.default_rng([seed, 1])
        error = np.random.default_rng([seed, 2]).normal(0.0, 1.0, len(bandits.q))
        self.root_value = bandits.value + value_error * error

    def root(self) -> Root:
        """The position before an arm is chosen, one a bandit."""
        rows, arms = self._bandits.q.shape
        hidden = np.stack([np.arange(rows), np.full(rows, -1)], axis=1).astype(np.float32)
        value, legal = self.root_value.astype(np.float32), np.ones((rows, arms), np.bool_)
        return Root(hidden, self._bandits.logits, value, legal, np.zeros(rows, np.int32))

    def step(self, hidden: Floats, action: npt.NDArray[np.int32]) -> Step:
        """An arm, once chosen, stays chosen."""
        row, before = hidden[:, 0].astype(np.int64), hidden[:, 1].astype(np.int64)
        arm = np.where(before < 0, action, before)
        value = self._bandits.q[row, arm]
        if self._noise:
            value = value + self._noise * self._rng.normal(0.0, 1.0, len(row))
        return Step(
            hidden=np.stack([row, arm], axis=1).astype(np.float32),
            reward=np.zeros(len(row), np.float32),
            policy_logits=np.zeros((len(row), self._bandits.q.shape[1]), np.float32),
            value=value.astype(np.float32),
        )


def search(
    method: str,
    bandits: Bandits,
    simulations: int,
    *,
    seed: int,
    noise: float = 0.0,
    value_error: float = 0.0,
    gumbel: npt.ArrayLike | None = None,
    config: SearchConfig | None = None,
) -> PlanResult:
    """One search of each bandit by a method of ``METHODS``.

    PUCT's root has Dirichlet noise as AlphaZero's, a quarter with alpha at ten over the number of arms. Arms
    are sampled as in the paper, min(n, 16) of them.
    """
    arms = bandits.q.shape[1]
    settings = replace(
        config or METHODS[method],
        simulations=simulations,
        max_considered_actions=min(simulations, CONSIDERED),
        dirichlet=Dirichlet(fraction=0.25, alpha=10.0 / arms),
    )
    if method == "top-n":
        gumbel = np.zeros(bandits.q.shape)
    model = BanditModel(bandits, noise=noise, value_error=value_error, seed=seed)
    return plan(model, model.root(), settings, seed=seed, gumbel=gumbel)


def won(result: PlanResult, bandits: Bandits, method: str) -> Array:
    """[B] the expected q of what is played.

    PUCT draws its move by its visits: their mean estimates the same with less noise than one draw.
    """
    if method == "PUCT":
        return np.asarray((result.policy.astype(np.float64) * bandits.q).sum(axis=1), np.float64)
    return np.asarray(bandits.q[np.arange(len(bandits.q)), result.action], np.float64)
