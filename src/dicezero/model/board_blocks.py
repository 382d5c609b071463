"""The Gumbel MuZero paper's blocks for boards (figures 11 and 12) in Flax NNX; planes are [M, H, W, C].

The paper normalises over the batch. Here each position is normalised by itself, with an offset and no scale:
a row's answer then depends on the row alone, in training as in play, and there are no averages to save.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
from flax import nnx

from dicezero.model.board import BoardConfig

Op = Callable[[jax.Array], jax.Array]


def convolution(inputs: int, outputs: int, size: int, rngs: nnx.Rngs) -> nnx.Conv:
    """A convolution of ``size`` x ``size`` that keeps the board's shape."""
    return nnx.Conv(inputs, outputs, (size, size), use_bias=False, rngs=rngs)


class BasicBlock(nnx.Module):
    """An operation, a normalisation and, unless ``linear``, a ReLU."""

    def __init__(self, op: Op, channels: int, rngs: nnx.Rngs, *, linear: bool = False) -> None:
        self.op = op
        self.norm = nnx.LayerNorm(
            channels, use_scale=False, epsilon=1e-3, reduction_axes=(1, 2, 3), feature_axes=-1, rngs=rngs
        )
        self.linear = linear

    def __call__(self, x: jax.Array) -> jax.Array:
        """[M, H, W, C] to the operation's planes."""
        x = self.norm(self.op(x))
        return x if self.linear else jax.nn.relu(x)


class ResBlock(nnx.Module):
    """Basic blocks one after another, the last without ReLU, added to what came in."""

    def __init__(self, ops: Sequence[Op], channels: Sequence[int], rngs: nnx.Rngs) -> None:
        last = len(ops) - 1
        self.blocks = nnx.List(
            BasicBlock(op, n, rngs, linear=i == last)
            for i, (op, n) in enumerate(zip(ops, channels, strict=True))
        )

    def __call__(self, x: jax.Array) -> jax.Array:
        """As many planes as came in."""
        found = x
        for block in self.blocks:
            found = block(found)
        return jax.nn.relu(x + found)


class Broadcast(nnx.Module):
    """One dense layer over all points of a plane, the same for every plane."""

    def __init__(self, points: int, rngs: nnx.Rngs) -> None:
        self.dense = nnx.Linear(points, points, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        """Planes of the same shape."""
        rows, height, width, channels = x.shape
        planes = x.transpose((0, 3, 1, 2)).reshape(rows, channels, height * width)
        mixed = jax.nn.relu(self.dense(planes))
        return mixed.reshape(rows, channels, height, width).transpose((0, 2, 3, 1))


class PoolBlock(nnx.Module):
    """Mean and maximum of some planes, added to others everywhere on the board."""

    def __init__(self, channels: int, rngs: nnx.Rngs) -> None:
        def block(*, linear: bool = False) -> BasicBlock:
            return BasicBlock(convolution(channels, channels, 1, rngs), channels, rngs, linear=linear)

        self.local, self.pooled, self.output = block(), block(), block(linear=True)
        self.mix = nnx.Linear(2 * channels, channels, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        """As many planes as came in."""
        pooled = self.pooled(x)
        summary = jnp.concatenate([pooled.mean(axis=(1, 2)), pooled.max(axis=(1, 2))], axis=-1)
        joined = self.local(x) + self.mix(summary)[:, None, None, :]
        return jax.nn.relu(x + self.output(joined))


def make_block(config: BoardConfig, index: int, points: int, rngs: nnx.Rngs) -> nnx.Module:
    """The ``index``-th block of a tower, as figure 13 chooses it."""
    wide, narrow = config.channels, config.bottleneck
    if config.mixing != "none" and index % config.mixing_every == config.mixing_every - 1:
        if config.mixing == "pooling":
            return PoolBlock(wide, rngs)
        first, last = (convolution(wide, wide, 1, rngs) for _ in range(2))
        return ResBlock([first, Broadcast(points, rngs), last], [wide] * 3, rngs)
    if narrow:
        sizes = [(wide, narrow, 1), (narrow, narrow, 3), (narrow, narrow, 3), (narrow, wide, 1)]
    else:
        sizes = [(wide, wide, 3), (wide, wide, 3)]
    ops = [convolution(inputs, outputs, size, rngs) for inputs, outputs, size in sizes]
    return ResBlock(ops, [outputs for _, outputs, _ in sizes], rngs)
