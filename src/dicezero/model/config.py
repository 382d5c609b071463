"""The shape of a network: frozen, checked at birth."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, get_args

ActivationName = Literal["identity", "relu", "selu", "tanh"]
HiddenScaling = Literal["none", "minmax"]
Skip = Literal["none", "plain", "turned"]
SCALING_FLOOR = 1e-5  # added to the range that minmax divides by; the native network has the same


def _check_size(name: str, value: object, low: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= 1_000_000:
        raise ValueError(f"{name}={value!r} must be an integer in {low}..1000000")


def _check_trunk(widths: object, activation: object) -> None:
    if not isinstance(widths, tuple) or not widths:
        raise ValueError(
            f"widths={widths!r} must be a tuple of at least one hidden layer's size, e.g. (256, 256)"
        )
    for width in widths:
        _check_size("widths", width, 1)
    if activation not in get_args(ActivationName):
        raise ValueError(
            f"activation={activation!r} is unknown; give one of {', '.join(get_args(ActivationName))}"
        )


@dataclass(frozen=True)
class ModelConfig:
    """The three networks of MuZero, or of NDMZ where there are identities.

    Attributes:
        observation: numbers in an observation, O.
        actions: size of the unified action set, A.
        hidden: numbers in a hidden state, H.
        identities: whom the model can name as next to act, N (NDMZ: the mover, the other player, chance, the
            end: 4). 0 is MuZero: no identity head and no chance head.
        widths: sizes of the hidden layers of each of the three networks.
        activation: of the hidden layers; every head is linear.
        hidden_scaling: ``minmax`` stretches every hidden state to [0, 1], as MuZero does; ``none`` leaves it.
        skip: what the dynamics' answer is added to, so that a step says only what changes: ``plain``, the
            hidden state it was asked about; ``turned``, that state with its halves exchanged, for players
            who take turns, as every state is the mover's own view; ``none``, nothing.
    """

    observation: int
    actions: int
    hidden: int = 256
    identities: int = 4
    widths: tuple[int, ...] = (256, 256)
    activation: ActivationName = "selu"
    hidden_scaling: HiddenScaling = "none"
    skip: Skip = "none"

    def __post_init__(self) -> None:
        _check_size("observation", self.observation, 1)
        _check_size("actions", self.actions, 1)
        _check_size("hidden", self.hidden, 1)
        _check_size("identities", self.identities, 0)
        _check_trunk(self.widths, self.activation)
        if self.hidden_scaling not in get_args(HiddenScaling):
            raise ValueError(f"hidden_scaling={self.hidden_scaling!r} is unknown; give none or minmax")
        if self.skip not in get_args(Skip):
            raise ValueError(f"skip={self.skip!r} is unknown; give none, plain or turned")
        if self.skip == "turned" and self.hidden % 2:
            raise ValueError(f"hidden={self.hidden} has no halves; give an even number, or skip=plain")

    def networks(self) -> dict[str, tuple[int, dict[str, int]]]:
        """Network name to (inputs, head name to columns), heads in the order they are merged."""
        ndmz = self.identities > 0
        return {
            "representation": (self.observation, {"hidden": self.hidden}),
            "dynamics": (
                self.hidden + self.actions,
                {"hidden": self.hidden, "reward": 1} | ({"identity": self.identities} if ndmz else {}),
            ),
            "prediction": (
                self.hidden,
                {"policy": self.actions} | ({"chance": self.actions} if ndmz else {}) | {"value": 1},
            ),
        }

    def step_flops(self) -> int:
        """Floating-point operations of one step (dynamics and prediction), the one-hot action not counted."""
        total = 0
        for name in ("dynamics", "prediction"):
            sizes = (self.hidden, *self.widths, sum(self.networks()[name][1].values()))
            total += 2 * sum(a * b for a, b in pairwise(sizes))
        return total


@dataclass(frozen=True)
class EvaluatorConfig:
    """AlphaZero's network: a trunk with a policy head and a value head, both linear."""

    observation: int
    actions: int
    widths: tuple[int, ...] = (256, 256)
    activation: ActivationName = "selu"

    def __post_init__(self) -> None:
        _check_size("observation", self.observation, 1)
        _check_size("actions", self.actions, 1)
        _check_trunk(self.widths, self.activation)

    def networks(self) -> dict[str, tuple[int, dict[str, int]]]:
        """Network name to (inputs, head name to columns), heads in the order they are merged."""
        return {"evaluator": (self.observation, {"policy": self.actions, "value": 1})}


