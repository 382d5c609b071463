"""EinStein würfelt nicht for people: x (player 0) starts above on the left, o below on the right."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.svg import COLOURS, FIELD, GROUND, box, svg, text

TITLE = "EinStein würfelt nicht"


def phase(state: _native.EinsteinState) -> str:
    """One phrase: who acts and with what roll, or how it ended."""
    return str(state).splitlines()[-1]


def board_svg(state: _native.EinsteinState) -> str:
    """Numbered cubes."""
    *rows, words = str(state).splitlines()
    cell, size = 44, len(rows)
    width = cell * size + 8
    parts = [box(0, 0, width, width, GROUND)]
    for y, row in enumerate(rows):
        for x, holds in enumerate(row.split()):
            left, top = 6 + cell * x, 6 + cell * y
            parts.append(box(left, top, cell - 4, cell - 4, COLOURS.get(holds[0], FIELD)))
            if holds != ".":
                parts.append(text(left + cell // 2 - 2, top + cell // 2 + 6, holds[1:], 20, "#ffffff"))
    parts.append(text(width // 2, width + 18, words))
    return svg(width, width + 26, parts, words)
