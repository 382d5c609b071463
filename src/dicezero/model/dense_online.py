"""TD(lambda) on a native game with a dense judge: playing and learning at once, without Python in between.

Games are played in blocks with the same weights; their lambda-returns are learned by Adam in shuffled
batches, and the next block is played with what was learned (``cpp/learn``). What comes out depends on no
number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dicezero import _native
from dicezero.model.online import OnlineRound, OnlineSettings, OnProgress, Optimiser
from dicezero.model.weights import Floats, Weights

if TYPE_CHECKING:
    from dicezero.model.dense_judge import DenseJudge
    from dicezero.rules.protocol import Game

_MOST_THREADS = 8


class DenseOnline:
    """An ``OnlineLearner`` of a dense judge."""

    def __init__(
        self,
        network: DenseJudge,
        game: Game,
        settings: OnlineSettings,
        weights: Weights,
        optimiser: Mapping[str, np.ndarray[Any, Any]] | None,
        *,
        threads: int | None = None,
    ) -> None:
        """Begins with these weights, and where there is one with the optimiser's state.

        Raises:
            ValueError: the optimiser's state does not fit the weights.
        """
        self._shapes = network.shapes()
        self._native = _native.TdLearner(
            game,
            widths=list(network.widths),
            activation=network.activation,
            phases=network.phases,
            results=list(network.results),
            value_lambda=settings.value_lambda,
            discount=settings.discount,
            scale=settings.scale,
            epsilon=settings.epsilon,
            max_moves=settings.max_moves,
            block=settings.block,
            batch=settings.batch,
            epochs=settings.epochs,
            weight_decay=settings.weight_decay,
            threads=min(_MOST_THREADS, _cores() if threads is None else threads),
        )
        theta = self._packed(weights, "")
        mu, nu, count = np.zeros_like(theta), np.zeros_like(theta), 0
        if optimiser is not None:
            mu, nu = self._packed(optimiser, "mu."), self._packed(optimiser, "nu.")
            count = int(optimiser["count"])
        self._native.restore(theta, mu, nu, count)

    def play_round(
        self, *, games: int, seed: int, learning_rate: float, on_progress: OnProgress | None
    ) -> OnlineRound:
        """Plays so many games and learns from them."""
        totals = self._native.play_round(
            games=games, seed=seed, learning_rate=learning_rate, on_progress=on_progress
        )
        return OnlineRound(
            games=totals["games"],
            decisions=totals["decisions"],
            mean_return=totals["mean_return"],
            mean_length=totals["mean_length"],
            truncated=totals["truncated"],
            losses={"value": totals["loss"]},
        )

    def weights(self) -> Weights:
        """What plays."""
        return self._unpacked(self._native.theta(), "")

    def optimiser(self) -> Optimiser:
        """Adam's count and moments by name."""
        mu, nu = self._native.moments()
        count = {"count": np.asarray(self._native.count, np.int64)}
        return count | self._unpacked(mu, "mu.") | self._unpacked(nu, "nu.")

    def _packed(self, arrays: Mapping[str, np.ndarray[Any, Any]], prefix: str) -> Floats:
        parts = []
        for name, shape in self._shapes.items():
            array = arrays.get(prefix + name)
            if array is None or array.shape != shape or not np.isfinite(array).all():
                raise ValueError(
                    f"the learner's state does not fit: {prefix}{name} is not {shape}; train again"
                )
            parts.append(np.asarray(array, np.float32).reshape(-1))
        return np.concatenate(parts)

    def _unpacked(self, vector: Floats, prefix: str) -> dict[str, Floats]:
        arrays, start = {}, 0
        for name, shape in self._shapes.items():
            size = int(np.prod(shape))
            arrays[prefix + name] = vector[start : start + size].reshape(shape).copy()
            start += size
        return arrays


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
