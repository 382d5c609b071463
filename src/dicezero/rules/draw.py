"""Boards for people: text for a terminal, SVG for a notebook."""

from __future__ import annotations

from typing import TypeAlias

from dicezero import _native
from dicezero.rules import svg

NativeState: TypeAlias = _native.NannonState | _native.TicTacToeState | _native.ConnectFourState

MARKS = ("x", "o")  # player 0, player 1


def status(state: NativeState) -> str:
    """One phrase: who acts and with what roll, or how it ended."""
    if state.is_terminal():
        first = state.returns()[0]
        return "draw" if first == 0 else f"{MARKS[first < 0]} won"
    if isinstance(state, _native.NannonState):
        if not state.history():
            return "opening roll"
        mark = MARKS[state.turn]
        return f"{mark} to move {state.roll}" if state.roll else f"{mark} to roll"
    return f"{MARKS[state.current_player()]} to move"


def board_text(state: NativeState) -> str:
    """The board in a few lines of text, the status below; what ``repr(state)`` shows."""
    if isinstance(state, _native.NannonState):
        return _nannon_text(state)
    rows = str(state).split()
    numbers = [str(i % 10) for i in range(len(rows[0]))]
    if isinstance(state, _native.TicTacToeState):  # actions are row and column
        lines = ["  " + " ".join(numbers)] + [f"{i} {' '.join(row)}" for i, row in enumerate(rows)]
    else:  # actions are columns
        lines = [" ".join(row) for row in rows] + [" ".join(numbers)]
    return "\n".join([*lines, status(state)])


def board_svg(state: NativeState) -> str:
    """The board as one SVG element that needs nothing from outside, for light pages and dark ones."""
    if isinstance(state, _native.NannonState):
        return svg.nannon(state, nannon_row(state), status(state))
    if isinstance(state, _native.TicTacToeState):
        return svg.tic_tac_toe(str(state).split(), status(state))
    return svg.connect_four(str(state).split(), status(state))


def nannon_row(state: _native.NannonState) -> str:
    """The points from player 0's side, one letter each: x, o or a dot."""
    points = state.get_game().points
    row = ["."] * points
    for point in state.points(0):
        row[point - 1] = "x"
    for point in state.points(1):
        row[points - point] = "o"
    return "".join(row)


def _nannon_text(state: _native.NannonState) -> str:
    row = nannon_row(state)
    count = len(row)

    def cells(values: list[str]) -> str:
        return "".join(f"{value:>3}" for value in values)

    left = [f"x HOME   {state.home(0)}", f"o SAFETY {state.safety(1)}"]
    right = [f"SAFETY {state.safety(0)}", f"HOME   {state.home(1)}"]
    width = max(len(text) for text in left)
    return "\n".join(
        (
            f"{'x counts':<{width}}  {cells([str(p) for p in range(1, count + 1)])}",
            f"{left[0]:<{width}} >{cells(list(row))}  > {right[0]}",
            f"{left[1]:<{width}} <{' ' * 3 * count}  < {right[1]}",
            f"{'o counts':<{width}}  {cells([str(p) for p in range(count, 0, -1)])}",
            status(state),
        )
    )
