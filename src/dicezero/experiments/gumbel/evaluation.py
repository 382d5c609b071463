"""Figures 8b and 9: the same networks, searched with more and with fewer simulations than in training."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from dicezero.experiments.figure import Panel, draw, spread
from dicezero.experiments.gumbel.ablations import EVALUATED, THINKING
from dicezero.experiments.gumbel.connect_four import Judge, judge_of
from dicezero.experiments.gumbel.ledger import Address, Row, filled
from dicezero.experiments.gumbel.methods import BASE
from dicezero.experiments.gumbel.request import Request
from dicezero.experiments.gumbel.study import Job, jobs_of
from dicezero.experiments.gumbel.sweep import run_jobs
from dicezero.experiments.gumbel.verdict import Claim, yes_or_no
from dicezero.experiments.result import write_result
from dicezero.runs.loading import load_run

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


def evaluation(request: Request) -> dict[str, Any]:
    """Figures 8b and 9: ``evaluation.json`` and ``evaluation.png``; trains what it needs first."""
    trained = request.simulations or EVALUATED
    jobs = jobs_of([BASE], trained, request.seeds)
    judge = judge_of(request.out, request.scale)
    run_jobs(request.out, jobs, request.scale, judge, request.say)
    rows: list[Row] = []
    for job in jobs:
        rows += _evaluated(request, job, judge)
    verdicts = judge_evaluation(rows)
    hours = sum(row["seconds"] for row in rows) / 3600
    data = {"verdicts": verdicts, **judge.facts(), "rows": rows}
    write_result(request.out / "evaluation.json", data, seeds=request.seeds, hours=hours)
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


def _evaluated(request: Request, job: Job, judge: Judge) -> list[Row]:
    """A row for each number of simulations that the run is measured with; what is known is not done again."""
    run, preset = load_run(job.folder(request.out)), job.method.at(job.simulations, request.scale)
    common = {
        "trained": job.simulations,
        "seed": job.seed,
        "weights": run.sha256,
        "positions": len(judge.asked.moves),
    }

    def make(address: Address) -> Row:
        begin, n = time.perf_counter(), address["simulations"]
        noisy = judge.agreement(preset, run.planner, n, noise=True) if n == judge.simulations else None
        return {
            "agreement": judge.agreement(preset, run.planner, n),
            "agreement_with_noise": noisy,
            "seconds": time.perf_counter() - begin,
        }

    def report(row: Row) -> None:
        if request.say:
            request.say(f"{job.title}, played with {row['simulations']}: {row['agreement']:.3f}")

    wanted = [{**common, "simulations": n} for n in THINKING]
    ledger = request.out / "runs" / "evaluation.json"
    return filled(ledger, wanted, make, seeds=request.seeds, on_row=report)


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
