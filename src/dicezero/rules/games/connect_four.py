"""Connect Four for people."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.board import Board, Cell, Label, Piece, line_of, one_click
from dicezero.rules.draw import status

TITLE = "Connect Four"
RULES = (
    "Drop a disc into a column; it falls to the lowest free hole.",
    "Four of yours in a row, a column or a diagonal win; a full board is a draw.",
)


def board_text(state: _native.ConnectFourState) -> str:
    """The columns numbered, as actions name them."""
    rows = str(state).split()
    numbers = [str(i % 10) for i in range(len(rows[0]))]
    return "\n".join([*(" ".join(row) for row in rows), " ".join(numbers), status(state)])


def board(state: _native.ConnectFourState) -> Board:
    """A rack of columns, numbered below as actions name them, each with its discs from the bottom up."""
    rows = str(state).split()
    height, width = len(rows), len(rows[0])
    won = line_of(rows, 4)
    cells = tuple(
        Cell(
            f"column {x}",
            0,
            x,
            tuple(_disc(rows[y][x], won=(y, x) in won) for y in reversed(range(height)) if rows[y][x] != "."),
            "hole",
            "rack",
            height=height,
        )
        for x in range(width)
    )
    return Board(
        height,
        width,
        cells,
        one_click({action: f"column {action}" for action in state.legal_actions()}),
        tuple(Label(str(x), x + 0.5, height + 0.18, ink="rack-ink") for x in range(width)),
        margin=(0.14, 0.14, 0.14, 0.4),
        frame="rack",
    )


def _disc(mark: str, *, won: bool) -> Piece:
    return Piece("orange disc", "p0", won=won) if mark == "x" else Piece("blue disc", "p1", won=won)
