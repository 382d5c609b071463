"""Curves of runs as ECharts options; colours are variables of the style sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dicezero.runs.charts import nice_ticks

Line = Mapping[str, Any]  # of metrics.jsonl
Axis = Literal["round", "minutes"]
COLOURS = 6  # of the style sheet: --c0 .. --c5


@dataclass(frozen=True)
class RunLines:
    """A run's metrics with the name and the colour it is shown in."""

    name: str
    colour: int
    lines: Sequence[Line]


@dataclass(frozen=True)
class Quantity:
    """Something to draw of a run: ``key`` of its metrics, divided by ``per`` where given."""

    key: str
    name: str = ""
    per: str | None = None
    dashed: bool = False
    colour: int | None = None  # its own; by default the run's


@dataclass(frozen=True)
class Chart:
    """A chart: which quantities, and the level that is perfect."""

    id: str
    title: str
    quantities: tuple[Quantity, ...]
    level: float | str | None = None  # a height, or the key of one
    zero: bool = False  # whether the axis begins at 0
    terms: str = ""  # of a single run every key with this prefix is drawn, each with its name
    percent: bool = False  # whether the quantities are shares, shown in per cent

    @property
    def key(self) -> str:
        """What solid and dashed lines are, where there are both."""
        solid = [one.name for one in self.quantities if one.name and not one.dashed]
        dashed = " ".join(one.name for one in self.quantities if one.dashed)
        return f"solid: {solid[0] if solid else self.solid}; dashed: {dashed}" if dashed else ""

    solid: str = "measured"


CHARTS = (
    Chart(
        "perfect",
        "Score against perfect play",
        (Quantity("vs_optimal", "with search"), Quantity("raw_vs_optimal", "network alone", dashed=True)),
        level=0.5,
        percent=True,
    ),
    Chart(
        "random",
        "Score against random play",
        (Quantity("vs_random"),),
        level="perfect_vs_random",
        percent=True,
    ),
    Chart(
        "match",
        "Score against the opponent",
        (
            Quantity("score"),
            Quantity("score_low", "95 % confidence,", dashed=True),
            Quantity("score_high", "from and to", dashed=True),
        ),
        percent=True,
    ),
    Chart(
        "return",
        "Mean return",
        (Quantity("mean_return"), Quantity("selfplay_return", "in self-play", dashed=True)),
    ),
    Chart("length", "Length of a game of self-play, in moves", (Quantity("selfplay_length"),), zero=True),
    Chart("loss", "Loss", (Quantity("loss_total"),), terms="loss_"),
    Chart(
        "dynamics",
        "Tests of the learned dynamics",
        (Quantity("top_move", "top move"), Quantity("uniform", "uniform", dashed=True)),
        percent=True,
    ),
    Chart("games", "Games a second of self-play", (Quantity("games", per="seconds_selfplay"),), zero=True),
    Chart(
        "simulations",
        "Simulations a second of self-play",
        (Quantity("simulations", per="seconds_selfplay"),),
        zero=True,
    ),
)


def chart_options(chart: Chart, runs: Sequence[RunLines], axis: Axis) -> dict[str, Any] | None:
    """The options of a chart, None where no run has anything to draw."""
    terms = _terms(chart, runs[0]) if chart.terms and len(runs) == 1 else ()
    unit = 100.0 if chart.percent else 1.0
    series = [line for run in runs for line in _series(terms or chart.quantities, run, axis, unit)]
    if not series:
        return None
    level = _level(chart, runs)
    level = None if level is None else unit * level
    if level is not None:
        series[0]["markLine"] = {
            "silent": True,
            "symbol": "none",
            "label": {
                "formatter": f"perfect {level:.3g}" + " %" * chart.percent,
                "position": "insideStartBottom",
                "color": "var(--soft)",
            },
            "lineStyle": {"color": "var(--ink)", "type": "dashed", "opacity": 0.6},
            "data": [{"yAxis": level}],
        }
    text = {"color": "var(--soft)", "fontSize": 12}
    lines = {
        "axisLabel": text,
        "axisLine": {"lineStyle": {"color": "var(--line)"}},
        "splitLine": {"lineStyle": {"color": "var(--rule)"}},
    }
    heights = [y for one in series for _, y in one["data"]] + ([level] if level is not None else [])
    ticks = nice_ticks(0.0 if chart.zero else min(heights), max(heights))
    if chart.percent:  # no share is outside these
        ticks = [tick for tick in ticks if 0.0 <= tick <= 100.0]
    for one in series if terms else ():
        one["endLabel"] = {"show": True, "formatter": one["name"].split()[-1], "color": "var(--soft)"}
        one["labelLayout"] = {"moveOverlap": "shiftY"}  # terms of one height
    return {
        "animation": False,
        "grid": {"left": 8, "right": 64 if terms else 16, "top": 14, "bottom": 8, "containLabel": True},
        "tooltip": {"trigger": "axis", "className": "tip", "confine": True},
        "xAxis": {"type": "value", "minInterval": 1 if axis == "round" else 0, "min": 0, **lines},
        "yAxis": {
            "type": "value",
            "min": ticks[0],
            "max": ticks[-1],
            "interval": round(ticks[1] - ticks[0], 9),
            **lines,
            "axisLabel": {**text, "formatter": "{value} %"} if chart.percent else text,
        },
        "series": series,
    }


def _level(chart: Chart, runs: Sequence[RunLines]) -> float | None:
    if isinstance(chart.level, str):
        levels = [line[chart.level] for run in runs for line in run.lines if chart.level in line]
        return float(levels[-1]) if levels and levels[-1] is not None else None
    return chart.level


def _terms(chart: Chart, run: RunLines) -> tuple[Quantity, ...]:
    """The parts of a loss and their sum, if there are several; the weights' own size is on another scale."""
    keys = {key for line in run.lines for key in line if key.startswith(chart.terms)}
    names = sorted(keys - {f"{chart.terms}l2"})
    if len(names) == 2:
        names = [key for key in names if key != f"{chart.terms}total"]
    return tuple(
        Quantity(key, key.removeprefix(chart.terms), colour=number % COLOURS)
        for number, key in enumerate(names)
    )


def _series(quantities: Sequence[Quantity], run: RunLines, axis: Axis, unit: float) -> list[dict[str, Any]]:
    series = []
    for quantity in quantities:
        colour = f"var(--c{run.colour if quantity.colour is None else quantity.colour})"
        points = [[x, round(unit * y, 5)] for x, y in _points(quantity, run.lines, axis)]
        if points:
            series.append(
                {
                    "type": "line",
                    "name": f"{run.name} {quantity.name}".strip(),
                    "data": points,
                    "showSymbol": len(points) < 40,
                    "symbolSize": 5,
                    "lineStyle": {
                        "color": colour,
                        "width": 1.6 if quantity.dashed else 2.5,
                        "type": "dashed" if quantity.dashed else "solid",
                    },
                    "itemStyle": {"color": colour},
                }
            )
    return series


def _points(quantity: Quantity, lines: Sequence[Line], axis: Axis) -> list[list[float]]:
    points = []
    for line in lines:
        value, divisor = line.get(quantity.key), line.get(quantity.per) if quantity.per else 1.0
        x = line.get("round") if axis == "round" else line.get("seconds")
        if value is None or not divisor or x is None:
            continue
        across = float(x) if axis == "round" else round(float(x) / 60, 3)
        points.append([across, round(float(value) / float(divisor), 5)])
    return points
