"""The networks of a ModelConfig in JAX: the native ones' peer, and the model that mctx searches with."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from dicezero.model.config import ModelConfig
from dicezero.model.weights import Weights, merged_layers

Params = dict[str, list[tuple[jax.Array, jax.Array]]]

_ACTIVATIONS = {"identity": lambda x: x, "relu": jax.nn.relu, "selu": jax.nn.selu, "tanh": jnp.tanh}


def jax_params(config: ModelConfig, weights: Weights) -> Params:
    """The layers of each network, heads merged, as JAX arrays."""
    return {
        name: [(jnp.asarray(w), jnp.asarray(b)) for w, b in merged_layers(config, weights, name)]
        for name in config.networks()
    }


def _forward(config: ModelConfig, layers: list[tuple[jax.Array, jax.Array]], x: jax.Array) -> jax.Array:
    *below, (weight, bias) = layers
    for w, b in below:
        x = _ACTIVATIONS[config.activation](x @ w + b)
    return x @ weight + bias


def jax_predict(config: ModelConfig, params: Params, hidden: jax.Array) -> tuple[Any, Any, Any]:
    """Hidden [M, H] to policy logits [M, A], chance logits [M, A] (or [M, 0]) and value [M]."""
    out = _forward(config, params["prediction"], hidden)
    return out[:, : config.actions], out[:, config.actions : -1], out[:, -1]


def jax_dynamics(
    config: ModelConfig, params: Params, hidden: jax.Array, action: jax.Array
) -> tuple[Any, Any, Any]:
    """Hidden [M, H] and action [M] to hidden [M, H], reward [M] and identity logits [M, N]."""
    x = jnp.concatenate([hidden, jax.nn.one_hot(action, config.actions)], axis=1)
    out = _forward(config, params["dynamics"], x)
    return out[:, : config.hidden], out[:, config.hidden], out[:, config.hidden + 1 :]


def jax_step(config: ModelConfig, params: Params, hidden: jax.Array, action: jax.Array) -> tuple[Any, ...]:
    """The arrays of a Step, in its order."""
    after, reward, identity = jax_dynamics(config, params, hidden, action)
    policy, chance, value = jax_predict(config, params, after)
    return after, reward, policy, value, identity, chance


def jax_represent(config: ModelConfig, params: Params, observations: jax.Array) -> jax.Array:
    """Observations [B, O] to hidden [B, H]."""
    return _forward(config, params["representation"], observations)
