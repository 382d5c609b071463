"""The shape of a network: frozen, checked at birth."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

ActivationName = Literal["identity", "relu", "selu", "tanh"]
HiddenScaling = Literal["none", "minmax"]
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
    """

    observation: int
    actions: int
    hidden: int = 256
    identities: int = 4
    widths: tuple[int, ...] = (256, 256)
    activation: ActivationName = "selu"
    hidden_scaling: HiddenScaling = "none"

    def __post_init__(self) -> None:
        _check_size("observation", self.observation, 1)
        _check_size("actions", self.actions, 1)
        _check_size("hidden", self.hidden, 1)
        _check_size("identities", self.identities, 0)
        _check_trunk(self.widths, self.activation)
        if self.hidden_scaling not in get_args(HiddenScaling):
            raise ValueError(f"hidden_scaling={self.hidden_scaling!r} is unknown; give none or minmax")

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


NetworkConfig = ModelConfig | EvaluatorConfig | ValueConfig
