"""What the two boards of squares share: rows of letters, where they differ, and a line that won."""

from __future__ import annotations

from collections.abc import Sequence

from dicezero.rules.protocol import State

Cell = tuple[int, int]  # row from the top, column from the left
PLAYERS = {"x": 0, "o": 1}


def rows_of(state: State) -> list[str]:
    """The board as lines of x, o and dots, the top row first."""
    return str(state).split()


def changed(before: State | None, rows: Sequence[str]) -> Cell | None:
    """The one cell that was empty ``before``; None where that is unknown."""
    if before is None:
        return None
    then = rows_of(before)
    cells = [
        (y, x)
        for y, row in enumerate(rows)
        for x, mark in enumerate(row)
        if mark != "." and then[y][x] == "."
    ]
    return cells[0] if len(cells) == 1 else None


def landing(state: State, action: int) -> Cell | None:
    """The cell that ``action`` fills."""
    child = state.clone()
    child.apply_action(action)
    return changed(state, rows_of(child))


def line_of(rows: Sequence[str], length: int) -> list[Cell]:
    """The first ``length`` equal marks in a row, column or diagonal; empty where there is none."""
    height, width = len(rows), len(rows[0])
    for y in range(height):
        for x in range(width):
            for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(y + i * dy, x + i * dx) for i in range(length)]
                if not all(0 <= v < height and 0 <= u < width for v, u in cells):
                    continue
                marks = {rows[v][u] for v, u in cells}
                if len(marks) == 1 and "." not in marks:
                    return cells
    return []
