"""The weights of a network: one flat dict of float32 arrays by name, and the check that they fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]
Shapes = dict[str, tuple[int, ...]]


def flatten_weights(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """A nested mapping as one flat one, the keys joined by dots; a flat one comes back as it is."""
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat |= flatten_weights(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def check_weights(shapes: Shapes, tree: Mapping[str, Any]) -> Weights:
    """The weights as contiguous float32 arrays, or a ValueError that names the bad array and the remedy."""
    flat = flatten_weights(tree)
    missing, unknown = sorted(shapes.keys() - flat.keys()), sorted(flat.keys() - shapes.keys())
    if missing:
        raise ValueError(
            f"weights lack {missing[0]!r} ({len(missing)} missing); network.shapes() lists them all"
        )
    if unknown:
        raise ValueError(f"weights hold {unknown[0]!r}, which the network has no place for; leave it out")
    checked: Weights = {}
    for name, shape in shapes.items():
        array = np.asarray(flat[name])
        if array.dtype != np.float32:
            raise ValueError(f"weights[{name!r}] has dtype {array.dtype}; give float32")
        if array.shape != shape:
            raise ValueError(f"weights[{name!r}] has shape {array.shape}; the network needs {shape}")
        if not np.isfinite(array).all():
            raise ValueError(f"weights[{name!r}] has values that are not finite; the training has diverged")
        checked[name] = np.ascontiguousarray(array)
    return checked
