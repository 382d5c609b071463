"""The folder of a run as a place: made or recognised, kept for one process, its disk's errors explained."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dicezero.runs.checkpoint import CONFIG, Manifest, RunConfig, RunError

_PATIENCE_SECONDS = 0.5  # a listing of runs holds the lock for a moment


def make_folder(out: Path, *, resume: bool) -> None:
    """Makes the folder of a new run; refuses one that holds something else, or a run not to be resumed."""
    if (out / CONFIG).exists():
        if not resume:
            raise RunError(f"{out} holds a run already; give --resume to go on with it, or another --out")
    elif out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise RunError(f"{out} is not empty and no run; give another --out")
    out.mkdir(parents=True, exist_ok=True)


def settle_config(out: Path, config: RunConfig) -> None:
    """Begins the run on disk, or sees that it is the same run; how far it is to go may be new."""
    if (out / CONFIG).exists():
        found = RunConfig.read(out)
        for name in ("game", "seed", "preset"):
            if getattr(found, name) != getattr(config, name):
                raise RunError(
                    f"{out} is a run with another {name}; resume it as {CONFIG} says, or give another --out"
                )
        if found == config:
            return
    config.write(out)


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
    """Turns a failed write in the run's folder into one that says what stands and what to do."""
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
        return f"round {Manifest.read(folder).round} stands and nothing of it is lost"
    return "no round was finished"
