"""The three boards as SVG: no script, no style sheet, no file from outside.

A board brings its own ground; what stands outside it takes the colour of the page's text.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from dicezero import _native

_COLOURS = {"x": "#d9622b", "o": "#3a7fd0"}
_GROUND, _LINE, _FIELD, _FAINT = "#efe6d5", "#8d7f68", "#fbf7ee", "#6f6452"


def tic_tac_toe(rows: list[str], status: str) -> str:
    """Three by three, crosses and rings."""
    cell, parts = 44, [_box(2, 2, 132, 132, _GROUND)]
    for at in (cell, 2 * cell):
        parts.append(_line(2 + at, 8, 2 + at, 128))
        parts.append(_line(8, 2 + at, 128, 2 + at))
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            cx, cy = 2 + cell * x + cell // 2, 2 + cell * y + cell // 2
            if mark == "x":
                parts.append(_stroke(f"M{cx - 11} {cy - 11}l22 22m0 -22l-22 22", "x"))
            elif mark == "o":
                parts.append(f'<circle cx="{cx}" cy="{cy}" r="12" fill="none" {_pen("o")}/>')
    return _svg(136, 158, [*parts, _text(68, 152, status)], status)


def connect_four(rows: list[str], status: str) -> str:
    """Discs in holes, the columns numbered below."""
    cell, width, height = 30, 30 * len(rows[0]) + 12, 30 * len(rows) + 12
    parts = [_box(2, 2, width - 4, height - 4, _GROUND)]
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            colour = _COLOURS.get(mark, _FIELD)
            parts.append(_disc(6 + cell * x + cell // 2, 6 + cell * y + cell // 2, 12, colour))
    parts += [_text(6 + cell * x + cell // 2, height + 13, str(x), 11) for x in range(len(rows[0]))]
    return _svg(width, height + 42, [*parts, _text(width // 2, height + 34, status)], status)


def nannon(state: _native.NannonState, row: str, status: str) -> str:
    """The strip of points; x runs to the right above, o to the left below, each with HOME and SAFETY."""
    cell, side = 36, 78
    board = cell * len(row)
    width, right = board + 2 * side + 4, 2 + side + board
    parts = [_box(2, 24, width - 4, 92, _GROUND)]
    for i, mark in enumerate(row):
        cx = 2 + side + cell * i + cell // 2
        parts.append(_box(cx - cell // 2 + 2, 30, cell - 4, 80, _FIELD))
        parts.append(_text(cx, 17, str(i + 1), 11, _COLOURS["x"]))
        parts.append(_text(cx, 132, str(len(row) - i), 11, _COLOURS["o"]))
        if mark in _COLOURS:
            parts.append(_disc(cx, 70, 13, _COLOURS[mark]))
    for left, top, word, mark, count in (
        (2, 30, "HOME", "x", state.home(0)),
        (right, 30, "SAFETY", "x", state.safety(0)),
        (2, 72, "SAFETY", "o", state.safety(1)),
        (right, 72, "HOME", "o", state.home(1)),
    ):
        parts.append(_text(left + side // 2, top + 10, word, 9, _FAINT))
        parts += _pile(left + side // 2, top + 25, count, mark)
    parts.append(_text(2 + side // 2, 17, "x \u2192", 12, _COLOURS["x"]))
    parts.append(_text(right + side // 2, 132, "\u2190 o", 12, _COLOURS["o"]))
    parts.append(_text(width // 2, 153, status))
    return _svg(width, 160, parts, status)


def _pile(cx: int, cy: int, count: int, mark: str) -> list[str]:
    """Up to five small checkers side by side, or one with the number beside it."""
    if count > 5:
        return [_disc(cx - 10, cy, 7, _COLOURS[mark]), _text(cx + 10, cy + 4, f"\u00d7{count}", 12, _FAINT)]
    start = cx - 7 * (count - 1)
    return [_disc(start + 14 * i, cy, 6, _COLOURS[mark]) for i in range(count)]


def _svg(width: int, height: int, parts: Iterable[str], label: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}" '
        f'font-family="system-ui, sans-serif">{"".join(parts)}</svg>'
    )


def _box(x: int, y: int, width: int, height: int, fill: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}"/>'


def _disc(cx: int, cy: int, r: int, fill: str) -> str:
    return f'<circle cx="{cx}" cy="{cy}" r="{r}" fill="{fill}"/>'


def _line(x1: int, y1: int, x2: int, y2: int) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{_LINE}" stroke-width="2"/>'


def _pen(mark: str) -> str:
    return f'stroke="{_COLOURS[mark]}" stroke-width="5" stroke-linecap="round"'


def _stroke(path: str, mark: str) -> str:
    return f'<path d="{path}" fill="none" {_pen(mark)}/>'


def _text(x: int, y: int, words: str, size: int = 13, fill: str = "currentColor") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="middle" fill="{fill}">{escape(words)}</text>'
    )
