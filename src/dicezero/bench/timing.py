"""Rates by the clock: the best of several runs, since other work on the machine only ever slows one down."""

from __future__ import annotations

import time
from collections.abc import Callable


def best_rate(run: Callable[[], object], units: int, *, seconds: float = 0.5, runs: int = 3) -> float:
    """Units a second of ``run``, which does ``units`` of them, from at least ``runs`` runs."""
    run()  # the first run pays for caches, buffers and compilation
    best, done, begin = float("inf"), 0, time.perf_counter()
    while done < runs or time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
        done += 1
    return units / best
