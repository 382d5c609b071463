"""Figure 10: blocks of a tower, by what they learn from fixed games and how fast they answer."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dicezero.evaluation.interval import Z95, mean_interval
from dicezero.experiments.figure import Panel, Series, draw
from dicezero.experiments.gumbel.block_games import Games, fixed_games
from dicezero.experiments.gumbel.ledger import Address, Row, filled
from dicezero.experiments.gumbel.methods import towers
from dicezero.experiments.gumbel.request import Request
from dicezero.experiments.gumbel.verdict import Claim, Ruling, by_interval
from dicezero.experiments.result import write_result
from dicezero.learner.step import Trainer
from dicezero.learner.training import learn
from dicezero.model.board import BoardConfig
from dicezero.model.network import Network
from dicezero.model.weights import Weights
from dicezero.presets.fitting import network_of
from dicezero.presets.preset import Preset
from dicezero.runs.loading import first_weights

CHANNELS = 32
BLOCKS = (4, 8, 12)  # of a tower; every fourth sees the whole board, where any does
TRAINING, TEST = 1000, 300  # games
ROUNDS, STEPS, BATCH = 10, 250, 128  # of training: the rate falls from round to round
_RATE_ROWS = 32  # positions answered at once when speed is measured, as self-play does
_RATE_SECONDS = 0.5
_ROWS = 512  # of the test at a time
_PLACES = 21  # at which two curves are compared

ARCHITECTURES: dict[str, BoardConfig] = {
    "dense": BoardConfig(CHANNELS, bottleneck=0, mixing="none"),
    "bottleneck": BoardConfig(CHANNELS, bottleneck=CHANNELS // 2, mixing="none"),
    "bottleneck, broadcast": BoardConfig(CHANNELS, bottleneck=CHANNELS // 2, mixing="broadcast"),
    "bottleneck, pooling": BoardConfig(CHANNELS, bottleneck=CHANNELS // 2, mixing="pooling"),
}


@dataclass(frozen=True)
class Faster:
    """A claim that one kind of block is better than another at the same rate of answers."""

    better: str
    other: str
    says: str

    @property
    def claim(self) -> Claim:
        """With its criterion."""
        return Claim(
            f"{self.better} above {self.other}",
            "appendix G, figure 10",
            self.says,
            "Policy accuracy and squared error of the value on the test, each interpolated by the logarithm "
            "of the rate and averaged over the rates that both reach. Confirmed if accuracy is higher and "
            "the error lower, 95 % intervals (over seeds where there are three, else of the test's "
            "positions); refuted if an interval says the opposite of either.",
        )


CLAIMS = (
    Faster("bottleneck", "dense", "Bottleneck blocks are better than dense ones at any rate."),
    Faster("bottleneck, broadcast", "bottleneck", "Broadcasting blocks are a further benefit."),
    Faster("bottleneck, pooling", "bottleneck", "Pooling blocks are a similar benefit."),
)


def blocks(request: Request) -> dict[str, Any]:
    """Figure 10: ``blocks.json`` and ``blocks.png``."""
    scale = request.scale
    counts = {"training_games": scale.part(TRAINING, 20), "test_games": scale.part(TEST, 10)}
    steps = scale.part(STEPS, 10)
    folder = request.out / "runs" / "blocks-games"
    games = fixed_games(folder, training=counts["training_games"], test=counts["test_games"], say=request.say)
    wanted: list[Address] = [
        {"architecture": name, "blocks": size, "seed": seed, "steps": ROUNDS * steps, **counts}
        for seed in request.seeds
        for size in BLOCKS
        for name in ARCHITECTURES
    ]

    def report(row: Row) -> None:
        if request.say:
            request.say(
                f"{row['architecture']}, {row['blocks']} blocks, seed {row['seed']}: accuracy "
                f"{row['accuracy']:.3f}, squared error {row['value_error']:.3f}, "
                f"{row['rate']:.0f} answers a second"
            )

    rows = filled(
        request.out / "runs" / "blocks.json",
        wanted,
        lambda address: _row(address, games, steps),
        seeds=request.seeds,
        on_row=report,
    )
    verdicts = judge_blocks(rows)
    data = {"verdicts": verdicts, "positions": len(games.best), "channels": CHANNELS, "rows": rows}
    hours = sum(row["seconds"] for row in rows) / 3600
    write_result(request.out / "blocks.json", data, seeds=request.seeds, hours=hours)
    _draw(request, rows)
    return {"verdicts": verdicts}


def _row(address: Address, games: Games, steps: int) -> Row:
    """Trains a network on the games and evaluates it on the test."""
    begin = time.perf_counter()
    preset = preset_of(address["architecture"], address["blocks"], steps=steps)
    network = network_of(preset, games.spec)
    weights = _taught(network, preset, games, seed=address["seed"])
    measured = measure_network(network, weights, games)
    return {**measured, "rate": _rate(network, weights, games), "seconds": time.perf_counter() - begin}


def preset_of(architecture: str, size: int, *, steps: int) -> Preset:
    """Supervised learning with the losses of Gumbel AlphaZero."""
    board = replace(ARCHITECTURES[architecture], blocks=size)
    base = towers(board, moves=82, auxiliary=1.0)["gumbel-alphazero"].preset
    return replace(base, rounds=ROUNDS, steps=steps, batch=BATCH, schedule="cosine", final_learning_rate=1e-4)


def _taught(network: Network, preset: Preset, games: Games, *, seed: int) -> Weights:
    trainer = Trainer(network, preset.loss, first_weights(network, seed=seed))
    for number in range(preset.rounds):
        learn(trainer, games.training, preset, seed=seed, round_index=number)
    return trainer.weights()


def measure_network(network: Network, weights: Weights, games: Games) -> Row:
    """Accuracy and squared error on the positions of the test, with their standard errors."""
    player: Any = network.player(weights)
    hits, squares = [], []
    for start in range(0, len(games.best), _ROWS):
        rows = slice(start, start + _ROWS)
        legal = games.test.legal[rows]
        logits, value = player(games.test.observation[rows], legal)
        hits.append(np.where(legal, logits, -np.inf).argmax(axis=1) == games.best[rows])
        squares.append((value - games.test.value[rows, 0]) ** 2)
    hit, square = np.concatenate(hits), np.concatenate(squares)
    root = math.sqrt(len(hit))
    return {
        "accuracy": float(hit.mean()),
        "accuracy_error": float(hit.std()) / root,
        "value_error": float(square.mean()),
        "value_error_error": float(square.std()) / root,
    }


def _rate(network: Network, weights: Weights, games: Games) -> float:
    """Positions answered in a CPU second on one thread."""
    player: Any = network.player(weights)
    observation, legal = games.test.observation[:_RATE_ROWS], games.test.legal[:_RATE_ROWS]
    player(observation, legal)  # warms up
    answered, begin = 0, time.process_time()
    while time.process_time() - begin < _RATE_SECONDS:
        player(observation, legal)
        answered += len(observation)
    return answered / (time.process_time() - begin)


def judge_blocks(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The verdicts on figure 10; claims whose curves share no rate are left out."""
    verdicts = []
    for claim in CLAIMS:
        gains = {
            key: gain
            for key, sign in (("accuracy", 1.0), ("value_error", -1.0))
            if (gain := _gain(rows, claim, key, sign)) is not None
        }
        if len(gains) == 2:
            rulings = [by_interval(low, high) for _, low, high in gains.values()]
            ruling: Ruling = "refuted" if "refuted" in rulings else "not decidable"
            ruling = "confirmed" if set(rulings) == {"confirmed"} else ruling
            numbers = {
                f"{key}{end}": value
                for key, gain in gains.items()
                for end, value in zip((" gained", " low", " high"), gain, strict=True)
            }
            verdicts.append(claim.claim.ruled(ruling, numbers))
    return verdicts


