"""Hypergammon, backgammon with one to three checkers a side, solved exactly before every roll.

The general solver numbers whole states, dice and halves of doubles included, and keeps both players apart;
here a position is two sides, seen by who rolls, and three checkers fit in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dicezero import _native

_AT_ONCE = 50_000  # positions between two reports
MAX_SWEEPS = 1_000


@dataclass(frozen=True)
class Hypergammon:
    """Perfect play, in points: a game counts 1, a gammon 2, a backgammon 3.

    Attributes:
        checkers: of a side.
        sides: [sides, 26] checkers borne off, on points 1..24 and on the bar.
        equity: [sides, sides] what the side to roll may expect; its own position first. 0 where both sides
            cannot be so, and where the game is over.
        sweeps: how often every value was made.
        residual: by how much one changed in the last, at the most.
        positions: before a roll.
        bytes: that the solver held.
    """

    checkers: int
    sides: NDArray[np.uint8]
    equity: NDArray[np.float64]
    sweeps: int
    residual: float
    positions: int
    bytes: int

    def value(self, own: Sequence[int], other: Sequence[int]) -> float:
        """Of the side to roll; both [26], each in its own counting."""
        return float(self.equity[hyper_number(own), hyper_number(other)])

    def first_player_value(self, state: _native.BackgammonState) -> float:
        """Of any state, to player 0; at a choice by the best move."""
        if state.is_terminal():
            return float(state.returns()[0])
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            if len(outcomes) == 21:
                mover = state.turn
                value = self.value(state.checkers(mover), state.checkers(1 - mover))
                return value if mover == 0 else -value
            # The opening roll is no double.
            return sum(p * self.first_player_value(state.child(outcome)) for outcome, p in outcomes)
        values = [self.first_player_value(state.child(action)) for action in state.legal_actions()]
        return max(values) if state.current_player() == 0 else min(values)


def hyper_number(side: Sequence[int]) -> int:
    """The number of a side [26]: the rank of its places, each pushed one further than the one before."""
    places = [place for place, count in enumerate(side) for _ in range(count)]
    if len(side) != 26 or not 1 <= len(places) <= 3:
        raise ValueError(f"{list(side)} is no side of hypergammon; give 26 numbers, one to three checkers")
    choices = [place + taken for taken, place in enumerate(places)]
    first, second, third = [*choices, 0, 0][:3]
    return first + second * (second - 1) // 2 + third * (third - 1) * (third - 2) // 6


def solve_hypergammon(
    checkers: int = 3,
    *,
    tolerance: float = 1e-9,
    progress: Callable[[str], None] | None = None,
) -> Hypergammon:
    """Value iteration until no value changes by more than ``tolerance``.

    Raises:
        ValueError: checkers outside 1..3, or values that still change after `MAX_SWEEPS`.
    """
    table = _native.HyperTable(checkers)
    while table.built < table.positions:
        table.build(_AT_ONCE)
        if progress is not None:
            progress(f"turns of {table.built:,} of {table.positions:,} positions, {table.bytes:,} bytes")
    for sweeps in range(1, MAX_SWEEPS + 1):
        residual = table.sweep()
        if progress is not None:
            progress(f"sweep {sweeps}: values change by {residual:.2e}")
        if residual <= tolerance:
            sides, size = table.sides(), table.bytes
            return Hypergammon(checkers, sides, table.equity(), sweeps, residual, table.positions, size)
    raise ValueError(f"values change by {residual:.2e} after {MAX_SWEEPS} sweeps; raise tolerance")
