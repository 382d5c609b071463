"""Runs on Connect Four beside a perfect solver: their moves in games of their own, and games they should win.

Two tests. In games of a run against itself, each begun with a few random moves, every move is held against
the solver's values: does it keep what the position is worth? And from random openings that are won for the
player to move, the run plays on against the solver, which defends as long as it can.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from dicezero.agents.learned import RunAgent
from dicezero.agents.learned_config import RunAgentConfig
from dicezero.agents.parameters import parse_parameters
from dicezero.evaluation.arena import play_match
from dicezero.evaluation.interval import score_interval
from dicezero.evaluation.seats import Seating, actions_of, play_seated
from dicezero.experiments.perfect import ILLEGAL, PerfectPlay, state_after
from dicezero.experiments.result import trained, write_result
from dicezero.rules import load_game
from dicezero.rules.names import parse_name
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of

GAMES = 200  # of a run with itself
OPENINGS = 200  # won for the player to move
SIMULATIONS = (0, 32, 200)
SEED = 1
_RANDOM_MOVES = 9  # games with itself begin with 0 .. 8 of them
_STONES = range(2, 13)  # on the board when a game that should be won begins

Say = Callable[[str], None]


def won_openings(perfect: PerfectPlay, *, count: int, seed: int) -> list[tuple[int, ...]]:
    """Random moves from the empty board after which the player to move has a win, but not at once."""
    rng, game = np.random.default_rng(seed), load_game("connect_four")
    openings: dict[str, tuple[int, ...]] = {}
    while len(openings) < count:
        state, line = game.new_initial_state(), []
        for _ in range(int(rng.choice(_STONES))):
            line.append(int(rng.choice(state.legal_actions())))
            state.apply_action(line[-1])
            if state.is_terminal():
                break
        if state.is_terminal() or str(state) in openings or _wins_at_once(game, line):
            continue
        if perfect.scores(line).max() > 0:
            openings[str(state)] = tuple(line)
    return list(openings.values())


def own_games(agent: RunAgent, perfect: PerfectPlay, *, games: int, seed: int) -> dict[str, Any]:
    """The share of a run's moves in games with itself that keep what the position is worth.

    ``decisive`` counts the positions where some legal move does not keep it. Positions that come up in
    several games count once.
    """
    spec = spec_of(agent.game)
    kept: dict[str, tuple[bool, bool]] = {}  # by position: whether it was kept, whether it could be lost
    for moves in range(_RANDOM_MOVES):
        numbers = range(moves, games, _RANDOM_MOVES)
        seatings = [Seating((agent, agent), number, number) for number in numbers]
        for episode in play_seated(agent.game, seatings, seed=seed, spec=spec, opening=moves):
            line = actions_of(episode, spec)
            for ply in range(moves, len(line)):
                scores = perfect.scores(line[:ply])
                signs = np.where(scores == ILLEGAL, -2, np.sign(scores))
                lossy = bool((signs[signs > -2] < signs.max()).any())
                kept[str(state_after(agent.game, line[:ply]))] = bool(signs[line[ply]] == signs.max()), lossy
    agreed = [float(keeps) for keeps, _ in kept.values()]
    decisive = [float(keeps) for keeps, lossy in kept.values() if lossy]
    return {
        "games": games,
        "positions": len(kept),
        "agreement": float(np.mean(agreed)),
        "agreement_ci95": list(score_interval(agreed)),
        "decisive_positions": len(decisive),
        "decisive_agreement": float(np.mean(decisive)) if decisive else 1.0,
    }


def won_games(agent: RunAgent, perfect: PerfectPlay, openings: Sequence[Sequence[int]]) -> dict[str, Any]:
    """How many of the openings that are won for it a run wins against the solver."""
    won = []
    for number, line in enumerate(openings):
        start = state_after(agent.game, line)
        seats = (agent, perfect) if start.current_player() == 0 else (perfect, agent)
        match = play_match(agent.game, *seats, games=1, seed=number, start=start)
        won.append(float(match.wins if seats[0] is agent else match.losses))
    return {"openings": len(won), "wins": int(sum(won)), "wins_ci95": list(score_interval(won))}


def measure_runs(
    out: Path,
    runs: Sequence[Path],
    *,
    simulations: Sequence[int] = SIMULATIONS,
    games: int = GAMES,
    openings: int = OPENINGS,
    rounds: Sequence[int] = (),
    variants: Sequence[str] = (),
    say: Say | None = None,
) -> dict[str, Any]:
    """Measures the runs with each number of simulations and writes ``connect-four.json``.

    Args:
        out: where to.
        runs: folders of runs on Connect Four.
        simulations: of the search; 0 is the network alone.
        games: of a run with itself.
        openings: to be won against the solver.
        rounds: kept rounds to be measured; the last by default.
        variants: ways to play, each as ``run(path=...)`` takes them, such as ``"proof_nodes=0"``; as the run
            itself plays by default.
        say: called with a line for each measurement.
    """
    begin, perfect = time.perf_counter(), PerfectPlay()
    game = load_game("connect_four")
    lines = won_openings(perfect, count=openings, seed=SEED)
    rows: list[dict[str, Any]] = []
    for run, number, variant, budget in product(runs, rounds or (None,), variants or ("",), simulations):
        agent = RunAgent("run", game, _playing(run, number, variant, budget))
        row = {
            **trained(run, agent.run.round),
            "simulations": budget,
            "variant": variant,
            **own_games(agent, perfect, games=games, seed=SEED),
            **won_games(agent, perfect, lines),
        }
        rows.append(row)
        if say:
            say(shown(row))
    data = {"solver": "bitbully", "measured": rows}
    hours = (time.perf_counter() - begin) / 3600
    write_result(out / "connect-four.json", data, seeds=[SEED], hours=hours)
    return {**data, "hours": hours}


def shown(row: Mapping[str, Any]) -> str:
    """A measurement in words."""
    return (
        f"{row['run']} round {row['round']}, {row['simulations']} simulations{', ' * bool(row['variant'])}"
        f"{row['variant']}: {row['agreement']:.4f} of "
        f"{row['positions']} positions agree ({row['decisive_agreement']:.4f} of "
        f"{row['decisive_positions']} that matter), {row['wins']} of {row['openings']} won"
    )


def _playing(run: Path, number: int | None, variant: str, simulations: int) -> RunAgentConfig:
    """The run of a path, played in the way of ``variant``."""
    own = {"path": str(run), "simulations": str(simulations), "round": str(number)}
    return parse_parameters("run", RunAgentConfig, parse_name(f"run({variant})").parameters | own)


def _wins_at_once(game: Game, line: Sequence[int]) -> bool:
    """Whether the player to move has four in a row with the next stone."""
    for column in state_after(game, line).legal_actions():
        after = state_after(game, [*line, column])
        if after.is_terminal() and any(after.returns()):
            return True
    return False
