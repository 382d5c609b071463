"""Networks for observations that are planes: the Gumbel MuZero paper's towers of residual blocks.

The modules are Flax's (``board_flax``), loaded when first needed; weights are named by their path in them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from dicezero.model.board_shapes import board_shapes
from dicezero.model.network import HiddenScaling, Kind, check_hidden_scaling, check_size, number_columns
from dicezero.model.support import Support
from dicezero.model.weights import Shapes, Weights, check_weights

if TYPE_CHECKING:
    import jax

    from dicezero.model.board_player import NativeBoardEvaluator, NativeBoardModel

_LARGEST = 128  # side of a board or an image
Heads = dict[str, dict[str, int]]  # part to head to columns; hidden states are towers, not heads


@dataclass(frozen=True)
class BoardConfig:
    """A tower of residual blocks (the paper's figures 11 to 13).

    Attributes:
        channels: planes of every block.
        blocks: of a tower.
        bottleneck: planes inside a block of 1x1, 3x3, 3x3, 1x1 convolutions; 0 gives basic blocks of two 3x3.
        mixing: what every ``mixing_every``-th block is instead, so that far points of the board meet:
            ``broadcast`` (a dense layer over all points), ``pooling`` (mean and maximum), or ``none``.
        mixing_every: see there.
        halvings: times the sides of an image are halved before the first block, each time by a convolution of
            every other point and a basic block; 96x96 with 4 of them becomes 6x6.
    """

    channels: int = 32
    blocks: int = 4
    bottleneck: int = 16
    mixing: Literal["broadcast", "pooling", "none"] = "broadcast"
    mixing_every: int = 4
    halvings: int = 0

    def __post_init__(self) -> None:
        for name, low in (("channels", 1), ("blocks", 1), ("bottleneck", 0), ("mixing_every", 1)):
            check_size(f"board.{name}", getattr(self, name), low)
        if self.mixing not in ("broadcast", "pooling", "none"):
            raise ValueError(f"board.mixing={self.mixing!r} is unknown; give broadcast, pooling or none")
        check_size("board.halvings", self.halvings, 0)
        if self.halvings > 8:
            raise ValueError(f"board.halvings={self.halvings} must be in 0..8")

    def sides(self, shape: tuple[int, int, int]) -> tuple[int, int]:
        """Height and width of the blocks' planes for observations of ``shape``."""
        height, width = shape[1:]
        return -(-height >> self.halvings), -(-width >> self.halvings)


class BoardNetwork:
    """What board networks have in common."""

    # Fields of the networks below.
    shape: tuple[int, int, int]
    actions: int
    board: BoardConfig
    support: Support | None

    @property
    def extras(self) -> tuple[int, int]:
        """Planes and numbers that training predicts beside the heads, and playing does not."""
        return 0, 0

    @property
    def observation(self) -> int:
        """Numbers in an observation, O."""
        return math.prod(self.shape)

    @property
    def scales_hidden(self) -> bool:
        """Whether hidden states are stretched to [0, 1]."""
        return False

    def heads(self) -> Heads:
        """Each part's heads."""
        raise NotImplementedError

    def shapes(self) -> Shapes:
        """Every array of the weights, by name."""
        return board_shapes(self)

    def init(self, *, seed: int) -> Weights:
        """New weights, with which every block begins as the identity."""
        from dicezero.model.board_flax import board_weights

        return board_weights(self, seed=seed)

    def check(self, weights: Mapping[str, Any]) -> Weights:
        """The weights as they are used; ValueError names an array that does not fit."""
        return check_weights(self.shapes(), weights)

    def apply(self, params: Mapping[str, jax.Array], part: str, x: jax.Array) -> dict[str, jax.Array]:
        """Flat rows [M, inputs] to each head's output [M, columns], in JAX."""
        from dicezero.model.board_flax import apply_board

        return apply_board(self, params, part, x)

    def _check_sizes(self) -> None:
        if not isinstance(self.shape, tuple) or len(self.shape) != 3:
            raise ValueError(
                f"shape={self.shape!r} is no (planes, height, width); a board network needs planes, "
                "take the dense one (architecture=mlp) for a flat observation"
            )
        for size in self.shape:
            check_size("shape", size, 1)
        if max(self.shape[1:]) > _LARGEST:
            raise ValueError(f"shape={self.shape!r} is too large; give sides of at most {_LARGEST}")
        check_size("actions", self.actions, 1)


@dataclass(frozen=True)
class BoardModel(BoardNetwork):
    """The three networks of MuZero or NDMZ on planes; hidden states are ``board.channels`` planes, flat.

    Attributes:
        shape: (planes, height, width) of an observation, which comes flat.
        actions, identities, hidden_scaling, support: as in DenseModel.
        board: of the representation's and the dynamics' towers; the prediction is heads alone.
    """

    shape: tuple[int, int, int]
    actions: int
    identities: int = 0
    board: BoardConfig = field(default_factory=BoardConfig)
    hidden_scaling: HiddenScaling = "none"
    support: Support | None = None

    def __post_init__(self) -> None:
        self._check_sizes()
        check_size("identities", self.identities, 0)
        check_hidden_scaling(self.hidden_scaling)

    @property
    def kind(self) -> Kind:
        """A learned model."""
        return "model"

    @property
    def hidden(self) -> int:
        """Numbers in a hidden state, H."""
        return self.board.channels * math.prod(self.board.sides(self.shape))

    @property
    def scales_hidden(self) -> bool:
        """Whether hidden states are stretched to [0, 1]."""
        return self.hidden_scaling == "minmax"

    def heads(self) -> Heads:
        """Each part's heads."""
        ndmz, number = self.identities > 0, number_columns(self.support)
        return {
            "representation": {},
            "dynamics": {"reward": number} | ({"identity": self.identities} if ndmz else {}),
            "prediction": {"policy": self.actions}
            | ({"chance": self.actions} if ndmz else {})
            | {"value": number},
        }

    def player(self, weights: Mapping[str, Any], *, threads: int | None = None) -> NativeBoardModel:
        """The native network; the caller brings the threads."""
        del threads
        from dicezero.model.board_player import NativeBoardModel

        return NativeBoardModel(self, weights)


@dataclass(frozen=True)
class BoardEvaluator(BoardNetwork):
    """AlphaZero's network on planes: a tower with a policy head and a value head.

    ``auxiliary`` is (planes, numbers): what training predicts beside them, and playing does not.
    """

    shape: tuple[int, int, int]
    actions: int
    board: BoardConfig = field(default_factory=BoardConfig)
    support: Support | None = None
    auxiliary: tuple[int, int] = (0, 0)

    hidden = 0
    identities = 0

    def __post_init__(self) -> None:
        self._check_sizes()

    @property
    def extras(self) -> tuple[int, int]:
        """Planes and numbers that training predicts beside the heads, and playing does not."""
        return self.auxiliary

    @property
    def kind(self) -> Kind:
        """An evaluator of true positions."""
        return "evaluator"

    def heads(self) -> Heads:
        """Each part's heads."""
        return {"evaluator": {"policy": self.actions, "value": number_columns(self.support)}}

    def player(self, weights: Mapping[str, Any], *, threads: int | None = None) -> NativeBoardEvaluator:
        """The native network; the caller brings the threads."""
        del threads
        from dicezero.model.board_player import NativeBoardEvaluator

        return NativeBoardEvaluator(self, weights)
