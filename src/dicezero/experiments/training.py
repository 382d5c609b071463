"""A run measured before its first round and after it; stopped anywhere, it goes on from there."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from dicezero.learner.loop import Metrics, train
from dicezero.presets.fitting import network_of, planner_of
from dicezero.presets.registry import Preset
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of
from dicezero.runs.checkpoint import read_metrics
from dicezero.runs.files import write_atomically
from dicezero.runs.loading import first_weights, load_run
from dicezero.runs.manifest import rounds_done
from dicezero.selfplay.planners import Planner

Line = dict[str, Any]  # round, seconds of training so far, and what was measured
Measure = Callable[[Planner, int], dict[str, Any]]  # (what plays, the round) -> named numbers

_CLOCKS = ("seconds", "cpu_seconds")


class _TimeUp(Exception):  # noqa: N818 - no error: the run has had its minutes
    """Ends training after a committed round."""


def train_measured(
    preset: Preset,
    game: Game,
    folder: Path,
    *,
    rounds: int,
    seed: int,
    measure: Measure,
    every: int = 1,
    minutes: float | None = None,
    on_line: Callable[[Line], None] | None = None,
) -> list[Line]:
    """Trains to round ``rounds`` or for ``minutes`` of training; returns a line for every round measured.

    Measured are round 0, each ``every``-th and the last. The lines are kept in ``folder`` + ``.jsonl``. A
    round is measured before the next begins, so at most the last committed one lacks its line when a run is
    taken up again, and its weights are there.
    """
    store = folder.parent / f"{folder.name}.jsonl"
    lines = read_lines(store)

    def add(round_number: int, planner: Planner, metrics: Metrics) -> None:
        kept = {k: v for k, v in metrics.items() if k in _CLOCKS or k.startswith("loss_")}
        measured = measure(planner, round_number)
        lines.append({"round": round_number, "seconds": 0.0, **kept, **measured})
        text = "".join(json.dumps(line) + "\n" for line in lines)
        write_atomically(store, text.encode())
        if on_line:
            on_line(lines[-1])

    def after_round(metrics: Metrics) -> None:
        time_up = minutes is not None and metrics["seconds"] >= 60 * minutes
        if time_up or due(metrics["round"]):
            add(metrics["round"], load_run(folder, game).planner, metrics)
        if time_up:
            raise _TimeUp

    def due(round_number: int) -> bool:
        return round_number % every == 0 or round_number == rounds

    store.parent.mkdir(parents=True, exist_ok=True)
    if not lines:
        spec = spec_of(game)
        weights = first_weights(network_of(preset, spec), seed=seed)
        add(0, planner_of(preset, spec, weights), {})
    if rounds_done(folder):
        run = load_run(folder, game)
        lines[:] = [line for line in lines if line["round"] <= run.round]
        if due(run.round) and lines[-1]["round"] < run.round:
            add(run.round, run.planner, _last_metrics(folder, run.round))
    if minutes is not None and lines[-1]["seconds"] >= 60 * minutes:
        return lines
    with suppress(_TimeUp):
        train(preset, game, folder, rounds=rounds, seed=seed, resume=True, on_round=after_round)
    return lines


def read_lines(store: Path) -> list[Line]:
    """What was measured so far."""
    if not store.exists():
        return []
    return [json.loads(line) for line in store.read_text(encoding="utf-8").splitlines()]


def _last_metrics(folder: Path, rounds: int) -> Metrics:
    lines = read_metrics(folder, rounds=rounds)
    return lines[-1] if lines else {}
