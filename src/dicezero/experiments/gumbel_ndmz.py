"""Strength against simulations: what figure 2 of the Gumbel paper is for Go, for a game of chance.

``reproduce_gumbel_ndmz`` trains and plays with each number of simulations. ``thinking_curve`` takes runs as
they are and plays them with more and more: more thinking must never hurt.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from dicezero.evaluation.runs import play_config
from dicezero.experiments.boards import BOARDS, Board, get_boards
from dicezero.experiments.figure import Panel, draw, spread
from dicezero.experiments.ndmz import Say, Scale, hours_of, run_folder, run_one, with_simulations
from dicezero.experiments.result import write_result
from dicezero.experiments.training import Line, read_lines
from dicezero.presets.registry import get_preset
from dicezero.presets.settings import with_settings
from dicezero.runs.loading import Run, load_run

ALGORITHMS = ("ndmz", "gumbel-ndmz")
SIMULATIONS = (2, 4, 8, 16, 32, 100)
THINKING = (0, 2, 4, 8, 16, 32, 100, 400)
ALLOWED_FALL = 0.002  # of score from one number of simulations to the next


def reproduce_gumbel_ndmz(
    out: Path,
    *,
    board: str = "both",
    algorithms: Sequence[str] = ALGORITHMS,
    simulations: Sequence[int] = SIMULATIONS,
    seeds: Sequence[int] = (0,),
    scale: Scale | None = None,
    say: Say | None = None,
) -> dict[str, Any]:
    """Trains and plays with each number of simulations; writes ``gumbel-ndmz.json`` and a figure a board."""
    scale = scale or Scale()
    boards = get_boards(board)
    for name in algorithms:
        if get_preset(name).kind not in ("rules", "model"):
            raise ValueError(f"algorithms: {name} does not search; give presets that do")
    try:
        for seed in seeds:
            for place in boards:
                for name in algorithms:
                    for n in simulations:
                        preset = with_simulations(scale.preset(name, place), n)
                        folder = run_folder(out, place, f"{name}-n{n}", seed)
                        title = f"{place.name} {name} n={n} seed {seed}"
                        run_one(folder, preset, place, seed=seed, scale=scale, title=title, say=say)
    finally:
        result = _summary(out, boards, algorithms, simulations, seeds, scale)
    return result


def _summary(
    out: Path,
    boards: Sequence[Board],
    algorithms: Sequence[str],
    simulations: Sequence[int],
    seeds: Sequence[int],
    scale: Scale,
) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    hours = 0.0
    for board in boards:
        for name in algorithms:
            for n in simulations:
                for seed in seeds:
                    folder = run_folder(out, board, f"{name}-n{n}", seed)
                    lines = read_lines(folder.parent / f"{folder.name}.jsonl")
                    if lines:
                        hours += hours_of(lines)
                        ended = scale.ended(lines[-1], scale.preset(name, board))
                        rows.append({**_row(board, name, n, seed, lines[-1]), "ended": ended})
    trained = [
        curve
        for board in boards
        for name in algorithms
        if (curve := trained_curve(rows, board.name, name, simulations))
    ]
    data: dict[str, Any] = {"rows": rows, "trained": trained}
    write_result(out / "gumbel-ndmz.json", data, seeds=seeds, hours=hours)
    for board in boards:
        panels = [
            Panel(
                title=f"{board.name}: {words}",
                xlabel="simulations, trained and played",
                ylabel="score against perfect play",
                lines={name: spread([_points(rows, board.name, name, key)]) for name in algorithms},
                level=(0.5, "perfect play"),
                ticks=tuple(simulations),
            )
            for key, words in (("vs_optimal", "with search"), ("network_vs_optimal", "network alone"))
        ]
        if any(row["board"] == board.name for row in rows):
            draw(out / f"simulations-{board.name}.png", panels)
    return {**data, "hours": hours}


def _row(board: Board, name: str, n: int, seed: int, line: Line) -> dict[str, Any]:
    kept = ("round", "vs_optimal", "network_vs_optimal", "vs_random", "top_move", "uniform")
    figures = {key: line[key] for key in kept if key in line}
    minutes = line["seconds"] / 60
    return {
        "board": board.name,
        "algorithm": name,
        "simulations": n,
        "seed": seed,
        **figures,
        "minutes": minutes,
    }


def trained_curve(
    rows: Sequence[dict[str, Any]], board: str, name: str, simulations: Sequence[int]
) -> dict[str, Any] | None:
    """Mean, least and greatest score over the seeds whose runs of every number have ended; None for none."""
    scores: dict[int, dict[int, float]] = {}
    for row in rows:
        if (row["board"], row["algorithm"]) == (board, name) and row["ended"]:
            scores.setdefault(row["seed"], {})[row["simulations"]] = row["vs_optimal"]
    whole = {
        seed: by_simulations
        for seed, by_simulations in scores.items()
        if set(simulations) <= by_simulations.keys()
    }
    if not whole:
        return None
    line = spread([sorted(by_simulations.items()) for by_simulations in whole.values()])
    points = [
        {"simulations": n, "vs_optimal": middle, "least": low, "greatest": high}
        for n, middle, low, high in zip(line.x, line.middle, line.low, line.high, strict=True)
    ]
    return {
        "board": board,
        "algorithm": name,
        "seeds": sorted(whole),
        "points": points,
        **_verdict(line.middle),
    }


def _verdict(scores: Sequence[float]) -> dict[str, Any]:
    """Whether more thinking hurt: ``scores`` by rising number of simulations."""
    fall = max((before - after for before, after in pairwise(scores)), default=0.0)
    return {"greatest_fall": max(0.0, fall), "never_hurts": fall <= ALLOWED_FALL}


def _points(rows: Sequence[dict[str, Any]], board: str, name: str, key: str) -> list[tuple[float, float]]:
    """(simulations, score) of the runs that have ended: a half-trained one would look like a weak number."""
    return [
        (row["simulations"], row[key])
        for row in rows
        if row["board"] == board and row["algorithm"] == name and row["ended"]
    ]


def thinking_curve(
    out: Path,
    runs: Sequence[Path],
    *,
    simulations: Sequence[int] = THINKING,
    variants: Sequence[str] = (),
    seed: int = 0,
    scale: Scale | None = None,
    say: Say | None = None,
) -> dict[str, Any]:
    """Each run played with each number of simulations; writes ``thinking.json`` and ``thinking.png``.

    With variants such as ``"chance_value=mean,c_scale=0.1"`` each run is played in each of these ways, not
    with its preset's settings. 0 is the network alone. On a small board scores are exact; on a large one they
    are played, adjusted for luck, with the same dice for every number of simulations.
    """
    scale, begin = scale or Scale(), time.perf_counter()
    boards: dict[str, Board] = {}
    curves: list[dict[str, Any]] = []
    loaded = [(path, load_run(path)) for path in runs]  # once: a run under way goes on meanwhile
    for (path, run), variant in product(loaded, variants or ("",)):
        preset = with_settings(run.config.preset, _play_settings(variant))
        board = _board_of(run, boards)
        meter = scale.meter()
        points: list[dict[str, Any]] = []
        for n in simulations:
            scores = meter.scores(board, run.planner, play_config(preset, n))
            points.append({"simulations": n, **scores})
            if say:
                say(f"{path} {variant}: {n} simulations, {scores['vs_optimal']:.4f} against perfect play")
        curves.append(
            {
                "run": path.name,
                "variant": variant,
                "preset": preset.name,
                "board": board.name,
                "round": run.round,
                "points": points,
                **_verdict([point["vs_optimal"] for point in points]),
            }
        )
        hours = (time.perf_counter() - begin) / 3600
        write_result(out / "thinking.json", {"curves": curves}, seeds=[seed], hours=hours)
    _thinking_figure(out, boards, curves, simulations)
    return {"curves": curves, "hours": (time.perf_counter() - begin) / 3600}


def _play_settings(variant: str) -> dict[str, str]:
    """``"chance_value=mean,c_scale=0.1"`` as settings of a preset's ``play``."""
    settings = {}
    for part in filter(None, variant.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"variants: {part!r} must be NAME=VALUE, as in chance_value=mean,c_scale=0.1")
        settings[f"play.{key.strip()}"] = value.strip()
    return settings


def _board_of(run: Run, boards: dict[str, Board]) -> Board:
    for name in BOARDS:
        board = boards.get(name) or get_boards(name)[0]
        if str(board.game) == str(run.game):
            return boards.setdefault(name, board)
    raise ValueError(
        f"runs: {run.config.game} is neither board of the paper; give runs of {' or '.join(BOARDS)}"
    )


def _thinking_figure(
    out: Path, boards: dict[str, Board], curves: Sequence[dict[str, Any]], simulations: Sequence[int]
) -> None:
    panels = []
    for name in boards:
        lines = {
            curve["variant"] or f"{curve['preset']} ({curve['run']})": spread(
                [[(point["simulations"], point["vs_optimal"]) for point in curve["points"]]]
            )
            for curve in curves
            if curve["board"] == name
        }
        level = (0.5, "perfect play")
        title = f"{name}: the same network, more thinking"
        ticks = tuple(simulations)
        panels.append(Panel(title, "simulations", "score against perfect play", lines, level, ticks))
    draw(out / "thinking.png", panels)
