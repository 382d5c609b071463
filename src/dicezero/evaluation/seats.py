"""Agents seated at many games at once; the games are driven in lock step, each a function of its address.

Agents that search many positions in one batch get all of theirs together. The n-th roll of a
game depends on the seed, the number of its dice and n alone, not on the players or the other games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from dicezero.agents.base import Agent, uninterrupted
from dicezero.rules.door import checked_clone, checked_legal_actions
from dicezero.rules.protocol import Game, State
from dicezero.rules.spec import GameSpec, spec_of
from dicezero.selfplay.drive import Choice, Rules, Turn, drive
from dicezero.selfplay.episode import CHANCE, Episode
from dicezero.selfplay.seeds import address_seed, address_uniform

DECISIONS = 2_000  # of a game for two whose spec has no bound: a longer one is a draw
DECISIONS_ALONE = 100_000  # of one player; 2048 has no bound, and its games are long
_DICE, _SEARCH, _OPENING = range(3)  # the second part of an address: what the number is for

OnGames = Callable[[int, int], None]  # receives (games over, decisions made)


@runtime_checkable
class BatchAgent(Protocol):
    """An agent that can be asked about many positions at once."""

    def actions(self, states: Sequence[State], seeds: Sequence[int]) -> list[int]:
        """What it plays at each state, each with its own seed."""
        ...


@dataclass(frozen=True)
class Seating:
    """One game to be played: who sits where, and the numbers of its addresses."""

    agents: tuple[Agent, ...]  # [players]
    dice: int  # games with the same number have the same dice
    number: int  # of the agents' searches


def play_seated(
    game: Game,
    seatings: Sequence[Seating],
    *,
    seed: int,
    spec: GameSpec | None = None,
    start: State | None = None,
    opening: int = 0,
    on_games: OnGames | None = None,
) -> list[Episode]:
    """Plays the games, all at once, and returns them in that order.

    Args:
        game: what is played.
        seatings: who plays each game.
        seed: of the dice and the agents.
        spec: of the game, if it is at hand.
        start: the position that every game begins from, by default the game's own.
        opening: moves drawn at random before the agents are asked; the same in games with the same dice.
        on_games: called with the progress.
    """
    spec = spec_of(game) if spec is None else spec

    def choose(turn: Turn) -> Choice:
        asked: dict[int, list[int]] = {}  # rows of the turn, by agent
        agents = [seatings[e].agents[p] for e, p in zip(turn.episode, turn.player, strict=True)]
        action = np.empty(len(agents), np.int32)
        for row, agent in enumerate(agents):
            if turn.decision[row] < opening:
                dice, number = seatings[turn.episode[row]].dice, int(turn.decision[row])
                legal = checked_legal_actions(turn.states[row], spec.actions)
                action[row] = legal[int(address_uniform(seed, _OPENING, dice, number) * len(legal))]
            else:
                asked.setdefault(id(agent), []).append(row)
        for rows in asked.values():
            states = [turn.states[row] for row in rows]
            action[rows] = _ask(agents[rows[0]], states, turn.seeds[rows], spec)
        return Choice(action)

    return drive(
        game,
        spec,
        choose,
        seeds=np.array([address_seed(seed, _SEARCH, s.number) for s in seatings], np.uint64),
        dice=np.array([address_seed(seed, _DICE, s.dice) for s in seatings], np.uint64),
        rules=Rules(limit=spec.max_length or (DECISIONS if spec.players > 1 else DECISIONS_ALONE)),
        start=start,
        on_moves=on_games,
    )


def returns_of(episode: Episode, spec: GameSpec) -> tuple[float, ...]:
    """[players], what a game paid; one for two that was cut off is a draw."""
    if spec.players == 1:
        return (episode.outcome,)
    first = 0.0 if episode.truncated else episode.outcome
    return first, -first


def actions_of(episode: Episode, spec: GameSpec) -> list[int]:
    """Every action from the start as the rules number it, chance outcomes included."""
    steps = episode.actor[:-1] == CHANCE
    return [int(a) for a in np.where(steps, episode.action[:-1] - spec.actions, episode.action[:-1])]


def _ask(agent: Agent, states: Sequence[State], seeds: npt.NDArray[np.uint64], spec: GameSpec) -> list[int]:
    """What the agent plays at each state; ValueError where that is illegal."""
    numbers = [int(seed) >> 1 for seed in seeds]  # what fits a signed integer of 64 bits
    if isinstance(agent, BatchAgent):
        actions = agent.actions(states, numbers)
    else:
        branching = spec.simulator == "states"  # an environment cannot be copied for an agent to search from
        actions = [
            uninterrupted(agent.search(checked_clone(state) if branching else state, seed=number)).action
            for state, number in zip(states, numbers, strict=True)
        ]
    for state, action in zip(states, actions, strict=True):
        legal = checked_legal_actions(state, spec.actions)
        if action not in legal:
            raise ValueError(f"agent {agent.name} played {action}, which is illegal; legal: {legal}")
    return actions
