"""Curves as inline SVG, coloured by the page's own style sheet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

_WIDTH, _HEIGHT = 400, 230
_LEFT, _RIGHT, _TOP, _BOTTOM = 50, 12, 10, 28
_MARKED = 40  # up to so many points get a dot with its figures as tool tip


@dataclass(frozen=True)
class Series:
    """A curve: its name and its points (x, y), x rising."""

    name: str
    points: Sequence[tuple[float, float]]


def line_chart(
    title: str,
    series: Sequence[Series],
    *,
    level: tuple[str, float] | None = None,
    scale: Literal["range", "zero", "log"] = "range",
    percent: bool = False,
) -> str:
    """A figure with its legend; nothing where there are no points.

    Args:
        title: above it.
        series: the curves; rounds are on the x axis.
        level: the name and height of a horizontal line.
        scale: the y axis covers the points' range, or also zero, or is logarithmic (points below
            a thousandth are then left out).
        percent: heights are shares, shown in per cent.
    """
    sign = " %" if percent else ""
    if percent:
        series = [Series(s.name, [(x, 100.0 * y) for x, y in s.points]) for s in series]
        level = None if level is None else (level[0], 100.0 * level[1])
    if scale == "log":
        series = [Series(s.name, [(x, math.log10(y)) for x, y in s.points if y >= 1e-3]) for s in series]
    series = [one for one in series if one.points]
    if not series:
        return ""
    heights = [y for one in series for _, y in one.points] + ([level[1]] if level else [])
    rounds = [x for one in series for x, _ in one.points]
    low, high = min(heights), max(heights)
    if scale == "zero":
        low = min(0.0, low)
    ticks = nice_ticks(low, high)
    if scale == "log":
        ticks = [float(t) for t in range(math.floor(low), max(math.floor(low) + 1, math.ceil(high)) + 1)]
    low, high = min(low, ticks[0]), max(high, ticks[-1])
    first, last = min(rounds), max(max(rounds), min(rounds) + 1)

    def shown(y: float) -> float:
        return 10.0**y if scale == "log" else y

    def at_x(x: float) -> float:
        return _LEFT + (x - first) / (last - first) * (_WIDTH - _LEFT - _RIGHT)

    def at_y(y: float) -> float:
        return _HEIGHT - _BOTTOM - (y - low) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)

    parts = []
    for tick in ticks:
        y = at_y(tick)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{number(shown(tick))}{sign}</text>'
        )
    for tick in nice_ticks(first, last):
        if tick == int(tick) and first <= tick <= last:
            place = f'x="{at_x(tick):.1f}" y="{_HEIGHT - 8}"'
            parts.append(f'<text {place} text-anchor="middle">{int(tick)}</text>')
    if level:
        y = at_y(level[1])
        parts.append(f'<line class="level" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
    for index, one in enumerate(series):
        path = " ".join(f"{at_x(x):.1f},{at_y(y):.1f}" for x, y in one.points)
        parts.append(f'<polyline class="s{index}" points="{path}"/>')
        if len(one.points) <= _MARKED:
            parts += [
                f'<circle class="s{index}" cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="2.5">'
                f"<title>round {x:g}: {escape(one.name)} {shown(y):.6g}{sign}</title></circle>"
                for x, y in one.points
            ]
    keys = [f'<span class="key s{i}">{escape(one.name)}</span>' for i, one in enumerate(series)]
    if level:
        keys.append(f'<span class="key level">{escape(level[0])} {level[1]:.4g}{sign}</span>')
    ends = ", ".join(f"{one.name} {shown(one.points[-1][1]):.4g}{sign}" for one in series)
    label = escape(f"{title}, by round; at the end {ends}", quote=True)
    return (
        f"<figure><figcaption>{escape(title)}</figcaption>"
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">{"".join(parts)}</svg>'
        f'<div class="legend">{"".join(keys)}</div></figure>'
    )


def nice_ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers that cover [low, high], about so many."""
    if high <= low:
        pad = abs(low) * 0.1 or 1.0
        low, high = low - pad, high + pad
    spacing = (high - low) / about
    size = 10.0 ** math.floor(math.log10(spacing))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= spacing * 0.999)
    begin, end = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(i * step, 12) for i in range(begin, end + 1)]


def number(value: float) -> str:
    """A tick's label: 0.45, 20, 150k."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.4g}{letter}"
    return f"{value:.4g}"
