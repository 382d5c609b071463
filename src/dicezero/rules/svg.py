"""Pictures as SVG: the shapes that boards are drawn with; no script, no style sheet, no file from outside.

A board brings its own ground; what stands outside it takes the colour of the page's text.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

COLOURS = {"x": "#d9622b", "o": "#3a7fd0"}
GROUND, LINE, FIELD, FAINT = "#efe6d5", "#8d7f68", "#fbf7ee", "#6f6452"


def words(text_lines: list[str]) -> str:
    """Lines of text in a fixed-width font: the picture of a game that has no other."""
    widest = max((len(line) for line in text_lines), default=0)
    rows = "".join(
        f'<text x="10" y="{22 + 18 * i}" xml:space="preserve" font-family="monospace" font-size="13" '
        f'fill="currentColor">{escape(line)}</text>'
        for i, line in enumerate(text_lines)
    )
    return svg(8 * widest + 20, 18 * len(text_lines) + 22, [rows], " ".join(text_lines))


def svg(width: int, height: int, parts: Iterable[str], label: str) -> str:
    """The whole picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}" '
        f'font-family="system-ui, sans-serif">{"".join(parts)}</svg>'
    )


def box(x: int, y: int, width: int, height: int, fill: str) -> str:
    """A rectangle with round corners."""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}"/>'


def disc(cx: int, cy: int, r: int, fill: str) -> str:
    """A filled circle."""
    return f'<circle cx="{cx}" cy="{cy}" r="{r}" fill="{fill}"/>'


def line(x1: int, y1: int, x2: int, y2: int) -> str:
    """A line of the board."""
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{LINE}" stroke-width="2"/>'


def pen(mark: str) -> str:
    """How a side's mark is drawn."""
    return f'stroke="{COLOURS[mark]}" stroke-width="5" stroke-linecap="round"'


def stroke(path: str, mark: str) -> str:
    """A path in a side's colour."""
    return f'<path d="{path}" fill="none" {pen(mark)}/>'


def text(x: int, y: int, words: str, size: int = 13, fill: str = "currentColor") -> str:
    """Words, centred at x."""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="middle" fill="{fill}">{escape(words)}</text>'
    )
