"""Counting lines of play, one thread: the speed of making moves and of generating them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from dicezero.bench.row import Row
from dicezero.rules import load_game, perft

_RUNS = 3


@dataclass(frozen=True)
class Workload:
    """A game, and a depth whose lines take about a second to count."""

    game: str
    depth: int


WORKLOADS = (
    Workload("chess", depth=5),
    Workload("go(board_size=9)", depth=4),
    Workload("connect_four", depth=8),
)


def rows(against: frozenset[str]) -> Iterator[Row]:  # noqa: ARG001 - nobody else is asked
    """Two rows a game: lines of the full depth counted, and positions played, a second.

    Lines are counted in bulk: their last moves are generated, not made. A position played is one that a move
    was made to reach and whose own moves were generated. The fastest of some runs, by the process's clock.
    """
    for workload in WORKLOADS:
        game = load_game(workload.game)
        seconds = float("inf")
        for _ in range(_RUNS):
            begin = time.process_time()
            counts = [int(n) for n in perft(game, workload.depth)]
            seconds = min(seconds, time.process_time() - begin)
        name = f"perft/{workload.game} depth {workload.depth}"
        yield Row(f"{name}, lines counted in bulk", "lines/s", counts[-1] / seconds)
        yield Row(f"{name}, positions played", "positions/s", sum(counts[:-1]) / seconds)
