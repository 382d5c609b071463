"""The cube beside GNU Backgammon's: ``python tools/compare_cube.py --positions 300 --seed 1 [--out FILE]``.

Positions before a roll, drawn from games of ``pretrained`` against itself. Twice compared: our cube on GNU
Backgammon's own chances with its equity of the best cube action (0-ply, money, no Jacoby), and what
``pretrained`` decides with what GNU Backgammon decides; for the latter also what the decisions lose by GNU
Backgammon's equities. Contact, races, and bear-offs that are in our table with a cube are told apart.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

from dicezero import load_game
from dicezero._native import BackgammonState
from dicezero.agents import make_agent
from dicezero.agents.cube import cube_decision
from dicezero.agents.gnubg import GnubgAgent
from dicezero.agents.learned import RunAgent
from dicezero.search.cube import CubeDecision, CubeOwner

GAME = "backgammon"
OWNERS: tuple[CubeOwner, ...] = ("centre", "mover", "other")


def positions(agent: RunAgent, count: int, seed: int) -> list[BackgammonState]:
    """Before a roll, one in five of those that games come through."""
    rng, found = random.Random(seed), []
    state = load_game(GAME).new_initial_state()
    while len(found) < count:
        if state.is_terminal():
            state = load_game(GAME).new_initial_state()
        elif state.is_chance_node():
            if state.history() and rng.random() < 0.2:
                found.append(state.clone())
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, odds)[0])
        else:
            state.apply_action(agent.actions([state], [0])[0])
    return found


def lost(ours: CubeDecision, truth: CubeDecision) -> float:
    """What our decision, double or not and take or not, loses by the true equities; each side's own."""
    worth = min(truth.double_take, truth.double_pass) if ours.doubles else truth.no_double
    answer = truth.double_take if ours.takes else truth.double_pass
    return (truth.equity - worth) + (answer - min(truth.double_take, truth.double_pass))


def compare(count: int, seed: int) -> dict[str, Any]:
    """The figures."""
    game = load_game(GAME)
    ours, gnubg = make_agent("pretrained", game), make_agent("gnubg", game)
    assert isinstance(ours, RunAgent)
    assert isinstance(gnubg, GnubgAgent)
    apart: dict[str, list[float]] = {"contact": [], "race": [], "table": []}
    same: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    losses = []
    try:
        for state in positions(ours, count, seed):
            phase = "contact" if state.observation_tensor(0)[-2] else "race"
            own, other = state.checkers(state.turn), state.checkers(1 - state.turn)
            for owner in OWNERS:
                equity = gnubg._program.outputs(own, other, owner)[5]
                decision = cube_decision(gnubg, state, owner)
                kind = "table" if decision.life is None else phase
                apart[kind].append(abs(decision.equity - equity))
            theirs, found = cube_decision(gnubg, state), cube_decision(ours, state)
            verdicts[theirs.verdict] += 1
            same[theirs.verdict] += found.verdict == theirs.verdict
            losses.append(lost(found, theirs))
    finally:
        gnubg.close()
    return {
        "command": f"python tools/compare_cube.py --positions {count} --seed {seed}",
        "formula": {
            phase: {"equities": len(all_), "largest_difference": max(all_, default=0.0)}
            for phase, all_ in apart.items()
        },
        "verdicts_of_gnubg": dict(verdicts),
        "same_by_pretrained": dict(same),
        "agreement": sum(same.values()) / count,
        "points_lost_a_decision": sum(losses) / count,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    text = json.dumps(compare(given.positions, given.seed), indent=1)
    print(text)
    if given.out:
        given.out.parent.mkdir(parents=True, exist_ok=True)
        given.out.write_text(text + "\n")
