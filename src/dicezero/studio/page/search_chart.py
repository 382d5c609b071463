"""How the moves fared as the budget grew, for ECharts; colours are variables of the style sheet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from dicezero.studio.analysis import Snapshot
from dicezero.studio.scale import Scale

COLOURS = 6  # of the style sheet: --c0 .. --c5


def move_colours(shots: Sequence[Snapshot]) -> dict[int, str]:
    """A colour for each of the moves that matter: those chosen at any budget, then the most visited."""
    if not shots:
        return {}
    chosen = list(dict.fromkeys(shot.result.action for shot in reversed(shots)))
    visits = shots[-1].result.visits
    ranked = [*chosen, *(a for a in sorted(visits, key=lambda a: -visits[a]) if a not in chosen)]
    return {action: f"var(--c{i})" for i, action in enumerate(ranked[:COLOURS])}


def budget_options(
    shots: Sequence[Snapshot],
    names: Mapping[int, str],
    colours: Mapping[int, str],
    *,
    chosen: int,
    scale: Scale,
) -> dict[str, Any]:
    """Shares of the visits at each budget, stacked; for minimax the value found at each depth."""
    plies = bool(shots) and shots[0].unit == "plies"
    series = [_value_series(shots, colours, scale)] if plies else []
    if not plies:
        series = [_share_series(shots, [a], names[a], colours[a]) for a in colours]
        rest = [a for a in names if a not in colours]
        if rest:
            series.append(_share_series(shots, rest, "other moves", "var(--line)"))
    for one in series:  # the budget that is shown stands out
        for index, point in enumerate(one["data"]):
            point["itemStyle"]["opacity"] = 1.0 if index == chosen else 0.45
    text = {"color": "var(--soft)", "fontSize": 12}
    lines = {
        "axisLabel": text,
        "axisLine": {"lineStyle": {"color": "var(--line)"}},
        "splitLine": {"lineStyle": {"color": "var(--rule)"}},
        "axisTick": {"show": False},
    }
    # An option that is left out would stay as in the chart of another search.
    upright: dict[str, Any] = {"type": "value", "min": None, "max": None, "interval": None, **lines}
    upright["axisLabel"] = {**text, "formatter": "{value}"}
    if not plies or not scale.points:
        upright |= {"min": 0, "max": 100, "interval": 25, "axisLabel": {**text, "formatter": "{value} %"}}
    return {
        "animation": False,
        "aria": {"enabled": True},
        "grid": {"left": 8, "right": 12, "top": 34, "bottom": 8, "containLabel": True},
        "legend": {
            "show": not plies,
            "top": 0,
            "type": "scroll",
            "textStyle": text,
            "itemWidth": 14,
            "itemHeight": 9,
        },
        "tooltip": {"trigger": "axis", "className": "tip", "confine": True},
        "xAxis": {"type": "category", "data": [f"{shot.budget:,}" for shot in shots], **lines},
        "yAxis": upright,
        "series": series,
    }


def _share_series(
    shots: Sequence[Snapshot], actions: Sequence[int], name: str, colour: str
) -> dict[str, Any]:
    data = []
    for shot in shots:
        total = sum(shot.result.visits.values())
        visits = sum(shot.result.visits.get(action, 0) for action in actions)
        share = round(100 * visits / total, 2) if total else 0.0
        data.append({"value": share, "itemStyle": {"color": colour}})
    style = {"color": colour}
    return {"type": "bar", "stack": "N", "barMaxWidth": 44, "name": name, "data": data, "itemStyle": style}


def _value_series(shots: Sequence[Snapshot], colours: Mapping[int, str], scale: Scale) -> dict[str, Any]:
    """What the position is worth at each depth, in the colour of the move found there."""
    data = [
        {
            "value": round(scale.plotted(shot.result.value), 4) if math.isfinite(shot.result.value) else None,
            "itemStyle": {"color": colours.get(shot.result.action, "var(--line)")},
        }
        for shot in shots
    ]
    style = {"color": "var(--soft)"}
    name = "expected points" if scale.points else "chance of winning"
    return {"type": "bar", "barMaxWidth": 44, "name": name, "data": data, "itemStyle": style}
