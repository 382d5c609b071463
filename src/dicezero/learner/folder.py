"""The folder of a run as a place: made or recognised, and kept for one process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dicezero.learner.checkpoint import CONFIG, RunConfig, RunError


def open_folder(out: Path, config: RunConfig, *, resume: bool) -> None:
    """Makes the folder of a new run, or sees that it is the same run."""
    if (out / CONFIG).exists():
        if not resume:
            raise RunError(f"{out} holds a run already; give --resume to go on with it, or another --out")
        found = RunConfig.read(out)
        for name in ("game", "seed", "preset"):
            if getattr(found, name) != getattr(config, name):
                raise RunError(
                    f"{out} is a run with another {name}; resume it as {CONFIG} says, or give another --out"
                )
        return
    if out.exists() and any(out.iterdir()):
        raise RunError(f"{out} is not empty and no run; give another --out")
    out.mkdir(parents=True, exist_ok=True)
    config.write(out)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps a second process out of the run; the lock ends with the process, however it ends."""
    if sys.platform == "win32":  # folders cannot be locked there
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(
                f"{folder} is being trained by another process; wait for it or give another --out"
            ) from None
        yield
    finally:
        os.close(handle)
