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

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        ...

    def is_chance_node(self) -> bool:
        """Whether the dice, not a player, act next."""
        ...

    def legal_actions(self) -> Sequence[int]:
        """Sorted ids; the outcomes at a chance node; empty at the end."""
        ...

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        """(outcome, probability) pairs at a chance node."""
        ...

    def apply_action(self, action: int, /) -> None:
        """Plays a legal action, or a chance outcome, on this very object."""
        ...

    def clone(self) -> State:
        """A copy that can be played on without changing this one."""
        ...

    def returns(self) -> Sequence[float]:
        """One number a player, summing to zero with two players."""
        ...

    def action_to_string(self, player: int, action: int, /) -> str:
        """What a person calls the action here; different for every legal action."""
        ...


@runtime_checkable
class Game(Protocol):
    """Makes states and says how large things are."""

    def new_initial_state(self) -> State:
        """The state before the first move."""
        ...

    def num_distinct_actions(self) -> int:
        """Players' actions are 0..num_distinct_actions()-1."""
        ...

    def max_chance_outcomes(self) -> int:
        """Chance outcomes are 0..max_chance_outcomes()-1; 0 for a game without chance."""
        ...

    def num_players(self) -> int:
        """1 or 2."""
        ...


GAME_METHODS = ("new_initial_state", "num_distinct_actions", "max_chance_outcomes", "num_players")
STATE_METHODS = (
    "current_player",
    "is_terminal",
    "is_chance_node",
    "legal_actions",
    "chance_outcomes",
    "apply_action",
    "clone",
    "returns",
    "action_to_string",
)


def missing_methods(game: object, state: object | None = None) -> str:
    """The methods of the protocol that ``game`` (or ``state``, if given) lacks: ``a(), b()``, or nothing."""
    owner, methods = (game, GAME_METHODS) if state is None else (state, STATE_METHODS)
    return ", ".join(f"{name}()" for name in methods if not callable(getattr(owner, name, None)))
