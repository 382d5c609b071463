"""Networks of dense layers, evaluated natively: no call overhead, and all of a core's arithmetic.

A row's answer depends on the row alone, bit for bit: not on its batch, its place there, or the thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.model.dense import DenseEvaluator, DenseModel, DenseNetwork
from dicezero.model.dense_judge import DenseJudge
from dicezero.model.reference import reference_heads
from dicezero.model.weights import Floats, Weights
from dicezero.search.simulator import Step


def _layers(network: DenseNetwork, weights: Weights, part: str) -> list[tuple[Floats, Floats]]:
    """Weights [inputs, outputs] and biases [1, outputs], as the native networks take them."""
    return [(weight, bias[None]) for weight, bias in network.merged_layers(weights, part)]


def _points(network: DenseNetwork) -> list[float]:
    return [] if network.support is None else network.support.points.tolist()


def _matrix(name: str, array: npt.ArrayLike) -> Floats:
    matrix = np.ascontiguousarray(array, np.float32)
    if matrix.ndim != 2:
        raise ValueError(f"{name} has shape {matrix.shape}; give [rows, columns]")
    return matrix


class NativeModel:
    """The learned model of MuZero or NDMZ: a simulator; the planner steps its ``native`` part without Python.

    ``kernel`` names one of ``_native.dense_kernels()``; the fastest of this machine is the default.
    """

    def __init__(self, network: DenseModel, weights: Mapping[str, Any], *, kernel: str = "") -> None:
        checked = network.check(weights)
        representation, dynamics, prediction = (_layers(network, checked, part) for part in network.parts())
        # A one-hot action times the first layer is one row of it: that row joins the bias.
        first, bias = dynamics[0]
        dynamics[0] = (first[: network.hidden], first[network.hidden :] + bias)
        self.network = network
        self.native = _native.MuZeroNet(
            representation,
            dynamics,
            prediction,
            num_actions=network.actions,
            num_identities=network.identities,
            activation=network.activation,
            scale_hidden=network.hidden_scaling == "minmax",
            skip=network.skip,
            support=_points(network),
            kernel=kernel,
        )

    def root(self, observations: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Observations [B, O] to hidden [B, H], policy logits [B, A] and value [B], for the mover."""
        hidden, policy_logits, value = self.native.root(_matrix("observations", observations))
        return hidden, policy_logits, value

    def step(self, hidden: npt.ArrayLike, action: npt.ArrayLike) -> Step:
        """Takes ``action`` [M] in ``hidden`` [M, H]; releases the GIL, may run in several threads at once."""
        actions = np.asarray(action)
        if actions.ndim != 1 or actions.dtype.kind not in "iu":
            raise ValueError(f"action is {actions.dtype} {actions.shape}; give integers [rows]")
        return Step(*self.native.step(_matrix("hidden", hidden), np.ascontiguousarray(actions, np.int32)))


class NativeEvaluator:
    """AlphaZero's evaluator of true positions; the planner calls its ``native`` part without Python."""

    def __init__(self, network: DenseEvaluator, weights: Mapping[str, Any], *, kernel: str = "") -> None:
        layers = _layers(network, network.check(weights), "evaluator")
        self.network = network
        self.native = _native.MlpEvaluator(
            layers, activation=network.activation, support=_points(network), kernel=kernel
        )

    def __call__(self, observations: npt.ArrayLike, legal: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Observations [M, ...] and legal [M, A] to policy logits [M, A] and value [M], for the mover.

        Logits of illegal actions are not masked: the search looks at legal ones only.
        """
        array = np.asarray(observations)
        if array.ndim < 2:
            raise ValueError(f"observations has shape {array.shape}; give [rows, ...]")
        mask = np.ascontiguousarray(legal, np.bool_)
        if mask.ndim != 2:
            raise ValueError(f"legal has shape {mask.shape}; give [rows, actions]")
        flat = array.reshape(len(array), int(np.prod(array.shape[1:])))
        policy_logits, value = self.native.evaluate(_matrix("observations", flat), mask)
        return policy_logits, value


class NativeJudge:
    """TD(lambda)'s judge of afterstates."""

    def __init__(self, network: DenseJudge, weights: Mapping[str, Any], *, kernel: str = "") -> None:
        checked = network.check(weights)
        self.network = network
        self._weights = checked
        self.native = _native.Judge(
            [_layers(network, checked, part) for part in network.parts()],
            activation=network.activation,
            results=list(network.results),
            support=_points(network),
            kernel=kernel,
        )

    def __call__(self, observations: npt.ArrayLike) -> Floats:
        """Observations [M, O] to value [M], each for the player whose view the observation is."""
        return np.asarray(self.native.values(_matrix("observations", observations)))

    def results(self, observations: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Observations [M, O] to the probability of each result [M, R], in the same view.

        In plain NumPy: for the few positions where a value is not enough.

        Raises:
            ValueError: the network's head is a value alone.
        """
        if not self.network.results:
            raise ValueError("this network predicts a position's value, not how the game may end")
        rows = _matrix("observations", observations)
        parts = list(self.network.parts())
        phase = (
            rows[:, rows.shape[1] - len(parts) :].argmax(axis=1) if len(parts) > 1 else np.zeros(len(rows))
        )
        probabilities = np.empty((len(rows), len(self.network.results)))
        for number, part in enumerate(parts):
            own = phase == number
            logits = reference_heads(self.network, self._weights, part, rows[own])["results"]
            odds = np.exp(logits - logits.max(axis=1, keepdims=True))
            probabilities[own] = odds / odds.sum(axis=1, keepdims=True)
        return probabilities
