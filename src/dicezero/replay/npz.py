"""Arrays from an NPZ file of unknown origin: looked at before they are unpacked.

A few kilobytes may unpack to gigabytes, so the headers of all arrays are read first, and their sizes must
fit together and be small enough.
"""

from __future__ import annotations

import io
import math
import tokenize
import zipfile
import zlib
from collections.abc import Collection, Sequence
from typing import Any, BinaryIO, cast

import numpy as np
import numpy.typing as npt

MOST_BYTES = 1 << 30  # of all arrays of a file, unpacked
_MOST_HEADER = 10_000  # characters
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others raise errors of modules of their own


def read_arrays(
    data: bytes,
    names: Collection[str],
    *,
    optional: Collection[str] = (),
    alike: Sequence[Collection[str]] = (),
) -> dict[str, npt.NDArray[Any]]:
    """The arrays of those names; nothing else may be in the file, and no pickled object.

    Args:
        data: the file.
        names: what must be in it.
        optional: what may be in it, too.
        alike: groups of arrays that have the same length.

    Raises:
        ValueError: it is no such file; nothing large was unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            members = {info.filename: info for info in file.infolist()}
            names = [*names, *(name for name in optional if f"{name}.npy" in members)]
            if sorted(members) != sorted(f"{name}.npy" for name in names):
                raise ValueError(f"it holds {sorted(members)[:20]}")
            if any(info.compress_type not in _PACKINGS for info in members.values()):
                raise ValueError("it is packed in a way that NumPy does not write")
            headers = {name: _header(file, members[f"{name}.npy"]) for name in names}
            if sum(info.file_size for info in members.values()) > MOST_BYTES:
                raise ValueError(f"it would unpack to more than {MOST_BYTES >> 20} MiB")
            for group in alike:
                if len({headers[name][0][:1] for name in group}) > 1:
                    raise ValueError(f"{', '.join(group)} are not of one length")
            return {name: _array(file, members[f"{name}.npy"]) for name in names}
    except (OSError, EOFError, LookupError, NotImplementedError, RuntimeError, TypeError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error
    except (zipfile.BadZipFile, zlib.error, UnicodeDecodeError) as error:  # names of its files, too
        raise ValueError(str(error)) from error


def _header(file: zipfile.ZipFile, info: zipfile.ZipInfo) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Shape and type as the array's header has them, which must be the size of the member."""
    with file.open(info) as member:
        stream = cast("BinaryIO", member)
        version = np.lib.format.read_magic(stream)
        if version != (1, 0):
            raise ValueError(f"{info.filename} is of version {version}")
        try:
            shape, _, dtype = np.lib.format.read_array_header_1_0(stream, max_header_size=_MOST_HEADER)
        except (SyntaxError, tokenize.TokenError) as error:  # NumPy reads what is no literal as tokens
            raise ValueError(f"{info.filename} has no header: {error}") from error
        if dtype.hasobject or dtype.itemsize * math.prod(shape) != info.file_size - member.tell():
            raise ValueError(f"{info.filename} does not match its header")
    return tuple(shape), dtype


def _array(file: zipfile.ZipFile, info: zipfile.ZipInfo) -> npt.NDArray[Any]:
    with file.open(info) as member:
        return np.lib.format.read_array(cast("BinaryIO", member), allow_pickle=False)
