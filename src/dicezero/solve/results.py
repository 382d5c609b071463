"""The results of exact measurements, in the units of a game's returns and as scores in [0, 1]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from dicezero.solve.scale import Scale


@dataclass(frozen=True)
class Progress:
    """What a long computation is doing."""

    phase: str  # "enumerate", "probe", "solve", "evaluate", …
    done: int  # states finished
    total: int  # of how many; 0 if not known yet
    residual: float  # largest change of the last sweep


ProgressCallback: TypeAlias = Callable[[Progress], None]


@dataclass(frozen=True)
class _Measured:
    """Expected returns of one side, discounted where the game discounts."""

    returns: tuple[float, ...]  # moving first, moving second; one number where there is one player
    iterations: int  # sweeps of the part that took most
    residual: float  # largest change of the last sweeps
    scale: Scale

    @property
    def mean_return(self) -> float:
        """In the game's units, seats averaged."""
        return sum(self.returns) / len(self.returns)

    @property
    def scores(self) -> tuple[float, ...]:
        """In [0, 1], as ``returns``; a win counts 1, a draw half, a loss 0 where these return 1, 0, -1."""
        return tuple(self.scale.score(value) for value in self.returns)

    @property
    def score(self) -> float:
        """In [0, 1], seats averaged; ValueError where returns have no bounds."""
        return sum(self.scores) / len(self.scores)


@dataclass(frozen=True)
class Evaluation(_Measured):
    """One policy against another, exactly; all figures are policy_a's."""

    turns: tuple[float, ...]  # expected choices in a game by both sides, passes included; may be infinite

    @property
    def mean_turns(self) -> float:
        """Expected choices in a game, seats averaged."""
        return sum(self.turns) / len(self.turns)


@dataclass(frozen=True)
class BestResponse(_Measured):
    """The best reply to a policy, by someone who knows it; with one player the best play there is."""

    @property
    def exploitability(self) -> float:
        """What the reply has beyond an even score, seats averaged; 0 against perfect play.

        Where returns have no bounds, in the game's units. ValueError with one player, who is not replied to.
        """
        if self.scale.players == 1:
            raise ValueError("exploitability: a game for one player has no opponent to exploit; use regret")
        return self.scale.loss(self.mean_return)


@dataclass(frozen=True)
class Regret:
    """What a policy gives away over the decisions with two or more legal actions.

    In expected score with two players and bounded returns, else in the units of the game's returns.
    """

    mean: float  # every such decision counts alike
    largest: float
    decisions: int  # how many there are
