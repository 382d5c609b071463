"""Records as small tables of HTML: what a notebook shows of a result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from html import escape
from typing import Any, ClassVar

_MOST_ROWS = 40


class ShownByFacts:
    """What a notebook shows as a table of the attributes in ``_facts``."""

    _facts: ClassVar[tuple[str, ...]] = ()

    def _repr_html_(self) -> str:
        return facts_html(type(self).__name__, [(name, getattr(self, name)) for name in self._facts])


class ShownAsTable:
    """A dataclass that a notebook shows as a table of its fields."""

    def _repr_html_(self) -> str:
        values = [(field.name, getattr(self, field.name)) for field in fields(self)]  # type: ignore[arg-type]
        return facts_html(type(self).__name__, values)


def facts_html(title: str, facts: Iterable[tuple[str, Any]]) -> str:
    """Names and values, one below the other; what is None is left out."""
    rows = [(name.replace("_", " "), shown(value)) for name, value in facts if value is not None]
    return table_html(title, (), rows)


def table_html(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts with a line above it; the first rows of very many."""
    head = "".join(f"<th>{escape(name)}</th>" for name in headings)
    every = list(rows)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in every[:_MOST_ROWS]
    )
    if len(every) > _MOST_ROWS:
        body += f"<tr><td>… {len(every) - _MOST_ROWS} more</td></tr>"
    return (
        f"<table><caption>{escape(title)}</caption>"
        + (f"<thead><tr>{head}</tr></thead>" if head else "")
        + f"<tbody>{body}</tbody></table>"
    )


def shown(value: Any) -> str:
    """A value in few characters: 0.5157, 11,492, 0.48 to 0.54."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple) and len(value) == 2:
        return f"{shown(value[0])} to {shown(value[1])}"
    return str(value)
