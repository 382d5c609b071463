"""A round of self-play on Ray: two workers against one, and what a cluster's arithmetic needs to know."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from dicezero.bench.row import Row
from dicezero.learner.loop import train
from dicezero.presets.fitting import network_of
from dicezero.presets.registry import get_preset
from dicezero.rules import identify, load_game, spec_of
from dicezero.selfplay.ray_cluster import connect
from dicezero.selfplay.ray_runtime import RayRuntime
from dicezero.selfplay.runtime import OnProgress, Part, Player, RayConfig, Recipe, joined
from dicezero.selfplay.tasks import SelfPlay

PRESET, GAME, GAMES = "ndmz", "nannon", 600
_RUNS = 3
_ECHOES = 400


@dataclass(frozen=True)
class Measured:
    """Figures of one machine, for the NDMZ paper's network and search on Nannon."""

    one_worker: float  # games/s
    two_workers: float  # games/s
    chunk_games: int
    chunk_seconds: float  # in a worker, while it is alone
    game_bytes: float
    weights_bytes: int
    put_seconds: float  # weights into the object store
    learner_chunk_seconds: float  # of the learner's process to hand out one chunk and take in its games
    decisions: float  # a game
    step_seconds: float  # of training, batch 512


@dataclass(frozen=True)
class _Echo:
    """A task that takes no time: what is left is the way there and back with a chunk of games."""

    count: int
    nbytes: int

    chunk = 1
    what = "echoes"

    def do(self, player: Player, numbers: range, on_progress: OnProgress | None = None) -> Part:
        """Bytes, as many as a chunk of games has."""
        del player, on_progress
        return {"bytes": np.zeros(self.nbytes * len(numbers), np.uint8)}

    def moves(self, part: Part) -> int:
        """None."""
        del part
        return 0

    def join(self, parts: Sequence[Part]) -> Part:
        """All of them."""
        return joined(parts)


def rows(against: frozenset[str]) -> Iterator[Row]:
    """Games a second with two workers, one worker beside them; message sizes and times. None without Ray."""
    del against
    if find_spec("ray") is None:
        return
    yield from as_rows(measure())


def as_rows(measured: Measured) -> Iterator[Row]:
    """The figures as rows of the table."""
    yield Row(
        f"ray self-play, two workers, {GAMES} games a round",
        "games/s",
        measured.two_workers,
        "one worker",
        measured.one_worker,
        2 * measured.one_worker,
    )
    yield Row("ray weights, once a round", "bytes", measured.weights_bytes)
    yield Row("ray games, to the learner", "bytes/game", measured.game_bytes)
    yield Row("ray weights into the object store", "ms", measured.put_seconds * 1e3)
    yield Row(f"ray chunk of {measured.chunk_games} games, in a worker", "ms", measured.chunk_seconds * 1e3)
    yield Row("ray chunk, in the learner's process", "ms", measured.learner_chunk_seconds * 1e3)


def measure(*, games: int = GAMES, runs: int = _RUNS) -> Measured:
    """Measures here; one and two workers take turns, and the best run of each counts."""
    preset, game = get_preset(PRESET), load_game(GAME)
    network = network_of(preset, spec_of(game))
    player = Player(Recipe(identify(game), network), game)
    weights = network.init(seed=0)
    task = SelfPlay(preset.search, games, 0, 0, preset.explore_moves)
    with ExitStack() as stack:
        connection = connect(RayConfig(workers=3))
        stack.callback(connection.close)
        crews = {n: RayRuntime(player, RayConfig(workers=n)) for n in (1, 2)}
        seconds: dict[int, list[float]] = {n: [] for n in crews}
        chunk_seconds = []
        for crew in crews.values():
            stack.callback(crew.close)
            crew.worker_pids()
            crew.run(replace(task, count=2 * crew.workers), weights)
        for _ in range(runs):
            for n, crew in crews.items():
                begin = time.perf_counter()
                crew.run(task, weights)
                seconds[n].append(time.perf_counter() - begin)
                if n == 1:
                    chunk_seconds.append(float(np.mean(crew.traffic.chunk_seconds)))
        traffic = crews[1].traffic
        game_bytes = sum(traffic.chunk_bytes) / games
        echo = _Echo(_ECHOES, int(game_bytes * task.chunk))
        cpu = time.process_time()
        crews[2].run(echo, weights)
        learner_chunk = (time.process_time() - cpu) / _ECHOES
    decisions, step_seconds = _training()
    return Measured(
        one_worker=games / min(seconds[1]),
        two_workers=games / min(seconds[2]),
        chunk_games=task.chunk,
        chunk_seconds=min(chunk_seconds),
        game_bytes=game_bytes,
        weights_bytes=sum(array.nbytes for array in weights.values()),
        put_seconds=traffic.weights_seconds,
        learner_chunk_seconds=learner_chunk,
        decisions=decisions,
        step_seconds=step_seconds,
    )


def _training() -> tuple[float, float]:
    """Decisions a game and seconds a training step, from the second round of a short run."""
    preset = replace(get_preset(PRESET), games=64, early_rounds=0, measure_every=0)
    preset = replace(preset, search=replace(preset.search, simulations=4))
    with tempfile.TemporaryDirectory() as folder:
        last = train(preset, load_game(GAME), Path(folder) / "run", rounds=3)
    steps = preset.steps_at(2, 3 * last["decisions"])
    return last["decisions"] / preset.games, last["seconds_learning"] / steps
