"""Random models whose network is a table, so that NumPy and JAX see the very same numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Step:
    """What a simulator returns for M rows."""

    hidden: np.ndarray
    reward: np.ndarray
    policy_logits: np.ndarray
    value: np.ndarray
    identity_logits: np.ndarray | None = None
    chance_logits: np.ndarray | None = None


@dataclass(frozen=True)
class TableRoot:
    """The roots of a batch."""

    hidden: np.ndarray
    policy_logits: np.ndarray
    value: np.ndarray
    legal: np.ndarray
    player: np.ndarray


@dataclass(frozen=True)
class TableModel:
    """S states, A actions. ``hidden`` [M, 2] holds the state's number and a constant.

    Attributes:
        following: [S, A] the state that an action leads to.
        reward: [S, A] for the player who moves.
        policy_logits: [S, A].
        value: [S] for the player to move.
        identity_logits: [S, 4], None for a model without identities.
        chance_logits: [S, A], likewise.
    """

    following: np.ndarray
    reward: np.ndarray
    policy_logits: np.ndarray
    value: np.ndarray
    identity_logits: np.ndarray | None = None
    chance_logits: np.ndarray | None = None

    def step(self, hidden: np.ndarray, action: np.ndarray) -> Step:
        """One step of the model: the simulator's side."""
        before = np.asarray(hidden)[:, 0].astype(np.int64)
        state = self.following[before, action]
        return Step(
            hidden=self.hidden(state),
            reward=self.reward[before, action],
            policy_logits=self.policy_logits[state],
            value=self.value[state],
            identity_logits=None if self.identity_logits is None else self.identity_logits[state],
            chance_logits=None if self.chance_logits is None else self.chance_logits[state],
        )

    @staticmethod
    def hidden(state: np.ndarray) -> np.ndarray:
        """[M, 2] hidden states, exact in single precision."""
        return np.stack([state, np.full(len(state), 0.5)], axis=1).astype(np.float32)

    def root(self, state: np.ndarray, legal: np.ndarray) -> TableRoot:
        """Roots at the given states [B] with legal actions [B, A]."""
        player = np.zeros(len(state), np.int64)
        return TableRoot(self.hidden(state), self.policy_logits[state], self.value[state], legal, player)


def random_model(
    rng: np.random.Generator, *, states: int, actions: int, learned: bool = False, spread: float = 1.0
) -> TableModel:
    """A model of random tables; every number is exact in single precision."""

    def table(*shape: int, scale: float = 1.0) -> np.ndarray:
        return (scale * rng.standard_normal(shape)).astype(np.float32)

    return TableModel(
        following=rng.integers(0, states, (states, actions)),
        reward=table(states, actions, scale=0.3),
        policy_logits=table(states, actions, scale=spread),
        value=table(states),
        identity_logits=table(states, 4, scale=1.5) if learned else None,
        chance_logits=table(states, actions, scale=1.5) if learned else None,
    )


def random_legal(rng: np.random.Generator, batch: int, actions: int) -> np.ndarray:
    """[batch, actions] masks, each with at least one legal action."""
    legal = rng.random((batch, actions)) < rng.uniform(0.2, 0.9, (batch, 1))
    legal[np.arange(batch), rng.integers(0, actions, batch)] = True
    return legal


def jax_recurrent_fn(params: dict[str, Any], key: Any, action: Any, embedding: Any) -> Any:
    """The same step as mctx calls it; ``params`` are a model's tables and the signed discount."""
    import jax.numpy as jnp
    import mctx

    del key
    before = embedding[:, 0].astype(jnp.int32)
    state = params["following"][before, action]
    value = params["value"][state]
    output = mctx.RecurrentFnOutput(
        reward=params["reward"][before, action],
        discount=jnp.full_like(value, params["discount"]),
        prior_logits=params["policy_logits"][state],
        value=value,
    )
    return output, jnp.stack([state.astype(embedding.dtype), embedding[:, 1]], axis=1)


def even_network(actions: int):
    """An evaluator that knows nothing."""

    def evaluate(_: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((len(legal), actions), np.float32), np.zeros(len(legal), np.float32)

    return evaluate
