"""Chess for people; Gardner's small board is drawn by the same functions."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.svg import svg, text

TITLE = "Chess"

ChessState = _native.ChessState | _native.GardnerChessState

_LIGHT, _DARK, _MARKED = "#f0dfc2", "#b98a63", "#d8c65a"
_FILL, _INK = {"w": "#fdfbf5", "b": "#2e2a26"}, {"w": "#2e2a26", "b": "#efe6d5"}
_SIDES = ("White", "Black")
_CELL, _EDGE = 44, 18

# Outlines in a square of 44; the origin is its upper left corner.
_SHAPES = {
    "p": "M22 9a5.5 5.5 0 0 1 3 10c3 2 4 5 4 9h3v6h-20v-6h3c0-4 1-7 4-9a5.5 5.5 0 0 1 3-10z",
    "r": "M12 9h5v4h3v-4h4v4h3v-4h5v9l-3 3v8l3 3v4h-20v-4l3-3v-8l-3-3z",
    "n": "M13 36c0-8 6-10 7-16l-7 4-3-4 8-9 1-4 4 4c7 2 10 9 9 25z",
    "b": "M22 6a3 3 0 0 1 2 5c6 4 7 11 3 16l2 4h4v5h-22v-5h4l2-4c-4-5-3-12 3-16a3 3 0 0 1 2-5z",
    "q": "M8 13l6 9 3-13 5 12 5-12 3 13 6-9-4 18v5h-20v-5z",
    "k": "M20 5h4v3h3v4h-3v4c8-3 13 3 9 10l-3 6v4h-16v-4l-3-6c-4-7 1-13 9-10v-4h-3v-4h3z",
}


def status(state: ChessState) -> str:
    """Who is to move, or how it ended."""
    if state.is_terminal():
        first = state.returns()[0]
        return f"{state.end()}, {_SIDES[first < 0]} won" if first else f"draw: {state.end()}"
    return f"{_SIDES[state.current_player()]} to move" + ", in check" * state.in_check()


def board_text(state: ChessState) -> str:
    """Ranks numbered, files lettered, as moves name them; capitals are White."""
    rows = placement(state)
    lines = [f"{len(rows) - y} {' '.join(row)}" for y, row in enumerate(rows)]
    files = "  " + " ".join("abcdefgh"[: len(rows)])
    return "\n".join([*lines, files, status(state)])


def board_svg(state: ChessState) -> str:
    """The board with White below, the last move's squares marked."""
    rows = placement(state)
    size = len(rows)
    width = size * _CELL + 2 * _EDGE
    marked = last_squares(state)
    parts = []
    for y, row in enumerate(rows):
        parts.append(text(_EDGE // 2, _EDGE + y * _CELL + _CELL // 2 + 4, str(size - y), 10))
        parts.append(text(_EDGE + y * _CELL + _CELL // 2, width - 5, "abcdefgh"[y], 10))
        for x, piece in enumerate(row):
            left, top = _EDGE + x * _CELL, _EDGE + y * _CELL
            dark = (x + size - 1 - y) % 2 == 0
            fill = _MARKED if (size - 1 - y) * size + x in marked else _DARK if dark else _LIGHT
            parts.append(f'<rect x="{left}" y="{top}" width="{_CELL}" height="{_CELL}" fill="{fill}"/>')
            if piece != ".":
                parts.append(_piece(piece, left, top))
    words = status(state)
    return svg(width, width + 22, [*parts, text(width // 2, width + 14, words)], words)


def placement(state: ChessState) -> list[str]:
    """The ranks from the top, a letter a square; dots are empty."""
    ranks = state.position().split()[0].split("/")
    return ["".join("." * int(c) if c.isdigit() else c for c in rank) for rank in ranks]


def last_squares(state: ChessState) -> set[int]:
    """The squares that the last move left and reached; empty at the start."""
    history = state.history()
    if not history:
        return set()
    *_, actions = state.serialize().split("|")
    before = state.get_game().deserialize_state(
        state.serialize()[: -len(actions)] + ",".join(map(str, history[:-1]))
    )
    move, size = before.uci(history[-1]), len(placement(state))
    return {(int(move[i + 1]) - 1) * size + ord(move[i]) - 97 for i in (0, 2)}


def _piece(letter: str, left: int, top: int) -> str:
    side = "w" if letter.isupper() else "b"
    return (
        f'<path transform="translate({left} {top})" d="{_SHAPES[letter.lower()]}" fill="{_FILL[side]}" '
        f'stroke="{_INK[side]}" stroke-width="1.5" stroke-linejoin="round"/>'
    )
