"""``dicezero train``."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.live import Live
from rich.table import Table
from tyro.conf import Positional, UseAppendAction

from dicezero.cli.console import emit
from dicezero.cli.load import load
from dicezero.learner.checkpoint import CONFIG, RunConfig
from dicezero.learner.loop import Metrics, train
from dicezero.learner.presets import Preset, get_preset
from dicezero.learner.settings import with_settings

PresetName = Annotated[str, tyro.conf.arg(metavar="PRESET")]
_ROWS_SHOWN = 12


@dataclass(frozen=True)
class Train:
    """Learn a game from nothing: rounds of self-play, training and, where it can be solved, measurement.

    Presets: alphazero, gumbel-alphazero (search over the rules), ndmz, gumbel-ndmz (search in a learned
    model). Ctrl-C loses the round under way and nothing else; --resume goes on.

    Example: dicezero train gumbel-ndmz --game nannon --out runs/first --rounds 20 --set simulations=32
    """

    preset: Positional[PresetName] = "gumbel-ndmz"
    """How to learn."""
    game: str = "nannon"
    """What to learn: a game's name, or path/to/file.py:Name."""
    out: Path | None = None
    """The folder of the run: config.json, metrics.jsonl, weights, games. Needed."""
    rounds: int | None = None
    """Stop after this round; the preset's own number by default."""
    seed: int = 0
    """Of everything; the same seed gives the same weights."""
    resume: bool = False
    """Go on with the run in --out."""
    set: Annotated[tuple[str, ...], UseAppendAction] = ()
    """key=value: a field of the preset, of its search, play.NAME or loss.NAME; may be given again."""
    json: bool = False
    """Print one JSON object: the last round's metrics."""

    def run(self) -> int:
        """Trains, with a line a round."""
        if self.out is None:
            raise ValueError("--out is missing; give the folder of the run, e.g. --out runs/first")
        preset = with_settings(get_preset(self.preset), _settings(self.set))
        if self.resume and (self.out / CONFIG).is_file() and not self.set:
            preset = self._own_preset(preset)
        game = load(self.game)
        name = self.game if ":" in self.game else None
        target = self.rounds or preset.rounds
        with _Screen(f"{preset.name} on {game}", target, quiet=self.json) as screen:
            last = train(
                preset,
                game,
                self.out,
                rounds=self.rounds,
                seed=self.seed,
                resume=self.resume,
                game_name=name,
                on_round=screen.add,
            )
        emit({"out": str(self.out), **last}, f"{self.out}: round {last['round']} done", as_json=self.json)
        return 0

    def _own_preset(self, named: Preset) -> Preset:
        """The settings the run was begun with need not be given again; its preset's name must agree."""
        assert self.out is not None  # noqa: S101 - seen to above
        own = RunConfig.read(self.out).preset
        return own if own.name == named.name else named


def _settings(words: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise ValueError(f"--set {word!r} is not key=value; write e.g. --set simulations=32")
        found[key] = value
    return found


class _Screen:
    """Rounds as they come: a live table on a terminal, otherwise a line each; silent beside JSON."""

    def __init__(self, title: str, target: int, *, quiet: bool) -> None:
        self._title, self._target, self._quiet = title, target, quiet
        self._rows: list[Metrics] = []
        self._begin = time.monotonic()
        console = Console(stderr=True)
        self._live = Live(console=console, auto_refresh=False) if console.is_terminal and not quiet else None

    def __enter__(self) -> _Screen:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def add(self, metrics: Metrics) -> None:
        """Shows a round."""
        self._rows.append(metrics)
        if self._live:
            self._live.update(self._table(), refresh=True)
        elif not self._quiet:
            cells = " ".join(f"{name} {text}" for name, text in zip(_COLUMNS, _cells(metrics), strict=True))
            print(cells, file=sys.stderr, flush=True)

    def _table(self) -> Table:
        done = len(self._rows)
        left = (time.monotonic() - self._begin) / done * (self._target - self._rows[-1]["round"])
        table = Table(title=f"{self._title}: about {left / 60:.1f} min left", title_justify="left")
        for name in _COLUMNS:
            table.add_column(name, justify="right")
        for metrics in self._rows[-_ROWS_SHOWN:]:
            table.add_row(*_cells(metrics))
        return table


_COLUMNS = ("round", "score", "network", "policy", "value", "games/s", "seconds")


def _cells(metrics: dict[str, Any]) -> tuple[str, ...]:
    """A round's row: exact scores against perfect play with and without search, losses, speed."""
    score, raw = (metrics.get(name) for name in ("vs_optimal", "raw_vs_optimal"))
    return (
        str(metrics["round"]),
        "-" if score is None else f"{score:.4f}",
        "-" if raw is None else f"{raw:.4f}",
        f"{metrics['loss_policy']:.3f}",
        f"{metrics['loss_value']:.3f}",
        f"{metrics['games'] / max(1e-9, metrics['seconds_selfplay']):.0f}",
        f"{metrics['seconds']:.1f}",
    )
