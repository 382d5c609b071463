"""Tic-tac-toe for people."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.board import Board, Cell, Label, Piece, line_of, one_click
from dicezero.rules.draw import status

TITLE = "Tic-tac-toe"
RULES = (
    "Three of your marks in a row, a column or a diagonal win.",
    "Nine marks without a row: a draw.",
)


def board_text(state: _native.TicTacToeState) -> str:
    """The rows and columns numbered, as actions name them."""
    rows = str(state).split()
    lines = ["  0 1 2"] + [f"{i} {' '.join(row)}" for i, row in enumerate(rows)]
    return "\n".join([*lines, status(state)])


def board(state: _native.TicTacToeState) -> Board:
    """Three by three, crosses and rings; three in a row are marked."""
    rows = str(state).split()
    won = line_of(rows, 3)
    cells = tuple(
        Cell(f"({y},{x})", y, x, _mark(mark, won=(y, x) in won), "field", "peg")
        for y, row in enumerate(rows)
        for x, mark in enumerate(row)
    )
    actions = {action: cells[action].name for action in state.legal_actions()}
    labels = [Label(str(place), place + 0.5, 3.17, 0.2) for place in range(3)]
    labels += [Label(str(place), -0.17, place + 0.5, 0.2) for place in range(3)]
    return Board(3, 3, cells, one_click(actions), tuple(labels), margin=(0.36, 0.1, 0.1, 0.36))


def _mark(mark: str, *, won: bool) -> tuple[Piece, ...]:
    if mark == ".":
        return ()
    return (Piece("cross", "p0", "cross", won=won) if mark == "x" else Piece("ring", "p1", "ring", won=won),)
