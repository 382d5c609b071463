"""The game as a line of win probability, for ECharts; colours are variables of the style sheet."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from dicezero.studio.page.words import TONES
from dicezero.studio.story import Story

COLUMN = "column"  # the series of unseen bars that makes every ply clickable over the whole height


def win_options(story: Story | None, seat: int, *, shown: int | None = None) -> dict[str, Any]:
    """The chart for the player ``seat``; ``shown`` is the ply whose position is on the board."""
    points = story.points if story else ()
    wins = [round(100 * (p.win if seat == 0 else 1 - p.win), 2) for p in points]
    dots = []
    for point, win in zip(points, wins, strict=True):
        own = point.player == seat and point.grade is not None
        tone = TONES[point.grade.mark] if own and point.grade else None
        dot: dict[str, Any] = {"value": win, "symbolSize": 9 if own else 4}
        dot["itemStyle"] = {"color": f"var(--{tone})" if tone else "var(--soft)"}
        if own and point.grade and point.grade.mark:
            dot["symbolSize"] = 13
            dot["label"] = {
                "show": True,
                "formatter": point.grade.mark,
                "color": f"var(--{tone})",
                "fontWeight": "bold",
                "fontSize": 14,
            }
        dots.append(dot)
    plies = [str(p.ply) for p in points] or ["0"]
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
            "data": [{"yAxis": 50}],
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
        "tooltip": {"trigger": "axis", "className": "tip", **_tip(story, wins)},
        "xAxis": {"type": "category", "data": plies, **_axis()},
        "yAxis": {"type": "value", "min": 0, "max": 100, "interval": 25, **_axis("{value} %")},
        "series": [
            {
                "name": COLUMN,
                "type": "bar",
                "barWidth": "100%",
                "data": [100] * len(plies),
                "itemStyle": {"color": "transparent"},
                "emphasis": {"itemStyle": {"color": "var(--hover)"}},
                "cursor": "pointer",
                "tooltip": {"show": False},
            },
            line,
        ],
    }


def _tip(story: Story | None, wins: list[float]) -> dict[str, Any]:
    """What is said of a ply; the texts are ours, so a plain lookup in the browser is enough."""
    if story is None:
        return {}
    texts = [
        f"{p.text or 'start'}: {win:.1f} %" + (f" {p.grade.mark}" if p.grade and p.grade.mark else "")
        for p, win in zip(story.points, wins, strict=True)
    ]
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
