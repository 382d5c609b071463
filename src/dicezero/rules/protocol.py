"""What a game and a state must offer: OpenSpiel's State API, as far as the algorithms here use it.

A game with chance offers three methods more (``ChanceGame``, ``ChanceState``). A game without chance may
leave them out, so that algorithms ask by ``max_outcomes``, ``is_chance`` and ``outcomes_of``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, cast, runtime_checkable

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

    def legal_actions(self) -> Sequence[int]:
        """Sorted ids; the outcomes at a chance node; empty at the end."""
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
    """Makes states and has the sizes."""

    def new_initial_state(self) -> State:
        """The state before the first move."""
        ...

    def num_distinct_actions(self) -> int:
        """Players' actions are 0..num_distinct_actions()-1."""
        ...

    def num_players(self) -> int:
        """1 or 2."""
        ...


@runtime_checkable
class ChanceState(State, Protocol):
    """A position of a game in which chance acts somewhere."""

    def is_chance_node(self) -> bool:
        """Whether chance, not a player, acts next."""
        ...

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        """(outcome, probability) pairs at a chance node."""
        ...


@runtime_checkable
class ChanceGame(Game, Protocol):
    """A game in which chance acts somewhere: it has a number of outcomes."""

    def max_chance_outcomes(self) -> int:
        """Chance outcomes are 0..max_chance_outcomes()-1; 0 for a game without chance."""
        ...


GAME_METHODS = ("new_initial_state", "num_distinct_actions", "num_players")
STATE_METHODS = (
    "current_player",
    "is_terminal",
    "legal_actions",
    "apply_action",
    "clone",
    "returns",
    "action_to_string",
)
CHANCE_METHODS = ("is_chance_node", "chance_outcomes")  # of the states of a game with chance


def max_outcomes(game: Game) -> int:
    """Chance outcomes are 0..max_outcomes-1; 0 for a game without chance."""
    ask = getattr(game, "max_chance_outcomes", None)
    return cast("int", ask()) if callable(ask) else 0


def is_chance(state: State) -> bool:
    """Whether chance, not a player, acts next."""
    return bool(state.current_player() == CHANCE_PLAYER)


def outcomes_of(state: State) -> Sequence[tuple[int, float]]:
    """(outcome, probability) pairs of a chance node."""
    return cast("ChanceState", state).chance_outcomes()


def missing_methods(game: object, state: object | None = None) -> str:
    """The methods of the protocol that ``game`` (or ``state``, if given) lacks: ``a(), b()``, or nothing.

    States need those of chance where the game has ``max_chance_outcomes()`` and it is not 0.
    """
    methods: tuple[str, ...] = GAME_METHODS
    if state is not None:
        methods = STATE_METHODS + (CHANCE_METHODS if max_outcomes(cast("Game", game)) else ())
    owner = game if state is None else state
    return ", ".join(f"{name}()" for name in methods if not callable(getattr(owner, name, None)))
