"""What a command writes: JSON or something readable on stdout, progress on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import tyro
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.segment import Segment

from dicezero.cli.plain import harmless
from dicezero.rules.jsonable import finite

GameName = Annotated[str, tyro.conf.arg(metavar="GAME")]
AgentName = Annotated[str, tyro.conf.arg(metavar="AGENT")]

QUIET_SECONDS = 0.7  # work shorter than this shows no progress at all


class SafeConsole(Console):
    """A console to which nothing but rich itself can send control characters."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of a renderable, their texts made harmless."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(harmless(segment.text), segment.style)


def emit(data: Mapping[str, Any], *renderables: RenderableType, as_json: bool) -> None:
    """Prints ``data`` as one JSON object, or the renderables for a reader."""
    if as_json:
        print(json.dumps(finite(data), allow_nan=False))
        return
    console = SafeConsole(highlight=False)
    for item in renderables:
        console.print(item, markup=False, soft_wrap=isinstance(item, str))


class Bar:
    """A progress bar on stderr: only on a terminal, never beside JSON, only once the work takes a while."""

    def __init__(self, label: str, *, total: float | None, quiet: bool) -> None:
        self._quiet = quiet or not sys.stderr.isatty()
        self._label, self._total = label, total
        self._begin = time.monotonic()
        self._progress: Progress | None = None

    def update(self, done: float, note: str = "") -> None:
        """Says how far it is; ``note`` is what is known so far."""
        if self._quiet or time.monotonic() - self._begin < QUIET_SECONDS:
            return
        if self._progress is None:
            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn() if self._total else TextColumn(""),
                TimeElapsedColumn(),
                TextColumn("{task.fields[note]}"),
                console=SafeConsole(stderr=True),
                transient=True,
            )
            self._progress.start()
            self._progress.add_task(self._label, total=self._total, note="")
        self._progress.update(self._progress.task_ids[0], completed=done, note=note)

    def close(self) -> None:
        """Removes the bar."""
        if self._progress is not None:
            self._progress.stop()


@contextmanager
def bar(label: str, *, total: float | None = None, quiet: bool) -> Iterator[Bar]:
    """A :class:`Bar` that goes away when the block ends, however it ends."""
    made = Bar(label, total=total, quiet=quiet)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def working(label: str, *, quiet: bool) -> Iterator[None]:
    """A spinner on stderr for work that cannot say how far it is."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    with SafeConsole(stderr=True).status(label):
        yield


def count(number: float) -> str:
    """A large number for a reader: 11,492."""
    return f"{number:,.0f}"
