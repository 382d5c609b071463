"""All decisions of a game, numbered, so that a policy is an array and a network is asked in batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero.rules.protocol import Game, State
from dicezero.rules.registry import load_game
from dicezero.solve.table import make_table


class Positions:
    """Every reachable state in which a player has to act, numbered 0..len-1.

    In Nannon a decision is what the mover sees (its checkers, the other's, the roll), whichever seat it has:
    decision ``i`` is position ``i // sides`` with roll ``i % sides + 1``. In any other game every
    state with a player to move is a decision of its own, in the order of a breadth-first search.
    """

    def __init__(self, table: Any) -> None:
        """Made by ``decisions(game)`` or ``solution.positions``."""
        self._table = table

    def __len__(self) -> int:
        return int(self._table.decisions)

    @property
    def game(self) -> Game:
        """The game they belong to."""
        game: Game = self._table.game
        return game

    @property
    def num_actions(self) -> int:
        """Width A of masks and of arrays of probabilities."""
        return self.game.num_distinct_actions()

    @property
    def reachable(self) -> int:
        """Nannon: positions before a roll that occur and are not over. Otherwise: states that occur."""
        return int(self._table.reachable)

    def observations(self, start: int, stop: int) -> npt.NDArray[np.float32]:
        """Observation tensors of decisions start..stop-1 from the mover's view, [stop - start, *shape]."""
        result: npt.NDArray[np.float32] = self._table.observations(start, stop)
        return result

    def legal(self, start: int, stop: int) -> npt.NDArray[np.bool_]:
        """Masks of the legal actions of decisions start..stop-1, [stop - start, A]."""
        result: npt.NDArray[np.bool_] = self._table.legal(start, stop)
        return result

    def state(self, decision: int) -> State:
        """A state of its own at that decision, with a line of play that leads to it."""
        state: State = self._table.state(decision)
        return state

    def index(self, state: State) -> int:
        """The number of the decision at ``state``; ValueError if no player acts there or it never occurs."""
        index = self._table.find_decision(state)
        if index is None:
            raise ValueError(f"state: no decision of {self.game} that occurs in play: {state}")
        return int(index)

    def ranges(self, size: int) -> Iterator[tuple[int, int]]:
        """(start, stop) pairs that cover all decisions, ``size`` at a time."""
        if size < 1:
            raise ValueError(f"size={size} is out of range; give at least 1")
        for start in range(0, len(self), size):
            yield start, min(start + size, len(self))


def decisions(game: str | Game, *, max_states: int | None = None) -> Positions:
    """All decisions of a game, without solving it."""
    return Positions(make_table(load_game(game), max_states, None))
