"""Section 4 of the NDMZ paper: three ways to learn Nannon on two boards, round by round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dicezero.experiments.boards import Board, get_boards
from dicezero.experiments.conclusions import conclusions
from dicezero.experiments.figure import Panel, draw, spread
from dicezero.experiments.meter import Meter
from dicezero.experiments.result import write_result
from dicezero.experiments.training import Line, read_lines, train_measured
from dicezero.presets.registry import Preset, get_preset
from dicezero.runs.loading import load_run

ALGORITHMS = ("td-lambda", "alphazero", "ndmz")
Say = Callable[[str], None]


@dataclass(frozen=True)
class Scale:
    """How much of the paper's experiment is run.

    Attributes:
        factor: 1 is the paper: 100 rounds of 300 games; rounds and games shrink with it.
        simulations: of every search; None is the preset's number.
        minutes: of training a run at most; None is no limit.
        rounds: of every run, whatever the factor; None is the preset's number.
        every: rounds between measurements; the first and the last are always measured.
        games: of a match on a board too large to be measured exactly; None as the paper plays, 1,000.
    """

    factor: float = 1.0
    simulations: int | None = None
    minutes: float | None = None
    rounds: int | None = None
    every: int = 1
    games: int | None = None

    def __post_init__(self) -> None:
        if not 0.0 < self.factor <= 1.0:
            raise ValueError(f"scale={self.factor} is out of range; give more than 0 and at most 1")
        for name in ("simulations", "rounds", "every", "games"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name}={value} must be at least 1")
        if self.minutes is not None and self.minutes <= 0:
            raise ValueError(f"minutes={self.minutes} must be more than 0")

    def part(self, whole: int, least: int = 1) -> int:
        """So much of ``whole``."""
        return max(least, round(self.factor * whole))

    def preset(self, name: str, board: Board) -> Preset:
        """The preset on that board: the board's buffer, this scale; measured by the experiment itself."""
        preset = get_preset(name)
        preset = replace(
            preset,
            rounds=self.rounds or self.part(preset.rounds),
            games=self.part(preset.games, 4),
            buffer_games=self.part(min(preset.buffer_games, board.buffer_games), 8),
            steps=self.part(preset.steps) if preset.steps else 0,
            early_rounds=self.part(preset.early_rounds),
            measure_every=0,
        )
        if self.simulations is None or preset.kind not in ("rules", "model"):
            return preset
        return with_simulations(preset, self.simulations)

    def ended(self, line: Line, preset: Preset) -> bool:
        """Whether that measurement is a run's last: all rounds are done, or the minutes are up."""
        time_up = self.minutes is not None and line["seconds"] >= 60 * self.minutes
        return bool(time_up or line["round"] >= preset.rounds)

    def meter(self) -> Meter:
        """The paper's measurement, in proportion."""
        return Meter(games=self.games or self.part(1000, 20), dynamics_games=self.part(500, 10))


def with_simulations(preset: Preset, simulations: int) -> Preset:
    """The preset that trains and plays with so many simulations."""
    return replace(
        preset,
        search=replace(preset.search, simulations=simulations),
        play=replace(preset.play, simulations=simulations),
    )


def reproduce_ndmz(
    out: Path,
    *,
    board: str = "both",
    algorithms: Sequence[str] = ALGORITHMS,
    seeds: Sequence[int] = (0, 1, 2),
    scale: Scale | None = None,
    say: Say | None = None,
) -> dict[str, Any]:
    """Runs what is not done yet, then writes ``ndmz.json`` and figures 2a, 2b, 3a and 3b into ``out``."""
    scale = scale or Scale()
    boards = get_boards(board)
    for name in algorithms:
        get_preset(name)
    try:
        for seed in seeds:
            for place in boards:
                for algorithm in algorithms:
                    _one_run(out, place, algorithm, seed, scale, say)
    finally:
        result = _summary(out, boards, algorithms, seeds)
    return result


def run_folder(out: Path, board: Board, name: str, seed: int) -> Path:
    """Where a run lives; its measurements are beside it, with ``.jsonl`` added."""
    return out / "runs" / f"{board.name}-{name}-{seed}"


def run_one(
    folder: Path, preset: Preset, board: Board, *, seed: int, scale: Scale, title: str, say: Say | None
) -> list[Line]:
    """A measured run, reported a line a round."""

    def report(line: Line) -> None:
        if say:
            scores = f"vs perfect {line['vs_optimal']:.4f} (network {line['network_vs_optimal']:.4f})"
            model = f", top move {line['top_move']:.3f}" if "top_move" in line else ""
            clock = f"{line['seconds'] / 60:.1f} min + {line['seconds_evaluating']:.1f} s measuring"
            say(f"{title}: round {line['round']}/{preset.rounds}, {scores}{model}, {clock}")

    meter = scale.meter()
    return train_measured(
        preset,
        board.game,
        folder,
        rounds=preset.rounds,
        seed=seed,
        measure=lambda planner, _: meter.measure(board, preset, planner),
        every=scale.every,
        minutes=scale.minutes,
        on_line=report,
    )


