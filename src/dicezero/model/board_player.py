"""Board networks evaluated natively: convolutions by Winograd's filtering on the dense kernels.

A row's answer depends on the row alone, bit for bit: not on its batch, its place there, or the thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.model.board import BoardEvaluator, BoardModel, BoardNetwork
from dicezero.model.weights import Floats, Weights
from dicezero.search.simulator import Step

Layer = tuple[str, list[Floats]]  # kind, arrays: as cpp/model/tower.h lists them
Block = tuple[bool, list[Layer]]  # whether its input is added to its output, layers
Head = tuple[bool, list[tuple[Floats, Floats]]]  # whether its output is a number; planes, then dense layers


def _pair(weights: Weights, name: str) -> list[Floats]:
    return [weights[f"{name}.kernel"], weights[f"{name}.bias"]]


def _residual(weights: Weights, name: str) -> Block:
    """A residual block, by the arrays it has."""
    if f"{name}.mix.kernel" in weights:
        parts = (_pair(weights, f"{name}.{part}") for part in ("local", "pooled", "mix", "output"))
        return True, [("pooling", [array for part in parts for array in part])]
    layers: list[Layer] = []
    while True:
        op = f"{name}.ops.{len(layers)}"
        if f"{op}.kernel" in weights:
            layers.append(("convolution", _pair(weights, op)))
        elif f"{op}.dense.kernel" in weights:
            layers.append(("broadcast", _pair(weights, f"{op}.dense")))
        else:
            return True, layers


def tower_blocks(network: BoardNetwork, weights: Weights, part: str) -> list[Block]:
    """The layers of a part's tower in order, as the native networks take them."""
    name = f"{part}.tower"
    blocks: list[Block] = []
    for i in range(network.board.halvings if part != "dynamics" else 0):
        blocks.append((False, [("strided", _pair(weights, f"{name}.halvings.{i}.strided"))]))
        blocks.append(_residual(weights, f"{name}.halvings.{i}.block"))
    blocks.append((False, [("convolution", _pair(weights, f"{name}.first"))]))
    return blocks + [_residual(weights, f"{name}.blocks.{i}") for i in range(network.board.blocks)]


def head_layers(network: BoardNetwork, weights: Weights, part: str) -> list[Head]:
    """A part's heads in order: planes as [channels, planes], dense layers, biases as [1, columns]."""
    heads = []
    for head in network.heads()[part]:
        name = f"{part}.heads.{head}"
        layers = [layer for layer in ("planes", "inner", "output") if f"{name}.{layer}.kernel" in weights]
        arrays = [_pair(weights, f"{name}.{layer}") for layer in layers]
        dense = [(kernel.reshape(-1, kernel.shape[-1]), bias[None]) for kernel, bias in arrays]
        heads.append((head in ("value", "reward"), dense))
    return heads


def _points(network: BoardNetwork) -> list[float]:
    return [] if network.support is None else network.support.points.tolist()


def _flat(observations: npt.ArrayLike, columns: int) -> Floats:
    array = np.ascontiguousarray(observations, np.float32)
    flat = array.reshape(len(array), -1) if array.ndim > 1 and len(array) else array
    if flat.ndim != 2 or flat.shape[1] != columns:
        raise ValueError(f"observations has shape {array.shape}; give [rows, ...] of {columns} numbers each")
    return flat


class NativeBoardEvaluator:
    """AlphaZero's evaluator of true positions; the planner calls its ``native`` part without Python.

    ``kernel`` names one of ``_native.dense_kernels()``; the fastest of this machine is the default.
    """

    def __init__(self, network: BoardEvaluator, weights: Mapping[str, Any], *, kernel: str = "") -> None:
        checked = network.check(weights)
        self.network = network
        self.native = _native.BoardEvaluator(
            network.shape,
            tower_blocks(network, checked, "evaluator"),
            head_layers(network, checked, "evaluator"),
            support=_points(network),
            kernel=kernel,
        )

    def __call__(self, observations: npt.ArrayLike, legal: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Observations [M, ...] and legal [M, A] to policy logits [M, A] and value [M], for the mover.

        Logits of illegal actions are not masked: the search looks at legal ones only.
        """
        mask = np.ascontiguousarray(legal, np.bool_)
        if mask.ndim != 2:
            raise ValueError(f"legal has shape {mask.shape}; give [rows, actions]")
        policy_logits, value = self.native.evaluate(_flat(observations, self.network.observation), mask)
        return policy_logits, value


class NativeBoardModel:
    """The learned model of MuZero or NDMZ: a simulator; the planner steps its ``native`` part without Python.

    ``kernel`` names one of ``_native.dense_kernels()``; the fastest of this machine is the default.
    """

    def __init__(self, network: BoardModel, weights: Mapping[str, Any], *, kernel: str = "") -> None:
        checked = network.check(weights)
        drawn = checked["dynamics.drawn.kernel"]
        height, width = network.board.sides(network.shape)
        self.network = network
        self.native = _native.BoardModel(
            network.shape,
            tower_blocks(network, checked, "representation"),
            tower_blocks(network, checked, "dynamics"),
            head_layers(network, checked, "dynamics"),
            head_layers(network, checked, "prediction"),
            actions=drawn,
            action_planes=drawn.shape[1] // (height * width),
            num_identities=network.identities,
            scale_hidden=network.scales_hidden,
            support=_points(network),
            kernel=kernel,
        )

    @property
    def num_identities(self) -> int:
        """Whom it can name as next to act."""
        return self.network.identities

    def root(self, observations: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Observations [B, O] to hidden [B, H], policy logits [B, A] and value [B], for the mover."""
        flat = _flat(observations, self.network.observation)
        hidden, policy_logits, value = self.native.root(flat)
        return hidden, policy_logits, value

    def step(self, hidden: npt.ArrayLike, action: npt.ArrayLike) -> Step:
        """Takes ``action`` [M] in ``hidden`` [M, H]; releases the GIL, may run in several threads at once."""
        actions, rows = np.asarray(action), np.ascontiguousarray(hidden, np.float32)
        if actions.ndim != 1 or actions.dtype.kind not in "iu":
            raise ValueError(f"action is {actions.dtype} {actions.shape}; give integers [rows]")
        if rows.ndim != 2:
            raise ValueError(f"hidden has shape {rows.shape}; give [rows, {self.network.hidden}]")
        return Step(*self.native.step(rows, np.ascontiguousarray(actions, np.int32)))
