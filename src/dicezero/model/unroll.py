"""A learned model along what was played: its heads at the root and after each of K actions."""

from __future__ import annotations

from collections.abc import Mapping

import jax
import jax.numpy as jnp

from dicezero.model.network import Network

Heads = dict[str, jax.Array]


def unrolled(
    network: Network,
    params: Mapping[str, jax.Array],
    observation: jax.Array,
    action: jax.Array,
    *,
    halved: bool,
) -> Heads:
    """Observation [B, O] of the root and actions [B, K] to heads by name, the steps in front.

    ``reward`` and ``identity`` are [K, B, columns]; ``hidden`` and the prediction's heads are
    [K + 1, B, columns], the root's first. With ``halved`` the gradient that goes from a step into the hidden
    state before it is halved, as MuZero does, but for the root's. A network may have a faster ``unroll`` of
    its own.
    """
    own = getattr(network, "unroll", None)
    if own is not None:
        return dict(own(params, observation, action, halved=halved))
    root = network.apply(params, "representation", observation)["hidden"]

    def step(hidden: jax.Array, taken: jax.Array) -> tuple[jax.Array, Heads]:
        one_hot = jax.nn.one_hot(taken, network.actions)
        heads = network.apply(params, "dynamics", jnp.concatenate([hidden, one_hot], axis=1))
        after = heads["hidden"]
        return (scale_gradient(after, 0.5) if halved else after), heads

    _, heads = jax.lax.scan(step, root, action.T)
    hidden = jnp.concatenate([root[None], heads["hidden"]])
    steps, rows, _ = hidden.shape
    predicted = network.apply(params, "prediction", hidden.reshape(steps * rows, -1))
    along = {name: head.reshape(steps, rows, -1) for name, head in predicted.items()}
    return heads | along | {"hidden": hidden}


def scale_gradient(x: jax.Array, factor: float) -> jax.Array:
    """x, with its gradient times ``factor``."""
    return factor * x + jax.lax.stop_gradient((1.0 - factor) * x)
