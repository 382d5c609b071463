"""2048 for people."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.svg import FIELD, GROUND, box, svg, text

TITLE = "2048"

# From 2 on, a colour an exponent; the last one serves all larger tiles.
_TILES = ["eee4da", "ede0c8", "f2b179", "f59563", "f67c5f", "f65e3b", "edcf72", "edcc61", "edc850"]
_TILES += ["edc53f", "edc22e", "7a5ca8", "4b3b73"]


def phase(state: _native.Twenty48State) -> str:
    """One phrase: the score and what happens next."""
    if state.is_terminal():
        return f"the end, score {state.score}"
    return f"score {state.score}, {'a tile appears' if state.is_chance_node() else 'to move'}"


def board_text(state: _native.Twenty48State) -> str:
    """The tiles in columns, empty cells as dots."""
    rows = state.tiles()
    width = max(4, *(len(str(tile)) for row in rows for tile in row))
    lines = [" ".join(f"{tile or '.':>{width}}" for tile in row) for row in rows]
    return "\n".join([*lines, phase(state)])


def board_svg(state: _native.Twenty48State) -> str:
    """Tiles with their numbers, darker the larger."""
    rows, cell = state.tiles(), 58
    width, height = cell * len(rows[0]) + 8, cell * len(rows) + 8
    parts = [box(0, 0, width, height, GROUND)]
    for y, row in enumerate(rows):
        for x, tile in enumerate(row):
            left, top = 6 + cell * x, 6 + cell * y
            parts.append(box(left, top, cell - 4, cell - 4, _colour(tile)))
            if tile:
                size = 22 if tile < 1000 else 17 if tile < 100_000 else 14
                ink = "#6f6452" if tile < 8 else "#ffffff"
                parts.append(text(left + cell // 2 - 2, top + cell // 2 + size // 3, str(tile), size, ink))
    parts.append(text(width // 2, height + 20, phase(state)))
    return svg(width, height + 28, parts, phase(state))


def _colour(tile: int) -> str:
    return FIELD if tile == 0 else "#" + _TILES[min(tile.bit_length() - 2, len(_TILES) - 1)]
