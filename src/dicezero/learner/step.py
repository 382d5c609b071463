"""Steps of Adam, compiled once, over the weights as one vector; a batch is learned from in shards at once.

Dense networks run on the native kernels, which share a batch's shards among threads themselves, so several
steps are one call. Any other network's shards are computed by threads of Python, a step at a time.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from dicezero import _native
from dicezero.learner.losses import Arrays, Params, Terms, network_terms, total
from dicezero.model.dense_kernels import on_kernels
from dicezero.model.device import CPU, platform
from dicezero.model.jax_player import formulas
from dicezero.model.network import Network
from dicezero.model.shards import MOST_SHARDS, shards_of
from dicezero.model.weights import Floats, Shapes, Weights
from dicezero.presets.loss_weights import LossWeights
from dicezero.replay.buffer import Batch

STEPS_AT_ONCE = 10  # of training in one call: entering a compiled program takes as long as a small step
_ONE_THREAD = "--xla_cpu_multi_thread_eigen=false"
_XLA_THREADS = 8
_DECAYS = (0.9, 0.999)  # of Adam's two moments
_EPSILON = 1e-8  # Adam's


def prefer_one_thread() -> None:
    """One thread a matrix product, for it is the shards of a batch that keep the cores busy.

    XLA has the same number of threads on any machine: it cuts work into as many pieces as it has threads, and
    sums round differently in other pieces. To be called before JAX runs its first computation; leaves
    XLA_FLAGS and NPROC alone where the user has set them.
    """
    flags = os.environ.get("XLA_FLAGS", "")
    if "xla_cpu_multi_thread_eigen" not in flags:
        os.environ["XLA_FLAGS"] = f"{flags} {_ONE_THREAD}".strip()
    os.environ.setdefault("NPROC", str(_XLA_THREADS))


def available_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Moments(NamedTuple):
    """Adam's state."""

    steps: jax.Array  # [], done so far
    mu: jax.Array  # [weights], of the gradient
    nu: jax.Array  # [weights], of its square


class _Compiled(NamedTuple):
    gradient: Callable[[jax.Array, Arrays], tuple[jax.Array, Terms]]  # of a shard's mean loss
    update: Callable[..., tuple[jax.Array, _Moments, Terms]]  # from all shards
    several: (
        Callable[..., tuple[jax.Array, _Moments, Terms]] | None
    )  # steps, where the kernels share the work


@cache
def _compiled(network: Network, loss_weights: LossWeights, native: bool) -> _Compiled:
    """The gradient of a shard, the update of weights and moments from all of them, and both several times.

    Without ``native`` no program calls our own kernels, whatever the network.
    """
    trained, shapes = on_kernels(network) if native else network, network.shapes()

    def objective(params: Params, batch: Arrays) -> tuple[jax.Array, Terms]:
        with formulas(native=native):
            terms = network_terms(trained, params, batch, loss_weights)
        loss = total(loss_weights, terms)
        return loss, terms | {"total": loss}

    def gradient(vector: jax.Array, batch: Arrays) -> tuple[jax.Array, Terms]:
        slopes, terms = jax.grad(objective, has_aux=True)(unpacked(shapes, vector), batch)
        return jnp.concatenate([slopes[name].reshape(-1) for name in shapes]), terms

    def update(
        vector: jax.Array,
        moments: _Moments,
        gradients: Sequence[jax.Array],
        terms: Sequence[Terms],
        shares: Sequence[float],
        learning_rate: jax.Array,
    ) -> tuple[jax.Array, _Moments, Terms]:
        slope = _mean(gradients, shares)
        steps, (first, second) = moments.steps + 1, _DECAYS
        mu = first * moments.mu + (1.0 - first) * slope
        nu = second * moments.nu + (1.0 - second) * slope * slope
        # The moments begin at 0 and are too small by these factors.
        time = steps.astype(jnp.float32)
        direction = (mu / (1.0 - first**time)) / (jnp.sqrt(nu / (1.0 - second**time)) + _EPSILON)
        moved = vector - learning_rate * (direction + loss_weights.weight_decay * vector)
        means = {name: _mean([term[name] for term in terms], shares) for name in terms[0]}
        return moved, _Moments(steps, mu, nu), means

    def several(
        vector: jax.Array, moments: _Moments, batches: Arrays, count: jax.Array, learning_rate: jax.Array
    ) -> tuple[jax.Array, _Moments, Terms]:
        def one(i: jax.Array, state: tuple[jax.Array, _Moments, Terms]) -> tuple[jax.Array, _Moments, Terms]:
            vector, moments, step_terms = state
            slopes, terms = gradient(vector, {name: array[i] for name, array in batches.items()})
            vector, moments, terms = update(vector, moments, [slopes], [terms], [1.0], learning_rate)
            return vector, moments, {name: step_terms[name].at[i].set(terms[name]) for name in step_terms}

        steps = len(batches["observation"])
        names = jax.eval_shape(gradient, vector, {name: array[0] for name, array in batches.items()})[1]
        step_terms = {name: jnp.zeros(steps) for name in names}
        learned: tuple[jax.Array, _Moments, Terms] = jax.lax.fori_loop(
            0, count, one, (vector, moments, step_terms)
        )
        return learned

    return _Compiled(jax.jit(gradient), jax.jit(update), jax.jit(several) if trained is not network else None)


