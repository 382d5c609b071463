"""One step of Adam, compiled once, over the flat weight dict; a batch is learned from in two halves at once.

The halves are always two, on one core as on many, and their gradients are added in one order: how many cores
there are changes when a step is done, not what it does. Two products of half the rows, each on a core of its
own, are faster than one whose work XLA splits. A batch so small that handing it out would take longer than
learning from it stays whole; that, too, is a matter of its size alone.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from dicezero.learner.losses import Arrays, Params, Terms, network_terms, total
from dicezero.model.network import Network
from dicezero.model.weights import Weights
from dicezero.presets.loss_weights import LossWeights
from dicezero.replay.buffer import Batch

_ADAM = optax.scale_by_adam()
_ONE_THREAD = "--xla_cpu_multi_thread_eigen=false"
_SECOND = ThreadPoolExecutor(1, "dicezero-second-half")  # its thread starts with the first task


def prefer_one_thread() -> None:
    """One thread a matrix product, for the cores are busy with a half of the batch each; two threads in all.

    XLA cuts other work into as many pieces as it has threads, and sums round differently in other pieces: the
    number is fixed, so that the weights are the same on any number of cores. To be called before JAX runs its
    first computation; leaves XLA_FLAGS and NPROC alone where the user has set them.
    """
    flags = os.environ.get("XLA_FLAGS", "")
    if "xla_cpu_multi_thread_eigen" not in flags:
        os.environ["XLA_FLAGS"] = f"{flags} {_ONE_THREAD}".strip()
    os.environ.setdefault("NPROC", "2")


_WORTH_HALVES = 200_000_000  # weights x rows x network passes of a step; measured, see benchmarks.md


class _Half(NamedTuple):
    """What one part of a batch says: the gradient of its own mean loss, the terms, its share of the rows."""

    gradient: Params
    terms: Terms
    share: float


class _Compiled(NamedTuple):
    gradient: Callable[[Params, Arrays], tuple[Params, Terms]]
    update: Callable[[Params, Any, Sequence[_Half], np.float32], tuple[Params, Any, Terms]]
    whole: Callable[[Params, Any, Arrays, np.float32], tuple[Params, Any, Terms]]  # both, of one part


@cache
def _compiled(network: Network, loss_weights: LossWeights) -> _Compiled:
    """The gradient of a part of a batch, and the update of weights and moments from all parts."""

    def objective(params: Params, batch: Arrays) -> tuple[jax.Array, Terms]:
        terms = network_terms(network, params, batch, loss_weights)
        loss = total(loss_weights, terms)
        return loss, terms | {"total": loss}

    def update(
        params: Params, moments: Any, halves: Sequence[_Half], learning_rate: np.float32
    ) -> tuple[Params, Any, Terms]:
        gradient = _mean(halves, [half.gradient for half in halves])
        direction: Any
        direction, moments = _ADAM.update(gradient, moments, params)
        decay = loss_weights.weight_decay
        moved = {k: v - learning_rate * (direction[k] + decay * v) for k, v in params.items()}
        return moved, moments, _mean(halves, [half.terms for half in halves])

    gradient = jax.grad(objective, has_aux=True)

    def whole(
        params: Params, moments: Any, batch: Arrays, learning_rate: np.float32
    ) -> tuple[Params, Any, Terms]:
        found, terms = gradient(params, batch)
        return update(params, moments, [_Half(found, terms, 1.0)], learning_rate)

    return _Compiled(jax.jit(gradient), jax.jit(update), jax.jit(whole))


def _mean(halves: Sequence[_Half], parts: Sequence[dict[str, jax.Array]]) -> dict[str, jax.Array]:
    """By name, the mean over the rows of the batch."""
    shares = [half.share for half in halves]
    return {
        name: sum((s * part[name] for s, part in zip(shares[1:], parts[1:], strict=True)), shares[0] * first)
        for name, first in parts[0].items()
    }


class Trainer:
    """Weights and Adam's moments, and the step that changes them.

    The state is two flat dicts of arrays: ``weights()`` and ``optimiser()``; a new Trainer given both goes on
    exactly where this one stands.
    """

    def __init__(
        self,
        network: Network,
        loss_weights: LossWeights,
        weights: Weights,
        optimiser: Mapping[str, np.ndarray[Any, Any]] | None = None,
    ) -> None:
        self._params: Params = {name: jnp.asarray(array) for name, array in weights.items()}
        self._moments: Any = _ADAM.init(self._params)  # optax types its states loosely
        if optimiser is not None:
            _check_moments(optimiser, weights)
            self._moments = optax.ScaleByAdamState(
                count=jnp.asarray(optimiser["count"]),
                mu={name: jnp.asarray(optimiser[f"mu.{name}"]) for name in weights},
                nu={name: jnp.asarray(optimiser[f"nu.{name}"]) for name in weights},
            )

        self._compiled = _compiled(network, loss_weights)
        points = math.prod(getattr(network, "shape", ())[1:])  # where a convolution's weights are used, each
        self._size = sum(array.size * (points if array.ndim == 4 else 1) for array in weights.values())
        self._seen: set[int] = set()  # sizes of batches whose halves are compiled

    def step(self, batch: Batch, *, learning_rate: float) -> Terms:
        """Learns from one batch; returns the terms of the loss, still on the device."""
        arrays, rate = batch.arrays(), np.float32(learning_rate)
        rows, passes = len(batch.observation), batch.action.shape[1] + 1
        if rows < 2 or self._size * rows * passes < _WORTH_HALVES:
            self._params, self._moments, terms = self._compiled.whole(
                self._params, self._moments, arrays, rate
            )
            return dict(terms)
        middle = rows // 2
        parts = [{k: v[:middle] for k, v in arrays.items()}, {k: v[middle:] for k, v in arrays.items()}]
        if rows in self._seen:
            second = _SECOND.submit(self._gradient, parts[1])
            found = [self._gradient(parts[0]), second.result()]
        else:  # one after the other, or both threads would compile the same function
            found = [self._gradient(part) for part in parts]
            self._seen.add(rows)
        halves = [_Half(*found[0], middle / rows), _Half(*found[1], (rows - middle) / rows)]
        self._params, self._moments, terms = self._compiled.update(self._params, self._moments, halves, rate)
        return dict(terms)

    def _gradient(self, part: Arrays) -> tuple[Params, Terms]:
        # Waits: XLA would run what is not waited for in one thread, half after half.
        gradient, terms = jax.block_until_ready(self._compiled.gradient(self._params, part))  # type: ignore[no-untyped-call]
        return gradient, terms

    def weights(self) -> Weights:
        """The weights by name, as the native networks take them."""
        return {name: np.asarray(array) for name, array in self._params.items()}

    def optimiser(self) -> dict[str, np.ndarray[Any, Any]]:
        """Adam's count and moments by name."""
        state: dict[str, np.ndarray[Any, Any]] = {"count": np.asarray(self._moments.count)}
        for part in ("mu", "nu"):
            state |= {f"{part}.{k}": np.asarray(v) for k, v in getattr(self._moments, part).items()}
        return state


def _check_moments(optimiser: Mapping[str, np.ndarray[Any, Any]], weights: Weights) -> None:
    """Raises ValueError unless these are Adam's count and moments of these weights."""
    shapes: dict[str, tuple[int, ...]] = {"count": ()}
    shapes |= {f"{part}.{name}": array.shape for part in ("mu", "nu") for name, array in weights.items()}
    for name, shape in shapes.items():
        found = optimiser.get(name)
        if found is None or found.shape != shape or not np.isfinite(found).all():
            raise ValueError(
                f"the optimiser's state does not fit the weights: {name} is not {shape}; train again"
            )
