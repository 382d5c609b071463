"""Solving a game."""

from __future__ import annotations

import time

from dicezero.rules.protocol import Game
from dicezero.rules.registry import load_game
from dicezero.solve.facts import Facts
from dicezero.solve.results import ProgressCallback
from dicezero.solve.solution import Solution
from dicezero.solve.table import MAX_ITERATIONS, check_options, game_name, make_table, native_progress


def solve(
    game: str | Game,
    *,
    tolerance: float = 1e-12,
    threads: int | None = None,
    progress: ProgressCallback | None = None,
    max_states: int | None = None,
    max_iterations: int = MAX_ITERATIONS,
) -> Solution:
    """Perfect play of a finite game for one or two, with or without chance, by value iteration.

    Returns may have any range; what is paid on the way and a discount count. Positions may repeat; play that
    never ends is paid nothing at its end. The result is the same whatever the threads.

    Args:
        game: a name or a game.
        tolerance: sweeps end when no value changes by more.
        threads: for Nannon; all cores by default. Other games use one.
        progress: called at most ten times a second.
        max_states: refuse a larger game; 20 million, or 3 million for a game written in Python. One that is
            far larger is refused after about a second, one in Python also where its states take over 4 GB.
        max_iterations: give up after so many sweeps over one part of the game.

    Raises:
        TooLargeError: more states than ``max_states``.
        NoConvergenceError: values still change after ``max_iterations`` sweeps, or play can be paid for ever.
        GameError: there is no such game.
    """
    threads = check_options(tolerance, max_iterations, threads)
    game = load_game(game)
    began = time.perf_counter()
    table = make_table(game, max_states, progress)
    values, iterations, residual = table.solve(tolerance, max_iterations, threads, native_progress(progress))
    facts = Facts.of(
        game_name(game),
        table,
        iterations=iterations,
        residual=residual,
        seconds=time.perf_counter() - began,
        tolerance=tolerance,
    )
    return Solution(game, values, facts, table=table)
