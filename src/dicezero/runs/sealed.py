"""JSON files that carry a sum of themselves: one changed digit is noticed, and nothing odd gets in."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

from dicezero.rules.names import quote
from dicezero.runs.errors import RunError
from dicezero.runs.files import read_bounded, sha256

VERSION = 2  # of the format of a run's folder
_SUM = "sum"
_MOST_BYTES = 16 << 20
Made = TypeVar("Made")


def sealed(data: Mapping[str, Any]) -> bytes:
    """``data`` as the text of a JSON file, with the format's version before and its own sum after it."""
    whole = {"version": VERSION, **data}
    return (json.dumps({**whole, _SUM: sum_of(whole)}, indent=2, allow_nan=False) + "\n").encode()


def sum_of(data: Mapping[str, Any]) -> str:
    """The SHA-256 of plain data, however its text was laid out."""
    return sha256(json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False).encode())


def read_sealed(path: Path, make: Callable[[dict[str, Any]], Made]) -> Made:
    """What ``make`` makes of the data in a file that ``sealed`` wrote.

    Raises:
        RunError: no such file, of another version, changed since it was written, or nothing ``make`` takes.
    """
    data = _plain(read_bounded(path, most_bytes=_MOST_BYTES), path)
    if data.get("version") != VERSION:
        raise RunError(
            f"{path} is of format {str(data.get('version'))[:20]}, and this dicezero reads format {VERSION}: "
            "train again, or open it with the version that wrote it"
        )
    stored_sum = data.pop(_SUM, None)
    if stored_sum != sum_of(data):
        raise RunError(
            f"{path} is not what the run wrote: it was changed or damaged; restore it from a copy, or see "
            f"dicezero runs --repair {path.parent}"
        )
    try:
        return make(data)
    # Whatever a record's checks raise: the text is somebody else's.
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as error:
        if isinstance(error, RunError):
            raise
        raise RunError(f"{path} is not a run's: {type(error).__name__}: {error}") from error


def plain_json(text: bytes | str, what: str) -> Any:
    """Parsed JSON whose numbers are finite and whose texts are Unicode; RunError that names ``what``."""
    try:
        data = json.loads(text, parse_constant=_not_finite, parse_float=_finite)
        json.dumps(data, ensure_ascii=False).encode()  # a lone surrogate has no UTF-8
    except (ValueError, RecursionError) as error:
        raise RunError(f"{what} is damaged: {type(error).__name__}: {str(error)[:200]}") from error
    return data


def refuse_unknown(data: Mapping[str, Any], names: Collection[str]) -> None:
    """ValueError where the data have a key that nothing here reads, as those of a later version may."""
    if not isinstance(data, Mapping):
        raise TypeError(f"{type(data).__name__} is not fields by name")
    if unknown := sorted(data.keys() - {*names, "version"}):
        raise ValueError(f"{quote(unknown[0])} is nothing that this version of dicezero knows")


def whole_number(data: Mapping[str, Any], key: str, *, low: int, high: int = 2**31 - 1) -> int:
    """An int of the data; ValueError where it is none or out of range."""
    value = data[key]
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{key} is {str(value)[:40]!r}, not a whole number in {low}..{high}")
    return value


def text(data: Mapping[str, Any], key: str, *, longest: int = 4096) -> str:
    """A text of the data; ValueError where it is none or too long."""
    value = data[key]
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError(f"{key} is not a text of at most {longest} characters")
    return value


def _plain(content: bytes, path: Path) -> dict[str, Any]:
    data = plain_json(content, str(path))
    if not isinstance(data, dict):
        raise RunError(f"{path} is damaged: it is no JSON object")
    return data


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:20]} is beyond every number")
    return value


def _not_finite(text: str) -> float:
    raise ValueError(f"{text} is no number")
