"""Tic-tac-toe for people."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.draw import status
from dicezero.rules.svg import GROUND, box, line, pen, stroke, svg, text

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


def board_svg(state: _native.TicTacToeState) -> str:
    """Three by three, crosses and rings."""
    cell, parts = 44, [box(2, 2, 132, 132, GROUND)]
    for at in (cell, 2 * cell):
        parts.append(line(2 + at, 8, 2 + at, 128))
        parts.append(line(8, 2 + at, 128, 2 + at))
    for y, row in enumerate(str(state).split()):
        for x, mark in enumerate(row):
            cx, cy = 2 + cell * x + cell // 2, 2 + cell * y + cell // 2
            if mark == "x":
                parts.append(stroke(f"M{cx - 11} {cy - 11}l22 22m0 -22l-22 22", "x"))
            elif mark == "o":
                parts.append(f'<circle cx="{cx}" cy="{cy}" r="12" fill="none" {pen("o")}/>')
    return svg(136, 158, [*parts, text(68, 152, status(state))], status(state))
