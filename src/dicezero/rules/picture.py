"""A board as one SVG picture that needs nothing from outside, for light pages and dark ones."""

from __future__ import annotations

from html import escape

from dicezero.rules.board import Board
from dicezero.rules.shapes import UNIT, box, ground, over, piece_svg, printed, stacked, under, word

_CELL = 44  # pixels a cell of a picture, less where the board is large
_WIDEST = 560


def picture(board: Board, caption: str) -> str:
    """The whole board with a line of words below."""
    left, top, right, bottom = (side * UNIT for side in board.margin)
    width, height = board.columns * UNIT + left + right, board.rows * UNIT + top + bottom
    scale = min(_CELL / UNIT, _WIDEST / width)
    parts = [*ground(board, printed), *(mark for cell in board.cells for mark in under(cell, printed))]
    for cell in board.cells:
        parts += [piece_svg(piece, stacked(cell, index), printed) for index, piece in enumerate(cell.pieces)]
    parts += [mark for cell in board.cells for mark in over(cell, printed)]
    for die in board.dice:
        x, y, size = die.x * UNIT, die.y * UNIT, die.size * UNIT
        parts.append(
            box(
                x - size / 2,
                y - size / 2,
                size,
                size,
                size / 5,
                "#fffdf8",
                ' stroke="#8d7f68" stroke-width="3"',
            )
        )
        parts.append(word(x, y, str(die.value or "?"), size * 0.58, "#2a2a2e"))
    inner = f'<g transform="scale({scale:.4f}) translate({left:g} {top:g})">{"".join(parts)}</g>'
    wide, high = round(width * scale), round(height * scale)
    caption_svg = word(wide / 2, high + 13, caption, 13, "currentColor", 400)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high + 26}" '
        f'viewBox="0 0 {wide} {high + 26}" role="img" aria-label="{escape(caption)}" '
        f'font-family="system-ui, sans-serif">{inner}{caption_svg}</svg>'
    )
