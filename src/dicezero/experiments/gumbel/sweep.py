"""Figures 2 and 3 on Connect Four: every agent trained with every number of simulations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dicezero.experiments.figure import Panel, draw, spread
from dicezero.experiments.gumbel.connect_four import EVALUATION, Judge
from dicezero.experiments.gumbel.methods import Method
from dicezero.experiments.ndmz import Say, Scale, hours_of
from dicezero.experiments.perfect import asked
from dicezero.experiments.training import Line, read_lines, train_measured
from dicezero.presets.preset import Preset
from dicezero.runs.loading import load_run
from dicezero.selfplay.planners import Planner

SIMULATIONS = (2, 4, 8, 16, 32, 50, 200)
POSITIONS, GAMES = 600, 200  # of the test; a short run is asked about all positions too
_MEASURED = 10  # times in a run, where --every does not say more often


@dataclass(frozen=True)
class Job:
    """One run: a method, a number of simulations, a seed."""

    method: Method
    simulations: int
    seed: int

    def folder(self, out: Path) -> Path:
        """Where the run lives; its measurements are beside it, with ``.jsonl`` added."""
        return out / "runs" / f"{self.method.name}-n{self.simulations}-{self.seed}"

    @property
    def title(self) -> str:
        """Of lines of progress."""
        return f"{self.method.name} n={self.simulations} seed {self.seed}"


def jobs_of(methods: Sequence[Method], simulations: Sequence[int], seeds: Sequence[int]) -> list[Job]:
    """Seed by seed, so that a sweep that is stopped has whole figures of fewer seeds; cheap ones first."""
    return [Job(m, n, seed) for seed in seeds for n in sorted(simulations) for m in methods]


def judge_of(out: Path, scale: Scale) -> Judge:
    """The test of all runs under ``out``."""
    games = scale.games or scale.part(GAMES, 100)
    return Judge(asked(out / "positions.json", positions=POSITIONS, games=games))


def run_jobs(out: Path, jobs: Sequence[Job], scale: Scale, judge: Judge, say: Say | None) -> None:
    """Trains what is not trained yet; a run that was stopped goes on."""
    for number, job in enumerate(jobs, 1):
        preset, folder = job.method.at(job.simulations, scale), job.folder(out)
        lines = read_lines(folder.parent / f"{folder.name}.jsonl")
        if not lines or not scale.ended(lines[-1], preset):
            _run(folder, preset, job, scale, judge, say, f"[{number}/{len(jobs)}] {job.title}")


def _run(
    folder: Path, preset: Preset, job: Job, scale: Scale, judge: Judge, say: Say | None, title: str
) -> None:
    def tell(line: Line) -> None:
        if say:
            score = f", {line['score']:.3f} against it" if "score" in line else ""
            say(
                f"{title}: round {line['round']}/{preset.rounds}, keeps the outcome in "
                f"{line['agreement']:.3f} (network {line['network_agreement']:.3f}){score}, "
                f"{line['seconds'] / 60:.1f} min"
            )

    def measure(planner: Planner, done: int) -> dict[str, Any]:
        return judge.measure(preset, planner, last=done == preset.rounds)

    train_measured(
        preset,
        judge.asked.game,
        folder,
        rounds=preset.rounds,
        seed=job.seed,
        measure=measure,
        every=max(scale.every, preset.rounds // _MEASURED),
        minutes=scale.minutes,
        on_line=tell,
    )


def rows_of(out: Path, jobs: Sequence[Job], scale: Scale) -> list[dict[str, Any]]:
    """What the runs that have begun have reached: a row a run, its lines in it."""
    return [row for job in jobs if (row := _row(out, job, scale))]


def _row(out: Path, job: Job, scale: Scale) -> dict[str, Any] | None:
    preset, folder = job.method.at(job.simulations, scale), job.folder(out)
    lines = read_lines(folder.parent / f"{folder.name}.jsonl")
    if not lines:
        return None
    kept = ("round", "seconds", "cpu_seconds", "agreement", "network_agreement", "score", "score_ci95")
    slim = [{key: line[key] for key in kept if key in line} for line in lines]
    for line in slim:
        line["games"] = line["round"] * preset.games
        line.setdefault("cpu_seconds", 0.0)  # before the first round
    return {
        "method": job.method.name,
        "simulations": job.simulations,
        "seed": job.seed,
        "ended": scale.ended(lines[-1], preset),
        "games_played": lines[-1].get("games_played", 0),
        "hours": hours_of(lines),
        "lines": slim,
    }


def finished(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that have ended: a half-trained run would look like a weak number of simulations."""
    return [row for row in rows if row["ended"]]


