"""The round loop: self-play, training, measurement, and the commit that makes the round last."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dicezero.learner.checkpoint import (
    MANIFEST,
    Checkpoint,
    RunConfig,
    commit,
    manifest_sums,
    read_checked,
    read_checkpoint,
    read_metrics,
    remove_strays,
    shard_name,
)
from dicezero.learner.files import sha256, write_atomically
from dicezero.learner.folder import locked, open_folder
from dicezero.learner.measure import Yardstick
from dicezero.learner.network import initial_weights
from dicezero.learner.presets import Preset
from dicezero.learner.run import make_planner
from dicezero.learner.step import Trainer, prefer_one_thread
from dicezero.learner.training import TrainingError, learn
from dicezero.model.weights import check_weights
from dicezero.replay.buffer import Replay
from dicezero.replay.shards import pack_games, unpack_games
from dicezero.rules.protocol import Game
from dicezero.selfplay.play import play_games
from dicezero.selfplay.record import ActionSet
from dicezero.selfplay.seeds import address_seed
from dicezero.solve import solve

_WEIGHTS, _MEASURE = 1 << 41, 1 << 42  # addresses no game's number reaches
_LARGEST_MEASURED = 100_000  # states; larger games are not solved just to be measured

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
    on_round: Callable[[Metrics], None] | None = None,
) -> Metrics:
    """Trains in the folder ``out`` until ``rounds`` rounds are done; returns the last round's metrics.

    Args:
        preset: what to do.
        game: what to learn.
        out: a new folder, or with ``resume`` that of a run; the preset, game and seed must be the run's own.
        rounds: the round to stop after; the preset's number by default.
        seed: of everything.
        resume: go on from the last committed round, exactly as if nothing had happened.
        game_name: how the run's files call the game, where ``str(game)`` is no name that can be loaded.
        on_round: hears the metrics of every round once it is committed.
    """
    prefer_one_thread()
    target = preset.rounds if rounds is None else rounds
    if target < 1:
        raise ValueError(f"rounds={target} must be at least 1")
    preset.network(game)  # sizes that do not fit are refused before anything is written
    config = RunConfig(preset, game_name or str(game), seed)
    open_folder(out, config, resume=resume)
    with locked(out):
        run = _Run(config, game, out)
        while run.round < target:
            metrics = run.play_round()
            if on_round:
                on_round(metrics)
        return run.last_metrics


class _Run:
    """A run in progress: its state is what the last commit wrote, and the buffer made from its shards."""

    def __init__(self, config: RunConfig, game: Game, folder: Path) -> None:
        self._config, self._preset, self._game, self._folder = config, config.preset, game, folder
        preset = config.preset
        self._network = preset.network(game)
        self._actions = ActionSet.of(game)
        self._replay = Replay(self._actions, capacity=preset.buffer_games, value_lambda=preset.value_lambda)
        self._yardstick = _yardstick(game) if preset.measure_every else None
        self._cpu_mark = time.process_time()
        self.round = 0
        self.last_metrics: Metrics = {}
        self._shards: tuple[str, ...] = ()
        self._sums: dict[str, str] = {}
        if (folder / MANIFEST).exists():
            state = read_checkpoint(folder)
            self._sums = manifest_sums(folder)
            for name in state.shards:
                self._replay.add(
                    unpack_games(read_checked(folder, name, self._sums), self._actions, name=name)
                )
            self.round, self._shards = state.round, state.shards
            lines = read_metrics(folder, rounds=state.round)
            self.last_metrics = lines[-1] if lines else {}
            weights, optimiser = check_weights(self._network, state.weights), state.optimiser
        else:
            weights = initial_weights(self._network, seed=address_seed(config.seed, _WEIGHTS))
            optimiser = None
        remove_strays(folder, self._sums)
        self._trainer = Trainer(self._network, preset.loss, weights, optimiser)
        self._planner = make_planner(self._network, weights)

    def play_round(self) -> Metrics:
        """One round, committed; until the commit the folder is as the last round left it."""
        preset, index = self._preset, self.round
        begin = time.perf_counter()
        # Step 1. Self-play with the weights of the last round.
        records = play_games(
            self._game,
            self._planner,
            preset.search,
            games=range(preset.games),
            seed=self._config.seed,
            round_index=index,
            explore_moves=preset.explore_moves,
        )
        shard = shard_name(index + 1)
        packed = pack_games(records)
        write_atomically(self._folder / shard, packed)
        self._replay.add(records)
        played = time.perf_counter()
        # Step 2. Training, and the new weights' planner.
        losses = learn(self._trainer, self._replay, preset, seed=self._config.seed, round_index=index)
        weights = self._trainer.weights()
        self._planner = make_planner(self._network, weights)
        learned = time.perf_counter()
        # Step 3. Measurement.
        strength = self._measure(index)
        end = time.perf_counter()
        # Step 4. Commit. Only shards the buffer still reaches into are kept.
        reach = -(-preset.buffer_games // preset.games)
        self._shards = (*self._shards, shard)[-reach:]
        self._sums[shard] = sha256(packed)
        self.last_metrics = {
            "round": index + 1,
            **strength,
            **{f"loss_{name}": value for name, value in losses.items()},
            "games": len(records),
            "decisions": sum(int((record.actor >= 0).sum()) for record in records),
            "learning_rate": preset.learning_rate_at(index),
            "seconds_selfplay": played - begin,
            "seconds_learning": learned - played,
            "seconds_measuring": end - learned,
            "seconds": self.last_metrics.get("seconds", 0.0) + end - begin,
            "cpu_seconds": self.last_metrics.get("cpu_seconds", 0.0) + self._cpu_since_last(),
        }
        state = Checkpoint(index + 1, weights, self._trainer.optimiser(), self._shards)
        self._sums = commit(self._folder, state, self._sums, self.last_metrics)
        self.round = index + 1
        return self.last_metrics

    def _measure(self, index: int) -> dict[str, float]:
        """Exact scores against perfect play, of the network alone and with its search."""
        every = self._preset.measure_every
        if self._yardstick is None or (index + 1) % every:
            return {}
        seed = address_seed(self._config.seed, index, _MEASURE)
        raw = self._yardstick.raw_policy(self._planner)
        searched = self._yardstick.search_policy(self._planner, self._preset.play, seed=seed)
        return {
            "raw_vs_optimal": self._yardstick.vs_optimal(raw),
            "vs_optimal": self._yardstick.vs_optimal(searched),
        }

    def _cpu_since_last(self) -> float:
        now = time.process_time()
        spent, self._cpu_mark = now - self._cpu_mark, now
        return spent


def _yardstick(game: Game) -> Yardstick | None:
    try:
        return Yardstick(solve(game, max_states=_LARGEST_MEASURED))
    except ValueError:  # too large, or not a kind that can be solved: strength is then measured by matches
        return None
