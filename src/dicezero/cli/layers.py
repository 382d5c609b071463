"""Tables beside perfect play, where the game is too large for a table of all positions: layer by layer."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType

from dicezero import _native
from dicezero.cli.measured import phase_progress
from dicezero.runs.loading import Run
from dicezero.selfplay.judged import tables_of
from dicezero.selfplay.td import AfterstatePlanner
from dicezero.solve.layers import solve_layers


def measured_by_layers(run: Run, shown: list[RenderableType], *, quiet: bool) -> dict[str, Any]:
    """What a run of lookup tables is paid beside perfect play; adds a line to ``shown``."""
    with phase_progress(quiet=quiet) as on_phase:
        solved = solve_layers(
            run.game,
            tables=lookup_tables(run),
            progress=lambda news: on_phase(f"{news.phase} layer by layer", news.done, news.total),
        )
    share = (solved.policy_value or 0.0) / solved.value
    shown.append(
        f"mean return {solved.policy_value:.6g}, of perfect play {solved.value:.6g} ({share:.2%}); "
        f"{solved.states:,} positions, symmetric ones counted once, {solved.seconds:.0f} s"
    )
    return {
        "policy": "network",
        "mean_return": solved.policy_value,
        "optimal_return": solved.value,
        "states": solved.states,
    }


def lookup_tables(run: Run) -> _native.Tuples | None:
    """Of a run that has learned lookup tables."""
    return tables_of(run.planner.judge) if isinstance(run.planner, AfterstatePlanner) else None
