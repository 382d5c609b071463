"""Connect Four for people."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.draw import status
from dicezero.rules.svg import COLOURS, FIELD, GROUND, box, disc, svg, text

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


def board_svg(state: _native.ConnectFourState) -> str:
    """Discs in holes, the columns numbered below."""
    rows = str(state).split()
    cell, width, height = 30, 30 * len(rows[0]) + 12, 30 * len(rows) + 12
    parts = [box(2, 2, width - 4, height - 4, GROUND)]
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            colour = COLOURS.get(mark, FIELD)
            parts.append(disc(6 + cell * x + cell // 2, 6 + cell * y + cell // 2, 12, colour))
    parts += [text(6 + cell * x + cell // 2, height + 13, str(x), 11) for x in range(len(rows[0]))]
    return svg(width, height + 42, [*parts, text(width // 2, height + 34, status(state))], status(state))
