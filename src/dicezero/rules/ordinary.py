"""Ordinary files alone, up to a size: a pipe is waited on for ever, and a device has no end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def without_waiting(path: str, flags: int) -> int:
    """An opener that does not wait for the writer of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def check_ordinary(handle: int, path: str | os.PathLike[str]) -> int:
    """The size of an open file; OSError that names ``path`` where it is a pipe, a device or a folder."""
    info = os.fstat(handle)
    if not stat.S_ISREG(info.st_mode):
        raise OSError(errno.EINVAL, "it is no ordinary file", str(path))
    return info.st_size


def read_ordinary(path: str | Path, *, most_bytes: int) -> bytes:
    """The bytes of an ordinary file of at most that size; OSError that names it where it is none."""
    with open(path, "rb", opener=without_waiting) as file:
        data = b"" if check_ordinary(file.fileno(), path) > most_bytes else file.read(most_bytes + 1)
        if len(data) > most_bytes or file.read(1):
            raise OSError(errno.EFBIG, f"it has more than {most_bytes} bytes", str(path))
    return data
