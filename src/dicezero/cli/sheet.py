"""A table that is always whole.

In a pipe it is as wide as it likes; where there is less room its cells are wrapped at words, and where even
that does not fit each row is a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

Cell = str | Text

_GAP = 2  # columns between two cells
_INDENT = "    "
_NARROWEST = 12  # a column of words is not squeezed below this


@dataclass(frozen=True)
class _Row:
    cells: tuple[Text, ...]
    style: str


class Sheet:
    """Rows under headings, for ``rich``; no width makes it drop or shorten a cell.

    Args:
        headings: of the columns; the first column names a row.
        right: headings of columns with figures: aligned at the right, never wrapped.
        title: a line above.
        header: whether the headings are printed above the columns.
    """

    def __init__(
        self, *headings: str, right: Iterable[str] = (), title: str | None = None, header: bool = True
    ) -> None:
        self.headings = headings
        self.title = title
        self._right = frozenset(right)
        self._header = header
        self._rows: list[_Row] = []

    def add_row(self, *cells: Cell, style: str = "") -> None:
        """One cell for each heading; missing ones at the end are empty."""
        if len(cells) > len(self.headings):
            raise ValueError(f"{len(cells)} cells for {len(self.headings)} headings")
        made = [cell if isinstance(cell, Text) else Text(cell) for cell in cells]
        made += [Text("")] * (len(self.headings) - len(cells))
        self._rows.append(_Row(tuple(made), style))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.title:
            yield from _lines_of(console, Text(self.title, style="italic"), options.max_width)
        widths = self._widths(options.max_width)
        if widths is None:
            yield from self._records(console, options.max_width)
            return
        rows = list(self._rows)
        if self._header:
            rows.insert(0, _Row(tuple(Text(name) for name in self.headings), "bold"))
        for row in rows:
            yield from self._in_columns(console, row, widths)

    def _widths(self, room: int) -> list[int] | None:
        """How wide each column is; None where the longest words alone do not fit."""
        columns = [
            [Text(name) if self._header else Text(""), *(row.cells[i] for row in self._rows)]
            for i, name in enumerate(self.headings)
        ]
        natural = [max(cell.cell_len for cell in column) for column in columns]
        room -= _GAP * (len(columns) - 1)
        if sum(natural) <= room:
            return natural
        least = [
            # Figures are never broken, their headings may be.
            max(_longest_word(column[:1]), *(cell.cell_len for cell in column[1:]), 0)
            if name in self._right
            else min(width, max(_NARROWEST, _longest_word(column)))
            for name, width, column in zip(self.headings, natural, columns, strict=True)
        ]
        if sum(least) > room:
            return None
        # The widest columns give way first: the largest common limit under which all fit.
        limit = max(natural)
        while sum(max(low, min(high, limit)) for low, high in zip(least, natural, strict=True)) > room:
            limit -= 1
        return [max(low, min(high, limit)) for low, high in zip(least, natural, strict=True)]

    def _in_columns(self, console: Console, row: _Row, widths: Sequence[int]) -> RenderResult:
        wrapped = [list(cell.wrap(console, max(1, w))) for cell, w in zip(row.cells, widths, strict=True)]
        for number in range(max(map(len, wrapped))):
            line = Text(style=row.style, end="\n", no_wrap=True)
            for name, lines, width in zip(self.headings, wrapped, widths, strict=True):
                cell = lines[number].copy() if number < len(lines) else Text("")
                cell.rstrip()
                space = " " * (width - cell.cell_len)
                before, after = (space, "") if name in self._right else ("", space)
                line.append(before).append_text(cell).append(after + " " * _GAP)
            line.rstrip()
            yield line

    def _records(self, console: Console, room: int) -> RenderResult:
        """The first cell of a row as its heading, the others named below it."""
        for row in self._rows:
            first, *others = row.cells
            named = f"{self.headings[0]} " if self.headings[0] in self._right else ""
            yield from _lines_of(console, Text.assemble(named, first, style=row.style or "bold"), room)
            for name, cell in zip(self.headings[1:], others, strict=True):
                if cell.plain:
                    shown = Text.assemble(f"{name}: " if name and self._header else "", cell)
                    yield from _lines_of(console, shown, room, indent=_INDENT)


def _lines_of(console: Console, text: Text, room: int, indent: str = "") -> RenderResult:
    for line in text.wrap(console, max(8, room - len(indent))):
        line.rstrip()
        yield Text.assemble(indent, line, end="\n", no_wrap=True, overflow="ignore")


def _longest_word(column: Iterable[Text]) -> int:
    return max((cell_len(word) for cell in column for word in cell.plain.split()), default=0)
