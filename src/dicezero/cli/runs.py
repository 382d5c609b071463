"""``dicezero runs``."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import tyro
from tyro.conf import Positional

from dicezero.cli.console import emit
from dicezero.cli.plain import one_line
from dicezero.cli.progress import working
from dicezero.cli.sheet import Sheet
from dicezero.runs.errors import RunError
from dicezero.runs.listing import RunSummary, find_damaged, find_runs, summarise_run
from dicezero.runs.repair import repair_run


@dataclass(frozen=True)
class Runs:
    """List the runs under a folder: how far each is, how strong, and whether it is sound.

    'running' is being trained now, 'finished' has done its rounds, 'stopped' can be resumed, 'damaged' has a
    file that is not what the run wrote. --repair makes damaged runs whole from the files that are right.

    Example: dicezero runs runs --json
    """

    folders: Positional[Annotated[tuple[Path, ...], tyro.conf.arg(metavar="[FOLDER ...]")]] = (Path("runs"),)
    """Where to look; a run's own folder will do."""
    repair: bool = False
    """Repair damaged runs: keep the files whose checksums match, move the rest to a folder 'damaged'."""
    json: bool = False
    """One JSON object: runs (path, preset, game, round, target, score, minutes, changed, state, ...)."""

    def run(self) -> int:
        """Lists, or repairs."""
        if self.repair:
            return self._repair()
        with working("checking the runs", quiet=self.json):
            runs = [summarise_run(path) for folder in self.folders for path in find_runs(folder)]
        data = {"runs": [asdict(run) | {"changed": _moment(run.changed)} for run in runs]}
        where = ", ".join(map(str, self.folders))
        shown = _table(runs) if runs else f"no runs under {where}; dicezero train makes one"
        damage = [one_line(f"{run.path}: {run.reason}") for run in runs if run.state == "damaged"]
        emit(data, shown, *damage, as_json=self.json)
        return 0

    def _repair(self) -> int:
        """Exit code 1 where a run cannot be repaired."""
        rows: list[dict[str, Any]] = []
        for path in (path for folder in self.folders for path in find_damaged(folder)):
            try:
                rows.append({"path": str(path), **asdict(repair_run(path)), "error": None})
            except (RunError, OSError) as error:
                rows.append({"path": str(path), "error": str(error)})
        lines = [line for row in rows for line in _repaired(row)]
        where = ", ".join(map(str, self.folders))
        emit({"repairs": rows}, *(lines or [f"no damaged runs under {where}"]), as_json=self.json)
        return int(any(row["error"] for row in rows))


def _repaired(row: dict[str, Any]) -> list[str]:
    if row["error"]:
        return [f"{row['path']}: not repaired: {row['error']}"]
    ways = {
        (True, True): "goes on as it would have",
        (True, False): "goes on, with other games than it would have",
    }
    way = ways.get((row["goes_on"], row["exact"]), "can be played, but not go on")
    return [
        f"{row['path']}: round {row['round']} stands; the run {way}",
        *(f"  {note}" for note in row["notes"]),
    ]


def _moment(unix_seconds: float) -> str:
    return datetime.fromtimestamp(unix_seconds).astimezone().isoformat(timespec="seconds")


def _table(runs: list[RunSummary]) -> Sheet:
    figures = ("round", "strength", "minutes")
    table = Sheet("run", "preset", "game", *figures, "last change", "state", right=figures)
    for run in runs:
        table.add_row(
            run.path,
            run.preset or "?",
            run.game or "?",
            f"{run.round}/{run.target or '?'}",
            run.strength,
            f"{run.minutes:.1f}",
            datetime.fromtimestamp(run.changed).astimezone().strftime("%Y-%m-%d %H:%M"),
            run.state,
        )
    return table
