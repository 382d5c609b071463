"""The few SVG shapes the boards share. Numbers are user units; colours come from the style sheet by class."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

from dicezero.studio.page.boards.view import View

Point = tuple[float, float]


def svg(width: float, height: float, parts: Iterable[str], *, kind: str, label: str) -> str:
    """The whole drawing; ``label`` is what a screen reader says of it."""
    return (
        f'<svg class="board {kind}" viewBox="0 0 {width:g} {height:g}" role="group" '
        f'aria-label="{escape(label, quote=True)}">{"".join(parts)}</svg>'
    )


def move(view: View, action: int, shapes: Iterable[str], *, badge: Point | None = None) -> str:
    """A legal move: shapes that are clicked, focused and read as one button, with its key beside it."""
    number = view.number(action)
    hinted = " hinted" if action == view.hint else ""
    label = escape(f"move {number}: {view.moves[action]}" + (", hinted" if hinted else ""), quote=True)
    key = ""
    if badge is not None and number <= 9:
        x, y = badge
        key = (
            f'<g class="key" aria-hidden="true"><circle cx="{x:.1f}" cy="{y:.1f}" r="15"/>'
            f'<text x="{x:.1f}" y="{y + 6.5:.1f}">{number}</text></g>'
        )
    return (
        f'<g class="move{hinted}" data-action="{action}" data-number="{number}" tabindex="0" '
        f'role="button" aria-label="{label}">{"".join(shapes)}{key}</g>'
    )


def circle(centre: Point, radius: float, classes: str) -> str:
    """A disc or a ring, as the style sheet has it."""
    return f'<circle class="{classes}" cx="{centre[0]:.1f}" cy="{centre[1]:.1f}" r="{radius:.1f}"/>'


def checker(centre: Point, radius: float, player: int, *, motion: str = "") -> str:
    """A piece: player 0's carries a ring, player 1's a dot, so that colour is not the only difference."""
    inner = circle(centre, radius * 0.62, "ring") if player == 0 else circle(centre, radius * 0.28, "dot")
    return f'<g class="checker p{player}"{motion}>{circle(centre, radius, "body")}{inner}</g>'


def glide(start: Point, end: Point, scale: float = 1.0, *, delay: float = 0.0) -> str:
    """The attributes that let a piece drawn at ``end`` come from ``start``."""
    dx, dy = start[0] - end[0], start[1] - end[1]
    return _motion(f"translate({dx:.1f}px,{dy:.1f}px) scale({scale:.3f})", end, delay)


def swing(angle: float, centre: Point, *, delay: float = 0.0) -> str:
    """The attributes that let a piece come along an arc of ``angle`` degrees around ``centre``."""
    return _motion(f"rotate({angle:.2f}deg)", centre, delay)


def _motion(start: str, origin: Point, delay: float) -> str:
    return (
        f' style="--from:{start};--delay:{delay:g}s;transform-origin:{origin[0]:.1f}px {origin[1]:.1f}px" '
        'data-moving="true"'
    )


def text(at: Point, words: str, classes: str) -> str:
    """Words, anchored as the class says."""
    return f'<text class="{classes}" x="{at[0]:.1f}" y="{at[1]:.1f}">{escape(words)}</text>'


def on_circle(centre: Point, radius: float, degrees: float) -> Point:
    """The point at an angle, counted from the right against the clock."""
    turn = math.radians(degrees)
    return centre[0] + radius * math.cos(turn), centre[1] - radius * math.sin(turn)


def ring_sector(centre: Point, inner: float, outer: float, start: float, end: float) -> str:
    """The path of a piece of a ring between two angles, ``start`` above ``end``."""
    (ax, ay), (bx, by) = on_circle(centre, outer, start), on_circle(centre, outer, end)
    (cx, cy), (dx, dy) = on_circle(centre, inner, end), on_circle(centre, inner, start)
    return (
        f"M{ax:.1f} {ay:.1f}A{outer:g} {outer:g} 0 0 1 {bx:.1f} {by:.1f}"
        f"L{cx:.1f} {cy:.1f}A{inner:g} {inner:g} 0 0 0 {dx:.1f} {dy:.1f}Z"
    )
