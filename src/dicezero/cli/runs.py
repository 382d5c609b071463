"""``dicezero runs``."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

import tyro
from rich.table import Table
from tyro.conf import Positional

from dicezero.cli.console import emit
from dicezero.runs.listing import RunSummary, find_runs, summarise_run


@dataclass(frozen=True)
class Runs:
    """List the runs under a folder: how far each is, how strong, and whether it is sound.

    'running' is being trained now, 'finished' has done its rounds, 'stopped' can be resumed, 'damaged' has a
    file that is not what the run wrote.

    Example: dicezero runs runs --json
    """

    folders: Positional[Annotated[tuple[Path, ...], tyro.conf.arg(metavar="[FOLDER ...]")]] = (Path("runs"),)
    """Where to look; a run's own folder will do."""
    json: bool = False
    """One JSON object: runs (path, preset, game, round, target, score, minutes, changed, state, ...)."""

    def run(self) -> int:
        """Lists."""
        found = [summarise_run(path) for folder in self.folders for path in find_runs(folder)]
        data = {"runs": [asdict(run) | {"changed": _moment(run.changed)} for run in found]}
        where = ", ".join(map(str, self.folders))
        shown = _table(found) if found else f"no runs under {where}; dicezero train makes one"
        damage = [f"{run.path}: {run.reason}" for run in found if run.state == "damaged"]
        emit(data, shown, *damage, as_json=self.json)
        return 0


def _moment(unix_seconds: float) -> str:
    return datetime.fromtimestamp(unix_seconds).astimezone().isoformat(timespec="seconds")


def _table(runs: list[RunSummary]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("run", "preset", "game"):
        table.add_column(name, overflow="fold")
    for name in ("round", "score", "minutes"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("last change", no_wrap=True)
    table.add_column("state", no_wrap=True)
    for run in runs:
        table.add_row(
            run.path,
            run.preset or "?",
            run.game or "?",
            f"{run.round}/{run.target or '?'}",
            "-" if run.score is None else f"{run.score:.4f}",
            f"{run.minutes:.1f}",
            datetime.fromtimestamp(run.changed).astimezone().strftime("%Y-%m-%d %H:%M"),
            run.state,
        )
    return table
