"""Networks of dense layers: their shapes, first weights, and what trains and plays them.

Weights are named 'dynamics.0.weight' [inputs, outputs], 'dynamics.reward.bias' [1], ...: hidden layers are
numbered, heads are named. The first layer of the dynamics has a row for each number of the hidden state and,
below these, one for each action.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from dicezero.model.network import HiddenScaling, Kind, check_hidden_scaling, check_size, number_columns
from dicezero.model.support import Support
from dicezero.model.weights import Floats, Shapes, Weights, check_weights

if TYPE_CHECKING:
    import jax

    from dicezero.model.dense_player import NativeEvaluator, NativeModel

ActivationName = Literal["identity", "relu", "selu", "tanh"]
Skip = Literal["none", "plain", "turned"]
Parts = dict[str, tuple[int, dict[str, int]]]  # part to (inputs, head to columns), heads as they are merged

_FIRST_STEP = 0.3  # of the usual size of weights, where the dynamics' answer is added to the state


class DenseNetwork(ABC):
    """What dense networks have in common; each part is hidden layers and linear heads."""

    # Fields or properties of the networks below.
    widths: tuple[int, ...]
    activation: ActivationName
    support: Support | None

    @abstractmethod
    def parts(self) -> Parts:
        """Each part's inputs and heads."""

    def shapes(self) -> Shapes:
        """Every array of the weights, by name."""
        shapes: Shapes = {}
        for part, (inputs, heads) in self.parts().items():
            below = inputs
            for i, width in enumerate(self.widths):
                shapes[f"{part}.{i}.weight"] = (below, width)
                shapes[f"{part}.{i}.bias"] = (width,)
                below = width
            for head, columns in heads.items():
                shapes[f"{part}.{head}.weight"] = (below, columns)
                shapes[f"{part}.{head}.bias"] = (columns,)
        return shapes

    def init(self, *, seed: int) -> Weights:
        """LeCun normal weights (variance 1 / inputs), which SELU wants, and zero biases.

        Before a ReLU, which drops half of the signal, they have twice the variance (He). What a search adds
        up, values and rewards, begins with zeros: otherwise it would take a new network's errors for
        certainties, and self-play might never try what they speak against.
        """
        rng = np.random.default_rng(seed)
        weights: Weights = {}
        for name, shape in self.shapes().items():
            _, layer, _ = name.split(".")
            if len(shape) == 1:
                weights[name] = np.zeros(shape, np.float32)
                continue
            weights[name] = (rng.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)
            if layer.isdigit() and self.activation == "relu":
                weights[name] *= np.float32(np.sqrt(2.0))
            if layer in self.zeros():
                weights[name][:] = 0.0
        return weights

    def zeros(self) -> tuple[str, ...]:
        """The heads that begin with zeros."""
        return ("value", "reward")

    def check(self, weights: Mapping[str, Any]) -> Weights:
        """The weights as they are used; ValueError names an array that does not fit."""
        return check_weights(self.shapes(), weights)

    def apply(self, params: Mapping[str, jax.Array], part: str, x: jax.Array) -> dict[str, jax.Array]:
        """Rows [M, inputs] to each head's output [M, columns], in JAX."""
        return self.part_heads(params, part, x)

    def part_heads(self, params: Mapping[str, jax.Array], part: str, x: jax.Array) -> dict[str, jax.Array]:
        """The heads of one part of the weights, in JAX."""
        from dicezero.model.dense_jax import apply_dense

        return apply_dense(self, params, part, x)

    def merged_layers(self, weights: Weights, part: str) -> list[tuple[Floats, Floats]]:
        """(weight [inputs, outputs], bias [outputs]) of each layer; the heads are columns of the last."""
        names = [[str(i)] for i in range(len(self.widths))] + [list(self.parts()[part][1])]
        return [
            (
                np.concatenate([weights[f"{part}.{n}.weight"] for n in layer], axis=1),
                np.concatenate([weights[f"{part}.{n}.bias"] for n in layer]),
            )
            for layer in names
        ]

    def _check_trunk(self) -> None:
        if not isinstance(self.widths, tuple) or not self.widths:
            raise ValueError(
                f"widths={self.widths!r} must be a tuple of at least one hidden layer's size, e.g. (256, 256)"
            )
        for width in self.widths:
            check_size("widths", width, 1)
        if self.activation not in get_args(ActivationName):
            raise ValueError(
                f"activation={self.activation!r} is unknown; "
                f"give one of {', '.join(get_args(ActivationName))}"
            )


