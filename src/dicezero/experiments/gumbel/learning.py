"""The parts of the experiment that train: the sweep, the ablations, and networks that think longer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from dicezero.experiments.figure import Panel, draw, spread
from dicezero.experiments.gumbel.ablations import ABLATIONS, EVALUATED, THINKING, Ablation
from dicezero.experiments.gumbel.connect_four import Judge
from dicezero.experiments.gumbel.learning_claims import SWEEP, judge_runs
from dicezero.experiments.gumbel.methods import BASE, METHODS, Method, get_method
from dicezero.experiments.gumbel.request import Request, read_data
from dicezero.experiments.gumbel.sweep import (
    SIMULATIONS,
    Job,
    draw_sweep,
    equal_minutes,
    jobs_of,
    judge_of,
    last_points,
    planner_of_job,
    rows_of,
    run_jobs,
)
from dicezero.experiments.gumbel.verdict import Claim, yes_or_no
from dicezero.experiments.result import write_result

_ALLOWED_FALL = 0.03
_THINKING = Claim(
    "more thinking never hurts",
    "figure 9",
    "Networks trained with few simulations play better the more simulations evaluation has.",
    f"Agreement by simulations of evaluation, mean over seeds. Confirmed if it never falls by more than "
    f"{_ALLOWED_FALL} from one number to the next, for every network.",
)
_NOISE = Claim(
    "Gumbel noise at evaluation",
    "figure 8b",
    "Evaluation with stochastic Gumbel noise is not worse than without.",
    f"Agreement with 100 simulations. Confirmed if with noise it is at most {_ALLOWED_FALL} lower, for "
    "every network.",
)


def sweep(request: Request) -> dict[str, Any]:
    """Figure 2 on Connect Four: ``sweep.json``, ``simulations.png`` and ``figure-2.png``."""
    methods = [get_method(name) for name in request.algorithms or METHODS]
    return _learn(request, "sweep", methods, request.simulations or SIMULATIONS)


def ablation(request: Request, name: str) -> dict[str, Any]:
    """One of the ablations: ``NAME.json`` and ``NAME.png``."""
    chosen = ABLATIONS[name]
    return _learn(request, name, chosen.methods, request.simulations or chosen.simulations)


def _learn(
    request: Request, name: str, methods: Sequence[Method], simulations: Sequence[int]
) -> dict[str, Any]:
    jobs = jobs_of(methods, simulations, request.seeds)
    judge = judge_of(request.out, request.scale)
    try:
        run_jobs(request.out, jobs, request.scale, judge, request.say)
    finally:
        result = _summary(request, name, methods, jobs, judge)
    return result


def _summary(
    request: Request, name: str, methods: Sequence[Method], jobs: Sequence[Job], judge: Judge
) -> dict[str, Any]:
    out, rows = request.out, rows_of(request.out, jobs, request.scale)
    positions, chance = len(judge.asked.moves), judge.asked.by_chance
    comparisons = SWEEP if name == "sweep" else ABLATIONS[name].comparisons
    verdicts = judge_runs(comparisons, rows, positions=positions)
    minutes, cut = equal_minutes(rows)
    data = {
        "verdicts": verdicts,
        "runs_wanted": len(jobs),
        "runs_ended": sum(row["ended"] for row in rows),
        "positions": positions,
        "random_moves_agree": chance,
        "evaluation_simulations": judge.simulations,
        "settings": {method.name: dict(method.settings) for method in methods},
        "equal_minutes": {
            "minutes": minutes,
            "rows": [
                {k: row[k] for k in ("method", "simulations", "seed")} | row["lines"][-1] for row in cut
            ],
        },
        "rows": rows,
    }
    hours = sum(row["hours"] for row in rows)
    write_result(out / f"{name}.json", data, seeds=request.seeds, hours=hours)
    names = [method.name for method in methods]
    if name == "sweep":
        draw_sweep(out, rows, names, chance=chance)
    else:
        _draw_ablation(out / f"{name}.png", ABLATIONS[name], rows, names, chance)
    shown = ("verdicts", "runs_wanted", "runs_ended")
    ends = [
        {k: row[k] for k in ("method", "simulations", "seed", "ended")} | row["lines"][-1] for row in rows
    ]
    return {**{key: data[key] for key in shown}, "ends": ends}


def _draw_ablation(
    path: Path, chosen: Ablation, rows: Sequence[dict[str, Any]], names: Sequence[str], chance: float
) -> None:
    panels = [
        Panel(
            f"{chosen.title} ({chosen.figure}): {words}",
            "simulations a move in training",
            "share of positions where the outcome is kept",
            {name: spread(points) for name in names if (points := last_points(rows, name, key))},
            (chance, "random moves"),
            ticks=tuple(sorted({row["simulations"] for row in rows if row["ended"]})),
        )
        for key, words in (("network_agreement", "network alone"), ("agreement", "with search"))
    ]
    if any(panel.lines for panel in panels):
        draw(path, panels)


def evaluation(request: Request) -> dict[str, Any]:
    """Figures 8b and 9: ``evaluation.json`` and ``evaluation.png``; trains what it needs first."""
    trained = request.simulations or EVALUATED
    jobs = jobs_of([BASE], trained, request.seeds)
    judge = judge_of(request.out, request.scale)
    run_jobs(request.out, jobs, request.scale, judge, request.say)
    path = request.out / "evaluation.json"
    before = {_address(row): row for row in (read_data(path) or {}).get("rows", [])}
    rows: list[dict[str, Any]] = []
    for job in jobs:
        planner, digest = planner_of_job(request.out, job)
        preset = job.method.at(job.simulations, request.scale)
        for n in THINKING:
            known = before.get((job.simulations, job.seed, n, digest, len(judge.asked.moves)))
            if known is None:
                noisy = judge.agreement(preset, planner, n, noise=True) if n == judge.simulations else None
                known = {
                    "trained": job.simulations,
                    "seed": job.seed,
                    "simulations": n,
                    "weights": digest,
                    "positions": len(judge.asked.moves),
                    "agreement": judge.agreement(preset, planner, n),
                    "agreement_with_noise": noisy,
                }
                if request.say:
                    request.say(f"{job.title}, played with {n}: {known['agreement']:.3f}")
            rows.append(known)
            write_result(path, {"rows": rows}, seeds=request.seeds, hours=0.0)
    verdicts = judge_evaluation(rows)
    write_result(path, {"verdicts": verdicts, "rows": rows}, seeds=request.seeds, hours=0.0)
    lines = {f"trained with n = {n}": spread(_thinking(rows, n)) for n in trained}
    panel = Panel(
        "The same network, more thinking (figure 9)",
        "simulations when measured; 0 is the network alone",
        "share of positions where the outcome is kept",
        lines,
        (judge.asked.by_chance, "random moves"),
        THINKING,
    )
    draw(request.out / "evaluation.png", [panel])
    return {"verdicts": verdicts}


def judge_evaluation(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The verdicts on figures 8b and 9."""
    falls, losses = {}, {}
    for n in sorted({row["trained"] for row in rows}):
        line = spread(_thinking(rows, n)).middle
        falls[f"greatest fall, n = {n}"] = max([0.0, *(a - b for a, b in pairwise(line))])
        noisy = [row for row in rows if row["trained"] == n and row["agreement_with_noise"] is not None]
        if noisy:
            lost = [row["agreement"] - row["agreement_with_noise"] for row in noisy]
            losses[f"lost by noise, n = {n}"] = sum(lost) / len(lost)
    verdicts = [_THINKING.ruled(yes_or_no(max(falls.values()) <= _ALLOWED_FALL), falls)]
    if losses:
        verdicts.append(_NOISE.ruled(yes_or_no(max(losses.values()) <= _ALLOWED_FALL), losses))
    return verdicts


def _thinking(rows: Sequence[dict[str, Any]], trained: int) -> list[list[tuple[float, float]]]:
    by_seed: dict[int, list[tuple[float, float]]] = {}
    for row in rows:
        if row["trained"] == trained:
            by_seed.setdefault(row["seed"], []).append((row["simulations"], row["agreement"]))
    return list(by_seed.values())


def _address(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row.get(key) for key in ("trained", "seed", "simulations", "weights", "positions"))
