"""The loop over runs that every part shares: train what is missing, measure it, judge it, draw it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dicezero.experiments.gumbel.learning_claims import judge_runs
from dicezero.experiments.gumbel.rated import play as play_tournament
from dicezero.experiments.gumbel.rated import terms_of, with_elo
from dicezero.experiments.gumbel.request import Request
from dicezero.experiments.gumbel.study import Job, Judge, Study, jobs_of
from dicezero.experiments.gumbel.sweep_figures import draw_study, equal_minutes
from dicezero.experiments.ndmz import Say, Scale, hours_of
from dicezero.experiments.result import write_result
from dicezero.experiments.training import Line, read_lines, train_measured
from dicezero.presets.preset import Preset
from dicezero.selfplay.planners import Planner

_NOT_KEPT = ("seconds_evaluating", "games_played")  # of a line, beside the terms of the loss


def learn(request: Request, study: Study) -> dict[str, Any]:
    """Trains and measures what is missing of a study; writes ``NAME.json`` and its figures."""
    simulations = request.simulations or study.simulations
    jobs = jobs_of(study.chosen(request.algorithms), simulations, request.seeds, study.prefix)
    judge = study.judge(request.out, request.scale)
    try:
        run_jobs(request.out, jobs, request.scale, judge, request.say, measured=study.measured)
        if study.rated:
            play_tournament(request, study, jobs, judge)
    finally:
        result = _summary(request, study, jobs, judge)
    return result


def run_jobs(
    out: Path, jobs: Sequence[Job], scale: Scale, judge: Judge, say: Say | None, *, measured: int = 10
) -> None:
    """Trains what is not trained yet; a run that was stopped goes on."""
    for number, job in enumerate(jobs, 1):
        preset, folder = job.method.at(job.simulations, scale), job.folder(out)
        lines = read_lines(folder.parent / f"{folder.name}.jsonl")
        if not lines or not scale.ended(lines[-1], preset):
            every = max(scale.every, preset.rounds // measured)
            _run(folder, preset, job, scale, judge, say, f"[{number}/{len(jobs)}] {job.title}", every)


def _run(
    folder: Path,
    preset: Preset,
    job: Job,
    scale: Scale,
    judge: Judge,
    say: Say | None,
    title: str,
    every: int,
) -> None:
    def report(line: Line) -> None:
        if say:
            words = f"round {line['round']}/{preset.rounds}, {judge.summary(line)}"
            say(f"{title}: {words}, {line['seconds'] / 60:.1f} min")

    def measure(planner: Planner, done: int) -> dict[str, Any]:
        return judge.measure(preset, planner, last=done == preset.rounds)

    train_measured(
        preset,
        judge.game,
        folder,
        rounds=preset.rounds,
        seed=job.seed,
        measure=measure,
        every=every,
        minutes=scale.minutes,
        on_line=report,
    )


def rows_of(out: Path, jobs: Sequence[Job], scale: Scale) -> list[dict[str, Any]]:
    """What the runs that have begun have reached: a row a run, its lines in it."""
    return [row for job in jobs if (row := _row(out, job, scale))]


def _row(out: Path, job: Job, scale: Scale) -> dict[str, Any] | None:
    preset, folder = job.method.at(job.simulations, scale), job.folder(out)
    lines = read_lines(folder.parent / f"{folder.name}.jsonl")
    if not lines:
        return None
    slim = [
        {key: value for key, value in line.items() if key not in _NOT_KEPT and not key.startswith("loss_")}
        for line in lines
    ]
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


def _summary(request: Request, study: Study, jobs: Sequence[Job], judge: Judge) -> dict[str, Any]:
    out, rows = request.out, rows_of(request.out, jobs, request.scale)
    if study.rated:
        rows = with_elo(request, study, jobs, rows)
    minutes, cut = equal_minutes(rows)
    verdicts = judge_runs(study.comparisons, rows, judge.criterion)
    ended = sum(row["ended"] for row in rows)
    data = {
        "verdicts": verdicts,
        "runs_wanted": len(jobs),
        "runs_ended": ended,
        "game": str(judge.game),
        **judge.facts(),
        **({"pairings": terms_of(request, study)} if study.rated else {}),
        "settings": {job.method.name: dict(job.method.settings) for job in jobs},
        "equal_minutes": {"minutes": minutes, "rows": [_end(row) for row in cut]},
        "rows": rows,
    }
    hours = sum(row["hours"] for row in rows)
    write_result(out / f"{study.name}.json", data, seeds=request.seeds, hours=hours)
    draw_study(out, study, rows, judge)
    ends = [
        _end(row) | {"ended": row["ended"], "told": _summary_text(judge, row["lines"][-1])} for row in rows
    ]
    return {"verdicts": verdicts, "runs_wanted": len(jobs), "runs_ended": ended, "ends": ends}


def _end(row: dict[str, Any]) -> dict[str, Any]:
    return {**{key: row[key] for key in ("method", "simulations", "seed")}, **row["lines"][-1]}


def _summary_text(judge: Judge, line: Line) -> str:
    elo = f", Elo {line['elo']:+.0f}" if "elo" in line else ""
    return f"{judge.summary(line)}{elo}"
