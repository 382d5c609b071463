"""Boards for people: text for a terminal, SVG for a notebook. How a game looks is in ``rules.games``."""

from __future__ import annotations

import inspect
from collections.abc import Callable

from dicezero.rules import svg
from dicezero.rules.board import Board, Path
from dicezero.rules.board_hook import read_board
from dicezero.rules.errors import GameError
from dicezero.rules.games import module_of
from dicezero.rules.picture import picture
from dicezero.rules.protocol import State, is_chance
from dicezero.rules.text_grid import from_openspiel, text_grid

MARKS = ("x", "o")  # player 0, player 1


def result(state: State) -> str:
    """How a game ended."""
    returns = state.returns()
    if len(returns) == 1:
        return f"the end, {returns[0]:g}"
    return "draw" if returns[0] == 0 else f"{MARKS[returns[0] < 0]} won"


def status(state: State) -> str:
    """One phrase: who acts, or how it ended."""
    own = getattr(module_of(state), "phase", None)
    if own is not None:
        return str(own(state))
    if state.is_terminal():
        return result(state)
    if is_chance(state):
        return "chance to act"
    return "to move" if len(state.returns()) == 1 else f"{MARKS[state.current_player()]} to move"


def board_text(state: State) -> str:
    """The board in a few lines of text, the status below; what ``repr(state)`` shows."""
    own = getattr(module_of(state), "board_text", None)
    return str(own(state)) if own is not None else "\n".join([*str(state).splitlines(), status(state)])


def board_of(state: State, seat: int = 0, picked: Path = ()) -> Board | None:
    """The board as data, as player ``seat`` sees it; None for a game that has none.

    It comes from the game's module, or the state's own ``board()`` (see ``board_hook``), or its text.

    Args:
        state: the position.
        seat: the reader's player.
        picked: the first places of a path that has been begun; a game may show what it leads to.

    Raises:
        GameError: what a state's ``board()`` returned is no board.
    """
    own = getattr(module_of(state), "board", None)
    if own is not None:
        board: Board = own(state, **asked_for(own, seat=seat, picked=picked))
        return board
    hook = getattr(state, "board", None)
    if not callable(hook) or from_openspiel(state):
        return text_grid(state, seat)
    try:
        description = hook(**asked_for(hook, seat=seat))
    except Exception as error:  # somebody's own code may fail in any way
        raise GameError(f"board() raised {type(error).__name__}: {error}") from error
    return read_board(description)


def asked_for(function: Callable[..., object], **available: object) -> dict[str, object]:
    """Those of the values that a function has parameters for: a board need not depend on its viewer."""
    names = inspect.signature(function).parameters
    return {name: value for name, value in available.items() if name in names}


def board_svg(state: State) -> str:
    """The board as one SVG element that needs nothing from outside, for light pages and dark ones."""
    board = board_of(state)
    if board is not None:
        return picture(board, status(state))
    return svg.words([*str(state).splitlines(), status(state)])
