"""2048 for people."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.board import Board, Cell, Piece, one_click, square_name

TITLE = "2048"
RULES = (
    "Every move slides all tiles to one side: use the arrow keys, swipe, or press a button.",
    "Two tiles of one number that meet become one of their sum, and the sum is added to the score.",
    "After each move a 2 or, one time in ten, a 4 appears on an empty cell. The game is over when nothing "
    "can slide.",
)

OUTCOMES_A_CELL = 2  # a 2 or a 4

# From 2 on, a colour an exponent; the last one serves all larger tiles.
_TILES = ["eee4da", "ede0c8", "f2b179", "f59563", "dd5b3c", "c93f22", "edcf72", "edcc61", "edc850"]
_TILES += ["edc53f", "edc22e", "7a5ca8", "4b3b73"]
_WHITE_ON = (32, 64)  # and on all from 4096 on
_WAYS = ("\u2191 Up", "\u2192 Right", "\u2193 Down", "\u2190 Left")  # by action
_KEYS = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")


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


def board(state: _native.Twenty48State) -> Board:
    """Tiles with their numbers, darker the larger; the four directions are buttons."""
    rows = state.tiles()
    cells = tuple(
        Cell(square_name(y, x, len(rows)), y, x, (_piece(tile),) if tile else (), "empty", "peg")
        for y, row in enumerate(rows)
        for x, tile in enumerate(row)
    )
    moves = [] if state.is_chance_node() else state.legal_actions()
    return Board(
        len(rows),
        len(rows[0]),
        cells,
        one_click({action: _WAYS[action] for action in moves}),
        margin=(0.1, 0.1, 0.1, 0.1),
        frame="tiles",
        notes=(f"score {state.score}", ""),
        keys=dict(zip(_WAYS, _KEYS, strict=True)),
    )


def _piece(tile: int) -> Piece:
    colour = "#" + _TILES[min(tile.bit_length() - 2, len(_TILES) - 1)]
    light = tile >= 4096 or tile in _WHITE_ON
    return Piece(str(tile), colour, "tile", str(tile), ink="#ffffff" if light else "#4d443a")