def last_points(rows: Sequence[dict[str, Any]], method: str, key: str) -> list[list[tuple[float, float]]]:
    """(simulations, what was reached in the end), a list a seed."""
    by_seed: dict[int, list[tuple[float, float]]] = {}
    for row in finished(rows):
        if row["method"] == method and key in row["lines"][-1]:
            by_seed.setdefault(row["seed"], []).append((row["simulations"], row["lines"][-1][key]))
    return [sorted(points) for points in by_seed.values()]


def equal_minutes(rows: Sequence[dict[str, Any]]) -> tuple[float, list[dict[str, Any]]]:
    """What each run had reached when the shortest of all was over: CPU minutes, and the rows cut there."""
    done = finished(rows)
    if not done:
        return 0.0, []
    seconds = min(row["lines"][-1]["cpu_seconds"] for row in done)
    cut = [{**row, "lines": [x for x in row["lines"] if x["cpu_seconds"] <= seconds + 1e-9]} for row in done]
    return seconds / 60, cut


def draw_sweep(out: Path, rows: Sequence[dict[str, Any]], methods: Sequence[str], *, chance: float) -> None:
    """The end of every run by number of simulations, and figure 2: curves by games and by minutes."""
    done = finished(rows)
    if not done:
        return
    ticks = tuple(sorted({row["simulations"] for row in done}))
    names = [name for name in methods if any(row["method"] == name for row in done)]
    minutes, cut = equal_minutes(rows)
    level = (chance, "random moves")

    def panel(title: str, ylabel: str, source: Sequence[dict[str, Any]], key: str, at: Any) -> Panel:
        lines = {name: spread(last_points(source, name, key)) for name in names}
        return Panel(title, "simulations a move in training", ylabel, lines, at, ticks)

    agrees = "share of positions where the outcome is kept"
    searching = f"{EVALUATION} simulations when measured"
    panels = [
        panel("The network alone, equal games", agrees, rows, "network_agreement", level),
        panel(f"The network alone, after {minutes:.2g} CPU minutes", agrees, cut, "network_agreement", level),
        panel(f"With search, equal games ({searching})", agrees, rows, "agreement", level),
        panel(f"Games with the solver ({searching})", "score", rows, "score", (0.5, "perfect play")),
    ]
    draw(out / "simulations.png", panels, columns=2)
    draw(out / "figure-2.png", list(_curves(done, names, ticks, level)), columns=len(ticks))


def _curves(
    rows: Sequence[dict[str, Any]], names: Sequence[str], ticks: Sequence[int], level: tuple[float, str]
) -> Iterator[Panel]:
    for key, unit, factor in (("games", "games of self-play", 1.0), ("cpu_seconds", "CPU minutes", 1 / 60)):
        for n in ticks:
            lines = {
                name: spread(
                    [
                        [(factor * line[key], line["network_agreement"]) for line in row["lines"]]
                        for row in rows
                        if (row["method"], row["simulations"]) == (name, n)
                    ]
                    if key == "games"
                    else [_by_minutes(rows, name, n, factor)]
                )
                for name in names
            }
            shown = {name: line for name, line in lines.items() if line.x}
            yield Panel(f"n = {n}", unit, "network alone keeps the outcome", shown, level)


def _by_minutes(
    rows: Sequence[dict[str, Any]], name: str, n: int, factor: float
) -> list[tuple[float, float]]:
    """The mean over seeds, round by round: no two seeds take the same time."""
    own = [row["lines"] for row in rows if (row["method"], row["simulations"]) == (name, n)]
    return [
        (
            factor * sum(line["cpu_seconds"] for line in column) / len(column),
            sum(line["network_agreement"] for line in column) / len(column),
        )
        for column in zip(*own, strict=False)
    ]


def planner_of_job(out: Path, job: Job) -> tuple[Planner, str]:
    """What a run plays with, and the sum of its weights."""
    run = load_run(job.folder(out))
    return run.planner, run.sha256