def _one_run(out: Path, board: Board, algorithm: str, seed: int, scale: Scale, say: Say | None) -> None:
    folder = run_folder(out, board, algorithm, seed)
    preset = scale.preset(algorithm, board)
    title = f"{board.name} {algorithm} seed {seed}"
    run_one(folder, preset, board, seed=seed, scale=scale, title=title, say=say)
    if board.exact or scale.factor < 1.0:
        return
    exact = folder.parent / f"{folder.name}.exact.json"
    run = load_run(folder, board.game)
    if not exact.exists():
        measured = scale.meter().exact_network(board, run.planner)
        write_result(exact, {"round": run.round, **measured}, seeds=[seed], hours=0.0)
        if say:
            say(f"{title}: network alone, exactly: {measured['vs_optimal']:.4f} against perfect play")


def hours_of(lines: Sequence[Line]) -> float:
    """Training and measuring."""
    return (lines[-1]["seconds"] + sum(line["seconds_evaluating"] for line in lines)) / 3600 if lines else 0.0


def by_round(runs: Sequence[Sequence[Line]], key: str) -> list[list[tuple[float, float]]]:
    """(round, value) points of each run."""
    return [[(line["round"], line[key]) for line in lines if key in line] for lines in runs]


def _summary(
    out: Path, boards: Sequence[Board], algorithms: Sequence[str], seeds: Sequence[int]
) -> dict[str, Any]:
    by_board: dict[str, dict[str, list[list[Line]]]] = {}
    for board in boards:
        runs = {name: _finished(out, board, name, seeds) for name in algorithms}
        if any(runs.values()):
            by_board[board.name] = {name: lines for name, lines in runs.items() if lines}
    boards = [board for board in boards if board.name in by_board]
    hours = sum(hours_of(lines) for runs in by_board.values() for many in runs.values() for lines in many)
    data: dict[str, Any] = {
        "boards": {
            board.name: {
                "perfect_vs_random": board.perfect_vs_random,
                "exact": board.exact,
                "algorithms": {
                    algorithm: _last(by_board[board.name][algorithm]) for algorithm in by_board[board.name]
                },
            }
            for board in boards
        },
        "conclusions": conclusions(by_board),
        "rounds": {
            board: {name: [_slim(lines) for lines in many] for name, many in runs.items()}
            for board, runs in by_board.items()
        },
    }
    write_result(out / "ndmz.json", data, seeds=seeds, hours=hours)
    _figures(out, boards, by_board)
    return {key: value for key, value in data.items() if key != "rounds"} | {"hours": hours}


def _finished(out: Path, board: Board, algorithm: str, seeds: Sequence[int]) -> list[list[Line]]:
    stores = [run_folder(out, board, algorithm, seed) for seed in seeds]
    lines = [read_lines(store.parent / f"{store.name}.jsonl") for store in stores]
    return [run for run in lines if run]


def _slim(lines: Sequence[Line]) -> list[Line]:
    """By depth for the last round only; the others are in the run's own file."""
    return [{k: v for k, v in line.items() if k != "by_depth" or line is lines[-1]} for line in lines]


def _last(runs: Sequence[Sequence[Line]]) -> dict[str, Any]:
    keys = ("vs_optimal", "vs_random", "network_vs_optimal", "network_vs_random", "top_move", "uniform")
    last = [lines[-1] for lines in runs]
    last_values: dict[str, Any] = {
        key: [line[key] for line in last] for key in keys if all(key in line for line in last)
    }
    return last_values | {
        "rounds": [line["round"] for line in last],
        "minutes_training": [line["seconds"] / 60 for line in last],
    }


def _figures(
    out: Path, boards: Sequence[Board], by_board: Mapping[str, Mapping[str, list[list[Line]]]]
) -> None:
    for board in boards:
        runs = by_board[board.name]
        panels = [
            Panel(
                title=f"{board.name}: against {who} play",
                xlabel="round",
                ylabel="score",
                lines={name: spread(by_round(lines, key)) for name, lines in runs.items()},
                level=(level, "perfect play"),
            )
            for who, key, level in (
                ("perfect", "vs_optimal", 0.5),
                ("random", "vs_random", board.perfect_vs_random),
            )
        ]
        draw(out / f"figure-2{'a' if board.name == '6-3-6' else 'b'}.png", panels)
    for letter, key, title in (("a", "top_move", "Top-move"), ("b", "uniform", "Uniform")):
        lines = {
            f"{board} {name}": spread(by_round(runs, key))
            for board, many in by_board.items()
            for name, runs in many.items()
            if any(key in line for run in runs for line in run)
        }
        panel = Panel(f"{title} test of the learned dynamics", "round", "share of positions", lines)
        draw(out / f"figure-3{letter}.png", [panel])