def _gain(rows: Sequence[Row], claim: Faster, key: str, sign: float) -> tuple[float, float, float] | None:
    """What the better blocks gain at the same rate, above zero if they do, with its 95 % interval."""
    gains, errors = [], []
    for seed in sorted({row["seed"] for row in rows}):
        ours, theirs = (
            sorted((row for row in rows if row["seed"] == seed and row["architecture"] == name), key=_rate_of)
            for name in (claim.better, claim.other)
        )
        if not ours or not theirs:
            continue
        low, high = max(ours[0]["rate"], theirs[0]["rate"]), min(ours[-1]["rate"], theirs[-1]["rate"])
        if low > high:
            continue
        at = np.linspace(math.log(low), math.log(high), _PLACES)
        better, other = (
            np.interp(at, np.log([_rate_of(row) for row in many]), [row[key] for row in many])
            for many in (ours, theirs)
        )
        gains.append(sign * float((better - other).mean()))
        errors.append(max(row[f"{key}_error"] for row in (*ours, *theirs)))
    if not gains:
        return None
    middle = sum(gains) / len(gains)
    if len(gains) >= 3:
        return middle, *mean_interval(gains)
    half = Z95 * math.sqrt(2 * sum(error**2 for error in errors)) / len(gains)
    return middle, middle - half, middle + half


def _rate_of(row: Row) -> float:
    return float(row["rate"])


def _draw(request: Request, rows: Sequence[Row]) -> None:
    panels = [
        Panel(
            f"Figure 10: {title}",
            f"positions answered in a CPU second, {CHANNELS} planes and {', '.join(map(str, BLOCKS))} blocks",
            ylabel,
            {name: _series(rows, name, key) for name in ARCHITECTURES},
        )
        for key, title, ylabel in (
            ("accuracy", "policy accuracy", "share of positions with the teacher's move"),
            ("value_error", "error of the value", "squared error of the game's outcome"),
        )
    ]
    draw(request.out / "blocks.png", panels)


def _series(rows: Sequence[Row], name: str, key: str) -> Series:
    """A point a size: the mean rate, and the mean, least and greatest over seeds."""
    points = []
    for size in BLOCKS:
        own = [row for row in rows if (row["architecture"], row["blocks"]) == (name, size)]
        if own:
            values = [row[key] for row in own]
            rate = sum(map(_rate_of, own)) / len(own)
            points.append((rate, sum(values) / len(values), min(values), max(values)))
    columns = zip(*sorted(points), strict=True) if points else ((), (), (), ())
    return Series(*(tuple(column) for column in columns))