@dataclass(frozen=True)
class ValueConfig:
    """TD(lambda)'s network: a trunk with a value head, linear; it judges afterstates."""

    observation: int
    widths: tuple[int, ...] = (256, 256)
    activation: ActivationName = "selu"

    def __post_init__(self) -> None:
        _check_size("observation", self.observation, 1)
        _check_trunk(self.widths, self.activation)

    def networks(self) -> dict[str, tuple[int, dict[str, int]]]:
        """Network name to (inputs, head name to columns)."""
        return {"judge": (self.observation, {"value": 1})}


@dataclass(frozen=True)
class BoardConfig:
    """A tower of residual blocks for observations that are planes (the Gumbel MuZero paper, figures 11-13).

    Attributes:
        channels: planes of every block.
        blocks: of a tower.
        bottleneck: planes inside a block of 1x1, 3x3, 3x3, 1x1 convolutions; 0 gives basic blocks of two 3x3.
        mixing: what every ``mixing_every``-th block is instead, so that far points of the board meet:
            ``broadcast`` (a dense layer over all points), ``pooling`` (mean and maximum), or ``none``.
        mixing_every: see there.
    """

    channels: int = 32
    blocks: int = 4
    bottleneck: int = 16
    mixing: Literal["broadcast", "pooling", "none"] = "broadcast"
    mixing_every: int = 4

    def __post_init__(self) -> None:
        for name, low in (("channels", 1), ("blocks", 1), ("bottleneck", 0), ("mixing_every", 1)):
            _check_size(f"board.{name}", getattr(self, name), low)
        if self.mixing not in ("broadcast", "pooling", "none"):
            raise ValueError(f"board.mixing={self.mixing!r} is unknown; give broadcast, pooling or none")


def _check_planes(shape: object) -> None:
    if not isinstance(shape, tuple) or len(shape) != 3:
        raise ValueError(
            f"shape={shape!r} is no (planes, height, width); a board network needs planes, "
            "take the dense one (architecture=mlp) for a flat observation"
        )
    for size in shape:
        _check_size("shape", size, 1)


@dataclass(frozen=True)
class BoardModelConfig:
    """The three networks of MuZero or NDMZ on planes; hidden states are ``board.channels`` planes, flat.

    Attributes:
        shape: (planes, height, width) of an observation, which comes flat.
        actions, identities, hidden_scaling: as in ModelConfig.
        board: of the representation's and the dynamics' towers; the prediction is heads alone.
    """

    shape: tuple[int, int, int]
    actions: int
    identities: int = 0
    board: BoardConfig = field(default_factory=BoardConfig)
    hidden_scaling: HiddenScaling = "none"

    def __post_init__(self) -> None:
        _check_planes(self.shape)
        _check_size("actions", self.actions, 1)
        _check_size("identities", self.identities, 0)

    @property
    def hidden(self) -> int:
        """Numbers in a hidden state, H."""
        return self.board.channels * self.shape[1] * self.shape[2]


@dataclass(frozen=True)
class BoardEvaluatorConfig:
    """AlphaZero's network on planes: a tower with a policy head and a value head."""

    shape: tuple[int, int, int]
    actions: int
    board: BoardConfig = field(default_factory=BoardConfig)

    def __post_init__(self) -> None:
        _check_planes(self.shape)
        _check_size("actions", self.actions, 1)


DenseConfig = ModelConfig | EvaluatorConfig | ValueConfig
BoardNetworkConfig = BoardModelConfig | BoardEvaluatorConfig
NetworkConfig = DenseConfig | BoardNetworkConfig
