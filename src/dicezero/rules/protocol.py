"""What a game and a state must offer: OpenSpiel's State API, as far as the algorithms here use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

CHANCE_PLAYER = -1
TERMINAL_PLAYER = -4


@runtime_checkable
class State(Protocol):
    """A position. ``clone`` gives an independent copy; everything else is asked of the position as it is."""

    def current_player(self) -> int:
        """0, 1, CHANCE_PLAYER or TERMINAL_PLAYER."""
        ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def legal_actions(self) -> Sequence[int]:
        """Sorted ids; the outcomes at a chance node; empty at the end."""
        ...

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        """(outcome, probability) pairs at a chance node."""
        ...

    def apply_action(self, action: int, /) -> None: ...

    def clone(self) -> State: ...

    def returns(self) -> Sequence[float]:
        """One number a player, summing to zero with two players."""
        ...

    def action_to_string(self, player: int, action: int, /) -> str: ...


@runtime_checkable
class Game(Protocol):
    """Makes states and says how large things are."""

    def new_initial_state(self) -> State: ...

    def num_distinct_actions(self) -> int: ...

    def max_chance_outcomes(self) -> int: ...

    def num_players(self) -> int: ...
