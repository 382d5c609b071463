"""The unit of a game's values: per cent of a win, or points where the game pays points."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of

_MINUS = "\u2212"
_WHOLE_WIN = 1.05  # from which sums over a game are shown in wins, not in hundreds of per cent


@dataclass(frozen=True)
class Scale:
    """What lies between the lowest and the highest return of a game.

    A ``share`` is a place between the two, in [0, 1]: where a game is won, drawn or lost it is the
    probability of winning, a draw being half a win. Where it pays points, and for one who plays alone, values
    are in the game's own units.

    Attributes:
        low, high: the returns that are 0 and 1.
        points: whether values are in the game's units.
    """

    low: float = -1.0
    high: float = 1.0
    points: bool = False

    @classmethod
    def of(cls, game: Game) -> Scale:
        """The scale of a game; -1 to 1 where it has no bounds."""
        low, high = (getattr(game, name, None) for name in ("min_utility", "max_utility"))
        alone = spec_of(game).players == 1
        if not callable(low) or not callable(high):
            return cls(points=alone)
        least, most = float(low()), float(high())
        return cls(least, most, alone or (least, most) not in ((-1.0, 1.0), (0.0, 1.0)))

    def times(self, stake: int) -> Scale:
        """The same of a game that counts so often, as a doubling cube has it."""
        return replace(self, low=stake * self.low, high=stake * self.high)

    @property
    def unit(self) -> str:
        """What a difference is counted in: ``of a win`` or ``points``."""
        return "points" if self.points else "of a win"

    def share(self, value: float) -> float:
        """A return as a share."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    def shown(self, share: float) -> float:
        """The number that is plotted: per cent, or points."""
        return self.low + share * (self.high - self.low) if self.points else 100.0 * share

    def plotted(self, value: float) -> float:
        """The number of a return that is drawn: per cent of a win, or points."""
        return value if self.points else 100.0 * (value - self.low) / (self.high - self.low)

    def of_value(self, value: float, *, digits: int | None = None) -> str:
        """A return for a reader: ``65.6 %`` or ``+0.31``, with so many ``digits`` or the usual number."""
        if self.points:
            return f"{value:+.{2 if digits is None else digits}f}".replace("-", _MINUS)
        return f"{100.0 * self.share(value):.{1 if digits is None else digits}f} %"

    def of_share(self, share: float, *, digits: int | None = None) -> str:
        """The same of a share."""
        return self.of_value(self.low + share * (self.high - self.low), digits=digits)

    def difference(self, share: float, *, sign: bool = False) -> str:
        """Of two shares, or a sum of such: ``3.1 % of a win``, ``1.2 wins``, ``0.12 points``."""
        if not self.points and abs(share) >= _WHOLE_WIN:
            return (f"{share:+.1f} wins" if sign else f"{share:.1f} wins").replace("-", _MINUS)
        number = share * (self.high - self.low) if self.points else 100.0 * share
        digits = 2 if self.points else 1
        text = f"{number:+.{digits}f}" if sign else f"{number:.{digits}f}"
        return (f"{text} points" if self.points else f"{text} % of a win").replace("-", _MINUS)