@dataclass(frozen=True)
class DenseModel(DenseNetwork):
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
        skip: what the dynamics' output is added to, so that a step predicts only what changes: ``plain``, the
            hidden state it started from; ``turned``, that state with its halves exchanged, for players
            who take turns, as every state is the mover's own view; ``none``, nothing.
        support: of value and reward; None where they are scalars.
    """

    observation: int
    actions: int
    hidden: int = 256
    identities: int = 4
    widths: tuple[int, ...] = (256, 256)
    activation: ActivationName = "selu"
    hidden_scaling: HiddenScaling = "none"
    skip: Skip = "none"
    support: Support | None = None

    @property
    def kind(self) -> Kind:
        """A learned model."""
        return "model"

    def __post_init__(self) -> None:
        check_size("observation", self.observation, 1)
        check_size("actions", self.actions, 1)
        check_size("hidden", self.hidden, 1)
        check_size("identities", self.identities, 0)
        self._check_trunk()
        check_hidden_scaling(self.hidden_scaling)
        if self.skip not in get_args(Skip):
            raise ValueError(f"skip={self.skip!r} is unknown; give none, plain or turned")
        if self.skip == "turned" and self.hidden % 2:
            raise ValueError(f"hidden={self.hidden} has no halves; give an even number, or skip=plain")

    def parts(self) -> Parts:
        """Each part's inputs and heads."""
        ndmz, number = self.identities > 0, number_columns(self.support)
        return {
            "representation": (self.observation, {"hidden": self.hidden}),
            "dynamics": (
                self.hidden + self.actions,
                {"hidden": self.hidden, "reward": number} | ({"identity": self.identities} if ndmz else {}),
            ),
            "prediction": (
                self.hidden,
                {"policy": self.actions} | ({"chance": self.actions} if ndmz else {}) | {"value": number},
            ),
        }

    def init(self, *, seed: int) -> Weights:
        """As all dense networks; with a skip the dynamics begin by saying little.

        A new model's states then neither grow nor blur.
        """
        weights = super().init(seed=seed)
        if self.skip != "none":
            weights["dynamics.hidden.weight"] *= np.float32(_FIRST_STEP)
        return weights

    def player(self, weights: Mapping[str, Any], *, threads: int | None = None) -> NativeModel:
        """The native model; the planner's threads step it, it has none of its own."""
        del threads
        from dicezero.model.dense_player import NativeModel

        return NativeModel(self, weights)

    def step_flops(self) -> int:
        """Floating-point operations of one step (dynamics and prediction), the one-hot action not counted."""
        total = 0
        for part in ("dynamics", "prediction"):
            sizes = (self.hidden, *self.widths, sum(self.parts()[part][1].values()))
            total += 2 * sum(a * b for a, b in pairwise(sizes))
        return total


@dataclass(frozen=True)
class DenseEvaluator(DenseNetwork):
    """AlphaZero's network: hidden layers, a policy head and a value head; attributes as in DenseModel."""

    observation: int
    actions: int
    widths: tuple[int, ...] = (256, 256)
    activation: ActivationName = "selu"
    support: Support | None = None

    hidden = 0
    identities = 0

    @property
    def kind(self) -> Kind:
        """An evaluator of true positions."""
        return "evaluator"

    def __post_init__(self) -> None:
        check_size("observation", self.observation, 1)
        check_size("actions", self.actions, 1)
        self._check_trunk()

    def parts(self) -> Parts:
        """Each part's inputs and heads."""
        heads = {"policy": self.actions, "value": number_columns(self.support)}
        return {"evaluator": (self.observation, heads)}

    def player(self, weights: Mapping[str, Any], *, threads: int | None = None) -> NativeEvaluator:
        """The native evaluator; the planner's threads call it, it has none of its own."""
        del threads
        from dicezero.model.dense_player import NativeEvaluator

        return NativeEvaluator(self, weights)
