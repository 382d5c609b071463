"""The runs under a folder, each with how far it is and whether it is sound."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dicezero.runs.checkpoint import read_checked, read_metrics
from dicezero.runs.code import GAME_CODE, NETWORK_CODE, stored_code
from dicezero.runs.config import CONFIG, RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.files import read_bounded
from dicezero.runs.folder import is_locked
from dicezero.runs.manifest import MANIFEST, METRICS, belongings, check_last, read_run
from dicezero.runs.strength import strength_kind, strength_text

RunState = Literal["running", "finished", "stopped", "damaged"]


@dataclass(frozen=True)
class RunSummary:
    """A run at a glance; None where it is not known."""

    path: str
    preset: str | None
    game: str | None
    round: int  # the last committed one
    target: int | None  # the round to stop after
    score: float | None  # what its meter measured last
    strength: str  # the same in words, with interval and opponent; "-" before the first measurement
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


def find_damaged(folder: Path) -> Iterator[Path]:
    """The folders at or under ``folder`` of runs that are damaged."""
    for path in find_runs(folder):
        if summarise_run(path).state == "damaged":
            yield path


def summarise_run(folder: Path) -> RunSummary:
    """The run in ``folder``; every file of one that is not being trained is checked against its sum."""
    config: RunConfig | None = None
    running, round_number, score, strength, minutes, reason = False, 0, None, "-", 0.0, None
    try:
        running = is_locked(folder)
        config = RunConfig.read(folder)
        if (folder / MANIFEST).exists() or any(belongings(folder)):
            _, manifest = read_run(folder)
            round_number = manifest.round
            for line in read_metrics(folder):
                if kind := strength_kind(line):
                    score = _number(line, kind.key, score)
                    strength = strength_text(line)
                minutes = _number(line, "seconds", 0.0) / 60
            if not running:  # a run under way may remove a file while it is being looked at
                check_last(folder, manifest)
                for name in manifest.sums:
                    read_checked(folder, name, manifest.sums)
                for name, record in ((GAME_CODE, config.source), (NETWORK_CODE, config.network)):
                    if record and record.known:
                        stored_code(folder, name, record)
    except (RunError, OSError) as error:
        reason = str(error)
    except Exception as error:  # judged alone: whatever is in one folder, the others are listed
        reason = f"{folder} is no run of ours: {type(error).__name__}: {error}"
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
        strength=strength,
        minutes=minutes,
        changed=_changed(folder),
        state=state,
        reason=reason,
    )


def _number(line: Mapping[str, Any], key: str, default: Any) -> Any:
    """A number of a line of metrics; RunError where it is something else."""
    value = line.get(key, default)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise RunError(f"{METRICS}: {key} is {str(value)[:40]!r}, not a number")
    return value


def _is_run(folder: Path, names: list[str]) -> bool:
    """Whether train made it; many programs call a file config.json."""
    theirs = any(belongings(folder))
    if CONFIG not in names:
        return theirs and (MANIFEST in names or METRICS in names)
    if MANIFEST in names or METRICS in names or theirs:
        return True
    try:
        return b'"preset"' in read_bounded(folder / CONFIG, most_bytes=1 << 20)
    except RunError:
        return False


def _changed(folder: Path) -> float:
    times = [0.0]
    for path in (folder / MANIFEST, folder / CONFIG):
        with suppress(OSError):
            times.append(path.stat().st_mtime)
    return max(times)
