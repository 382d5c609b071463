"""The doubling cube on top of a cubeless value, by Janowski's formula: money play, Jacoby's rule off.

Rick Janowski, "Take-points in money games" (1993). A cube that is dead adds nothing; one that is perfectly
live is turned at the very point where the other side can just take. Between the points of a live cube equity
is a straight line of the probability to win, and a real cube lies between dead and live: `CUBE_LIFE` of the
way to live, as GNU Backgammon has it in positions with contact. What a position's own cube is like is in
`dicezero.agents.cube`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

CUBE_LIFE = 0.68  # 0 is a dead cube, 1 a live one
CubeOwner = Literal["centre", "mover", "other"]
CubeVerdict = Literal["no double", "double, take", "double, pass", "too good"]
_PASS = 1.0  # what a cube that is passed is worth to who has turned it


@dataclass(frozen=True)
class Chances:
    """How a game ends without a cube, in the view of one side.

    Attributes:
        win: the probability to win at all.
        won: points won where it is won, on average: 1 without gammons.
        lost: points lost where it is lost, on average.
    """

    win: float
    won: float
    lost: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.win <= 1.0 or not self.won >= 1.0 or not self.lost >= 1.0:
            raise ValueError(f"{self} is no way to end: give win in 0..1, won and lost of at least 1")

    @classmethod
    def of(cls, results: Mapping[float, float]) -> Chances:
        """From the probability of every result, positive for the side in view; what is lacking to 1 is noise.

        Raises:
            ValueError: a probability is negative, all are 0, or a result lies between -1 and 1.
        """
        whole = sum(results.values())
        if min(results.values(), default=-1.0) < 0.0 or not whole > 0.0:
            raise ValueError(f"{dict(results)} is no distribution; give the probability of each result")
        if any(abs(points) < 1.0 for points in results):
            raise ValueError(f"a cube doubles games that somebody wins; {dict(results)} has a draw")
        win = sum(p for points, p in results.items() if points > 0.0) / whole
        points_won = sum(points * p for points, p in results.items() if points > 0.0) / whole
        points_lost = -sum(points * p for points, p in results.items() if points < 0.0) / whole
        # A side that never wins wins single games.
        return cls(
            min(1.0, win),
            max(1.0, points_won / win) if win > 0.0 else 1.0,
            max(1.0, points_lost / (1.0 - win)) if win < 1.0 else 1.0,
        )

    def reversed(self) -> Chances:
        """In the view of the other side."""
        return Chances(1.0 - self.win, self.lost, self.won)

    @property
    def equity(self) -> float:
        """Cubeless, and that of a dead cube of 1."""
        return self.win * self.won - (1.0 - self.win) * self.lost

    @property
    def take_point(self) -> float:
        """The probability to win from which a live cube is taken."""
        return (self.lost - 0.5) / (self.won + self.lost + 0.5)

    @property
    def cash_point(self) -> float:
        """The probability to win from which the other side passes a live cube."""
        return (self.lost + 1.0) / (self.won + self.lost + 0.5)


def live_equity(chances: Chances, owner: CubeOwner) -> float:
    """Of a perfectly live cube of 1, before the mover's roll; ``owner`` is seen from the side of ``chances``.

    Lines through (0, -lost), (take point, -1) where the other side may double, (cash point, 1) where this
    side may, and (1, won).
    """
    points = [(0.0, -chances.lost)]
    if owner != "mover":
        points.append((chances.take_point, -1.0))
    if owner != "other":
        points.append((chances.cash_point, 1.0))
    points.append((1.0, chances.won))
    for (left, low), (right, high) in pairwise(points):
        if chances.win <= right:
            return low + (high - low) * (chances.win - left) / (right - left)
    return chances.won


def cube_equity(chances: Chances, owner: CubeOwner, *, life: float = CUBE_LIFE) -> float:
    """Points that a cube of 1 makes of the chances: between dead and live.

    Raises:
        ValueError: life outside 0..1.
    """
    if not 0.0 <= life <= 1.0:
        raise ValueError(f"life={life} is out of range; give 0 (a dead cube) to 1 (a live one)")
    return (1.0 - life) * chances.equity + life * live_equity(chances, owner)


@dataclass(frozen=True)
class CubeDecision:
    """What to do with the cube before a roll; equities are the mover's, in units of the cube as it lies.

    Attributes:
        chances: of the mover.
        no_double: equity where the cube stays.
        double_take: equity where it is doubled and taken.
        double_pass: equity where it is doubled and passed, 1.
        may_double: whether the cube is the mover's or in the centre.
        life: how live the cube was taken to be; None where the equities are exact.
    """

    chances: Chances
    no_double: float
    double_take: float
    double_pass: float
    may_double: bool
    life: float | None

    @property
    def takes(self) -> bool:
        """Whether the other side takes."""
        return self.double_take <= self.double_pass

    @property
    def doubles(self) -> bool:
        """Whether the mover doubles."""
        return self.may_double and min(self.double_take, self.double_pass) > self.no_double

    @property
    def verdict(self) -> CubeVerdict:
        """What both do, in players' terms."""
        if self.doubles:
            return "double, take" if self.takes else "double, pass"
        return "too good" if self.may_double and self.no_double >= self.double_pass else "no double"

    @property
    def equity(self) -> float:
        """Of the mover when both do what is best for them."""
        return min(self.double_take, self.double_pass) if self.doubles else self.no_double


def decide_cube(chances: Chances, owner: CubeOwner = "centre", *, life: float = CUBE_LIFE) -> CubeDecision:
    """Whether the mover doubles before its roll, and whether the other side takes.

    Args:
        chances: of the mover, before its roll.
        owner: who may turn the cube next.
        life: how live the cube is.
    """
    return CubeDecision(
        chances=chances,
        no_double=cube_equity(chances, owner, life=life),
        double_take=2.0 * cube_equity(chances, "other", life=life),
        double_pass=_PASS,
        may_double=owner != "other",
        life=life,
    )


def exact_decision(chances: Chances, owner: CubeOwner, *, stays: Mapping[CubeOwner, float]) -> CubeDecision:
    """The same where the equity of a cube that is not turned this time is known for every owner."""
    return CubeDecision(
        chances=chances,
        no_double=stays[owner],
        double_take=2.0 * stays["other"],
        double_pass=_PASS,
        may_double=owner != "other",
        life=None,
    )
