"""The file of a solution: a checked header, then raw little-endian arrays that are mapped, not read.

Bytes 0..7 are ``DZSOLVE`` and a newline, then three little-endian uint32: the version, the length of the
header and its CRC-32. The header is JSON, padded with spaces to end at a multiple of 64: facts about the
solution, and for each array its name, count and SHA-256. The arrays follow one another; the file ends with
the last. Every byte is covered by a check.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero.rules.ordinary import check_ordinary, without_waiting
from dicezero.solve.errors import SolutionFileError
from dicezero.solve.facts import Facts

MAGIC = b"DZSOLVE\n"
VERSION = 2
_PREFIX = struct.Struct("<8sIII")
_MAX_HEADER = 1 << 16
_ALIGNMENT = 64
_DTYPES = {"values": "<f8", "keys": "<u8", "key_ends": "<u8", "key_text": "|u1"}


def write(path: str | os.PathLike[str], facts: Facts, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Writes beside the target and moves it there, so that a reader never sees half a file."""
    contiguous = {name: np.ascontiguousarray(array, dtype=_DTYPES[name]) for name, array in arrays.items()}
    entries: list[dict[str, object]] = [
        {"name": name, "count": array.size, "sha256": hashlib.sha256(array.data).hexdigest()}
        for name, array in contiguous.items()
    ]
    header = json.dumps({**facts.header(), "arrays": entries}, allow_nan=False).encode()
    header += b" " * (-(_PREFIX.size + len(header)) % _ALIGNMENT)
    target = Path(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_PREFIX.pack(MAGIC, VERSION, len(header), zlib.crc32(header)))
            file.write(header)
            for array in contiguous.values():
                file.write(array.data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def read(path: str | os.PathLike[str]) -> tuple[Facts, dict[str, npt.NDArray[Any]]]:
    """The facts and the arrays of a file, mapped read-only once everything has been checked.

    Raises:
        SolutionFileError: the file is missing or not what ``write`` made.
    """
    try:
        with open(path, "rb", opener=without_waiting) as file:
            size = check_ordinary(file.fileno(), path)
            header, offset = _read_header(file.read(_PREFIX.size + _MAX_HEADER), path)
    except OSError as error:
        raise SolutionFileError(
            f"{path} cannot be read: {error.strerror}; give a file written by save()"
        ) from error
    try:
        facts = Facts.from_header(header)
    except ValueError as error:
        raise SolutionFileError(f"{path} is damaged: {error}") from error
    arrays: dict[str, npt.NDArray[Any]] = {}
    places: list[tuple[str, int, int, str]] = []
    for entry in header["arrays"]:
        name, count, digest = _check_entry(entry, path)
        places.append((name, count, offset, digest))
        offset += count * np.dtype(_DTYPES[name]).itemsize
    if offset != size:
        raise SolutionFileError(f"{path} has {size} bytes where {offset} are due; it is cut off or damaged")
    for name, count, start, digest in places:
        array = np.memmap(path, dtype=_DTYPES[name], mode="r", offset=start, shape=(count,))
        if hashlib.sha256(array.data).hexdigest() != digest:
            raise SolutionFileError(
                f"{path} is damaged: the checksum of {name!r} is wrong; solve the game again"
            )
        arrays[name] = array
    _check_arrays(facts, arrays, path)
    return facts, arrays


def _read_header(start: bytes, path: str | os.PathLike[str]) -> tuple[dict[str, Any], int]:
    if len(start) < _PREFIX.size or not start.startswith(MAGIC):
        raise SolutionFileError(f"{path} is not a solution of dicezero; give a file written by save()")
    _, version, length, checksum = _PREFIX.unpack_from(start)
    if version != VERSION:
        raise SolutionFileError(
            f"{path} has version {version}; this program reads {VERSION}: solve the game again"
        )
    text = start[_PREFIX.size : _PREFIX.size + length]
    if length > _MAX_HEADER or len(text) < length or zlib.crc32(text) != checksum:
        raise SolutionFileError(f"{path} is damaged: its header is cut off or changed; solve the game again")
    try:
        header = json.loads(text)
    except ValueError as error:
        raise SolutionFileError(f"{path} is damaged: its header is not JSON") from error
    if not isinstance(header, dict) or not isinstance(header.get("arrays"), list):
        raise SolutionFileError(f"{path} is damaged: its header lists no arrays")
    return header, _PREFIX.size + length


def _check_entry(entry: object, path: str | os.PathLike[str]) -> tuple[str, int, str]:
    if isinstance(entry, dict):
        name, count, digest = entry.get("name"), entry.get("count"), entry.get("sha256")
        if name in _DTYPES and type(count) is int and 1 <= count < 2**40 and isinstance(digest, str):
            return str(name), count, digest
    raise SolutionFileError(f"{path} is damaged: its header describes an array as {entry!r}")


def _check_arrays(facts: Facts, arrays: Mapping[str, npt.NDArray[Any]], path: str | os.PathLike[str]) -> None:
    """What checksums cannot check: arrays that fit each other and values that are values."""
    if set(arrays) not in ({"values"}, {"values", "keys"}, {"values", "key_ends", "key_text"}):
        raise SolutionFileError(f"{path} is damaged: it holds the arrays {sorted(arrays)}")
    values = arrays["values"]
    counts = {len(values), *(len(arrays[name]) for name in ("keys", "key_ends") if name in arrays)}
    if counts != {facts.states}:
        raise SolutionFileError(f"{path} is damaged: {facts.states} states, but arrays of {sorted(counts)}")
    least, greatest = float(values.min()), float(values.max())
    if facts.on_the_way:
        inside = np.isfinite(least) and np.isfinite(greatest)
    else:  # play without end is paid nothing
        slack = 1e-6 * max(1.0, abs(facts.low), abs(facts.high))
        inside = least >= min(0.0, facts.low) - slack and greatest <= max(0.0, facts.high) + slack
    if not inside:
        raise SolutionFileError(f"{path} is damaged: values lie outside the game's returns")
    if "key_ends" in arrays:
        ends = arrays["key_ends"]
        if int(ends[-1]) != len(arrays["key_text"]) or bool(np.any(ends[1:] < ends[:-1])):
            raise SolutionFileError(f"{path} is damaged: its keys overlap")
