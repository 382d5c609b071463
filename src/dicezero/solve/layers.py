"""Exact values of large games for one player whose positions come in layers, such as 2048's.

A move stays in its layer and chance leads to a later one, so one sweep from the last layer to the first is
enough, no table of all positions is kept, and positions that are symmetric are one. What comes out is the
value of the start; beside it, in the same sweep, what a judge's greedy play is paid.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dicezero.rules.protocol import Game, max_outcomes
from dicezero.solve.results import ProgressCallback
from dicezero.solve.table import native_progress

_MOST_OUTCOMES = 18  # of chance: a board of nine cells; one of twelve has a trillion positions
MAX_STATES = 200_000_000  # 8 bytes each, and some more for the layers under way


@runtime_checkable
class Layered(Protocol):
    """A native game that can be solved layer by layer."""

    def solve_layers(self, *, judge: Any, max_states: int, progress: Any) -> tuple[int, int, float, float]:
        """(states, layers, value, what the judge's play is paid)."""
        ...


@dataclass(frozen=True)
class LayersSolution:
    """What a sweep over all layers found.

    Attributes:
        states: positions in which the player is to move or has no move left, symmetric ones counted once.
        layers: that hold any.
        value: what perfect play is paid from the start.
        policy_value: what the judge's greedy play is paid; None without a judge.
        seconds: by the clock.
    """

    states: int
    layers: int
    value: float
    policy_value: float | None
    seconds: float


def solve_layers(
    game: Game,
    *,
    tables: Any = None,
    max_states: int | None = None,
    progress: ProgressCallback | None = None,
) -> LayersSolution:
    """Solves a game for which ``has_layers`` is true.

    Args:
        game: what is solved.
        tables: an n-tuple network's (``NativeTuples.native``), whose greedy play is valued too.
        max_states: refuse a larger game; 200 million by default.
        progress: called at most ten times a second.

    Raises:
        ValueError: the game has no layers, or more states.
    """
    if not isinstance(game, Layered):
        raise ValueError(f"{game} has no layers of positions; use solve")
    begin = time.perf_counter()
    states, layers, value, policy = game.solve_layers(
        judge=tables,
        max_states=MAX_STATES if max_states is None else max_states,
        progress=native_progress(progress),
    )
    seconds = time.perf_counter() - begin
    return LayersSolution(states, layers, value, None if tables is None else policy, seconds)


def has_layers(game: Game) -> bool:
    """Whether ``solve_layers`` takes it, and can hope to end."""
    return isinstance(game, Layered) and max_outcomes(game) <= _MOST_OUTCOMES
