"""The round loop: self-play, training, measurement, and the commit that makes the round last."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from dicezero.evaluation.yardstick import EveryDecision, yardstick_of
from dicezero.learner.progress import Progress, Stage
from dicezero.learner.step import Trainer, prefer_one_thread
from dicezero.learner.training import TrainingError, learn
from dicezero.model.network import Network
from dicezero.presets.registry import Preset, check_turns
from dicezero.replay.buffer import Replay
from dicezero.replay.reanalyse import pack_fresh, reanalyse, unpack_fresh
from dicezero.replay.shards import pack_games, unpack_games
from dicezero.rules.protocol import Game
from dicezero.runs.checkpoint import (
    CONFIG,
    KEEP_EVERY,
    MANIFEST,
    Checkpoint,
    Manifest,
    RunConfig,
    RunError,
    commit,
    fresh_name,
    read_checked,
    read_checkpoint,
    read_metrics,
    remove_strays,
    shard_name,
    shard_round,
)
from dicezero.runs.events import Events
from dicezero.runs.files import sha256, write_atomically
from dicezero.runs.folder import disk_errors_explained, locked, make_folder, settle_config
from dicezero.runs.loading import first_weights, make_planner
from dicezero.runs.report import write_report
from dicezero.selfplay.record import ActionSet, GameRecord
from dicezero.selfplay.runtime import Player, RayConfig, Recipe, Runtime, open_runtime
from dicezero.selfplay.seeds import address_seed
from dicezero.selfplay.tasks import SelfPlay

_MEASURE = 1 << 42  # an address no game's number reaches
_REPORT_EVERY = 5  # rounds between two versions of report.html; the end always makes one

__all__ = ["Metrics", "TrainingError", "train"]

Metrics = dict[str, Any]


def train(
    preset: Preset,
    game: Game,
    out: Path,
    *,
    rounds: int | None = None,
    seed: int = 0,
    resume: bool = False,
    game_name: str | None = None,
    keep_every: int | None = None,
    on_round: Callable[[Metrics], None] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    runtime: RayConfig | None = None,
    network: Network | None = None,
) -> Metrics:
    """Trains in the folder ``out`` until ``rounds`` rounds are done; returns the last round's metrics.

    Args:
        preset: what to do.
        game: what to learn.
        out: a new folder, or with ``resume`` that of a run; the preset, game and seed must be the run's own.
        rounds: the round to stop after; by default the preset's number, with ``resume`` the run's own.
        seed: of everything.
        resume: go on from the last committed round, exactly as if nothing had happened.
        game_name: how the run's files call the game, where ``str(game)`` is no name that can be loaded.
        keep_every: the weights of every so many rounds are kept for good, 0 for none but the last; by default
            what the run began with, 10 for a new one. It may be changed when resuming.
        on_round: hears the metrics of every round once it is committed.
        on_progress: hears how far the round under way is.
        runtime: workers on Ray play and measure; None does both here. The run is the same.
        network: one of your own instead of the preset's; give it again to resume.

    Raises:
        RunError: the folder is no run, another run or damaged, or its disk fails; the last round stands.
        TrainingError: the loss is not finite; the last round stands.
        RuntimeUnavailableError: there is no Ray, or no worker could be had; the last round stands.
    """
    prefer_one_thread()
    preset = preset.fitted(game)
    name, target, keep = game_name or str(game), preset.rounds, KEEP_EVERY
    if resume and (out / CONFIG).exists():
        own = RunConfig.read(out)
        target, keep = own.rounds, own.keep_every
    target, keep = target if rounds is None else rounds, keep if keep_every is None else keep_every
    config = RunConfig(preset, name, seed, target, keep)
    # Sizes that do not fit and clusters that do not answer are refused before anything is written.
    player = Player(Recipe(name, network or preset.network(game), make_planner), game)
    if runtime:
        runtime.check()
    with disk_errors_explained(out):
        make_folder(out, resume=resume)
        with locked(out):
            settle_config(out, config)
            with (
                open_runtime(player, runtime) as workers,
                closing(_Run(config, player, out, workers, on_progress)) as run,
            ):
                while run.round < target:
                    metrics = run.play_round()
                    if on_round:
                        on_round(metrics)
                write_report(out)
                return run.last_metrics


class _Run:
    """A run in progress: its state is what the last commit wrote, and the buffer made from its shards."""

    def __init__(
        self,
        config: RunConfig,
        player: Player,
        folder: Path,
        runtime: Runtime,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._config, self._preset, self._folder, self._runtime = config, config.preset, folder, runtime
        self._player = player
        preset, network = config.preset, player.recipe.network
        self._actions = ActionSet.of(player.game)
        self._replay = Replay(
            self._actions,
            capacity=preset.buffer_games,
            value=preset.target(),
            afterstates=preset.kind == "td",
            chance=preset.values_chance,
            played_policy=preset.policy_loss == "simple",
        )
        self._yardstick = yardstick_of(player) if preset.measure_every else None
        self._perfect_vs_random = self._yardstick.perfect_vs_random() if self._yardstick else 0.0
        self._on_progress = on_progress
        self._cpu_mark = self._cpu_seconds()
        self.round = 0
        self.last_metrics: Metrics = {}
        self._shards: tuple[str, ...] = ()
        self._kept: tuple[int, ...] = ()
        self._sums: dict[str, str] = {}
        lines: list[Metrics] = []
        if (folder / MANIFEST).exists():
            state = read_checkpoint(folder)
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
        else:
            weights = first_weights(network, seed=config.seed)
            optimiser = None
        remove_strays(folder, self._sums)
        self._trainer = Trainer(network, preset.loss, weights, optimiser)
        self._weights = weights
        self._events = Events(folder, lines)

    def close(self) -> None:
        """Ends the run's open files."""
        self._events.close()

    def play_round(self) -> Metrics:
        """One round, committed; until the commit the folder is as the last round left it."""
        preset, index = self._preset, self.round
        begin = time.perf_counter()
        # Step 1. Self-play with the weights of the last round.
        games = SelfPlay(
            preset.search, preset.games, self._config.seed, index, preset.explore_moves, preset.epsilon
        )
        records = self._runtime.run(
            games,
            self._weights,
            on_progress=lambda over, moves: self._tell("self-play", over, preset.games, moves),
        )
        check_turns(records, preset)
        shard = shard_name(index + 1)
        packed = pack_games(records)
        write_atomically(self._folder / shard, packed)
        self._replay.add(records, round_number=index + 1)
        added = {shard: sha256(packed), **self._reanalyse(index)}
        played = time.perf_counter()
        # Step 2. Training, and the new weights.
        losses = learn(
            self._trainer,
            self._replay,
            preset,
            seed=self._config.seed,
            round_index=index,
            on_step=lambda done, total: self._tell("training", done, total),
        )
        self._weights = weights = self._trainer.weights()
        learned = time.perf_counter()
        # Step 3. Measurement.
        strength = self._measure(index)
        end = time.perf_counter()
        # Step 4. Commit. Only shards the buffer still reaches into are kept.
        reach = -(-preset.buffer_games // preset.games)
        shards = (*self._shards, *added)
        self._shards = tuple(name for name in shards if shard_round(name) > index + 1 - reach)
        self._sums |= added
        if self._config.keep_every and (index + 1) % self._config.keep_every == 0:
            self._kept = (*self._kept, index + 1)
        self.last_metrics = {
            "round": index + 1,
            **strength,
            **{f"loss_{name}": value for name, value in losses.items()},
            "games": len(records),
            "decisions": sum(int((record.actor >= 0).sum()) for record in records),
            "simulations": preset.search.simulations * _searches(records),
            "learning_rate": preset.learning_rate_at(index),
            "seconds_selfplay": played - begin,
            "seconds_learning": learned - played,
            "seconds_measuring": end - learned,
            "seconds": self.last_metrics.get("seconds", 0.0) + end - begin,
            "cpu_seconds": self.last_metrics.get("cpu_seconds", 0.0) + self._cpu_since_last(),
            "unix_seconds": time.time(),
        }
        state = Checkpoint(index + 1, weights, self._trainer.optimiser(), self._shards, self._kept)
        self._sums = commit(self._folder, state, self._sums, self.last_metrics)
        self.round = index + 1
        # Step 5. What is made from the committed files; a resumed run makes up for it.
        self._events.add(self.last_metrics)
        if self.round % _REPORT_EVERY == 0:
            write_report(self._folder)
        return self.last_metrics

    def _load_shard(self, name: str) -> None:
        """Takes a shard into the ring, as the round that wrote it did."""
        data = read_checked(self._folder, name, self._sums)
        if name == fresh_name(number := shard_round(name)):
            self._replay.refresh(unpack_fresh(data, self._actions, name=name))
        else:
            self._replay.add(unpack_games(data, self._actions, name=name), round_number=number)

    def _reanalyse(self, index: int) -> dict[str, str]:
        """Searches a share of the older games again with the newest weights; the file written and its sum.

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
        name, data = fresh_name(index + 1), pack_fresh(found, self._actions)
        write_atomically(self._folder / name, data)
        return {name: sha256(data)}

    def _measure(self, index: int) -> dict[str, float]:
        """Exact scores against perfect and random play, with search; against perfect play also without."""
        every = self._preset.measure_every
        if self._yardstick is None or (index + 1) % every:
            return {}
        self._tell("measuring", 0, 0)
        seed = address_seed(self._config.seed, index, _MEASURE)
        # One ply over afterstates is all that td has.
        search = None if self._preset.kind == "td" else self._preset.play
        asked = EveryDecision(search, seed, len(self._yardstick))
        chosen = self._runtime.run(
            asked, self._weights, on_progress=lambda done, _: self._tell("measuring", done, asked.count)
        )
        raw, searched = (self._yardstick.policy(chosen[name]) for name in ("raw", "searched"))
        return {
            "raw_vs_optimal": self._yardstick.vs_optimal(raw),
            "vs_optimal": self._yardstick.vs_optimal(searched),
            "vs_random": self._yardstick.vs_random(searched),
            "perfect_vs_random": self._perfect_vs_random,
        }

    def _tell(self, stage: Stage, done: int, total: int, moves: int = 0) -> None:
        if self._on_progress:
            self._on_progress(Progress(self.round + 1, stage, done, total, moves))

    def _cpu_seconds(self) -> float:
        return time.process_time() + self._runtime.cpu_seconds

    def _cpu_since_last(self) -> float:
        now = self._cpu_seconds()
        spent, self._cpu_mark = now - self._cpu_mark, now
        return spent


def _searches(records: Sequence[GameRecord]) -> int:
    """Decisions that were searched: those with more than one legal move."""
    return sum(int((record.legal.sum(axis=1) > 1).sum()) for record in records)
