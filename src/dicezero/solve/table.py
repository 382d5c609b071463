"""The native table behind a game, and the arguments every long call shares."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dicezero import _native
from dicezero.rules.errors import GameError
from dicezero.rules.protocol import Game
from dicezero.solve.alike import refuse_merged
from dicezero.solve.errors import TooLargeError
from dicezero.solve.results import Progress, ProgressCallback

MAX_STATES = 20_000_000  # about 3 GB of states for a game without a ranked index
MAX_STATES_PYTHON = 3_000_000  # Pig to 100 points has 2 million; Python objects take far more
MAX_BYTES_PYTHON = 4_000_000_000  # that those states may take
MAX_ITERATIONS = 1_000_000


def make_table(game: Game, max_states: int | None, progress: ProgressCallback | None) -> Any:
    """The native table of a game; finds all states unless the game is ranked."""
    own = getattr(game, "spec", None)
    if callable(own) and own().simulator != "states":
        raise GameError(
            f"{game} cannot be solved: simulator=episodes, its states cannot be branched; play it instead"
        )
    limit = state_limit(game, max_states)
    refuse_merged(game)
    watched = progress if _native.is_native(game) else _watching_memory(game, progress)
    return _native.make_table(game, limit, native_progress(watched))


def state_limit(game: Game, max_states: int | None) -> int:
    """How many states a game may have to be solved: ``max_states``, or the default for such a game."""
    if max_states is None:
        return MAX_STATES if _native.is_native(game) else MAX_STATES_PYTHON
    if not 1 <= max_states <= 2**31:
        raise ValueError(f"max_states={max_states} is out of range; give 1..{2**31}")
    return max_states


def _watching_memory(game: Game, progress: ProgressCallback | None) -> ProgressCallback:
    """Refuses a game whose states, Python objects of unknown size, take too much; where memory is known."""
    before = resident_bytes()

    def watch(news: Progress) -> None:
        if before is not None and (resident_bytes() or 0) - before > MAX_BYTES_PYTHON:
            raise TooLargeError(
                f"{game} has at least {news.done} states, and they take more than "
                f"{MAX_BYTES_PYTHON // 10**9} GB: take a smaller game, or write it in C++"
            )
        if progress is not None:
            progress(news)

    return watch


def resident_bytes() -> int | None:
    """Memory of this process; None where the system does not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def native_progress(progress: ProgressCallback | None) -> Callable[[str, int, int, float], None] | None:
    """The callback as the core calls it, with four bare values."""
    if progress is None:
        return None
    return lambda phase, done, total, residual: progress(Progress(phase, done, total, residual))


def check_options(tolerance: float, max_iterations: int, threads: int | None) -> int:
    """The number of threads to use; ValueError for a value out of range."""
    if not 1e-15 <= tolerance <= 1:
        raise ValueError(f"tolerance={tolerance} is out of range; give 1e-15..1")
    if max_iterations < 1:
        raise ValueError(f"max_iterations={max_iterations} is out of range; give at least 1")
    if threads is None:
        return min(available_cores(), 16)
    if not 1 <= threads <= 256:
        raise ValueError(f"threads={threads} is out of range; give 1..256")
    return threads


def available_cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def game_name(game: Game) -> str:
    """The name a solution is filed under: what the game prints, or its class where it prints an address."""
    kind = type(game)
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        return f"{kind.__module__}.{kind.__qualname__}"
    return str(game)
