"""Whom a run that cannot be measured exactly plays against: a fixed ladder, as far as a game can afford it.

UCT plays every simulation to the end. For native rules that is quick; through Python a measurement against
``uct(simulations=1000)`` could take longer than the training it measures. So rungs and games are chosen by
work that is counted, never by a clock: the same game has the same ladder on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dicezero import _native
from dicezero.agents.pretrained import plays_at_once
from dicezero.rules.door import checked_legal_actions
from dicezero.rules.protocol import Game
from dicezero.rules.spec import GameSpec, spec_of
from dicezero.selfplay.drive import Choice, Rules, Turn, drive, episode_limit
from dicezero.selfplay.seeds import extended_uniforms

LADDER = ("random", "uct(simulations=100)", "uct(simulations=1000)")
GAMES, GAMES_ELSEWHERE, FEWEST_GAMES = 100, 40, 20  # of a measurement: native rules, others, others at least
GAMES_SHIPPED = 200  # against the agent that is shipped, where it plays at once
WORK = 12_000_000  # actions in the playouts of one measurement; some ten seconds of rules in Python
_STAND_INS = (30, 10)  # simulations of UCT, where a hundred are too many
_PROBES, _PROBED_DECISIONS = 16, 1_000  # random games that measure the length of a game


@dataclass(frozen=True)
class Rung:
    """An opponent, and the games of a measurement against it, an even number."""

    opponent: str
    games: int


def ladder_of(game: Game) -> tuple[Rung, ...]:
    """From random play upwards; the last one stays.

    A game that an agent without a search is shipped for: random play, and that agent. Native rules: random
    play, UCT of 100 and of 1000 simulations, 100 games each. Other rules: 40 games, and against UCT as many
    as ``WORK`` allows, but 20 at least: a rung that does not allow them is left out, and where that is UCT of
    100, UCT of 30 or of 10 stands in for it.
    """
    if plays_at_once(game):
        return (Rung("random", GAMES), Rung("pretrained", GAMES_SHIPPED))
    if _native.is_native(game):
        return tuple(Rung(opponent, GAMES) for opponent in LADDER)
    playout = _playout_work(game, spec_of(game))
    rungs = [_uct(simulations, playout) for simulations in (100, 1000)]
    if rungs[0] is None:
        rungs = [next((rung for s in _STAND_INS if (rung := _uct(s, playout))), None)]
    return (Rung("random", GAMES_ELSEWHERE), *(rung for rung in rungs if rung is not None))


def _uct(simulations: int, playout: float) -> Rung | None:
    affordable = int(WORK / (simulations * playout)) // 2 * 2
    if affordable < FEWEST_GAMES:
        return None
    return Rung(f"uct(simulations={simulations})", min(affordable, GAMES_ELSEWHERE))


def _playout_work(game: Game, spec: GameSpec) -> float:
    """Actions of a simulation of each of an opponent's decisions in one game, in random games on average.

    An opponent makes half of the decisions, and from where it makes one half of the game is left on average.
    """

    def any_legal(turn: Turn) -> Choice:
        legal = [checked_legal_actions(state, spec.actions) for state in turn.states]
        drawn = extended_uniforms(turn.seeds, 0)
        return Choice(np.array([a[int(u * len(a))] for a, u in zip(legal, drawn, strict=True)], np.int32))

    limit = min(episode_limit(spec), _PROBED_DECISIONS)
    seeds = np.arange(_PROBES, dtype=np.uint64)
    episodes = drive(game, spec, any_legal, seeds=seeds, rules=Rules(limit=limit))
    return float(np.mean([len(e.decisions) / 2 * len(e) / 2 for e in episodes]))
