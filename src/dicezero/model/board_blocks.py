"""The Gumbel MuZero paper's blocks for boards (figures 11 and 12) in Flax NNX; planes are [M, H, W, C].

The paper normalises over the batch. These blocks do not normalise: every convolution has a bias, and with
new weights every block is the identity (``board_weights``; Zhang et al. 2019, "Fixup"). A row's answer then
depends on the row alone, in training as in play, there are no averages to save, and nothing stands between
a convolution and its ReLU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
from flax import nnx

from dicezero.model.board import BoardConfig
from dicezero.model.board_convolution import convolved

Op = Callable[[jax.Array], jax.Array]


def convolution(inputs: int, outputs: int, size: int, rngs: nnx.Rngs, *, stride: int = 1) -> nnx.Conv:
    """A convolution of ``size`` x ``size`` that keeps the board's shape, or of every ``stride``-th point."""
    return nnx.Conv(inputs, outputs, (size, size), strides=stride, rngs=rngs)


def activated(op: Op, x: jax.Array, skip: jax.Array | None = None) -> jax.Array:
    """relu(op(x) + skip); a 3x3 convolution that keeps the board's shape does all of it at once."""
    if isinstance(op, nnx.Conv) and op.kernel.shape[:2] == (3, 3) and op.strides == 1 and op.bias is not None:
        return convolved(x, op.kernel[...], op.bias[...], skip)
    return jax.nn.relu(op(x) if skip is None else op(x) + skip)


class ResBlock(nnx.Module):
    """Operations one after another with ReLUs between, added to what came in; a ReLU at the end."""

    def __init__(self, ops: Sequence[Op]) -> None:
        self.ops = nnx.List(ops)

    def __call__(self, x: jax.Array) -> jax.Array:
        """As many planes as came in."""
        branch, last = x, len(self.ops) - 1
        for i, op in enumerate(self.ops):
            branch = activated(op, branch, x if i == last else None)
        return branch


class Broadcast(nnx.Module):
    """One dense layer over all points of a plane, the same for every plane."""

    def __init__(self, points: int, rngs: nnx.Rngs) -> None:
        self.dense = nnx.Linear(points, points, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        """Planes of the same shape."""
        rows, height, width, channels = x.shape
        planes = x.transpose((0, 3, 1, 2)).reshape(rows, channels, height * width)
        return self.dense(planes).reshape(rows, channels, height, width).transpose((0, 2, 3, 1))


class PoolBlock(nnx.Module):
    """Mean and maximum of some planes, added to others everywhere on the board."""

    def __init__(self, channels: int, rngs: nnx.Rngs) -> None:
        self.local, self.pooled, self.output = (convolution(channels, channels, 1, rngs) for _ in range(3))
        self.mix = nnx.Linear(2 * channels, channels, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        """As many planes as came in."""
        pooled = activated(self.pooled, x)
        summary = jnp.concatenate([pooled.mean(axis=(1, 2)), pooled.max(axis=(1, 2))], axis=-1)
        joined = activated(self.local, x) + self.mix(summary)[:, None, None, :]
        return activated(self.output, joined, x)


def make_block(config: BoardConfig, index: int, points: int, rngs: nnx.Rngs) -> ResBlock | PoolBlock:
    """The ``index``-th block of a tower, as figure 13 chooses it."""
    wide, narrow = config.channels, config.bottleneck
    if config.mixing != "none" and index % config.mixing_every == config.mixing_every - 1:
        if config.mixing == "pooling":
            return PoolBlock(wide, rngs)
        first, last = (convolution(wide, wide, 1, rngs) for _ in range(2))
        return ResBlock([first, Broadcast(points, rngs), last])
    if narrow:
        sizes = [(wide, narrow, 1), (narrow, narrow, 3), (narrow, narrow, 3), (narrow, wide, 1)]
    else:
        sizes = [(wide, wide, 3), (wide, wide, 3)]
    return ResBlock([convolution(inputs, outputs, size, rngs) for inputs, outputs, size in sizes])
