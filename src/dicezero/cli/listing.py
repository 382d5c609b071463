"""What can be given: names, types, defaults, meanings, as records that no width spoils."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from dicezero.rules.fields import FieldRecord


def fields_text(records: Sequence[FieldRecord], width: int) -> str:
    """A line a field, its meaning below it, wrapped to ``width`` columns."""
    lines = []
    for record in records:
        default = "must be given" if record.needed else f"= {plain(record.default)}"
        lines.append(f"{record.name} {default}   ({record.type})")
        indent = "    "
        lines += textwrap.wrap(
            record.meaning, max(40, min(width, 110)), initial_indent=indent, subsequent_indent=indent
        )
    return "\n".join(lines)


def assigned(records: Sequence[FieldRecord]) -> str:
    """Every name with its default, in a line: ``depth=4, beam=none, path=...``."""
    return ", ".join(f"{r.name}={'...' if r.needed else plain(r.default)}" for r in records)


def plain(value: Any) -> str:
    """A default as it would be written."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(map(plain, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
