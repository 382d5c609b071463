"""Networks for boards in Flax NNX: a tower of blocks for each network, and heads.

Every function here takes and gives flat rows, so that what trains and plays dense networks trains and plays
these; weights are one flat dict of arrays, named by their path in the modules.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

from dicezero.model.board import BoardConfig, BoardNetwork
from dicezero.model.board_blocks import ResBlock, activated, convolution, make_block
from dicezero.model.board_shapes import ACTION_PLANES, HEAD_PLANES, HEAD_WIDTH, board_shapes, is_summary
from dicezero.model.dense_jax import scaled_hidden
from dicezero.model.weights import Shapes, Weights


class Halving(nnx.Module):
    """[M, H, W, inputs] to half of each side, rounded up: every other point, then a basic block."""

    def __init__(self, inputs: int, channels: int, rngs: nnx.Rngs) -> None:
        self.strided = convolution(inputs, channels, 3, rngs, stride=2)
        self.block = ResBlock([convolution(channels, channels, 3, rngs) for _ in range(2)])

    def __call__(self, x: jax.Array) -> jax.Array:
        """Smaller planes."""
        return self.block(activated(self.strided, x))


class Tower(nnx.Module):
    """Halvings, a first convolution and the blocks: [M, H, W, inputs] to [M, H', W', channels]."""

    def __init__(
        self, inputs: int, config: BoardConfig, points: int, rngs: nnx.Rngs, *, halvings: int
    ) -> None:
        channels = config.channels
        self.halvings = nnx.List(Halving(channels if i else inputs, channels, rngs) for i in range(halvings))
        self.first = convolution(channels if halvings else inputs, channels, 3, rngs)
        self.blocks = nnx.List(make_block(config, i, points, rngs) for i in range(config.blocks))

    def __call__(self, x: jax.Array) -> jax.Array:
        """Through all of them."""
        for halving in self.halvings:
            x = halving(x)
        x = activated(self.first, x)
        for block in self.blocks:
            x = block(x)
        return x


class Head(nnx.Module):
    """[M, H, W, channels] to [M, columns]; a summary has one more layer."""

    def __init__(self, channels: int, points: int, columns: int, rngs: nnx.Rngs, *, summary: bool) -> None:
        self.planes = convolution(channels, HEAD_PLANES, 1, rngs)
        inputs = HEAD_PLANES * points
        self.inner = nnx.Linear(inputs, HEAD_WIDTH, rngs=rngs) if summary else None
        self.output = nnx.Linear(HEAD_WIDTH if summary else inputs, columns, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        """The head's outputs."""
        flat = activated(self.planes, x).reshape(len(x), -1)
        return self.output(flat if self.inner is None else jax.nn.relu(self.inner(flat)))


class Extras(nnx.Module):
    """Outputs that only training uses, in [-1, 1].

    [M, H, W, channels] to planes, flat [M, planes x H x W], and to numbers [M, numbers].
    """

    def __init__(self, channels: int, points: int, planes: int, numbers: int, rngs: nnx.Rngs) -> None:
        self.planes = convolution(channels, planes, 1, rngs) if planes else None
        self.numbers = Head(channels, points, numbers, rngs, summary=True) if numbers else None

    def __call__(self, x: jax.Array) -> dict[str, jax.Array]:
        """By name."""
        none = jnp.zeros((len(x), 0), x.dtype)
        planes = none if self.planes is None else self.planes(x).transpose((0, 3, 1, 2)).reshape(len(x), -1)
        numbers = none if self.numbers is None else self.numbers(x)
        return {"planes": jnp.tanh(planes), "numbers": jnp.tanh(numbers)}


