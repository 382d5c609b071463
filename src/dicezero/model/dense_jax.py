"""Dense networks in JAX, over the very weight dict that the native ones are built from.

Training changes the dict, self-play reads it: nothing is converted in between.
"""

from __future__ import annotations

from collections.abc import Mapping

import jax
import jax.numpy as jnp

from dicezero.model.dense import DenseModel, DenseNetwork
from dicezero.model.dense_judge import DenseJudge
from dicezero.model.network import SCALING_FLOOR

_ACTIVATIONS = {"identity": lambda x: x, "relu": jax.nn.relu, "selu": jax.nn.selu, "tanh": jnp.tanh}


def apply_dense(
    network: DenseNetwork, params: Mapping[str, jax.Array], part: str, x: jax.Array
) -> dict[str, jax.Array]:
    """Rows [M, inputs] to each head's output [M, columns]."""
    inputs = x
    for i in range(len(network.widths)):
        x = x @ params[f"{part}.{i}.weight"] + params[f"{part}.{i}.bias"]
        x = _ACTIVATIONS[network.activation](x)
    weight, bias = merged_heads(network, params, part)
    return finished_heads(network, part, inputs, x @ weight + bias)


def judged(network: DenseJudge, params: Mapping[str, jax.Array], x: jax.Array) -> jax.Array:
    """Observations [M, O] to values [M, 1], or to logits [M, bins] over a support: each row by its phase."""
    head = "results" if network.results else "value"
    by_phase = [network.part_heads(params, part, x)[head] for part in network.parts()]
    output = by_phase[0]
    for phase, other in enumerate(by_phase[1:], 1):
        output = jnp.where(x[:, network.observation - network.phases + phase, None] > 0.5, other, output)
    if not network.results:
        return output
    return jax.nn.softmax(output) @ jnp.asarray(network.results, jnp.float32)[:, None]


def merged_heads(
    network: DenseNetwork, params: Mapping[str, jax.Array], part: str
) -> tuple[jax.Array, jax.Array]:
    """One product for all heads: weight [inputs, columns] and bias [columns], the heads side by side."""
    heads = network.parts()[part][1]
    weight = jnp.concatenate([params[f"{part}.{head}.weight"] for head in heads], axis=1)
    return weight, jnp.concatenate([params[f"{part}.{head}.bias"] for head in heads])


def finished_heads(
    network: DenseNetwork, part: str, inputs: jax.Array, outputs: jax.Array
) -> dict[str, jax.Array]:
    """The heads by name from the last layer's outputs, with the skip and the scaling of hidden states."""
    heads = split_heads(network.parts()[part][1], outputs)
    if isinstance(network, DenseModel) and "hidden" in heads:
        if part == "dynamics" and network.skip != "none":
            half = network.hidden // 2 if network.skip == "turned" else 0
            heads["hidden"] += jnp.roll(inputs[:, : network.hidden], half, axis=1)
        if network.hidden_scaling == "minmax":
            heads["hidden"] = scaled_hidden(heads["hidden"])
    return heads


def split_heads(heads: Mapping[str, int], outputs: jax.Array) -> dict[str, jax.Array]:
    """Columns [..., all] by head, each with its number of them."""
    ends = [sum(list(heads.values())[: i + 1]) for i in range(len(heads) - 1)]
    return dict(zip(heads, jnp.split(outputs, ends, axis=-1), strict=True))


def scaled_hidden(hidden: jax.Array) -> jax.Array:
    """[M, H], each row stretched to [0, 1]."""
    low, high = hidden.min(axis=1, keepdims=True), hidden.max(axis=1, keepdims=True)
    return (hidden - low) / (high - low + SCALING_FLOOR)
