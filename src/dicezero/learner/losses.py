"""What training minimises: pure functions of parameters and a batch, each term by name.

Every term is a mean over the batch and a sum over the steps of the unroll, as in eq. 1 of the NDMZ paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import jax
import jax.numpy as jnp

from dicezero.learner.network import Params, apply_network
from dicezero.model.config import EvaluatorConfig, ModelConfig

Arrays: TypeAlias = dict[str, jax.Array]  # a Batch, by the names of its fields
Terms: TypeAlias = dict[str, jax.Array]


@dataclass(frozen=True)
class LossWeights:
    """What each term counts for in the total; all 1 in the paper."""

    policy: float = 1.0
    chance: float = 1.0
    identity: float = 1.0
    value: float = 1.0
    reward: float = 1.0
    l2: float = 1e-4  # c of eq. 1

    def total(self, terms: Terms) -> jax.Array:
        """The weighted sum of the terms."""
        return sum((getattr(self, name) * term for name, term in terms.items()), jnp.zeros(()))


def cross_entropy(logits: jax.Array, target: jax.Array) -> jax.Array:
    """-sum target log softmax(logits), [M] for [M, A]; the target may be any distribution."""
    return -jnp.sum(target * jax.nn.log_softmax(logits), axis=-1)


def pick_entropy(logits: jax.Array, target: jax.Array) -> jax.Array:
    """The same for a target [M] that is one action."""
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), target[:, None], axis=-1)[:, 0]


def squared_norm(params: Params) -> jax.Array:
    """||theta||^2."""
    return sum((jnp.sum(jnp.square(array)) for array in params.values()), jnp.zeros(()))


def evaluator_terms(config: EvaluatorConfig, params: Params, batch: Arrays) -> Terms:
    """AlphaZero: the policy over the legal actions, and the value."""
    heads = apply_network(config, params, "evaluator", batch["observation"])
    logits = jnp.where(batch["legal"], heads["policy"], -1e9)
    target = batch["policy"][:, 0, : config.actions]
    return {
        "policy": jnp.mean(cross_entropy(logits, target)),
        "value": jnp.mean(jnp.square(heads["value"][:, 0] - batch["value"][:, 0])),
        "l2": squared_norm(params),
    }


def model_terms(config: ModelConfig, params: Params, batch: Arrays) -> Terms:
    """NDMZ: K steps through the model along what was played.

    A step's value is for whoever acts there (chance and the end: for whoever moved last). Rewards are zero:
    what a game is worth shows in its value, to the end and in the absorbing state past it.
    """

    def predicted(hidden: jax.Array, policy: jax.Array, chance: jax.Array, value: jax.Array) -> Terms:
        heads = apply_network(config, params, "prediction", hidden)
        return {
            "policy": jnp.mean(cross_entropy(heads["policy"], policy)),
            "chance": jnp.mean(pick_entropy(heads["chance"], chance)),
            "value": jnp.mean(jnp.square(heads["value"][:, 0] - value)),
        }

    def step(hidden: jax.Array, targets: Arrays) -> tuple[jax.Array, Terms]:
        taken = jax.nn.one_hot(targets["action"], config.actions)
        heads = apply_network(config, params, "dynamics", jnp.concatenate([hidden, taken], axis=1))
        terms = predicted(heads["hidden"], targets["policy"], targets["chance"], targets["value"])
        terms["identity"] = jnp.mean(pick_entropy(heads["identity"], targets["identity"]))
        terms["reward"] = jnp.mean(jnp.square(heads["reward"]))
        return heads["hidden"], terms

    root = apply_network(config, params, "representation", batch["observation"])["hidden"]
    first = predicted(root, batch["policy"][:, 0], batch["chance"][:, 0], batch["value"][:, 0])
    along = {
        name: jnp.swapaxes(batch[name][:, 1:], 0, 1) for name in ("policy", "chance", "value", "identity")
    }
    along["action"] = jnp.swapaxes(batch["action"], 0, 1)
    _, steps = jax.lax.scan(step, root, along)
    terms = {name: jnp.sum(values) + first.get(name, 0.0) for name, values in steps.items()}
    return terms | {"l2": squared_norm(params)}
