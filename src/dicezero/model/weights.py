"""The weights of a network by name: 'dynamics.0.weight' [inputs, outputs], 'dynamics.reward.bias' [1], ...

Hidden layers are numbered, heads are named. The first layer of the dynamics network has a row for each number
of the hidden state and, below these, one for each action.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero.model.config import BoardEvaluatorConfig, BoardModelConfig, DenseConfig, NetworkConfig

Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]


def weight_shapes(config: NetworkConfig) -> dict[str, tuple[int, ...]]:
    """Every array the networks of ``config`` need, by name."""
    if isinstance(config, BoardModelConfig | BoardEvaluatorConfig):
        from dicezero.model.flax_board import board_shapes  # Flax is slow to load; dense networks need none

        return board_shapes(config)
    shapes: dict[str, tuple[int, ...]] = {}
    for network, (inputs, heads) in config.networks().items():
        below = inputs
        for i, width in enumerate(config.widths):
            shapes[f"{network}.{i}.weight"] = (below, width)
            shapes[f"{network}.{i}.bias"] = (width,)
            below = width
        for head, columns in heads.items():
            shapes[f"{network}.{head}.weight"] = (below, columns)
            shapes[f"{network}.{head}.bias"] = (columns,)
    return shapes


def random_weights(config: DenseConfig, *, seed: int) -> Weights:
    """LeCun normal weights (variance 1 / inputs) and zero biases: what SELU wants."""
    rng = np.random.default_rng(seed)
    weights: Weights = {}
    for name, shape in weight_shapes(config).items():
        if len(shape) == 1:
            weights[name] = np.zeros(shape, np.float32)
        else:
            weights[name] = (rng.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)
    return weights


def flatten_weights(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """A nested mapping as one flat one, the keys joined by dots; a flat one comes back as it is."""
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat |= flatten_weights(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def check_weights(config: NetworkConfig, tree: Mapping[str, Any]) -> Weights:
    """The weights as contiguous float32 arrays, or a ValueError that names the bad array and the remedy."""
    flat, shapes = flatten_weights(tree), weight_shapes(config)
    missing, unknown = sorted(shapes.keys() - flat.keys()), sorted(flat.keys() - shapes.keys())
    if missing:
        raise ValueError(
            f"weights lack {missing[0]!r} ({len(missing)} missing); weight_shapes(config) lists them all"
        )
    if unknown:
        raise ValueError(
            f"weights hold {unknown[0]!r}, which the configuration has no place for; leave it out"
        )
    checked: Weights = {}
    for name, shape in shapes.items():
        array = np.asarray(flat[name])
        if array.dtype != np.float32:
            raise ValueError(f"weights[{name!r}] has dtype {array.dtype}; give float32")
        if array.shape != shape:
            raise ValueError(f"weights[{name!r}] has shape {array.shape}; the configuration needs {shape}")
        if not np.isfinite(array).all():
            raise ValueError(f"weights[{name!r}] has values that are not finite; the training has diverged")
        checked[name] = np.ascontiguousarray(array)
    return checked


def merged_layers(config: DenseConfig, weights: Weights, network: str) -> list[tuple[Floats, Floats]]:
    """(weight [inputs, outputs], bias [outputs]) of each layer, the heads side by side in the last one."""
    heads = config.networks()[network][1]
    names = [[str(i)] for i in range(len(config.widths))] + [list(heads)]
    return [
        (
            np.concatenate([weights[f"{network}.{n}.weight"] for n in layer], axis=1),
            np.concatenate([weights[f"{network}.{n}.bias"] for n in layer]),
        )
        for layer in names
    ]
