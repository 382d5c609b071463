"""Many games at once, so that agents that think in batches are asked about many positions together.

A game is a function of its address and the agents alone: the same played here among others or by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from dicezero.agents.base import Agent
from dicezero.evaluation.record import DECISIONS, DECISIONS_ALONE, Played
from dicezero.evaluation.streams import pick_outcome, stream_seed, stream_uniform
from dicezero.rules.protocol import Game, State
from dicezero.rules.spec import GameSpec, spec_of

OnGames = Callable[[int, int], None]  # hears (games over, decisions made)


@runtime_checkable
class BatchAgent(Protocol):
    """An agent that can be asked about many positions at once."""

    def actions(self, states: Sequence[State], seeds: Sequence[int]) -> list[int]:
        """What it plays at each state, each with its own seed."""
        ...


@dataclass(frozen=True)
class Seating:
    """One game to be played: who sits where, and the numbers that its lots are addressed by."""

    agents: tuple[Agent, ...]  # [players]
    dice: int  # games with the same number have the same dice
    number: int  # of the agents' lots


class _Playing:
    """A game under way."""

    def __init__(self, state: State, seating: Seating, seed: int, limit: int) -> None:
        self.state, self.seating, self._seed, self._limit = state, seating, seed, limit
        self.actions: list[int] = []
        self.dice: list[int] = []

    @property
    def decisions(self) -> int:
        return len(self.actions) - len(self.dice)

    @property
    def over(self) -> bool:
        return self.state.is_terminal() or is_truncated(self.state) or self.decisions >= self._limit

    def roll(self) -> None:
        """Chance's part, until a player is to move or the game is over."""
        while self.state.is_chance_node():
            uniform = stream_uniform(self._seed, "dice", self.seating.dice, len(self.dice))
            outcome = pick_outcome(self.state.chance_outcomes(), uniform)
            self.dice.append(outcome)
            self._apply(outcome)

    def move(self, action: int, agent: Agent) -> None:
        """A player's move."""
        legal = list(self.state.legal_actions())
        if action not in legal:
            raise ValueError(f"agent {agent.name} played {action}, which is illegal; legal: {legal}")
        self._apply(action)

    def move_seed(self) -> int:
        """Of the mover's search."""
        return stream_seed(self._seed, "agent", self.seating.number, len(self.actions))

    def played(self) -> Played:
        """The game; one that has not ended is a draw for two, and for one what was paid so far."""
        truncated = not self.state.is_terminal()
        returns = tuple(float(value) for value in self.state.returns())
        if truncated and len(returns) > 1:
            returns = (0.0,) * len(returns)
        return Played(tuple(self.actions), tuple(self.dice), returns, truncated)

    def _apply(self, action: int) -> None:
        self.state.apply_action(action)
        self.actions.append(action)


def is_truncated(state: State) -> bool:
    """Whether an environment has cut the episode off, which is no end of the game."""
    ask = getattr(state, "is_truncated", None)
    return bool(ask()) if callable(ask) else False


def play_together(
    game: Game,
    seatings: Sequence[Seating],
    *,
    seed: int,
    spec: GameSpec | None = None,
    start: State | None = None,
    on_games: OnGames | None = None,
) -> list[Played]:
    """Plays the games, all at once, and returns them in that order.

    Args:
        game: what is played.
        seatings: who plays each game.
        seed: of the dice and the agents.
        spec: of the game, if it is at hand.
        start: the position that every game begins from, by default the game's own.
        on_games: hears how far they are.
    """
    spec = spec_of(game) if spec is None else spec
    limit = spec.max_length or (DECISIONS if spec.players > 1 else DECISIONS_ALONE)
    games = [_Playing(_begin(game, spec, start, seating, seed), seating, seed, limit) for seating in seatings]
    for playing in games:
        playing.roll()
    while waiting := [playing for playing in games if not playing.over]:
        asked: dict[int, list[_Playing]] = {}
        for playing in waiting:
            agent = playing.seating.agents[playing.state.current_player()]
            asked.setdefault(id(agent), []).append(playing)
        for own in asked.values():
            agent = own[0].seating.agents[own[0].state.current_player()]
            states, seeds = [p.state for p in own], [p.move_seed() for p in own]
            for playing, action in zip(own, _ask(agent, states, seeds, spec), strict=True):
                playing.move(action, agent)
        for playing in waiting:
            playing.roll()
        if on_games:
            on_games(sum(p.over for p in games), sum(p.decisions for p in games))
    return [playing.played() for playing in games]


def _begin(game: Game, spec: GameSpec, start: State | None, seating: Seating, seed: int) -> State:
    if start is not None:
        return start.clone()
    if spec.simulator == "episodes":  # an environment draws its own lots: they get a seed
        lots = stream_seed(seed, "dice", seating.dice, 0)
        return game.new_initial_state(seed=lots)  # type: ignore[call-arg]
    return game.new_initial_state()


def _ask(agent: Agent, states: Sequence[State], seeds: Sequence[int], spec: GameSpec) -> list[int]:
    if isinstance(agent, BatchAgent):
        return agent.actions(states, seeds)
    branching = spec.simulator == "states"  # an environment cannot be copied for an agent to search from
    return [
        agent.search(state.clone() if branching else state, seed=seed).action
        for state, seed in zip(states, seeds, strict=True)
    ]
