"""Data that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def is_finite(value: float) -> bool:
    """Whether a number is one that a double holds; an int of 400 digits is not."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def finite(value: Any) -> Any:
    """The same data with null where a number is not finite: JSON knows no infinity."""
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
