"""Bearing off without contact, exactly: how many rolls one side needs, and who wins the race of two.

Positions are numbered by their checkers on points 1..6, fewer checkers first; 0 is the empty board.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dicezero import _native

_POINTS = 6
_MOST_TWO_SIDED = 8  # 3,003 positions a side, 72 MB; a ninth checker would double it


@dataclass(frozen=True)
class OneSidedBearoff:
    """One side alone, moved so that it needs the fewest rolls on average.

    Attributes:
        checkers: the most on the board.
        counts: [positions, 6] checkers on points 1..6.
        rolls: [positions, 32] the probability of needing so many rolls.
    """

    checkers: int
    counts: NDArray[np.uint8]
    rolls: NDArray[np.float64]

    @property
    def mean_rolls(self) -> NDArray[np.float64]:
        """[positions] rolls needed on average."""
        return self.rolls @ np.arange(self.rolls.shape[1], dtype=np.float64)


@dataclass(frozen=True)
class TwoSidedBearoff:
    """Two sides that cannot meet any more, both with a checker borne off, without a cube.

    Attributes:
        checkers: the most on the board, each side.
        counts: [positions, 6] checkers on points 1..6.
        equity: [positions, positions] what the side to roll may expect, in [-1, 1]; its own position first.
    """

    checkers: int
    counts: NDArray[np.uint8]
    equity: NDArray[np.float64]


@dataclass(frozen=True)
class TwoSidedCube:
    """The same two sides with a doubling cube that both turn perfectly, in money play.

    Attributes:
        checkers: the most on the board, each side.
        centre, own, others: [positions, positions] what the side to roll may expect if it does not double
            this time, in units of the cube, by whose cube it is; its own position first.
    """

    checkers: int
    centre: NDArray[np.float64]
    own: NDArray[np.float64]
    others: NDArray[np.float64]


def one_sided_bearoff(checkers: int = 15) -> OneSidedBearoff:
    """The table of up to ``checkers`` on six points: 54,264 positions for 15."""
    _check("checkers", checkers, 15)
    return OneSidedBearoff(checkers, _native.bearoff_positions(checkers), _native.bearoff_one_sided(checkers))


def two_sided_bearoff(checkers: int = 6) -> TwoSidedBearoff:
    """The table of up to ``checkers`` on six points on either side: 924 x 924 for 6."""
    _check("checkers", checkers, _MOST_TWO_SIDED)
    return TwoSidedBearoff(checkers, _native.bearoff_positions(checkers), _native.bearoff_two_sided(checkers))


def two_sided_cube(checkers: int = 6) -> TwoSidedCube:
    """The tables with a cube of up to ``checkers`` on six points on either side."""
    _check("checkers", checkers, _MOST_TWO_SIDED)
    return TwoSidedCube(checkers, *np.split(_native.bearoff_two_sided_cube(checkers), 3))


def bearoff_number(counts: Sequence[int]) -> int:
    """The number of the position with so many checkers on points 1..6."""
    if len(counts) != _POINTS or min(counts) < 0:
        raise ValueError(f"counts={list(counts)} is no home board; give six numbers of checkers")
    sums = np.cumsum(counts)
    return sum(math.comb(int(sums[k]) + k, k + 1) for k in range(_POINTS))


def _check(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise ValueError(f"{name}={value} is out of range; give 1..{most}")
