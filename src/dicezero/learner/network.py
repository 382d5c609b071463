"""The networks in JAX, over the very weight dict that the native ones are built from.

Training changes the dict, self-play reads it: nothing is converted in between. Networks for boards are Flax
modules; dense layers need a dozen lines.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from dicezero.model.config import (
    SCALING_FLOOR,
    BoardEvaluatorConfig,
    BoardModelConfig,
    ModelConfig,
    NetworkConfig,
)
from dicezero.model.weights import Weights, random_weights
from dicezero.selfplay.seeds import address_seed

Params = dict[str, jax.Array]

_FIRST_STEP = 0.3  # of the usual size of weights, where the answer is added to the state
_FIRST = 1 << 41  # an address no game's number reaches
_ACTIVATIONS = {"identity": lambda x: x, "relu": jax.nn.relu, "selu": jax.nn.selu, "tanh": jnp.tanh}


def initial_weights(config: NetworkConfig, *, seed: int) -> Weights:
    """LeCun normal weights; before a ReLU, which drops half of the signal, twice the variance (He).

    With a skip the dynamics begin by saying little, so that a new model's states neither grow nor blur.
    """
    if isinstance(config, BoardModelConfig | BoardEvaluatorConfig):
        from dicezero.model.flax_board import board_weights

        return board_weights(config, seed=seed)
    weights = random_weights(config, seed=seed)
    if config.activation == "relu":
        hidden = {f"{name}.{i}.weight" for name in config.networks() for i in range(len(config.widths))}
        weights |= {name: weights[name] * np.float32(np.sqrt(2.0)) for name in hidden}
    if isinstance(config, ModelConfig) and config.skip != "none":
        weights["dynamics.hidden.weight"] *= np.float32(_FIRST_STEP)
    return weights


def apply_network(config: NetworkConfig, params: Params, network: str, x: jax.Array) -> dict[str, jax.Array]:
    """Input [M, inputs] to each head's output [M, columns]."""
    if isinstance(config, BoardModelConfig | BoardEvaluatorConfig):
        from dicezero.model.flax_board import apply_board

        return apply_board(config, params, network, x)
    asked = x
    for i in range(len(config.widths)):
        x = x @ params[f"{network}.{i}.weight"] + params[f"{network}.{i}.bias"]
        x = _ACTIVATIONS[config.activation](x)
    heads = config.networks()[network][1]
    # One product for all heads: their columns side by side.
    weight = jnp.concatenate([params[f"{network}.{head}.weight"] for head in heads], axis=1)
    bias = jnp.concatenate([params[f"{network}.{head}.bias"] for head in heads])
    ends = [sum(list(heads.values())[: i + 1]) for i in range(len(heads) - 1)]
    found = dict(zip(heads, jnp.split(x @ weight + bias, ends, axis=1), strict=True))
    if isinstance(config, ModelConfig) and network == "dynamics" and config.skip != "none":
        half = config.hidden // 2 if config.skip == "turned" else 0
        found["hidden"] += jnp.roll(asked[:, : config.hidden], half, axis=1)
    if "hidden" in found and getattr(config, "hidden_scaling", "none") == "minmax":
        found["hidden"] = scaled_hidden(found["hidden"])
    return found


def scaled_hidden(hidden: jax.Array) -> jax.Array:
    """[M, H], each row stretched to [0, 1]."""
    low, high = hidden.min(axis=1, keepdims=True), hidden.max(axis=1, keepdims=True)
    return (hidden - low) / (high - low + SCALING_FLOOR)


def first_weights(config: NetworkConfig, *, seed: int) -> Weights:
    """What a run of that seed begins with."""
    return initial_weights(config, seed=address_seed(seed, _FIRST))
