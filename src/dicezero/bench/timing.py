"""Rates by the clock: the best of several runs, since other work on the machine only ever slows one down."""

from __future__ import annotations

import time
from collections.abc import Callable


def best_rate(
    run: Callable[[], object],
    units: int,
    *,
    seconds: float = 0.5,
    runs: int = 3,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Units a second of ``run``, which does ``units`` of them, from at least ``runs`` runs.

    ``clock=time.process_time`` counts the seconds of the process on its cores instead: for work on one core,
    the same on a machine that is busy otherwise.
    """
    run()  # the first run pays for caches, buffers and compilation
    best, done, begin = float("inf"), 0, time.perf_counter()
    while done < runs or time.perf_counter() - begin < seconds:
        start = clock()
        run()
        best = min(best, clock() - start)
        done += 1
    return units / best
