"""Files that are there whole or not at all, and files of others' making read with care."""

from __future__ import annotations

import hashlib
import os
import stat
import zlib
from pathlib import Path

from dicezero.rules.ordinary import without_waiting
from dicezero.runs.errors import RunError

PACKED = ".gz"  # a file of a run that is shipped may be packed, its name so extended
MOST_SHIPPED = 8 << 20  # bytes of such a file: a package is downloaded by everybody


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


def read_bounded(path: Path, *, most_bytes: int) -> bytes:
    """The bytes of an ordinary file of at most that size.

    A folder from elsewhere may hold anything under any name: a pipe would be waited on for ever, a device or
    a file of holes would fill the memory.

    Raises:
        RunError: it is not there, cannot be read, is no ordinary file or longer.
    """
    try:
        with open(path, "rb", opener=without_waiting) as file:
            info = os.fstat(file.fileno())
            if not stat.S_ISREG(info.st_mode):
                raise RunError(f"{path} is no ordinary file; restore it from a copy or train again")
            data: bytes | None = file.read(most_bytes + 1) if info.st_size <= most_bytes else None
    except (OSError, ValueError) as error:
        if isinstance(error, RunError):
            raise
        reason = error.strerror if isinstance(error, OSError) else error
        raise RunError(f"{path} cannot be read ({reason}); restore it from a copy or train again") from error
    if data is None or len(data) > most_bytes:
        raise RunError(f"{path} has more than {most_bytes} bytes, more than a run ever writes; train again")
    return data


def read_unpacked(path: Path) -> bytes:
    """What a file packed by gzip holds.

    Raises:
        RunError: it cannot be read, is no such file, or holds more than is ever shipped.
    """
    unpacker = zlib.decompressobj(wbits=31)
    try:
        data = unpacker.decompress(read_bounded(path, most_bytes=MOST_SHIPPED), MOST_SHIPPED)
    except zlib.error as error:
        raise RunError(f"{path} is no file packed by gzip: {error}; restore it from a copy") from error
    if not unpacker.eof or unpacker.unused_data:
        raise RunError(f"{path} is cut off or holds more than {MOST_SHIPPED} bytes; restore it from a copy")
    return data


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
