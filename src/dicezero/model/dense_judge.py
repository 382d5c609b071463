"""TD(lambda)'s network of dense layers: the value of an afterstate, one network for each phase of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dicezero._native import is_native
from dicezero.model.dense import ActivationName, DenseNetwork, Parts
from dicezero.model.network import Kind, check_size, number_columns
from dicezero.model.support import Support
from dicezero.model.weights import Weights

if TYPE_CHECKING:
    import jax

    from dicezero.model.dense_online import DenseOnline
    from dicezero.model.dense_player import NativeJudge
    from dicezero.model.online import OnlineSettings
    from dicezero.rules.protocol import Game


@dataclass(frozen=True)
class DenseJudge(DenseNetwork):
    """TD(lambda)'s network: hidden layers and a head; it judges afterstates.

    Attributes:
        observation: numbers in an observation, O.
        widths, activation: of the hidden layers.
        support: of the value; None where it is a scalar.
        phases: networks; with several the last numbers of an observation are the one to use, one-hot.
        results: what a game can end with, ascending and symmetric about 0, as values: the head is then logits
            over them and the value their mean. Empty: the head is the value.
    """

    observation: int
    widths: tuple[int, ...] = (256, 256)
    activation: ActivationName = "selu"
    support: Support | None = None
    phases: int = 1
    results: tuple[float, ...] = ()

    actions = 0
    hidden = 0
    identities = 0

    @property
    def kind(self) -> Kind:
        """A judge of afterstates."""
        return "judge"

    def __post_init__(self) -> None:
        check_size("observation", self.observation, 1)
        check_size("phases", self.phases, 1)
        if self.phases > self.observation:
            raise ValueError(f"phases={self.phases} must be at most observation={self.observation}")
        if self.results and (
            self.support is not None or self.results != tuple(-r for r in self.results[::-1])
        ):
            raise ValueError(f"results={self.results!r} must be symmetric about 0, and go without a support")
        self._check_trunk()

    def parts(self) -> Parts:
        """The network of each phase."""
        head = {"results": len(self.results)} if self.results else {"value": number_columns(self.support)}
        names = ["judge"] if self.phases == 1 else [f"judge{phase}" for phase in range(self.phases)]
        return dict.fromkeys(names, (self.observation, head))

    def zeros(self) -> tuple[str, ...]:
        """Not a plain value: play that looks one move ahead would take the first of moves that are alike."""
        return ("results",) if self.support is None else ("value",)

    def apply(self, params: Mapping[str, jax.Array], part: str, x: jax.Array) -> dict[str, jax.Array]:
        """Observations [M, O] to the head ``value`` [M, 1], or [M, bins] of a support, in JAX."""
        del part  # there is one: ``judge``
        from dicezero.model.dense_jax import judged

        return {"value": judged(self, params, x)}

    def player(self, weights: Mapping[str, Any], *, threads: int | None = None) -> NativeJudge:
        """The native judge; it computes in the caller's thread."""
        del threads
        from dicezero.model.dense_player import NativeJudge

        return NativeJudge(self, weights)

    def online(
        self,
        game: Game,
        *,
        settings: OnlineSettings,
        weights: Weights,
        optimiser: Mapping[str, np.ndarray[Any, Any]] | None,
        threads: int | None,
    ) -> DenseOnline | None:
        """The native learner; None for a game whose rules are not native, and with a support."""
        from dicezero.model.dense_online import DenseOnline

        if self.support is not None or not is_native(game):
            return None
        return DenseOnline(self, game, settings, weights, optimiser, threads=threads)