class BoardPart(nnx.Module):
    """One of the networks: flat rows to the heads' outputs by name."""

    def __init__(self, network: BoardNetwork, name: str, rngs: nnx.Rngs) -> None:
        planes, (height, width) = network.shape[0], network.board.sides(network.shape)
        channels, points = network.board.channels, height * width
        self.shape, self.sides, self.channels = network.shape, (height, width), channels
        self.takes_planes = name in ("representation", "evaluator")
        inputs = {"representation": planes, "evaluator": planes, "dynamics": channels + ACTION_PLANES}
        halvings = network.board.halvings if self.takes_planes else 0
        self.tower = (
            Tower(inputs[name], network.board, points, rngs, halvings=halvings) if name in inputs else None
        )
        self.drawn = (
            nnx.Linear(network.actions, ACTION_PLANES * points, use_bias=False, rngs=rngs)
            if name == "dynamics"
            else None
        )
        self.heads = nnx.Dict(
            {
                head: Head(channels, points, columns, rngs, summary=is_summary(head))
                for head, columns in network.heads()[name].items()
            }
        )
        self.extras = Extras(channels, points, *network.extras, rngs) if any(network.extras) else None
        self.returns_hidden = name in ("representation", "dynamics")

    def __call__(self, x: jax.Array) -> dict[str, jax.Array]:
        """Flat rows [M, inputs] to [M, columns] by head; the hidden state is one of them."""
        rows, (height, width) = len(x), self.sides
        if self.takes_planes:
            board = x.reshape(rows, *self.shape).transpose((0, 2, 3, 1))
        else:
            hidden = self.channels * height * width
            board = x[:, :hidden].reshape(rows, height, width, self.channels)
            if self.drawn is not None:
                action = self.drawn(x[:, hidden:]).reshape(rows, height, width, ACTION_PLANES)
                board = jnp.concatenate([board, action], axis=-1)
        if self.tower is not None:
            board = self.tower(board)
        outputs = {name: head(board) for name, head in self.heads.items()}
        if self.extras is not None:
            outputs |= self.extras(board)
        return outputs | ({"hidden": board.reshape(rows, -1)} if self.returns_hidden else {})


def board_modules(network: BoardNetwork, *, seed: int = 0) -> nnx.Dict[BoardPart]:
    """The parts of ``network`` by name; ``board_weights`` has the weights that training begins with."""
    rngs = nnx.Rngs(seed & 0xFFFFFFFF)
    return nnx.Dict({name: BoardPart(network, name, rngs) for name in network.heads()})


@cache
def board_structure(network: BoardNetwork) -> tuple[Any, Shapes, dict[str, Any]]:
    """The modules without their weights, and each weight's shape and path by its name."""
    graph, state = nnx.split(nnx.eval_shape(lambda: board_modules(network)), nnx.Param)
    flat = nnx.to_flat_state(state)
    paths = {_name(path): path for path, _ in flat}
    return graph, {_name(path): tuple(leaf.shape) for path, leaf in flat}, paths


def _name(path: tuple[Any, ...]) -> str:
    return ".".join(map(str, path))


def board_weights(network: BoardNetwork, *, seed: int) -> Weights:
    """New weights: He normal where a ReLU follows, LeCun normal in the heads' last layers, biases zero.

    The last layer of a block's branch begins with zeros, so that the block is the identity, and the others of
    a branch of m layers are divided by the number of blocks to the power 1 / (2 m - 2): then an update of all
    blocks at once changes the tower's output no more than an update of one (Fixup, without its scalars).
    The planes of an action have variance 1: its one-hot input is all there is to a row. Values and
    rewards begin with zeros, as in dense networks.
    """
    rng = np.random.default_rng(seed)
    weights: Weights = {}
    for name, shape in board_shapes(network).items():
        if len(shape) == 1:
            weights[name] = np.zeros(shape, np.float32)
            continue
        gain = 1.0 if name.endswith("output.kernel") and ".heads." in name else math.sqrt(2.0)
        spread = 1.0 if ".drawn." in name else gain / math.sqrt(math.prod(shape[:-1]))
        weights[name] = (spread * _branch_scale(network, name) * rng.standard_normal(shape)).astype(
            np.float32
        )
        if name.endswith(("value.output.kernel", "reward.output.kernel")):
            weights[name][:] = 0.0
    return weights


def _branch_scale(network: BoardNetwork, name: str) -> float:
    """What a layer of a residual branch is multiplied by at first; 1 for any other."""
    if ".tower." not in name or not (".blocks." in name or ".block." in name):
        return 1.0
    blocks = network.board.blocks + network.board.halvings
    if ".ops." not in name:  # a pooling block: three layers one after another, the last called output
        return 0.0 if ".output." in name else blocks**-0.25
    branch, _, rest = name.partition(".ops.")
    layers = sum(n.startswith(f"{branch}.ops.") and len(s) > 1 for n, s in board_shapes(network).items())
    return 0.0 if int(rest.split(".")[0]) == layers - 1 else float(blocks ** (-1.0 / (2 * layers - 2)))


def apply_board(
    network: BoardNetwork, params: Mapping[str, jax.Array], part: str, x: jax.Array
) -> dict[str, jax.Array]:
    """Flat rows [M, inputs] to each head's output [M, columns]."""
    graph, _, paths = board_structure(network)
    flat = [(path, nnx.Param(params[name])) for name, path in paths.items()]
    outputs: dict[str, jax.Array] = nnx.merge(graph, nnx.from_flat_state(flat))[part](x)
    if "hidden" in outputs and network.scales_hidden:
        outputs["hidden"] = scaled_hidden(outputs["hidden"])
    return outputs
