"""Files that are there whole or not at all."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Writes beside the target, moves it there, and waits for the disk at each stage.

    Raises:
        OSError: names ``path``, whatever failed; what was there before is untouched.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
    except OSError as error:
        raise named(error, path) from error


def named(error: OSError, path: Path) -> OSError:
    """The same error with the file it is about: a failed write does not know its file's name."""
    return OSError(error.errno, error.strerror or str(error), str(path))


def sync_folder(folder: Path) -> None:
    """Makes renames and removals in ``folder`` last."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sha256(data: bytes) -> str:
    """The SHA-256 sum, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
