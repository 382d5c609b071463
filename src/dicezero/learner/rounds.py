"""A run in progress: every round plays, learns, measures and commits, and a commit makes it last."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dicezero.evaluation.meters import Meter
from dicezero.learner.progress import Progress, Stage
from dicezero.learner.step import Trainer
from dicezero.learner.training import learn
from dicezero.presets.fitting import target_of
from dicezero.replay.buffer import Replay
from dicezero.replay.reanalyse import pack_fresh, reanalyse, unpack_fresh
from dicezero.replay.shards import pack_episodes, unpack_episodes
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
from dicezero.runs.files import sha256, write_atomically
from dicezero.runs.loading import first_weights
from dicezero.runs.manifest import Manifest, fresh_name, shard_name, shard_round
from dicezero.runs.report import write_report
from dicezero.selfplay.episode import Episode
from dicezero.selfplay.runtime import Player, Runtime
from dicezero.selfplay.seeds import address_seed
from dicezero.selfplay.tasks import SelfPlay

Metrics = dict[str, Any]

_MEASURE = 1 << 42  # an address no game's number reaches
_REPORT_EVERY = 5  # rounds between two versions of report.html; the end always makes one


class Rounds:
    """A run in progress: its state is what the last commit wrote, and the buffer made from its shards."""

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
        preset, network = config.preset, player.recipe.network
        self._replay = Replay(
            player.spec,
            capacity=preset.buffer_games,
            value=target_of(preset, player.spec),
            scale=player.recipe.units.scale,
            support=network.support,
            chance=preset.values_chance,
            played_policy=preset.policy_loss == "simple",
        )
        self._cpu_mark = self._cpu_seconds()
        self.round = 0
        self.last_metrics: Metrics = {}
        self._measured: Metrics = {}  # the last measurement
        self._shards: tuple[str, ...] = ()
        self._kept: tuple[int, ...] = ()
        self._sums: dict[str, str] = {}
        lines: list[Metrics] = []
        weights, optimiser = first_weights(network, seed=config.seed), None
        if (state := read_checkpoint(folder)) is not None:
            self._sums = Manifest.read(folder).sums
            try:
                weights, optimiser = network.check(state.weights), state.optimiser
                for name in state.shards:
                    self._load_shard(name)
            except RunError:
                raise
            except ValueError as error:  # whole, but not of this game and network
                raise RunError(f"{folder}: {error}") from error
            self.round, self._shards, self._kept = state.round, state.shards, state.kept
            lines = read_metrics(folder, rounds=state.round)
            self.last_metrics = lines[-1] if lines else {}
            self._measured = next((line for line in reversed(lines) if "meter" in line), {})
        try:
            self._trainer = Trainer(network, preset.loss, weights, optimiser)
        except ValueError as error:
            raise RunError(f"{folder}: {error}") from error
        remove_strays(folder, self._sums)
        self._weights = weights
        self._events = Events(folder, lines)

    def close(self) -> None:
        """Ends the run's open files."""
        self._events.close()

    def play_round(self) -> Metrics:
        """One round, committed; until the commit the folder is as the last round left it."""
        index, begin = self.round, time.perf_counter()
        # Step 1. Self-play with the weights of the last round.
        episodes, added = self._play(index)
        played = time.perf_counter()
        # Step 2. Training, and the new weights.
        losses = learn(
            self._trainer,
            self._replay,
            self._preset,
            seed=self._config.seed,
            round_index=index,
            on_step=lambda done, total: self._tell("training", done, total),
        )
        self._weights = self._trainer.weights()
        learned = time.perf_counter()
        # Step 3. Measurement.
        strength = self._measure(index)
        end = time.perf_counter()
        # Step 4. Commit.
        self.last_metrics = {
            "round": index + 1,
            **_played(episodes),
            **strength,  # a meter of returns has the last word on them
            **{f"loss_{name}": value for name, value in losses.items()},
            "simulations": self._preset.search.simulations * _searches(episodes),
            "learning_rate": self._preset.learning_rate_at(index),
            "seconds_selfplay": played - begin,
            "seconds_learning": learned - played,
            "seconds_measuring": end - learned,
            "seconds": self.last_metrics.get("seconds", 0.0) + end - begin,
            "cpu_seconds": self.last_metrics.get("cpu_seconds", 0.0) + self._cpu_since_last(),
            "unix_seconds": time.time(),
        }
        self._commit(added)
        return self.last_metrics

    def _play(self, index: int) -> tuple[list[Episode], dict[str, str]]:
        """The round's episodes, in the buffer and on disk; the files written, with their sums."""
        preset = self._preset
        task = SelfPlay(
            preset.search,
            preset.games,
            self._config.seed,
            index,
            explore_moves=preset.explore_moves,
            epsilon=preset.epsilon,
            max_moves=preset.max_moves,
        )
        episodes = self._runtime.run(
            task,
            self._weights,
            on_progress=lambda over, moves: self._tell("self-play", over, preset.games, moves),
        )
        name, packed = shard_name(index + 1), pack_episodes(episodes)
        write_atomically(self._folder / name, packed)
        self._replay.add(episodes, round_number=index + 1)
        return episodes, {name: sha256(packed), **self._reanalyse(index)}

    def _reanalyse(self, index: int) -> dict[str, str]:
        """Searches a share of the older episodes again with the newest weights; the file written and its sum.

        The findings are kept on disk, so that a resumed run learns from the very same targets.
        """
        preset = self._preset
        if not preset.reanalyse:
            return {}
        self._player.take(self._weights)
        found = reanalyse(
            self._player.game,
            self._replay,
            self._player.planner,
            preset.search,
            share=preset.reanalyse,
            seed=self._config.seed,
            round_index=index,
            chosen_policy=preset.policy_loss == "simple",
        )
        self._replay.refresh(found)
        name, data = fresh_name(index + 1), pack_fresh(found)
        write_atomically(self._folder / name, data)
        return {name: sha256(data)}

    def _measure(self, index: int) -> Metrics:
        """What the meter says, every so many rounds."""
        if self._meter is None or (index + 1) % self._preset.measure_every:
            return {}
        self._tell("measuring", 0, 0)
        found = self._meter.measure(
            self._runtime,
            self._weights,
            seed=address_seed(self._config.seed, index, _MEASURE),
            last=self._measured,
            on_progress=lambda done, total: self._tell("measuring", done, total),
        )
        self._measured = {"meter": self._meter.name, **found}
        return self._measured

    def _commit(self, added: dict[str, str]) -> None:
        """Makes the round last; only shards the buffer still reaches into are kept."""
        number, preset = self.round + 1, self._preset
        reach = -(-preset.buffer_games // preset.games)
        shards = (*self._shards, *added)
        self._shards = tuple(name for name in shards if shard_round(name) > number - reach)
        if self._config.keep_every and number % self._config.keep_every == 0:
            self._kept = (*self._kept, number)
        state = Checkpoint(number, self._weights, self._trainer.optimiser(), self._shards, self._kept)
        self._sums = commit(self._folder, self._config, state, self._sums | added, self.last_metrics)
        self.round = number
        # What is made from the committed files; a resumed run makes up for it.
        self._events.add(self.last_metrics)
        if number % _REPORT_EVERY == 0:
            write_report(self._folder)

    def _load_shard(self, name: str) -> None:
        """Takes a shard into the ring, as the round that wrote it did."""
        data = read_checked(self._folder, name, self._sums)
        if name == fresh_name(number := shard_round(name)):
            self._replay.refresh(unpack_fresh(data, name=name))
        else:
            self._replay.add(unpack_episodes(data, self._player.spec, name=name), round_number=number)

    def _tell(self, stage: Stage, done: int, total: int, moves: int = 0) -> None:
        if self._on_progress:
            self._on_progress(Progress(self.round + 1, stage, done, total, moves))

    def _cpu_seconds(self) -> float:
        return time.process_time() + self._runtime.cpu_seconds

    def _cpu_since_last(self) -> float:
        now = self._cpu_seconds()
        spent, self._cpu_mark = now - self._cpu_mark, now
        return spent


def _played(episodes: Sequence[Episode]) -> Metrics:
    """What self-play was like: returns are of player 0, lengths in decisions."""
    decisions = [len(episode.decisions) for episode in episodes]
    returns, length = float(np.mean([e.outcome for e in episodes])), float(np.mean(decisions))
    return {
        "mean_return": returns,
        "mean_length": length,
        "selfplay_return": returns,
        "selfplay_length": length,
        "games": len(episodes),
        "decisions": sum(decisions),
        "truncated": sum(episode.truncated for episode in episodes),
    }


def _searches(episodes: Sequence[Episode]) -> int:
    """Decisions that were searched: those with more than one legal move."""
    return sum(int((episode.choices > 1).sum()) for episode in episodes)
