"""Training as it goes: a live screen on a terminal, otherwise a line a round and now and then one within it.

Beside JSON it is silent.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from dicezero.cli.console import SafeConsole
from dicezero.cli.sheet import Sheet
from dicezero.learner.progress import Progress
from dicezero.runs.strength import measured_lines, strength_kind, strength_text

if TYPE_CHECKING:
    from dicezero.learner.loop import Metrics  # loads JAX

_ROWS_SHOWN = 8
_FIRST_LINE_SECONDS, _LINE_SECONDS = 2.0, 20.0  # of a round under way, where there is no terminal
_SPARKS = "▁▂▃▄▅▆▇█"
_UNITS = {"self-play": "games", "training": "steps", "measuring": "measured"}


class Screen:
    """What a person sees of a run in training.

    The live screen redraws itself four times a second from the last news, also while a long native call
    keeps the training busy.
    """

    def __init__(self, title: str, target: int, *, quiet: bool, console: Console | None = None) -> None:
        self._title, self._target, self._quiet = title, target, quiet
        self._rows: list[Metrics] = []
        self._begin = self._round_begin = time.monotonic()
        self._now: Progress | None = None
        self._note = ""
        self._over, self._lock = threading.Event(), threading.Lock()
        self._thread: threading.Thread | None = None
        self._next_line = self._begin + _FIRST_LINE_SECONDS
        self._console = console = console or SafeConsole(stderr=True)
        live = console.is_terminal and not quiet
        self._live = Live(console=console, get_renderable=self.view, refresh_per_second=4) if live else None

    def __enter__(self) -> Screen:
        if self._live:
            self._live.start()
        elif not self._quiet:
            self._thread = threading.Thread(target=self._watch, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._now = None
            self._live.stop()
        self._over.set()
        if self._thread:
            self._thread.join()

    def _watch(self) -> None:
        """A line now and then where there is no terminal, also while something is compiled."""
        while not self._over.wait(0.2):
            self.tick()

    def tick(self) -> None:
        """The line of the round under way, if it is time for one."""
        with self._lock:
            clock = time.monotonic()
            if self._live is not None or self._quiet or clock < self._next_line:
                return
            self._next_line = clock + _LINE_SECONDS
        elapsed = f"{clock - self._round_begin:.0f} s"
        now = self._now
        parts = (
            ["preparing"]
            if now is None
            else [f"round {now.round} of {self._target}", now.stage, _how_far(now)]
        )
        print(", ".join(part for part in [*parts, elapsed] if part), file=sys.stderr, flush=True)

    def add(self, metrics: Metrics) -> None:
        """A round that was committed."""
        self._rows.append(metrics)
        self._now, self._round_begin = None, time.monotonic()
        if self._live is None and not self._quiet:
            cells = " ".join(f"{name} {text}" for name, text in zip(_COLUMNS, _cells(metrics), strict=True))
            print(cells, file=sys.stderr, flush=True)
            self._next_line = time.monotonic() + _LINE_SECONDS

    def progress(self, now: Progress) -> None:
        """How far the round under way is."""
        self._now = now
        self.tick()

    def note(self, text: str) -> None:
        """A message that has to be printed now."""
        self._note = text
        if self._live is None and not self._quiet:
            print(text, file=sys.stderr, flush=True)

    def view(self) -> Group:
        """The screen."""
        parts: list[Any] = [Text(self._title, style="bold")]
        if self._rows:
            parts += [self._summary(), *self._strength()]
        if now := self._now:
            parts.append(self._stage(now))
        if self._rows:
            parts.append(self._table())
        if self._note:
            parts.append(Text(self._note, style="yellow"))
        return Group(*parts)

    def _summary(self) -> Text:
        last = self._rows[-1]
        return Text(
            f"round {last['round']} of {self._target} done, {_duration(self._left())} left; "
            f"{_rate(last, 'games'):,.0f} games/s, {_rate(last, 'simulations'):,.0f} simulations/s"
        )

    def _left(self) -> float:
        """Seconds to the end, by the rounds of this process; the first, which compiles, counts if alone."""
        seconds = [float(row["seconds"]) for row in self._rows]
        own = [after - before for before, after in pairwise(seconds)] or [self._round_begin - self._begin]
        mean, left = sum(own) / len(own), self._target - int(self._rows[-1]["round"])
        return max(0.0, mean * left - (time.monotonic() - self._round_begin))

    def _strength(self) -> list[Text]:
        """The meter's measurements so far."""
        rows = measured_lines(self._rows)
        if not rows:
            return []
        last = rows[-1]
        kind = strength_kind(last)
        assert kind is not None  # noqa: S101 - it was measured
        words = f"{kind.title.lower()} {strength_text(last)}"
        words += "".join(f", {name} {last[key]:.{kind.digits}f}" for key, name in kind.others if key in last)
        words += f", {kind.level[0]} {kind.level[1]:g}" if kind.level else ""
        return [Text.assemble(f"{words}  ", (spark_line([row[kind.key] for row in rows]), "green"))]

    def _stage(self, now: Progress) -> Table:
        row = Table.grid(padding=(0, 1))
        elapsed = time.monotonic() - self._round_begin
        bar = ProgressBar(total=now.total or None, completed=now.done, width=24, pulse=not now.total)
        row.add_row(f"round {now.round}", now.stage, bar, _how_far(now), f"{elapsed:.1f} s")
        return row

    def _table(self) -> Sheet:
        table = Sheet(*_COLUMNS, right=_COLUMNS)
        # In a narrow terminal a round takes as many lines as there are columns: the last one has to do.
        for metrics in self._rows[-_ROWS_SHOWN if self._console.width >= 76 else -1 :]:
            table.add_row(*_cells(metrics))
        return table


def spark_line(values: Sequence[float], width: int = 24) -> str:
    """The values as a row of small bars, from the least to the greatest; the last ``width`` of them."""
    values = values[-width:]
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return "".join(_SPARKS[round((value - low) / span * (len(_SPARKS) - 1))] for value in values)


_COLUMNS = ("round", "strength", "return", "length", "policy", "value", "games/s", "sims/s", "seconds")


def _cells(metrics: Metrics) -> tuple[str, ...]:
    """A round's row: the meter's figures, self-play's returns and lengths, losses, speed."""
    kind = strength_kind(metrics)
    losses = (metrics.get(name) for name in ("loss_policy", "loss_value"))
    return (
        str(metrics["round"]),
        "-" if kind is None else f"{metrics[kind.key]:.{kind.digits}f}",
        f"{metrics['selfplay_return']:.2f}",
        f"{metrics['selfplay_length']:.1f}",
        *("-" if loss is None else f"{loss:.3f}" for loss in losses),
        f"{_rate(metrics, 'games'):.0f}",
        f"{_rate(metrics, 'simulations'):.0f}",
        f"{metrics['seconds']:.1f}",
    )


def _how_far(now: Progress) -> str:
    parts = [f"{now.done:,}/{now.total:,} {_UNITS[now.stage]}"] if now.total else []
    return ", ".join([*parts, *([f"{now.moves:,} moves"] if now.moves else [])])


def _rate(metrics: Metrics, what: str) -> float:
    return float(metrics.get(what, 0)) / max(1e-9, float(metrics["seconds_selfplay"]))


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"
