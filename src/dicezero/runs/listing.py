"""The runs under a folder, each with how far it is and whether it is sound."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dicezero.runs.checkpoint import (
    CONFIG,
    MANIFEST,
    METRICS,
    Manifest,
    RunConfig,
    RunError,
    read_checked,
    read_metrics,
)
from dicezero.runs.folder import is_locked

RunState = Literal["running", "finished", "stopped", "damaged"]


@dataclass(frozen=True)
class RunSummary:
    """A run at a glance; None where it is not known."""

    path: str
    preset: str | None
    game: str | None
    round: int  # the last committed one
    target: int | None  # the round to stop after
    score: float | None  # against perfect play, with search, the last measured
    minutes: float  # of training
    changed: float  # when, in Unix seconds
    state: RunState
    reason: str | None  # of the damage


def find_runs(folder: Path) -> Iterator[Path]:
    """The folders of runs at or under ``folder``, in the order of their names."""
    if not folder.is_dir():
        raise RunError(f"{folder} is no folder; give one that holds runs, e.g. the parent of train's --out")
    for place, inner, names in os.walk(folder):
        inner.sort()
        if _is_run(Path(place), names):
            inner.clear()  # a run holds no runs
            yield Path(place)


def summarise_run(folder: Path) -> RunSummary:
    """The run in ``folder``; every file of one that is not being trained is checked against its sum."""
    running = is_locked(folder)
    config: RunConfig | None = None
    round_number, score, minutes, reason = 0, None, 0.0, None
    try:
        config = RunConfig.read(folder)
        if (folder / MANIFEST).exists():
            manifest = Manifest.read(folder)
            round_number = manifest.round
            for line in read_metrics(folder, rounds=round_number):
                score = line.get("vs_optimal", score)
                minutes = line.get("seconds", 0.0) / 60
            if not running:  # a run under way may remove a file while it is being looked at
                for name in manifest.sums:
                    read_checked(folder, name, manifest.sums)
    except RunError as error:
        reason = str(error)
    state: RunState = "stopped"
    if running:
        state = "running"
    elif reason:
        state = "damaged"
    elif config and round_number >= config.rounds:
        state = "finished"
    return RunSummary(
        path=str(folder),
        preset=config.preset.name if config else None,
        game=config.game if config else None,
        round=round_number,
        target=config.rounds if config else None,
        score=score,
        minutes=minutes,
        changed=_changed(folder),
        state=state,
        reason=reason,
    )


def _is_run(folder: Path, names: list[str]) -> bool:
    """Whether train made it; many programs call a file config.json."""
    if CONFIG not in names:
        return False
    if MANIFEST in names or METRICS in names:
        return True
    try:
        return '"preset"' in (folder / CONFIG).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False


def _changed(folder: Path) -> float:
    there = [path for path in (folder / MANIFEST, folder / CONFIG) if path.exists()]
    return max((path.stat().st_mtime for path in there), default=0.0)
