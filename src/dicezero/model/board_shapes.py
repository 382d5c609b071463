"""The shape of every array of a board network, by name, without Flax: what it takes to play one.

The names are paths in the modules of ``board_flax``, which a test holds these to; so is their order, in which
training keeps the weights as one vector.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dicezero.model.weights import Shapes

if TYPE_CHECKING:
    from dicezero.model.board import BoardConfig, BoardNetwork

ACTION_PLANES = 4  # planes that an action is drawn as for the dynamics, learned
HEAD_PLANES = 4  # planes that a head looks at
HEAD_WIDTH = 64  # of the layer before a head about the whole board

Path = tuple[str | int, ...]
Arrays = Iterator[tuple[Path, tuple[int, ...]]]


def is_summary(head: str) -> bool:
    """Whether a head is about the whole board, and so has one more layer."""
    return head not in ("policy", "chance")


def board_shapes(network: BoardNetwork) -> Shapes:
    """Every array of the weights, by name."""
    arrays = [(path, shape) for part in network.heads() for path, shape in _part(network, part)]
    return {".".join(map(str, path)): shape for path, shape in sorted(arrays)}


def _part(network: BoardNetwork, part: str) -> Arrays:
    channels, points = network.board.channels, math.prod(network.board.sides(network.shape))
    takes_planes = part in ("representation", "evaluator")
    if part != "prediction":
        inputs = network.shape[0] if takes_planes else channels + ACTION_PLANES
        halvings = network.board.halvings if takes_planes else 0
        yield from _below(_tower(network.board, inputs, points, halvings), part, "tower")
    if part == "dynamics":
        yield (part, "drawn", "kernel"), (network.actions, ACTION_PLANES * points)
    for head, columns in network.heads()[part].items():
        yield from _below(_head(channels, points, columns, is_summary(head)), part, "heads", head)
    planes, numbers = network.extras
    if planes:
        yield from _below(_layer(1, 1, channels, planes), part, "extras", "planes")
    if numbers:
        yield from _below(_head(channels, points, numbers, True), part, "extras", "numbers")


def _tower(config: BoardConfig, inputs: int, points: int, halvings: int) -> Arrays:
    channels = config.channels
    for i in range(halvings):
        yield from _below(_layer(3, 3, channels if i else inputs, channels), "halvings", i, "strided")
        yield from _below(_ops([(3, 3, channels, channels)] * 2), "halvings", i, "block")
    yield from _below(_layer(3, 3, channels if halvings else inputs, channels), "first")
    for i in range(config.blocks):
        yield from _below(_block(config, i, points), "blocks", i)


def _block(config: BoardConfig, index: int, points: int) -> Arrays:
    wide, narrow = config.channels, config.bottleneck
    if config.mixing != "none" and index % config.mixing_every == config.mixing_every - 1:
        if config.mixing == "pooling":
            for name in ("local", "pooled", "output"):
                yield from _below(_layer(1, 1, wide, wide), name)
            yield from _below(_layer(2 * wide, wide), "mix")
            return
        for i in (0, 2):
            yield from _below(_layer(1, 1, wide, wide), "ops", i)
        yield from _below(_layer(points, points), "ops", 1, "dense")
    elif narrow:
        yield from _ops(
            [(1, 1, wide, narrow), (3, 3, narrow, narrow), (3, 3, narrow, narrow), (1, 1, narrow, wide)]
        )
    else:
        yield from _ops([(3, 3, wide, wide)] * 2)


def _head(channels: int, points: int, columns: int, summary: bool) -> Arrays:
    yield from _below(_layer(1, 1, channels, HEAD_PLANES), "planes")
    inputs = HEAD_PLANES * points
    if summary:
        yield from _below(_layer(inputs, HEAD_WIDTH), "inner")
    yield from _below(_layer(HEAD_WIDTH if summary else inputs, columns), "output")


def _ops(kernels: list[tuple[int, ...]]) -> Arrays:
    for i, kernel in enumerate(kernels):
        yield from _below(_layer(*kernel), "ops", i)


def _layer(*kernel: int) -> Arrays:
    """A kernel and its bias."""
    yield ("bias",), (kernel[-1],)
    yield ("kernel",), kernel


def _below(arrays: Arrays, *names: str | int) -> Arrays:
    for path, shape in arrays:
        yield (*names, *path), shape
