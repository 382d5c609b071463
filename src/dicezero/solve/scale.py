"""From the units of a game's returns to scores in [0, 1]."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """The range of a game's returns. With two players it is taken alike for both: 0.5 is an even score.

    Attributes:
        low, high: the least and the greatest return of a player; infinite where there is no bound.
        players: 1 or 2.
    """

    low: float
    high: float
    players: int

    @classmethod
    def of(cls, low: float, high: float, players: int) -> Scale:
        """With two players the range is widened to one that is the same for both."""
        if players == 2:
            widest = max(-low, high)
            low, high = -widest, widest
        return cls(low, high, players)

    @property
    def bounded(self) -> bool:
        """Whether returns have a score."""
        return math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high

    def score(self, value: float) -> float:
        """Where a return lies in the range, in [0, 1].

        Raises:
            ValueError: the range has no bounds, or is a single number.
        """
        if not self.bounded:
            raise ValueError(
                f"returns in [{self.low}, {self.high}] have no score in [0, 1]; use mean_return, or give the "
                "game min_utility() and max_utility()"
            )
        return (value - self.low) / (self.high - self.low)

    def loss(self, difference: float) -> float:
        """What a loss counts: in score with two players and a bounded range, else in units of the return."""
        return difference / (self.high - self.low) if self.players == 2 and self.bounded else difference
