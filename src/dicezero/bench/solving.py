"""Solves a minute: perfect play of Nannon to 1e-10, all cores, beside OpenSpiel's value iteration."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

from dicezero.bench.row import Row
from dicezero.rules import load_game
from dicezero.rules.openspiel import installed
from dicezero.solve import solve

_GAMES = (
    "nannon(points=6,checkers=3,sides=6)",
    "nannon(points=8,checkers=4,sides=6)",
    "nannon(points=12,checkers=5,sides=6)",
)
_TOLERANCE = 1e-10


def rows(against: frozenset[str]) -> Iterator[Row]:
    """A row a size of Nannon, and tic-tac-toe with OpenSpiel's own value iteration beside it if asked for."""
    for game in _GAMES:
        yield Row(f"solving/{game}", "solves/min", 60 / _seconds(partial(_solve, game)))
    ours = 60 / _seconds(partial(_solve, "tic_tac_toe"))
    peer = _openspiel() if "openspiel" in against and installed() else None
    if peer is None:
        yield Row("solving/tic_tac_toe", "solves/min", ours)
    else:
        yield Row(
            "solving/tic_tac_toe", "solves/min", ours, peer="openspiel", peer_value=60 / _seconds(peer, 1)
        )


def _solve(name: str) -> object:
    return solve(load_game(name), tolerance=_TOLERANCE)


def _openspiel() -> Callable[[], object] | None:
    """OpenSpiel's solver, or None where the packages it imports are missing."""
    try:
        import pyspiel
        from open_spiel.python.algorithms import value_iteration
    except ImportError:
        return None
    game = pyspiel.load_game("tic_tac_toe")
    return partial(value_iteration.value_iteration, game, depth_limit=-1, threshold=_TOLERANCE)


def _seconds(run: Callable[[], object], runs: int = 3) -> float:
    """The fastest of a few runs; long ones are not repeated."""
    best = float("inf")
    for _ in range(runs):
        begin = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begin)
        if best > 5:
            break
    return best
