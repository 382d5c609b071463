"""The dense networks as Flax NNX modules, to and from the flat weights that the native ones are built from.

Training and play of dense networks need no modules; these are for whoever wants to go on with a run's
networks in Flax, or bring theirs back.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

from dicezero.model.config import SCALING_FLOOR, DenseConfig, ModelConfig
from dicezero.model.weights import Weights, check_weights, random_weights

_ACTIVATIONS = {"identity": lambda x: x, "relu": jax.nn.relu, "selu": jax.nn.selu, "tanh": jnp.tanh}


class Mlp(nnx.Module):
    """One network: hidden layers and a linear head for each name; [M, inputs] to [M, columns] by head."""

    def __init__(self, config: DenseConfig, network: str, weights: Weights) -> None:
        inputs, heads = config.networks()[network]
        sizes = (inputs, *config.widths)
        self.layers = nnx.List(
            _linear(weights, f"{network}.{i}", sizes[i], width) for i, width in enumerate(config.widths)
        )
        self.heads = nnx.Dict(
            {head: _linear(weights, f"{network}.{head}", sizes[-1], n) for head, n in heads.items()}
        )
        self.activation = config.activation
        self.skip = config.skip if isinstance(config, ModelConfig) and network == "dynamics" else "none"
        self.scaled = isinstance(config, ModelConfig) and config.hidden_scaling == "minmax"

    def __call__(self, x: jax.Array) -> dict[str, jax.Array]:
        """All heads at once."""
        asked = x
        for layer in self.layers:
            x = _ACTIVATIONS[self.activation](layer(x))
        found = {name: head(x) for name, head in self.heads.items()}
        if self.skip != "none":
            before = asked[:, : found["hidden"].shape[1]]
            half = before.shape[1] // 2 if self.skip == "turned" else 0
            found["hidden"] += jnp.roll(before, half, axis=1)
        if self.scaled and "hidden" in found:
            hidden = found["hidden"]
            low, high = hidden.min(axis=1, keepdims=True), hidden.max(axis=1, keepdims=True)
            found["hidden"] = (hidden - low) / (high - low + SCALING_FLOOR)
        return found


def mlp_modules(config: DenseConfig, weights: Weights | None = None, *, seed: int = 0) -> nnx.Dict[Mlp]:
    """The networks of ``config`` by name, with these weights or with new ones."""
    checked = check_weights(config, random_weights(config, seed=seed) if weights is None else weights)
    return nnx.Dict({network: Mlp(config, network, checked) for network in config.networks()})


def mlp_weights(modules: nnx.Dict[Mlp]) -> Weights:
    """The flat weights of ``mlp_modules``, as the native networks and ``dicezero.learner`` take them."""
    found: Weights = {}
    for network, module in modules.items():
        layers = {**{str(i): layer for i, layer in enumerate(module.layers)}, **dict(module.heads.items())}
        for name, layer in layers.items():
            found[f"{network}.{name}.weight"] = np.asarray(layer.kernel[...])
            found[f"{network}.{name}.bias"] = np.asarray(nnx.state(layer)["bias"][...])
    return found


def _linear(weights: Weights, name: str, inputs: int, outputs: int) -> nnx.Linear:
    layer = nnx.Linear(inputs, outputs, rngs=nnx.Rngs(0))  # what is drawn is replaced
    layer.kernel = nnx.Param(jnp.asarray(weights[f"{name}.weight"]))
    layer.bias = nnx.Param(jnp.asarray(weights[f"{name}.bias"]))
    return layer