def _mean(parts: Sequence[jax.Array], shares: Sequence[float]) -> jax.Array:
    """Over the rows of the batch, of each shard's mean; added in the order of the shards."""
    mean = shares[0] * parts[0]
    for share, part in zip(shares[1:], parts[1:], strict=True):
        mean += share * part
    return mean


def _padded(array: np.ndarray[Any, Any], length: int) -> np.ndarray[Any, Any]:
    """The array, ``length`` long, with zeros at its end."""
    return np.concatenate([array, np.zeros((length - len(array), *array.shape[1:]), array.dtype)])


def packed(arrays: Mapping[str, Any]) -> Floats:
    """All arrays as one vector, in their order."""
    return np.concatenate([np.asarray(array, np.float32).reshape(-1) for array in arrays.values()])


def unpacked(shapes: Shapes, vector: Any) -> dict[str, Any]:
    """The arrays that were packed, NumPy's or JAX's as the vector is."""
    arrays, start = {}, 0
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        arrays[name] = vector[start : start + size].reshape(shape)
        start += size
    return arrays


class Trainer:
    """Weights and Adam's moments, and the step that changes them.

    The state is two flat dicts of arrays: ``weights()`` and ``optimiser()``; a new Trainer given both goes on
    exactly where this one stands. ``threads`` to compute with, all cores by default; no result depends on it.
    ``native`` is whether our own kernels compute, in shards of a batch by threads: as they do where JAX is on
    the CPU. Elsewhere XLA computes a batch at once.
    """

    def __init__(
        self,
        network: Network,
        loss_weights: LossWeights,
        weights: Weights,
        optimiser: Mapping[str, np.ndarray[Any, Any]] | None = None,
        *,
        threads: int | None = None,
        native: bool | None = None,
    ) -> None:
        self._native = platform() == CPU if native is None else native
        self._shapes = network.shapes()
        self._vector = jnp.asarray(packed({name: weights[name] for name in self._shapes}))
        self._moments = _Moments(
            jnp.zeros((), jnp.int32), jnp.zeros_like(self._vector), jnp.zeros_like(self._vector)
        )
        if optimiser is not None:
            _check_moments(optimiser, self._shapes)
            mu, nu = (
                packed({name: optimiser[f"{part}.{name}"] for name in self._shapes}) for part in ("mu", "nu")
            )
            self._moments = _Moments(
                jnp.asarray(optimiser["count"], jnp.int32), jnp.asarray(mu), jnp.asarray(nu)
            )
        self._compiled = _compiled(network, loss_weights, self._native)
        points = math.prod(getattr(network, "shape", ())[1:])  # where a convolution's weights are used, each
        self._work = sum(
            math.prod(shape) * (points if len(shape) == 4 else 1) for shape in self._shapes.values()
        )
        self._threads = min(MOST_SHARDS, available_cores() if threads is None else threads)
        shared = self._compiled.several is not None or self._threads == 1 or not self._native
        self._pool = None if shared else ThreadPoolExecutor(self._threads, "dicezero-shard")
        self._seen: set[int] = set()  # sizes of shards whose gradient is compiled

    def steps(self, batch: Batch, *, count: int = 1, learning_rate: float) -> Terms:
        """Learns ``count`` times, up to STEPS_AT_ONCE, from as many equal parts of the batch in turn.

        Returns the terms of the loss of each step, [count], still on the device.
        """
        rows = len(batch.observation) // count
        parts = {name: array.reshape(count, rows, *array.shape[1:]) for name, array in batch.arrays().items()}
        rate = np.float32(learning_rate)
        if self._compiled.several is None:
            step_terms = [
                self._step({name: array[i] for name, array in parts.items()}, rate) for i in range(count)
            ]
            return {name: jnp.stack([terms[name] for terms in step_terms]) for name in step_terms[0]}
        _native.set_training_threads(self._threads)
        if count < STEPS_AT_ONCE:  # one compiled program serves all; it stops after ``count``
            parts = {name: _padded(array, STEPS_AT_ONCE) for name, array in parts.items()}
        self._vector, self._moments, terms = self._compiled.several(
            self._vector, self._moments, parts, np.int32(count), rate
        )
        return {name: values[:count] for name, values in terms.items()}

    def _step(self, arrays: Arrays, learning_rate: np.float32) -> Terms:
        rows, passes = len(arrays["observation"]), arrays["action"].shape[1] + 1
        count = shards_of(self._work, rows, passes) if self._native else 1
        ends = [rows * i // count for i in range(count + 1)]
        shards = [{k: v[a:b] for k, v in arrays.items()} for a, b in pairwise(ends)]
        gradients = self._gradients(shards)
        shares = [np.float32(len(shard["observation"]) / rows) for shard in shards]
        self._vector, self._moments, terms = self._compiled.update(
            self._vector,
            self._moments,
            [gradient for gradient, _ in gradients],
            [terms for _, terms in gradients],
            shares,
            learning_rate,
        )
        return dict(terms)

    def _gradients(self, shards: Sequence[Arrays]) -> list[tuple[jax.Array, Terms]]:
        sizes = {len(shard["observation"]) for shard in shards}
        # What is new is compiled by one thread, or each would compile it.
        if self._pool is None or len(shards) == 1 or not sizes <= self._seen:
            self._seen |= sizes
            return [self._gradient(shard) for shard in shards]
        return list(self._pool.map(self._gradient, shards))

    def _gradient(self, shard: Arrays) -> tuple[jax.Array, Terms]:
        gradient, terms = jax.block_until_ready(self._compiled.gradient(self._vector, shard))  # type: ignore[no-untyped-call]
        return gradient, terms

    def weights(self) -> Weights:
        """The weights by name, as the native networks take them."""
        return unpacked(self._shapes, np.asarray(self._vector))

    def optimiser(self) -> dict[str, np.ndarray[Any, Any]]:
        """Adam's count and moments by name."""
        state: dict[str, np.ndarray[Any, Any]] = {"count": np.asarray(self._moments.steps)}
        for part, vector in (("mu", self._moments.mu), ("nu", self._moments.nu)):
            arrays = unpacked(self._shapes, np.asarray(vector))
            state |= {f"{part}.{name}": array for name, array in arrays.items()}
        return state


def _check_moments(optimiser: Mapping[str, np.ndarray[Any, Any]], weights: Shapes) -> None:
    """Raises ValueError unless these are Adam's count and moments of weights of these shapes."""
    shapes: Shapes = {"count": ()}
    shapes |= {f"{part}.{name}": shape for part in ("mu", "nu") for name, shape in weights.items()}
    for name, shape in shapes.items():
        array = optimiser.get(name)
        if array is None or array.shape != shape or not np.isfinite(array).all():
            raise ValueError(
                f"the optimiser's state does not fit the weights: {name} is not {shape}; train again"
            )
