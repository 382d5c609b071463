"""The game as a line, for ECharts: chance of winning, expected points, or what was got alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from dicezero.studio.page.cube_words import cube_notes, cube_signs
from dicezero.studio.page.words import TONES
from dicezero.studio.scale import Scale
from dicezero.studio.story import Point, Story

COLUMN = "column"  # the series of unseen bars that makes every ply clickable over the whole height


def win_options(
    story: Story | None, seat: int, *, shown: int | None = None, scale: Scale | None = None
) -> dict[str, Any]:
    """The chart for the player ``seat``; ``shown`` is the ply whose position is on the board.

    In per cent where games are won or lost, in points where the game pays points.
    """
    points = story.points if story else ()
    scale = story.scale if story else scale or Scale()
    signs = cube_signs(story, seat) if story else {}
    dots = [_dot(point, seat, scale, signs.get(point.ply, "")) for point in points]
    plies = [str(p.ply) for p in points] or ["0"]
    paid = None if story is None else story.dropped
    if paid is not None:
        dots.append({"value": paid if seat == 0 else -paid, "symbolSize": 4})
        plies.append("end")
    scale = scale.times(max((p.stake for p in points), default=1))
    line: dict[str, Any] = {
        "name": "win",
        "type": "line",
        "data": dots,
        "symbol": "circle",
        "showAllSymbol": True,
        "lineStyle": {"color": f"var(--p{seat})", "width": 2.5},
        "areaStyle": {"color": f"var(--p{seat}-soft)", "opacity": 1},
        "z": 3,
        "markLine": {
            "silent": True,
            "symbol": "none",
            "label": {"show": False},
            "lineStyle": {"color": "var(--line)", "type": "dashed"},
            "data": [{"yAxis": 0 if scale.points else 50}],
        },
    }
    if shown is not None:
        line["markLine"]["data"].append(
            {"xAxis": str(shown), "lineStyle": {"color": "var(--focus)", "type": "solid", "width": 3}}
        )
    return {
        "animation": False,
        "grid": {"left": 44, "right": 12, "top": 18, "bottom": 26},
        "aria": {"enabled": True},
        "tooltip": {"trigger": "axis", "className": "tip", **_tip(story, seat)},
        "xAxis": {"type": "category", "data": plies, **_axis()},
        "yAxis": {"type": "value", **_range(scale)},
        "series": [
            {
                "name": COLUMN,
                "type": "bar",
                "barWidth": "100%",
                "data": [scale.high if scale.points else 100] * len(plies),
                "itemStyle": {"color": "transparent"},
                "emphasis": {"itemStyle": {"color": "var(--hover)"}},
                "cursor": "pointer",
                "tooltip": {"show": False},
            },
            line,
        ],
    }


def _dot(point: Point, seat: int, scale: Scale, sign: str) -> dict[str, Any]:
    """A ply on the line; what the reader did wrong there has its mark, ``sign`` is that of the cube."""
    own = point.player == seat and point.grade is not None
    mark = (point.grade.mark if own and point.grade else "") or sign
    tone = TONES[mark] if own or sign else None
    win = scale.times(point.stake).shown(point.win if seat == 0 else 1 - point.win)
    dot: dict[str, Any] = {"value": round(win, 3), "symbolSize": 9 if own else 4}
    dot["itemStyle"] = {"color": f"var(--{tone})" if tone else "var(--soft)"}
    if mark:
        dot["symbolSize"] = 13
        dot["label"] = {
            "show": True,
            "formatter": mark,
            "color": f"var(--{tone})",
            "fontWeight": "bold",
            "fontSize": 14,
        }
    return dot


def total_options(
    texts: Sequence[str], totals: Sequence[float], *, shown: int | None = None
) -> dict[str, Any]:
    """The chart of one who plays alone: what has been got after every ply, from 0 at the start."""
    plies = [str(ply) for ply in range(len(totals) + 1)]
    line: dict[str, Any] = {
        "name": "got",
        "type": "line",
        "data": [0.0, *totals],
        "symbol": "circle",
        "symbolSize": 5,
        "lineStyle": {"color": "var(--p0)", "width": 2.5},
        "itemStyle": {"color": "var(--p0)"},
        "areaStyle": {"color": "var(--p0-soft)", "opacity": 1},
    }
    mark = {"xAxis": str(shown), "lineStyle": {"color": "var(--focus)", "type": "solid", "width": 3}}
    data = [mark] if shown is not None else []  # said even of none: what a chart is not told it keeps
    line["markLine"] = {"silent": True, "symbol": "none", "label": {"show": False}, "data": data}
    tips = [f"{text}: {total:g}" for text, total in zip(("start", *texts), (0.0, *totals), strict=True)]
    return {
        "animation": False,
        "grid": {"left": 56, "right": 12, "top": 18, "bottom": 26},
        "aria": {"enabled": True},
        "tooltip": {
            "trigger": "axis",
            "className": "tip",
            ":formatter": f"(p) => ({_js(tips)})[p[0].dataIndex]",
        },
        "xAxis": {"type": "category", "data": plies, **_axis()},
        "yAxis": {"type": "value", "min": None, "max": None, "interval": None, **_axis("{value}")},
        "series": [line],
    }


def _range(scale: Scale) -> dict[str, Any]:
    """Per cent from 0 to 100; points from the lowest return to the highest."""
    if not scale.points:
        return {"min": 0, "max": 100, "interval": 25, **_axis("{value} %")}
    step = (scale.high - scale.low) / (6 if scale.high - scale.low <= 12 else 8)
    return {"min": scale.low, "max": scale.high, "interval": step, **_axis("{value}")}


def _tip(story: Story | None, seat: int) -> dict[str, Any]:
    """The tooltip of a ply; the texts are ours, so a plain lookup in the browser is enough."""
    if story is None:
        return {}
    notes = cube_notes(story)
    texts = [
        f"{p.text or 'start'}: {story.scale.times(p.stake).of_share(p.win if seat == 0 else 1 - p.win)}"
        + (f" {p.grade.mark}" if p.grade and p.grade.mark else "")
        + (f", then {notes[p.ply]}" if p.ply in notes else "")
        for p in story.points
    ]
    if story.dropped is not None:
        texts.append(f"dropped: {story.scale.of_value(story.dropped if seat == 0 else -story.dropped)}")
    return {":formatter": f"(p) => ({_js(texts)})[p[0].dataIndex]"}


def _js(texts: list[str]) -> str:
    """A list as JavaScript; game texts may hold anything, so it is JSON with HTML escaped."""
    return json.dumps([escape(text) for text in texts])


def _axis(label: str | None = None) -> dict[str, Any]:
    axis: dict[str, Any] = {
        "axisLabel": {"color": "var(--soft)", "fontSize": 12},
        "axisLine": {"lineStyle": {"color": "var(--line)"}},
        "splitLine": {"lineStyle": {"color": "var(--rule)"}},
        "axisTick": {"show": False},
    }
    if label:
        axis["axisLabel"]["formatter"] = label
    return axis
