"""How far long work is, on stderr: a bar on a terminal, elsewhere a line now and then.

A thread of its own looks at the clock, so that work which never reports progress, such as one long native
call, shows that it goes on too.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from dicezero.cli.console import SafeConsole
from dicezero.cli.plain import one_line

QUIET_SECONDS = 0.7  # work shorter than this shows no bar at all
FIRST_LINE_SECONDS = 2.0  # into a pipe; beside --json, whose reader is a program, later
FIRST_LINE_BESIDE_JSON = 10.0
MOST_BETWEEN_LINES = 60.0


class Bar:
    """Progress of one piece of work; ``with bar(...)`` makes one and closes it.

    Args:
        label: what is going on.
        total: of what ``update`` counts; None where nobody knows.
        quiet: ``--json`` was given: a line on stderr comes later.
        begin: ``time.monotonic()`` when the work began, where it has several phases.
    """

    def __init__(
        self, label: str, *, total: float | None = None, quiet: bool, begin: float | None = None
    ) -> None:
        self._label, self._total, self._quiet = label, total, quiet
        self._terminal = sys.stderr.isatty()
        now = time.monotonic()
        self._begin = now if begin is None else begin
        self._next = self._begin + (FIRST_LINE_BESIDE_JSON if quiet else FIRST_LINE_SECONDS)
        self._next = max(self._next, now + 1.0) if begin is not None else self._next
        self._done, self._note = 0.0, ""
        self._progress: Progress | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def update(self, done: float, note: str = "") -> None:
        """Shows the progress; ``note`` is what is known so far."""
        self._done, self._note = done, note

    def say(self, line: str) -> None:
        """A line that stays, above the bar; without a terminal the next one of the bar's own comes later.

        Beside ``--json`` it is the note of the bar's own lines until there is another.
        """
        if self._quiet:
            self._note = line
            return
        self._next = time.monotonic() + MOST_BETWEEN_LINES / 4
        if self._progress is not None:
            self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Removes the bar."""
        self._closed.set()
        self._thread.join()
        if self._progress is not None:
            self._progress.stop()

    def _watch(self) -> None:
        while not self._closed.wait(0.1):
            now = time.monotonic()
            if self._terminal and now - self._begin >= QUIET_SECONDS:
                self._show()
            elif not self._terminal and now >= self._next:
                elapsed = now - self._begin
                self._next = now + min(MOST_BETWEEN_LINES, max(5.0, elapsed))
                with contextlib.suppress(OSError, ValueError):  # stderr was closed: nobody is looking
                    print(self.line(elapsed), file=sys.stderr, flush=True)

    def line(self, elapsed: float) -> str:
        """What is printed where there is no terminal."""
        parts = [f"{elapsed:.0f} s"]
        if self._total:
            parts.append(f"{self._done:,.0f} of {self._total:,.0f}")
        return one_line(f"{self._label}: " + ", ".join([*parts, *([self._note] if self._note else [])]))

    def _show(self) -> None:
        if self._progress is None:
            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                *([BarColumn(), MofNCompleteColumn()] if self._total else []),
                TimeElapsedColumn(),
                TextColumn("{task.fields[note]}", markup=False),
                console=SafeConsole(stderr=True),
                transient=True,
            )
            self._progress.start()
            self._progress.add_task(self._label, total=self._total, note="")
        self._progress.update(self._progress.task_ids[0], completed=self._done, note=self._note)


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
    """The same for work that cannot report progress."""
    with bar(label, quiet=quiet):
        yield
