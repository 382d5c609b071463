"""What a network is to the rest of the package: one object that trains and plays.

``model.dense`` has three of these and ``model.board`` two; one of your own needs the same names and no base
class (``examples/own_network.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

from dicezero.model.support import Support
from dicezero.model.weights import Floats, Shapes, Weights
from dicezero.search.plan import Evaluate
from dicezero.search.simulator import Simulator

if TYPE_CHECKING:
    import jax

Kind = Literal["model", "evaluator", "judge"]
HiddenScaling = Literal["none", "minmax"]
SCALING_FLOOR = 1e-5  # added to the range that minmax divides by; the native networks have the same


class ModelPlayer(Simulator, Protocol):
    """A learned model that plays; one with ``native`` is stepped by the planner without Python."""

    def root(self, observations: Floats) -> tuple[Any, Any, Any]:
        """Observations [B, O] to hidden [B, H], policy logits [B, A] and value [B], for the mover."""
        ...


Judge = Callable[[Floats], Floats]  # observations [M, O] to value [M], for the player whose view each is
Player = ModelPlayer | Evaluate | Judge  # of a model, an evaluator, a judge


class Network(Protocol):
    """A network, frozen and hashable: compiled functions are kept by it.

    Its parts, the rows they take and the heads they give, each [M, columns]:

    ========== ================ ============================= ==============================================
    kind       part             input                         heads
    ========== ================ ============================= ==============================================
    model      representation   observation                   hidden
    model      dynamics         hidden, then one-hot action   hidden, reward, and with identities: identity
    model      prediction       hidden                        policy, value, and with identities: chance
    evaluator  evaluator        observation                   policy, value
    judge      judge            observation                   value
    ========== ================ ============================= ==============================================

    Values and rewards are one column, or logits over the support.
    """

    def __hash__(self) -> int:
        """Equal networks have equal shapes and formulas."""
        ...

    @property
    def kind(self) -> Kind:
        """MuZero's or NDMZ's three networks, AlphaZero's evaluator, or TD(lambda)'s judge of afterstates."""
        ...

    @property
    def support(self) -> Support | None:
        """Of the value and the reward; None where they are scalars."""
        ...

    @property
    def observation(self) -> int:
        """Numbers in an observation, O; it comes flat."""
        ...

    @property
    def actions(self) -> int:
        """Columns of the policy, A; for NDMZ chance's outcomes among them. 0 for a judge."""
        ...

    @property
    def hidden(self) -> int:
        """Numbers in a hidden state, H; 0 where there is none."""
        ...

    @property
    def identities(self) -> int:
        """Whom a model can name as next to act: 4 for NDMZ (mover, opponent, chance, end), 0 otherwise."""
        ...

    def shapes(self) -> Shapes:
        """Every array of the weights, by name."""
        ...

    def init(self, *, seed: int) -> Weights:
        """New weights."""
        ...

    def check(self, weights: Mapping[str, Any]) -> Weights:
        """The weights as they are used; ValueError names an array of a wrong shape, type or value."""
        ...

    def apply(self, params: Mapping[str, jax.Array], part: str, x: jax.Array) -> dict[str, jax.Array]:
        """Rows [M, inputs] to each head's output [M, columns], in JAX: what training differentiates."""
        ...

    def player(self, weights: Mapping[str, Any], *, threads: int | None = None) -> Player:
        """The network with these weights, fast, of the form of its kind; values and rewards are numbers.

        ``threads`` to answer with, all cores by default; no answer depends on it.
        """
        ...


def check_size(name: str, value: object, low: int) -> None:
    """Refuses a size that is no integer from ``low`` to a million."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= 1_000_000:
        raise ValueError(f"{name}={value!r} must be an integer in {low}..1000000")


def check_hidden_scaling(value: object) -> None:
    """Refuses what is no HiddenScaling."""
    if value not in ("none", "minmax"):
        raise ValueError(f"hidden_scaling={value!r} is unknown; give none or minmax")


def number_columns(support: Support | None) -> int:
    """Columns of a head for one number."""
    return 1 if support is None else len(support)
