"""The networks in plain NumPy, float64: the slow twin that the native ones are tested against."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dicezero.model.config import SCALING_FLOOR, DenseConfig, EvaluatorConfig, ModelConfig
from dicezero.model.weights import Weights, merged_layers
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


def _heads(config: DenseConfig, weights: Weights, network: str, x: Doubles) -> dict[str, Doubles]:
    asked = x
    layers = merged_layers(config, weights, network)
    for i, (weight, bias) in enumerate(layers):
        x = x @ weight.astype(np.float64) + bias
        if i + 1 < len(layers):
            x = reference_activation(config.activation, x)
    columns = config.networks()[network][1]
    ends = np.cumsum(list(columns.values()))[:-1]
    heads = dict(zip(columns, np.split(x, ends, axis=1), strict=True))
    if isinstance(config, ModelConfig) and network == "dynamics" and config.skip != "none":
        before = asked[:, : config.hidden]
        turned = np.hstack(np.split(before, 2, axis=1)[::-1]) if config.skip == "turned" else before
        heads["hidden"] = heads["hidden"] + turned
    if isinstance(config, ModelConfig) and config.hidden_scaling == "minmax" and "hidden" in heads:
        hidden = heads["hidden"]
        low, high = hidden.min(axis=1, keepdims=True), hidden.max(axis=1, keepdims=True)
        heads["hidden"] = (hidden - low) / (high - low + SCALING_FLOOR)
    return heads


def reference_root(
    config: ModelConfig, weights: Weights, observations: npt.ArrayLike
) -> tuple[Doubles, Doubles, Doubles]:
    """Observations [B, O] to hidden [B, H], policy logits [B, A] and value [B]."""
    hidden = _heads(config, weights, "representation", np.asarray(observations, np.float64))["hidden"]
    prediction = _heads(config, weights, "prediction", hidden)
    return hidden, prediction["policy"], prediction["value"][:, 0]


def reference_step(
    config: ModelConfig, weights: Weights, hidden: npt.ArrayLike, action: npt.ArrayLike
) -> Step:
    """The step of hidden [M, H] and action [M], the action as a one-hot input; the arrays are float64."""
    one_hot = np.eye(config.actions)[np.asarray(action)]
    dynamics = _heads(config, weights, "dynamics", np.hstack([np.asarray(hidden, np.float64), one_hot]))
    prediction = _heads(config, weights, "prediction", dynamics["hidden"])
    arrays = (
        dynamics["hidden"],
        dynamics["reward"][:, 0],
        prediction["policy"],
        prediction["value"][:, 0],
        dynamics.get("identity"),
        prediction.get("chance"),
    )
    return Step(*arrays)  # type: ignore[arg-type]  # float64 on purpose


def reference_evaluate(
    config: EvaluatorConfig, weights: Weights, observations: npt.ArrayLike
) -> tuple[Doubles, Doubles]:
    """Observations [M, O] to policy logits [M, A] and value [M]."""
    heads = _heads(config, weights, "evaluator", np.asarray(observations, np.float64))
    return heads["policy"], heads["value"][:, 0]
