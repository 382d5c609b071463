"""Boards for people: text for a terminal, SVG for a notebook. How a game looks is in ``rules.games``."""

from __future__ import annotations

from dicezero.rules import svg
from dicezero.rules.games import module_of
from dicezero.rules.protocol import State

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
    if state.is_chance_node():
        return "chance to act"
    return "to move" if len(state.returns()) == 1 else f"{MARKS[state.current_player()]} to move"


def board_text(state: State) -> str:
    """The board in a few lines of text, the status below; what ``repr(state)`` shows."""
    own = getattr(module_of(state), "board_text", None)
    return str(own(state)) if own is not None else "\n".join([*str(state).splitlines(), status(state)])


def board_svg(state: State) -> str:
    """The board as one SVG element that needs nothing from outside, for light pages and dark ones."""
    own = getattr(module_of(state), "board_svg", None)
    return str(own(state)) if own is not None else svg.words([*str(state).splitlines(), status(state)])
