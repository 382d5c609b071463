"""The costliest mistakes of a policy as pictures: one SVG, or a page that needs nothing from outside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from dicezero.evaluation.strength import Mistake
from dicezero.rules.draw import board_svg
from dicezero.solve import Solution

_LINE = 18  # pixels
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font-family: system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
main {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(22rem, 1fr)); gap: 1.5rem; }}
figure {{ margin: 0; }} svg {{ max-width: 100%; height: auto; }} figcaption {{ line-height: 1.5; }}
</style>
<h1>{title}</h1>
<main>
{figures}
</main></html>
"""


def draw_mistakes(path: Path, solution: Solution, mistakes: Sequence[Mistake], *, title: str) -> None:
    """Writes the boards with what was played, what is best and what it costs; ``.svg`` or ``.html``."""
    if path.suffix not in (".svg", ".html"):
        raise ValueError(f"draw={str(path)!r} must end in .svg or .html")
    boards = [board_svg(solution.positions.state(mistake.decision)) for mistake in mistakes]
    captions = [_caption(place, mistake) for place, mistake in enumerate(mistakes, 1)]
    if path.suffix == ".html":
        figures = "\n".join(
            f"<figure>{board}<figcaption>{'<br>'.join(map(escape, lines))}</figcaption></figure>"
            for board, lines in zip(boards, captions, strict=True)
        )
        text = _PAGE.format(title=escape(title), figures=figures or "<p>No mistakes.</p>")
    else:
        text = _stacked(boards, captions, title)
    path.write_text(text, encoding="utf-8")


def _caption(place: int, mistake: Mistake) -> list[str]:
    return [
        f"{place}. plays {mistake.played}, best is {mistake.best}",
        f"gives away {mistake.loss:.4f}, {mistake.visits:.4f} times a game: {mistake.cost:.6f}",
    ]


def _stacked(boards: Sequence[str], captions: Sequence[Sequence[str]], title: str) -> str:
    y, width, parts = 2 * _LINE, 460, [_text(8, _LINE + 4, title, 15)]
    for board, lines in zip(boards, captions, strict=True):
        wide, high = (int(x) for x in re.findall(r'(?:width|height)="(\d+)"', board)[:2])
        parts.append(board.replace("<svg ", f'<svg x="8" y="{y}" ', 1))
        y += high + _LINE
        for line in lines:
            parts.append(_text(8, y, line, 13))
            y += _LINE
        y += _LINE
        width = max(width, wide + 16)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" viewBox="0 0 {width} {y}" '
        f'role="img" aria-label="{escape(title)}" font-family="system-ui, sans-serif">'
        f"{''.join(parts)}</svg>\n"
    )


def _text(x: int, y: int, label: str, size: int) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="currentColor">{escape(label)}</text>'
