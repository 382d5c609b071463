"""The doubling cube beside a board, and the buttons that answer to it."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from dicezero.rules.board import Board, Cell, Piece
from dicezero.studio.page.boards.view import Cube

_ROOM = 1.15  # cells to the left of the board


def with_cube(board: Board, cube: Cube, seat: int) -> Board:
    """The board with a cube on its left: half way up, or on the side of the player whose it is."""
    left, top, right, bottom = board.margin
    row = 0.5 * (board.rows - 1) if cube.owner is None else board.rows - 1.0 if cube.owner == seat else 0.0
    piece = Piece(cube_words(cube, seat), "white", "cube", str(cube.value))
    cell = Cell("cube", row, -_ROOM, (piece,), aria_label="the doubling cube")
    return replace(board, cells=(*board.cells, cell), margin=(left + _ROOM, top, right, bottom))


def cube_words(cube: Cube, seat: int) -> str:
    """The cube for screen readers."""
    whose = "in the centre" if cube.owner is None else "yours" if cube.owner == seat else "your opponent's"
    return f"The cube is at {cube.value}, {whose}."


def cube_buttons(cube: Cube | None) -> str:
    """What may be answered; "" where nothing is asked."""
    if cube is None:
        return ""
    buttons = "".join(
        f'<button type="button" class="move" data-answer="{word}" data-number="{number}">'
        f'<kbd aria-hidden="true">{number}</kbd>{escape(text)}</button>'
        for number, (word, text) in enumerate(cube.answers, 1)
    )
    return f'<div class="choices cube-answers">{buttons}</div>' if buttons else ""
