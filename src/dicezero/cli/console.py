"""What a command writes on stdout: JSON, or something readable. Progress on stderr is in progress.py."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import tyro
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from dicezero.cli.plain import harmless
from dicezero.rules.jsonable import finite

GAME_HELP = (
    "A game: its name (see dicezero games), path/to/file.py:Class of yours, or tree.json, a tree written out."
)
GameName = Annotated[str, tyro.conf.arg(metavar="GAME", help=GAME_HELP)]
AgentName = Annotated[str, tyro.conf.arg(metavar="AGENT")]

UNBOUNDED = 10_000  # columns: a line in a file is as long as it is


class SafeConsole(Console):
    """A console to which nothing but rich itself can send control characters."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of a renderable, their texts made harmless."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(harmless(segment.text), segment.style)


def stdout_width() -> int:
    """Columns of what stdout goes to: those of the terminal, or COLUMNS; a pipe or a file has no limit."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    return Console().width if sys.stdout.isatty() else UNBOUNDED


def emit(data: Mapping[str, Any], *renderables: RenderableType, as_json: bool) -> None:
    """Prints ``data`` as one JSON object, or the renderables for a reader."""
    if as_json:
        print(json.dumps(finite(data), allow_nan=False))
        return
    console = SafeConsole(highlight=False, width=stdout_width())
    for item in renderables:
        console.print(item, markup=False, soft_wrap=isinstance(item, str))


def count(number: float) -> str:
    """A large number for a reader: 11,492."""
    return f"{number:,.0f}"
