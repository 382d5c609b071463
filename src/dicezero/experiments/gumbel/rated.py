"""Elo of the runs of a seed among each other; the weights they began with stand at 0, on the mean.

Each method's first weights play with that method's search: what a run has gained is then its learning alone,
and not that one search makes more of an untrained network than another.

Where a game has no solver, what was learned is measured by who beats whom. Every pairing is kept as it ends,
so that a tournament that is stopped goes on, and new runs play only the games that they lack.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from dicezero.agents.base import Agent
from dicezero.evaluation.arena import play_match
from dicezero.evaluation.ratings import Rating, bradley_terry
from dicezero.evaluation.runs import PlannerAgent
from dicezero.experiments.gumbel.ledger import Address, Row, filled, known_rows
from dicezero.experiments.gumbel.request import Request
from dicezero.experiments.gumbel.study import Job, Judge, Rated, Study
from dicezero.experiments.training import read_lines
from dicezero.presets.fitting import fitted, network_of, planner_of
from dicezero.presets.preset import Preset
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of
from dicezero.runs.loading import first_weights, load_run
from dicezero.runs.manifest import read_run, rounds_done, weights_name
from dicezero.selfplay.planners import Planner
from dicezero.selfplay.seeds import address_seed

Rows = Sequence[Mapping[str, Any]]
LEAST_GAMES = 4  # of a pairing at any scale


def play(request: Request, study: Study, jobs: Sequence[Job], judge: Judge) -> None:
    """Plays the pairings that are missing, seed by seed."""
    for seed in request.seeds:
        players = _players(request, [job for job in jobs if job.seed == seed])
        agents: dict[str, Agent] = {}

        def made(name: str, players: Mapping[str, Job] = players, agents: dict[str, Agent] = agents) -> Agent:
            if name not in agents:
                agents[name] = _agent(request, name, players[name], judge.game, _terms(study))
            return agents[name]

        def match(address: Address, made: Any = made, seed: int = seed) -> Row:
            begin, terms = time.perf_counter(), _terms(study)
            numbers = [_number(address[side]) for side in ("first", "second")]
            result = play_match(
                judge.game,
                made(address["first"]),
                made(address["second"]),
                games=address["games"],
                seed=address_seed(seed, *numbers),
                opening=terms.opening,
            )
            return {"score": result.score, "seconds": time.perf_counter() - begin}

        def report(row: Row) -> None:
            if request.say:
                request.say(f"{row['first']} against {row['second']}: {row['score']:.3f}")

        filled(_path(request, study), _pairings(request, study, players), match, seeds=[seed], on_row=report)


def with_elo(request: Request, study: Study, jobs: Sequence[Job], rows: Rows) -> list[dict[str, Any]]:
    """The rows with ``elo`` and its interval in their first and last lines, as far as it was played."""
    rated = [dict(row) for row in rows]
    for seed in request.seeds:
        players = _players(request, [job for job in jobs if job.seed == seed])
        played = known_rows(_path(request, study), _pairings(request, study, players))
        if len(players) < 2 or len(played) < len(players) * (len(players) - 1) // 2:
            continue  # ratings of a tournament half played would change with every game
        ratings = elo_of(list(players), played)
        names = {
            (job.method.name, job.simulations): name for name, job in players.items() if name == job.name
        }
        for row in rated:
            name = names.get((row["method"], row["simulations"]))
            if row["seed"] == seed and name is not None:
                first = _first(players[name])
                head, *between, tail = row["lines"]
                row["lines"] = [
                    {**head, **_entry(ratings[first])},
                    *between,
                    {**tail, **_entry(ratings[name])},
                ]
    return rated


def elo_of(names: Sequence[str], played: Rows) -> dict[str, Rating]:
    """Ratings from pairings; the mean of those whose name begins with ``first`` is 0."""
    place = {name: i for i, name in enumerate(names)}
    points, games = np.zeros((2, len(names), len(names)))
    for row in played:
        i, j = place[row["first"]], place[row["second"]]
        games[i, j] = games[j, i] = row["games"]
        points[i, j], points[j, i] = row["score"] * row["games"], (1.0 - row["score"]) * row["games"]
    ratings = bradley_terry(names, points, games)
    firsts = [rating.elo for rating in ratings if rating.name.startswith("first")]
    zero = sum(firsts) / len(firsts) if firsts else 0.0
    return {rating.name: replace(rating, elo=rating.elo - zero) for rating in ratings}


def _entry(rating: Rating) -> dict[str, Any]:
    return {"elo": rating.elo, "elo_ci95": [rating.elo - rating.error95, rating.elo + rating.error95]}


def _terms(study: Study) -> Rated:
    return study.rated or Rated()


def _path(request: Request, study: Study) -> Path:
    return request.out / "runs" / f"{study.name}-pairings.json"


def _first(job: Job) -> str:
    """The name of what a run began with: a method's runs of a seed began alike."""
    return f"first-{job.method.name}-{job.seed}"


def _preset(job: Job, request: Request) -> Preset:
    return job.method.at(job.simulations, request.scale)


def _players(request: Request, jobs: Sequence[Job]) -> dict[str, Job]:
    """Who plays: the runs that have ended, and what they began with."""
    ended = [job for job in jobs if _has_ended(request, job)]
    return {_first(job): job for job in ended} | {job.name: job for job in ended}


def _has_ended(request: Request, job: Job) -> bool:
    folder = job.folder(request.out)
    lines = read_lines(folder.parent / f"{folder.name}.jsonl")
    return bool(lines) and request.scale.ended(lines[-1], _preset(job, request))


def terms_of(request: Request, study: Study) -> dict[str, int]:
    """How a pairing is played, for readers of the data."""
    terms = _terms(study)
    games = request.scale.games or max(LEAST_GAMES, request.scale.part(terms.games))
    return {"games": games, "opening": terms.opening, "simulations": terms.simulations}


def _pairings(request: Request, study: Study, players: Mapping[str, Job]) -> list[Address]:
    terms = terms_of(request, study)
    sums = {name: _weights(request, name, job) for name, job in players.items()}
    return [
        {
            "first": first,
            "second": second,
            "weights": [sums[first], sums[second]],
            "games": terms["games"],
            "simulations": terms["simulations"],
        }
        for first, second in combinations(players, 2)
    ]


def _weights(request: Request, name: str, job: Job) -> str:
    """What distinguishes the weights from those of a run that was trained anew."""
    if name != job.name:
        return "first"
    _, manifest = read_run(job.folder(request.out))
    return manifest.sums[weights_name(rounds_done(job.folder(request.out)))][:16]


def _agent(request: Request, name: str, job: Job, game: Game, terms: Rated) -> Agent:
    preset, spec = _preset(job, request), spec_of(game)
    planner: Planner
    if name == job.name:
        planner = load_run(job.folder(request.out), game).planner
    else:
        planner = planner_of(preset, spec, first_weights(network_of(preset, spec), seed=job.seed))
    config = replace(fitted(preset, spec).play, simulations=terms.simulations)
    return PlannerAgent(name, planner, config, game)


def _number(name: str) -> int:
    """A number that is the same for the same name: pairings do not depend on who else plays."""
    return zlib.crc32(name.encode())
