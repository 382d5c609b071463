"""The keys of a solved game's states, in the order of its values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt


class Keys:
    """Numbers for a native game, texts for one written in Python; looked up without the game."""

    def __init__(self, numbers: npt.NDArray[np.uint64] | None, texts: list[str] | None) -> None:
        """One of the two."""
        self._numbers = numbers
        self._texts = texts
        self._sorted: npt.NDArray[np.intp] | None = None
        self._places: dict[str, int] | None = None

    @classmethod
    def of(cls, keys: Any) -> Keys | None:
        """From what a native table gives: an array, a list of texts, or None for a ranked game."""
        if keys is None:
            return None
        return cls(None, keys) if isinstance(keys, list) else cls(keys, None)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Keys | None:
        """From the arrays of a file, already checked there."""
        if "keys" in arrays:
            return cls(arrays["keys"], None)
        if "key_text" in arrays:
            text = arrays["key_text"].tobytes()
            ends = arrays["key_ends"].tolist()
            starts = [0, *ends[:-1]]
            return cls(None, [text[a:b].decode() for a, b in zip(starts, ends, strict=True)])
        return None

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What goes into a file."""
        if self._numbers is not None:
            return {"keys": self._numbers}
        encoded = [text.encode() for text in self._texts or []]
        ends = np.cumsum([len(text) for text in encoded], dtype=np.uint64)
        return {"key_ends": ends, "key_text": np.frombuffer(b"".join(encoded), dtype=np.uint8)}

    def __len__(self) -> int:
        return len(self._texts or []) if self._numbers is None else len(self._numbers)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Keys):
            return NotImplemented
        if self._numbers is None or other._numbers is None:
            return self._numbers is other._numbers and self._texts == other._texts
        return np.array_equal(self._numbers, other._numbers)

    __hash__ = None  # type: ignore[assignment]

    def find(self, key: object) -> int | None:
        """The place of a key, or None."""
        if isinstance(key, str):
            if self._places is None:
                self._places = {text: i for i, text in enumerate(self._texts or [])}
            return self._places.get(key)
        if self._numbers is None or not isinstance(key, int):
            return None
        if self._sorted is None:
            self._sorted = np.argsort(self._numbers)
        at = int(np.searchsorted(self._numbers, np.uint64(key), sorter=self._sorted))
        if at == len(self._sorted) or int(self._numbers[self._sorted[at]]) != key:
            return None
        return int(self._sorted[at])
