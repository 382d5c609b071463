"""What the exact measurements say. A win counts 1, a draw half, a loss 0."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Progress:
    """What a long computation is doing."""

    phase: str  # "enumerate", "solve", "evaluate", …
    done: int  # states finished
    total: int  # of how many; 0 if not known yet
    residual: float  # largest change of the last sweep


ProgressCallback: TypeAlias = Callable[[Progress], None]


@dataclass(frozen=True)
class Evaluation:
    """One policy against another, exactly."""

    win_probability: tuple[float, float]  # of policy_a: moving first, moving second
    turns: tuple[float, float]  # expected choices in a game, passes included: policy_a first, second
    iterations: int  # sweeps of the part that took most
    residual: float  # largest change of the last sweeps

    @property
    def score(self) -> float:
        """Expected score of policy_a in [0, 1], seats averaged."""
        return sum(self.win_probability) / 2

    @property
    def mean_turns(self) -> float:
        """Expected choices in a game, seats averaged."""
        return sum(self.turns) / 2


@dataclass(frozen=True)
class BestResponse:
    """The best reply to a policy, by someone who knows it."""

    win_probability: tuple[float, float]  # of the reply: moving first, moving second
    iterations: int
    residual: float

    @property
    def score(self) -> float:
        """Expected score of the reply in [0, 1], seats averaged."""
        return sum(self.win_probability) / 2

    @property
    def exploitability(self) -> float:
        """How much more than half the reply scores, seats averaged; 0 against perfect play."""
        return self.score - 0.5


@dataclass(frozen=True)
class Regret:
    """What a policy gives away, in expected score, over the decisions with two or more legal actions."""

    mean: float  # every such decision counts alike
    largest: float
    decisions: int  # how many there are
