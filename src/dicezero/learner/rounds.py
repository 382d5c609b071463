"""A run in progress: every round plays, learns, measures and commits, and a commit makes it last."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dicezero.evaluation.meters import Meter
from dicezero.learner.from_replay import ReplayLearning
from dicezero.learner.learning import Learned, Learning
from dicezero.learner.online import OnlineLearning, online_learner
from dicezero.learner.progress import Progress, Stage
from dicezero.runs.checkpoint import (
    Checkpoint,
    commit,
    read_checked,
    read_checkpoint,
    read_metrics,
    remove_strays,
)
from dicezero.runs.config import RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.events import Events
from dicezero.runs.loading import first_weights
from dicezero.runs.manifest import Manifest
from dicezero.runs.report import write_report
from dicezero.selfplay.runtime import Player, Runtime
from dicezero.selfplay.seeds import address_seed

Metrics = dict[str, Any]

_MEASURE = 1 << 42  # an address no game's number reaches
_REPORT_EVERY = 5  # rounds between two versions of report.html; the end always makes one


class Rounds:
    """A run in progress: its state is what the last commit wrote, and what the learning made of it."""

    def __init__(
        self,
        config: RunConfig,
        player: Player,
        folder: Path,
        runtime: Runtime,
        meter: Meter | None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._config, self._preset, self._folder, self._runtime = config, config.preset, folder, runtime
        self._player, self._meter, self._on_progress = player, meter, on_progress
        self._cpu_mark = self._cpu_seconds()
        self.round = 0
        self.last_metrics: Metrics = {}
        self._measured: Metrics = {}  # the last measurement
        self._shards: tuple[str, ...] = ()
        self._kept: tuple[int, ...] = ()
        self._sums: dict[str, str] = {}
        lines: list[Metrics] = []
        state = read_checkpoint(folder)
        if state is not None:
            self._sums = Manifest.read(folder).sums
            self.round, self._shards, self._kept = state.round, state.shards, state.kept
            lines = read_metrics(folder, rounds=state.round)
            self.last_metrics = lines[-1] if lines else {}
            self._measured = next((line for line in reversed(lines) if "meter" in line), {})
        try:
            self._learning = self._begin(state)
        except RunError:
            raise
        except ValueError as error:  # whole, but not of this game and network
            raise RunError(f"{folder}: {error}") from error
        remove_strays(folder, self._sums)
        self._events = Events(folder, lines)

    def _begin(self, state: Checkpoint | None) -> Learning:
        """How this run plays and learns, as it stood after the last commit."""
        network, optimiser = self._player.recipe.network, None
        weights = first_weights(network, seed=self._config.seed)
        if state is not None:
            weights, optimiser = network.check(state.weights), state.optimiser
        learner = online_learner(self._preset, self._player, weights, optimiser)
        if learner is not None:
            return OnlineLearning(self._config, learner, weights)
        learning = ReplayLearning(self._config, self._player, self._folder, self._runtime, weights, optimiser)
        learning.load_shards(
            self._shards,
            lambda name: read_checked(self._folder, name, self._sums),
            rounds=0 if state is None else state.round,
        )
        return learning

    def close(self) -> None:
        """Ends the run's open files."""
        self._events.close()

    def play_round(self) -> Metrics:
        """One round, committed; until the commit the folder is as the last round left it."""
        index, begin = self.round, time.perf_counter()
        # Steps 1 and 2. Self-play with the weights of the last round, and training.
        learned = self._learning.play_round(index, self._report)
        # Step 3. Measurement.
        measuring = time.perf_counter()
        strength = self._measure(index)
        end = time.perf_counter()
        # Step 4. Commit.
        self.last_metrics = {
            "round": index + 1,
            **_played(learned),
            **_overlapped(learned),
            **strength,  # a meter of returns overrides these
            **{f"loss_{name}": value for name, value in learned.losses.items()},
            "simulations": learned.simulations,
            "learning_rate": self._preset.learning_rate_at(index),
            "seconds_selfplay": learned.seconds_selfplay,
            "seconds_learning": learned.seconds_learning,
            "seconds_measuring": end - measuring,
            "seconds": self.last_metrics.get("seconds", 0.0) + end - begin,
            "cpu_seconds": self.last_metrics.get("cpu_seconds", 0.0) + self._cpu_since_last(),
            "unix_seconds": time.time(),
        }
        self._commit(learned.files)
        return self.last_metrics

    def _measure(self, index: int) -> Metrics:
        """The meter's measurement, every so many rounds."""
        if self._meter is None or (index + 1) % self._preset.measure_every:
            return {}
        self._report("measuring", 0, 0)
        measured = self._meter.measure(
            self._runtime,
            self._learning.weights(),
            seed=address_seed(self._config.seed, index, _MEASURE),
            last=self._measured,
            on_progress=lambda done, total: self._report("measuring", done, total),
        )
        self._measured = {"meter": self._meter.name, **measured}
        return self._measured

    def _commit(self, added: dict[str, str]) -> None:
        """Makes the round last; only shards that are still learned from are kept."""
        number = self.round + 1
        self._shards = self._learning.shards_after(number, (*self._shards, *added))
        if self._config.keep_every and number % self._config.keep_every == 0:
            self._kept = (*self._kept, number)
        weights, optimiser = self._learning.weights(), self._learning.optimiser()
        state = Checkpoint(number, weights, optimiser, self._shards, self._kept)
        self._sums = commit(self._folder, self._config, state, self._sums | added, self.last_metrics)
        self.round = number
        # What is made from the committed files; a resumed run makes up for it.
        self._events.add(self.last_metrics)
        if number % _REPORT_EVERY == 0:
            write_report(self._folder)

    def _report(self, stage: Stage, done: int, total: int, moves: int = 0) -> None:
        if self._on_progress:
            self._on_progress(Progress(self.round + 1, stage, done, total, moves))

    def _cpu_seconds(self) -> float:
        return time.process_time() + self._runtime.cpu_seconds

    def _cpu_since_last(self) -> float:
        now = self._cpu_seconds()
        spent, self._cpu_mark = now - self._cpu_mark, now
        return spent


def _played(learned: Learned) -> Metrics:
    """What self-play was like: returns are of player 0, lengths in decisions."""
    return {
        "mean_return": learned.mean_return,
        "mean_length": learned.mean_length,
        "selfplay_return": learned.mean_return,
        "selfplay_length": learned.mean_length,
        "games": learned.games,
        "decisions": learned.decisions,
        "truncated": learned.truncated,
    }


def _overlapped(learned: Learned) -> Metrics:
    """Of a run whose next games are played while it trains: how old the weights were, how long both ran."""
    if learned.rounds_behind is None:
        return {}
    return {"rounds_behind": learned.rounds_behind, "seconds_overlapped": learned.seconds_overlapped}
