"""Go for people."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.svg import LINE, svg, text

TITLE = "Go"

_WOOD, _BLACK, _WHITE = "#e3bd74", "#1d1d1d", "#f6f4ee"
_COLUMNS = "ABCDEFGHJKLMNOPQRST"
_SIDES = ("Black", "White")


def status(state: _native.GoState) -> str:
    """Who is to move, or who won by how much."""
    if state.is_terminal():
        lead = state.score()
        return "draw" if lead == 0 else f"{_SIDES[lead < 0]} won by {abs(lead):g}"
    passed = state.last_action() == state.get_game().num_distinct_actions() - 1
    return (
        f"{_SIDES[1 - state.current_player()]} passed, " * passed
        + f"{_SIDES[state.current_player()]} to move"
    )


def board_text(state: _native.GoState) -> str:
    """Rows numbered, columns lettered, as vertices name them; X is Black."""
    return f"{state}\n{status(state)}"


def board_svg(state: _native.GoState) -> str:
    """Stones on the lines, the last one marked."""
    size = state.get_game().board_size
    rows = [row[3::2] for row in str(state).split("\n")[:size]]
    cell, edge = (28, 30) if size <= 13 else (22, 26)
    span = cell * (size - 1)
    width = span + 2 * edge
    parts = [f'<rect x="2" y="2" width="{width - 4}" height="{width - 4}" rx="6" fill="{_WOOD}"/>']
    for i in range(size):
        at = edge + cell * i
        parts.append(f'<path d="M{edge} {at}h{span}M{at} {edge}v{span}" stroke="{LINE}" fill="none"/>')
        parts.append(text(at, 14, _COLUMNS[i], 9, _BLACK))
        parts.append(text(11, at + 3, str(size - i), 9, _BLACK))
    for star_row, star_column in _star_points(size):
        parts.append(_circle(edge + cell * star_column, edge + cell * star_row, 3, LINE))
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark in "XO":
                fill = _BLACK if mark == "X" else _WHITE
                parts.append(_circle(edge + cell * x, edge + cell * y, cell * 0.46, fill, stroke=_BLACK))
    last = state.last_action()
    if 0 <= last < size * size:
        x, y = edge + cell * (last % size), edge + cell * (size - 1 - last // size)
        parts.append(_circle(x, y, cell * 0.2, "none", stroke="#d9622b"))
    words = status(state)
    return svg(width, width + 24, [*parts, text(width // 2, width + 15, words)], words)


def _star_points(size: int) -> list[tuple[int, int]]:
    if size < 7:
        return [(size // 2, size // 2)] if size % 2 else []
    edge = 2 if size < 13 else 3
    lines = [edge, size - 1 - edge]
    points = [(row, column) for row in lines for column in lines]
    if size % 2:
        middle = size // 2
        points.append((middle, middle))
        if size >= 15:
            points += [point for at in lines for point in ((middle, at), (at, middle))]
    return points


def _circle(x: float, y: float, r: float, fill: str, stroke: str = "none") -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}" stroke="{stroke}" stroke-width="1.5"/>'
