"""Learning: the training step beside the machine's arithmetic, self-play, and a whole round of the paper's.

The step is that of the NDMZ paper's network and that of the demo's small one, measured as it is used, from
NumPy arrays in to weights on the device; what it does is counted as the matrix products of the loss and its
gradient, and nothing else.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import jax
import numpy as np

from dicezero.bench.limits import all_cores, sgemm_gflops
from dicezero.bench.row import Row
from dicezero.bench.timing import best_rate
from dicezero.learner.loop import train
from dicezero.learner.step import Trainer, prefer_one_thread
from dicezero.model.dense import DenseModel
from dicezero.presets.fitting import network_of, planner_of
from dicezero.presets.loss_weights import LossWeights
from dicezero.presets.registry import PRESETS, Preset
from dicezero.replay.buffer import Batch
from dicezero.rules import load_game, spec_of
from dicezero.selfplay.planners import ModelPlanner, RulesPlanner
from dicezero.selfplay.play import play_games

GAME = "nannon"


@dataclass(frozen=True)
class Workload:
    """A network and the batches it learns from."""

    name: str
    network: DenseModel
    batch: int
    unroll: int


WORKLOADS = (
    Workload("paper's", DenseModel(observation=64, actions=16), batch=512, unroll=6),
    Workload(
        "demo's", DenseModel(observation=34, actions=16, hidden=64, widths=(128, 128)), batch=128, unroll=4
    ),
)
STEPS = 10  # of training, timed together
SELFPLAY = ("alphazero", "ndmz", "gumbel-ndmz")
ROUNDS = 14  # until 300 games a round have filled the buffer of 4,000; the last one is reported


def rows(against: frozenset[str]) -> Iterator[Row]:  # noqa: ARG001 - nobody else does the same
    """The training step, self-play of some presets, and a round of ``ndmz`` with its split."""
    prefer_one_thread()
    for workload in WORKLOADS:
        for cores in sorted({all_cores(), 1}, reverse=True):
            yield step_row(workload, cores=cores)
    for name in SELFPLAY:
        yield from selfplay_rows(PRESETS[name])
    yield from round_rows(replace(PRESETS["ndmz"], early_rounds=0, measure_every=ROUNDS))


def training_flops(network: DenseModel, *, batch: int, unroll: int) -> int:
    """Floating-point operations of the products of one step: forward once, backward twice.

    A one-hot action counts as the row it picks, and no gradient is taken of the observation.
    """
    products = {}
    for name, (inputs, heads) in network.parts().items():
        first = network.hidden if name == "dynamics" else inputs
        sizes = (first, *network.widths, sum(heads.values()))
        products[name] = sum(a * b for a, b in pairwise(sizes))
    forward = (
        products["representation"] + unroll * products["dynamics"] + (unroll + 1) * products["prediction"]
    )
    return 2 * batch * (3 * forward - network.observation * network.widths[0])


def step_row(workload: Workload, *, cores: int) -> Row:
    """GFLOP/s of the step, beside what sgemm reaches on those cores; measured in turn, the better of each."""
    network, batch = workload.network, random_batch(workload)
    batch = Batch(**{name: np.concatenate([array] * STEPS) for name, array in batch.arrays().items()})
    trainer = Trainer(network, LossWeights(), network.init(seed=0), threads=cores)

    def run() -> None:
        terms = trainer.steps(batch, count=STEPS, learning_rate=1e-3)
        jax.block_until_ready(terms)  # type: ignore[no-untyped-call]

    flops = STEPS * training_flops(network, batch=workload.batch, unroll=workload.unroll)
    rates, limits = [], []
    for _ in range(2):
        rates.append(best_rate(run, flops) / 1e9)
        sgemm_gflops.cache_clear()
        limits.append(sgemm_gflops(cores))
    sizes = f"batch {workload.batch}, K={workload.unroll}, {cores} core{'s' if cores > 1 else ''}"
    name = f"learning/training step, the {workload.name} network, {sizes}"
    return Row(name, "GFLOP/s", max(rates), limit=max(limits))


def random_batch(workload: Workload) -> Batch:
    """Samples of the right shapes; what is in them does not matter to the time."""
    rng = np.random.default_rng(0)
    network, rows = workload.network, workload.batch
    along, ends = (rows, workload.unroll), (rows, workload.unroll + 1)
    return Batch(
        observation=rng.standard_normal((rows, network.observation)).astype(np.float32),
        legal=np.ones((rows, 4), np.bool_),
        action=rng.integers(network.actions, size=along).astype(np.int32),
        policy=rng.dirichlet(np.ones(network.actions), ends).astype(np.float32),
        chance=rng.integers(network.actions, size=ends).astype(np.int32),
        identity=rng.integers(network.identities, size=ends).astype(np.int32),
        value=rng.choice([-1.0, 1.0], size=ends).astype(np.float32),
        reward=np.zeros(along, np.float32),
        mask=np.ones(ends, np.float32),
    )


def selfplay_rows(preset: Preset) -> Iterator[Row]:
    """A round's games with new weights: evaluations a second on all cores, and one thread's time."""
    name = f"learning/self-play {preset.name}, {preset.games} games"
    spent, seconds = _played(preset, threads=all_cores())
    yield Row(name, "evaluations/s", spent.evaluations / seconds)
    spent, seconds = _played(preset, threads=1)
    share = 100.0 * (1.0 - spent.network_seconds / seconds)
    yield Row(f"{name}, time outside the network", "% of one thread", share)


def _played(preset: Preset, *, threads: int, runs: int = 3) -> tuple[Any, float]:
    """What the fastest of some runs cost the planner, and its seconds."""
    game = load_game(GAME)
    spec = spec_of(game)
    network = network_of(preset, spec)
    if network.kind == "judge":
        raise ValueError(f"{preset.name} does not search; give a preset that does")
    weights = network.init(seed=0)
    timings = []
    for _ in range(runs):
        planner = cast("RulesPlanner | ModelPlanner", planner_of(preset, spec, weights, threads=threads))
        begin = time.perf_counter()
        play_games(
            game,
            planner,
            preset.search,
            games=range(preset.games),
            seed=0,
            round_index=0,
            explore_moves=preset.explore_moves,
        )
        timings.append((planner.spent, time.perf_counter() - begin))
    return min(timings, key=lambda run: run[1])


def round_rows(preset: Preset) -> Iterator[Row]:
    """Seconds of a run's last round, by stage; writing it to disk is what the stages leave."""
    marks: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        last = train(
            preset,
            load_game(GAME),
            Path(folder) / "run",
            rounds=ROUNDS,
            on_round=lambda _: marks.append(time.perf_counter()),
        )
    whole = marks[-1] - marks[-2]
    stages = {stage: last[f"seconds_{stage}"] for stage in ("selfplay", "learning", "measuring")}
    name = f"learning/round of {preset.name}"
    yield Row(f"{name} ({preset.games} games, one epoch)", "seconds", whole)
    for stage, seconds in stages.items():
        yield Row(f"{name}: {stage}", "seconds", seconds)
    yield Row(f"{name}: commit", "seconds", whole - sum(stages.values()))
