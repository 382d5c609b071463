"""Many games of a match at once, for agents that think about many positions in one batch.

Dice and seeds are those of ``play_game``: a game is the same played here or alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from dicezero.agents.base import Agent
from dicezero.evaluation.record import MAX_PLIES, GameRecord
from dicezero.evaluation.streams import pick_outcome, stream_seed, stream_uniform
from dicezero.rules.protocol import Game, State


@runtime_checkable
class BatchAgent(Protocol):
    """An agent that can be asked about many positions at once."""

    def actions(self, states: Sequence[State], seeds: Sequence[int]) -> list[int]:
        """What it plays at each state, each with its own seed."""
        ...


class _Playing:
    """A game under way."""

    def __init__(self, game: Game, index: int, seed: int) -> None:
        self.state = game.new_initial_state()
        self.index, self._seed = index, seed
        self.actions: list[int] = []
        self.dice: list[int] = []

    def roll(self) -> None:
        """Chance's part, until a player is to move or the game is over."""
        while self.state.is_chance_node():
            uniform = stream_uniform(self._seed, "dice", self.index // 2, len(self.dice))
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
        """Of the mover's thinking."""
        return stream_seed(self._seed, "agent", self.index, len(self.actions))

    def record(self) -> GameRecord:
        """The finished game."""
        first, second = self.state.returns()
        return GameRecord(tuple(self.actions), tuple(self.dice), (float(first), float(second)))

    def _apply(self, action: int) -> None:
        if len(self.actions) >= MAX_PLIES:
            raise ValueError(f"a game did not end within {MAX_PLIES} moves; check the game's rules")
        self.state.apply_action(action)
        self.actions.append(action)


def play_together(
    game: Game, first: Agent, second: Agent, *, indices: Sequence[int], seed: int
) -> list[GameRecord]:
    """Plays the games of a match with those numbers; in the even ones ``first`` is player 0."""
    games = [_Playing(game, index, seed) for index in indices]
    for playing in games:
        playing.roll()
    while waiting := [playing for playing in games if not playing.state.is_terminal()]:
        to_move: tuple[list[_Playing], list[_Playing]] = ([], [])
        for playing in waiting:
            to_move[(playing.state.current_player() + playing.index) % 2].append(playing)
        for agent, own in zip((first, second), to_move, strict=True):
            if own:
                states, seeds = [p.state for p in own], [p.move_seed() for p in own]
                for playing, action in zip(own, _ask(agent, states, seeds), strict=True):
                    playing.move(action, agent)
        for playing in waiting:
            playing.roll()
    return [playing.record() for playing in games]


def _ask(agent: Agent, states: Sequence[State], seeds: Sequence[int]) -> list[int]:
    if isinstance(agent, BatchAgent):
        return agent.actions(states, seeds)
    return [agent.search(state.clone(), seed=seed).action for state, seed in zip(states, seeds, strict=True)]
