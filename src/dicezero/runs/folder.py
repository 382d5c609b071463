"""The folder of a run as a place: made or recognised, kept for one process, its disk's errors explained."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from dicezero.runs.checkpoint import begin
from dicezero.runs.code import GAME_CODE, NETWORK_CODE
from dicezero.runs.config import CONFIG, RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.manifest import (
    MANIFEST,
    METRICS,
    OPTIMISER,
    SHARDS,
    WEIGHTS,
    Manifest,
    belongings,
    check_last,
    read_run,
)
from dicezero.runs.versions import rounding_differs

REPORT = "report.html"
_IDENTITY = {  # fields of a configuration that a run keeps for good, and what they are called
    "game": "game",
    "source": "version of the game's code",
    "network": "network",
    "seed": "seed",
    "preset": "preset",
}
_PATIENCE_SECONDS = 0.5  # a listing of runs holds the lock for a moment


@contextmanager
def run_folder(
    out: Path, config: RunConfig, *, resume: bool, code: Mapping[str, bytes] | None = None
) -> Iterator[RunConfig]:
    """The folder of a run, kept for this process: begun, or seen to be the run that is to go on.

    What is to be committed with is given back: ``config``, as the folder has it where the run goes on. A
    run that fails before its first round is committed leaves nothing, not even the folder made for it.

    Args:
        out: the folder; folders above it are made too.
        config: what the run is.
        resume: whether the folder may hold rounds of this run already.
        code: what to lay beside a new run, by file name.

    Raises:
        RunError: it holds something else, another run, a run not to be resumed or one that is damaged.
    """
    made = _make_folders(out)
    with locked(out):
        begun = False
        try:
            begun, settled = _settle(out, config, resume=resume, code=code or {})
            yield settled
        except BaseException:
            with suppress(OSError):
                if begun and not _committed(out):
                    _clear(out)
                if made and not any(out.iterdir()):
                    for folder in made:
                        folder.rmdir()
            raise


def _make_folders(out: Path) -> list[Path]:
    """Makes the folder; returns those that were not there before, the innermost first."""
    if out.exists() and not out.is_dir():
        raise RunError(f"{out} is a file; give another --out")
    missing = [folder for folder in (out, *out.parents) if not folder.exists()]
    out.mkdir(parents=True, exist_ok=True)
    return missing


def _settle(
    out: Path, config: RunConfig, *, resume: bool, code: Mapping[str, bytes]
) -> tuple[bool, RunConfig]:
    """Begins the run on disk (True), or sees that it is the same run; how far it is to go may be new."""
    if not (out / CONFIG).exists():
        _refuse_foreign(out)
        begin(out, config, code)
        return True, config
    stored = RunConfig.read(out)
    if not (out / MANIFEST).exists() and not _holds_rounds(out):  # it was killed while it began
        begin(out, config, code)
        return True, config
    _, manifest = read_run(out)
    check_last(out, manifest)
    if not resume:
        if manifest.round:
            raise RunError(
                f"{out} holds a run already; give --resume (in Python resume=True) to go on "
                "with it, or another folder"
            )
        begin(out, config, code)
        return True, config
    for name, what in _IDENTITY.items():
        if getattr(stored, name) != getattr(config, name):
            raise RunError(
                f"{out} is a run with another {what}; resume it with the settings in {CONFIG}, or "
                "give another --out"
            )
    if manifest.round and (difference := rounding_differs(manifest.made_with)):
        warnings.warn(
            f"{out}: {difference}: numbers round otherwise here, so the run goes on, but not to the last bit "
            "as it would have there",
            stacklevel=2,
        )
    settled = replace(config, stored=stored.stored)
    if stored != config:
        settled.write(out)
    return not manifest.round, settled


def _holds_rounds(out: Path) -> bool:
    """Whether there is anything that only a finished round leaves."""
    metrics = out / METRICS
    return any(belongings(out)) or (metrics.exists() and metrics.stat().st_size > 0)


def _refuse_foreign(out: Path) -> None:
    if (out / MANIFEST).exists() or any(belongings(out)):
        raise RunError(
            f"{out} has lost its {CONFIG}, but not its weights or games: nothing was changed; "
            f"dicezero runs --repair {out} makes it again from the files that are whole"
        )
    if any(not (path.name.startswith(".") and path.name.endswith(".tmp")) for path in out.iterdir()):
        raise RunError(f"{out} is not empty and no run; give another --out")


def _committed(out: Path) -> bool:
    try:
        return Manifest.read(out).round > 0
    except RunError:
        return (out / MANIFEST).exists()  # whatever it is, it is not ours to remove


def _clear(out: Path) -> None:
    for pattern in (
        CONFIG,
        MANIFEST,
        METRICS,
        GAME_CODE,
        NETWORK_CODE,
        REPORT,
        "events.*",
        ".*.tmp",
        WEIGHTS,
        OPTIMISER,
        *SHARDS,
    ):
        for path in out.glob(pattern):
            path.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps a second process out of the run; the lock ends with the process, however it ends."""
    if sys.platform == "win32":  # folders cannot be locked there
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        begin = time.monotonic()
        while not _take(handle):
            if time.monotonic() - begin > _PATIENCE_SECONDS:
                raise RunError(
                    f"{folder} is being trained by another process; wait for it or give another --out"
                )
            time.sleep(0.02)
        yield
    finally:
        os.close(handle)


def is_locked(folder: Path) -> bool:
    """Whether a process is training there now."""
    if sys.platform == "win32":
        return False
    handle = os.open(folder, os.O_RDONLY)
    try:
        return not _take(handle)
    finally:
        os.close(handle)


def _take(handle: int) -> bool:
    """Takes the lock of an open folder if it is free."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def disk_errors_explained(folder: Path) -> Iterator[None]:
    """Turns a failed write in the run's folder into one that names what stands and what to do."""
    try:
        yield
    except OSError as error:
        if error.filename is None or not Path(str(error.filename)).is_relative_to(folder):
            raise
        raise RunError(
            f"{error.filename} cannot be written: {error.strerror}; {_what_stands(folder)}; "
            "see to the disk, then give --resume"
        ) from error


def _what_stands(folder: Path) -> str:
    with suppress(RunError, OSError):
        if number := Manifest.read(folder).round:
            return f"round {number} stands and nothing of it is lost"
    return "no round was finished"
