"""Dense networks in plain NumPy, float64: the slow twin that the native and JAX ones are tested against."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dicezero.model.dense import DenseModel, DenseNetwork
from dicezero.model.network import SCALING_FLOOR
from dicezero.model.weights import Weights
from dicezero.search.simulator import Step

Doubles = npt.NDArray[np.float64]


def reference_activation(name: str, x: Doubles) -> Doubles:
    """The activation of a hidden layer."""
    if name == "relu":
        return np.maximum(x, 0.0)
    if name == "selu":
        scale, alpha = 1.0507009873554805, 1.6732632423543772
        return np.asarray(scale * np.where(x > 0.0, x, alpha * np.expm1(np.minimum(x, 0.0))))
    return np.tanh(x) if name == "tanh" else x


def reference_heads(
    network: DenseNetwork, weights: Weights, part: str, x: npt.ArrayLike
) -> dict[str, Doubles]:
    """Rows [M, inputs] to each head's output [M, columns]."""
    inputs = outputs = np.asarray(x, np.float64)
    layers = network.merged_layers(weights, part)
    for i, (weight, bias) in enumerate(layers):
        outputs = outputs @ weight.astype(np.float64) + bias
        if i + 1 < len(layers):
            outputs = reference_activation(network.activation, outputs)
    columns = network.parts()[part][1]
    ends = np.cumsum(list(columns.values()))[:-1]
    heads = dict(zip(columns, np.split(outputs, ends, axis=1), strict=True))
    if isinstance(network, DenseModel) and part == "dynamics" and network.skip != "none":
        before = inputs[:, : network.hidden]
        turned = np.hstack(np.split(before, 2, axis=1)[::-1]) if network.skip == "turned" else before
        heads["hidden"] = heads["hidden"] + turned
    if isinstance(network, DenseModel) and network.hidden_scaling == "minmax" and "hidden" in heads:
        hidden = heads["hidden"]
        low, high = hidden.min(axis=1, keepdims=True), hidden.max(axis=1, keepdims=True)
        heads["hidden"] = (hidden - low) / (high - low + SCALING_FLOOR)
    return heads


def reference_number(network: DenseNetwork, head: Doubles) -> Doubles:
    """The numbers [M] that a head of values or rewards stands for."""
    return head[:, 0] if network.support is None else np.asarray(network.support.decode(head))


def reference_root(
    network: DenseModel, weights: Weights, observations: npt.ArrayLike
) -> tuple[Doubles, Doubles, Doubles]:
    """Observations [B, O] to hidden [B, H], policy logits [B, A] and value [B]."""
    hidden = reference_heads(network, weights, "representation", observations)["hidden"]
    heads = reference_heads(network, weights, "prediction", hidden)
    return hidden, heads["policy"], reference_number(network, heads["value"])


def reference_step(
    network: DenseModel, weights: Weights, hidden: npt.ArrayLike, action: npt.ArrayLike
) -> Step:
    """The step of hidden [M, H] and action [M], the action as a one-hot input; the arrays are float64."""
    one_hot = np.eye(network.actions)[np.asarray(action)]
    inputs = np.hstack([np.asarray(hidden, np.float64), one_hot])
    dynamics = reference_heads(network, weights, "dynamics", inputs)
    heads = reference_heads(network, weights, "prediction", dynamics["hidden"])
    arrays = (
        dynamics["hidden"],
        reference_number(network, dynamics["reward"]),
        heads["policy"],
        reference_number(network, heads["value"]),
        dynamics.get("identity"),
        heads.get("chance"),
    )
    return Step(*arrays)  # type: ignore[arg-type]  # float64 on purpose
