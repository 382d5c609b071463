"""Dense networks whose training runs on the native kernels: functions that XLA calls, with their gradients.

On a CPU XLA's products of small matrices reach about a third of what the kernels of ``cpp/model`` do, and a
model's unroll spends as much again between them. The formulas are those of ``dense_jax``, which is the twin
under test and what other devices use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from dicezero import _native
from dicezero.model.dense import DenseEvaluator, DenseModel, DenseNetwork
from dicezero.model.dense_jax import finished_heads, merged_heads, split_heads
from dicezero.model.dense_judge import DenseJudge
from dicezero.model.device import CPU, platform
from dicezero.model.network import Network
from dicezero.model.shards import shards_of
from dicezero.model.xla_targets import registered

_OBSERVING = ("representation", "evaluator")  # their input is data: nobody asks for its gradient
_SKIPS = {"none": 0, "plain": 1, "turned": 2}

Shapes = list[jax.ShapeDtypeStruct]


def on_kernels(network: Network) -> Network:
    """The same network on the native kernels, where it is dense and JAX runs on the CPU; else itself."""
    if not available():
        return network
    for plain, fast in ((DenseModel, KernelModel), (DenseEvaluator, _Evaluator), (DenseJudge, _Judge)):
        if type(network) is plain:
            return fast(**vars(network))
    return network


def available() -> bool:
    """Whether JAX runs on the CPU and takes the functions."""
    return platform() == CPU and registered()


class _OnKernels(DenseNetwork):
    def part_heads(self, params: Mapping[str, jax.Array], part: str, x: jax.Array) -> dict[str, jax.Array]:
        """The heads of one part of the weights; no gradient is taken of observations."""
        leaf = part in _OBSERVING or isinstance(self, DenseJudge)
        layers = _part_layers(self, params, part)
        outputs = _part(self.activation, leaf, jax.lax.stop_gradient(x) if leaf else x, *layers)
        return finished_heads(self, part, x, outputs)


class KernelModel(_OnKernels, DenseModel):
    """DenseModel on the kernels."""

    def unroll(
        self, params: Mapping[str, jax.Array], observation: jax.Array, action: jax.Array, *, halved: bool
    ) -> dict[str, jax.Array]:
        """As ``network.unrolled``, in one call forward and one backward."""
        layers = [x for part in self.parts() for x in _part_layers(self, params, part)]
        hidden, dynamics_outputs, prediction_outputs = _unroll(self, halved, observation, action, *layers)
        dynamics = dict(list(self.parts()["dynamics"][1].items())[1:])  # the hidden state stands by itself
        return (
            {"hidden": hidden}
            | split_heads(dynamics, dynamics_outputs)
            | split_heads(self.parts()["prediction"][1], prediction_outputs)
        )


class _Evaluator(_OnKernels, DenseEvaluator):
    """DenseEvaluator on the kernels."""


class _Judge(_OnKernels, DenseJudge):
    """DenseJudge on the kernels."""


def _part_layers(network: DenseNetwork, params: Mapping[str, jax.Array], part: str) -> list[jax.Array]:
    """Weights and bias of each layer in turn, the heads as the last one."""
    hidden = [params[f"{part}.{i}.{kind}"] for i in range(len(network.widths)) for kind in ("weight", "bias")]
    return [*hidden, *merged_heads(network, params, part)]


def _tape(rows: int, layers: Sequence[jax.Array]) -> int:
    """Floats that keep every layer's outputs for so many rows; ``layers`` are weights and biases in turn."""
    panel = _native.dense_panel()
    return rows * sum(-(-bias.shape[0] // panel) * panel for bias in layers[1::2])


def _shards(rows: int, passes: int, layers: Sequence[jax.Array]) -> int:
    """Of a call: its rows are shared among threads."""
    return shards_of(sum(layer.size for layer in layers), rows, passes)


def _floats(*shapes: Sequence[int]) -> Shapes:
    return [jax.ShapeDtypeStruct(tuple(shape), jnp.float32) for shape in shapes]  # type: ignore[no-untyped-call]


@partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _part(activation: str, leaf: bool, x: jax.Array, *layers: jax.Array) -> jax.Array:
    """The last layer's outputs [M, columns]."""
    return _part_forward(activation, leaf, x, *layers)[0]


def _part_forward(activation: str, leaf: bool, x: jax.Array, *layers: jax.Array) -> tuple[jax.Array, Any]:
    del leaf
    shapes = _floats((len(x), layers[-1].shape[0]), (_tape(len(x), layers),))
    operands = (x, np.array([_shards(len(x), 1, layers)], np.int32), *layers)
    outputs, tape = jax.ffi.ffi_call(f"dicezero_part_forward_{activation}", shapes)(*operands)
    return outputs, (operands, tape)


def _part_backward(activation: str, leaf: bool, kept: Any, gradient: jax.Array) -> tuple[jax.Array, ...]:
    operands, tape = kept
    x, _, *layers = operands
    shapes = _floats(*(array.shape for array in layers), *([] if leaf else [x.shape]))
    gradients = jax.ffi.ffi_call(f"dicezero_part_backward_{activation}", shapes)(*operands, tape, gradient)
    return (jnp.zeros_like(x), *gradients) if leaf else (gradients[-1], *gradients[:-1])


_part.defvjp(_part_forward, _part_backward)


@partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _unroll(
    model: DenseModel, halved: bool, observation: jax.Array, action: jax.Array, *layers: jax.Array
) -> tuple[jax.Array, ...]:
    """Hidden [K + 1, B, H], the dynamics' other heads [K, B, ...], the prediction's heads [K + 1, B, ...]."""
    return _unroll_forward(model, halved, observation, action, *layers)[0]


def _settings(model: DenseModel, halved: bool, shards: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.array([model.hidden_scaling == "minmax", _SKIPS[model.skip], halved, shards], np.int32)


def _unroll_forward(
    model: DenseModel, halved: bool, observation: jax.Array, action: jax.Array, *layers: jax.Array
) -> tuple[tuple[jax.Array, ...], Any]:
    rows, steps = action.shape
    each = len(layers) // 3
    dynamics_width, prediction_width = layers[2 * each - 1].shape[0] - model.hidden, layers[-1].shape[0]
    floats = (
        _tape(rows, layers[:each])
        + _tape(rows * steps, layers[each : 2 * each])
        + _tape(rows * (steps + 1), layers[2 * each :])
    )
    shapes = _floats(
        (steps + 1, rows, model.hidden),
        (steps, rows, dynamics_width),
        (steps + 1, rows, prediction_width),
        (floats,),
    )
    shards = _shards(rows, steps + 1, layers)
    operands = (observation, action, _settings(model, halved, shards), *layers)
    hidden, *others, tape = jax.ffi.ffi_call(f"dicezero_unroll_forward_{model.activation}", shapes)(*operands)
    return (hidden, *others), (operands, hidden, tape)


def _unroll_backward(
    model: DenseModel, halved: bool, kept: Any, gradients: tuple[jax.Array, ...]
) -> tuple[Any, ...]:
    del halved  # it is among the settings
    (observation, action, settings, *layers), hidden, tape = kept
    shapes = _floats(*(array.shape for array in layers))
    call = jax.ffi.ffi_call(f"dicezero_unroll_backward_{model.activation}", shapes)
    layer_gradients = call(observation, action, settings, *layers, hidden, tape, *gradients)
    return (jnp.zeros_like(observation), np.zeros(action.shape, jax.dtypes.float0), *layer_gradients)


_unroll.defvjp(_unroll_forward, _unroll_backward)
