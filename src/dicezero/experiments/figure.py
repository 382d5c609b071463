"""Lines with their spread as PNG files; where matplotlib is not installed the data stand alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from textwrap import fill
from typing import Any

_COLOURS = ("#c4511d", "#2f6fb7", "#3d8b4f", "#7b4fa3", "#8a6d1d", "#444444")
_LONG_NAME = 40  # letters of a line's name that leave no room for another beside it
_CROWDED = 12  # names that have room beside each other when they are slanted
_WIDEST_NAME = 100  # letters that have room below the axes
_TITLE_LETTERS = 9  # that have room above an inch of a figure
_FEW_PANELS = 2  # up to which each has a legend of its own
_MANY_COLUMNS = 4  # from which each is narrower, or letters become too small on a page
_FEW_POINTS = 12  # of a line, that can be distinguished: one alone would draw nothing


@dataclass(frozen=True)
class Series:
    """One line: the middle, and the least and greatest over seeds."""

    x: tuple[float, ...]
    middle: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Attributes:
        title: above it.
        xlabel, ylabel: of the axes.
        lines: by name.
        level: a horizontal line, with what it is; None for none.
        ticks: places on the x axis that get their own number, on a logarithmic scale; none is linear.
        bars: drawn as bars side by side, not as lines, with the spread as whiskers.
        names: of the places 0, 1, 2, ... on the x axis, in the place of numbers.
        log: the y axis is logarithmic.
    """

    title: str
    xlabel: str
    ylabel: str
    lines: Mapping[str, Series]
    level: tuple[float, str] | None = None
    ticks: tuple[int, ...] = ()
    bars: bool = False
    names: tuple[str, ...] = ()
    log: bool = False


def spread(by_seed: Sequence[Sequence[tuple[float, float]]]) -> Series:
    """The (x, y) points of some seeds as one line; a seed that has no point there is left out there."""
    columns: dict[float, list[float]] = {}
    for points in by_seed:
        for x, y in points:
            columns.setdefault(x, []).append(y)
    xs = tuple(sorted(columns))
    middle = tuple(sum(columns[x]) / len(columns[x]) for x in xs)
    return Series(xs, middle, tuple(min(columns[x]) for x in xs), tuple(max(columns[x]) for x in xs))


def draw(
    path: Path, panels: Sequence[Panel | None], *, columns: int = 0, title: str = "", same_y: bool = False
) -> bool:
    """Draws the panels side by side; False where matplotlib is not there.

    Args:
        path: the PNG file.
        panels: in reading order, None for an empty place; many that have the same lines share one legend.
        columns: panels in a row; 0 puts all in one.
        title: above all of them.
        same_y: all get the same range, so that heights can be compared between them.
    """
    if find_spec("matplotlib") is None:
        return False
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    across = columns or len(panels)
    rows = -(-len(panels) // across)
    shared = len(panels) > _FEW_PANELS and len({_named(panel) for panel in panels if panel}) == 1
    wide = 6.2 if across < _MANY_COLUMNS else 4.6
    figure = Figure(figsize=(wide * across, (4.0 if shared else 4.8) * rows), layout="constrained")
    FigureCanvasAgg(figure)
    drawn = []
    for place, panel in enumerate(panels, 1):
        if panel is None:
            continue
        drawn.append(figure.add_subplot(rows, across, place))
        _draw_panel(drawn[-1], panel, wide=wide, legend=not shared)
    if same_y:
        low, high = zip(*(axes.get_ylim() for axes in drawn), strict=True)
        for axes in drawn:
            axes.set_ylim(min(low), max(high))
    if shared:
        handles, names = drawn[0].get_legend_handles_labels()
        figure.legend(handles, names, frameon=False, loc="outside lower center", ncols=min(4, len(names)))
    if title:
        figure.suptitle(fill(title, int(_TITLE_LETTERS * wide * across)), fontsize=14)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    return True


def _named(panel: Panel) -> tuple[str, ...]:
    """The entries of its legend."""
    return (*panel.lines, *((panel.level[1],) if panel.level else ()))


def _draw_panel(axes: Any, panel: Panel, *, wide: float, legend: bool) -> None:
    width = 0.8 / max(1, len(panel.lines))
    for place, ((name, line), colour) in enumerate(zip(panel.lines.items(), _COLOURS * 3, strict=False)):
        if panel.bars:
            shifted = [x + (place - (len(panel.lines) - 1) / 2) * width for x in line.x]
            whiskers = [
                [m - low for m, low in zip(line.middle, line.low, strict=True)],
                [high - m for m, high in zip(line.middle, line.high, strict=True)],
            ]
            spread = whiskers if any(map(any, whiskers)) else None
            axes.bar(shifted, line.middle, width=width, label=name, color=colour, yerr=spread, capsize=3)
            continue
        marker = "o" if panel.ticks or len(line.x) <= _FEW_POINTS else None
        style = "-" if place < len(_COLOURS) else "--"
        axes.plot(
            line.x, line.middle, label=name, color=colour, linewidth=1.6, marker=marker, linestyle=style
        )
        axes.fill_between(line.x, line.low, line.high, color=colour, alpha=0.2, linewidth=0)
    if panel.level:
        axes.axhline(panel.level[0], color="#222222", linestyle="--", linewidth=1, label=panel.level[1])
    if panel.ticks:
        axes.set_xscale("symlog", base=2, linthresh=2)
        axes.set_xticks(panel.ticks, [str(tick) for tick in panel.ticks])
        axes.set_xticks([], minor=True)
        axes.set_xlim(left=min(panel.ticks) - 0.2)
    if panel.names:
        angle, side = (30, "right") if len(panel.names) <= _CROWDED else (90, "center")
        axes.set_xticks(range(len(panel.names)), panel.names, rotation=angle, ha=side)
    if panel.log:
        axes.set_yscale("log")
    title = fill(panel.title, int(_TITLE_LETTERS * wide))
    axes.set(title=title, xlabel=panel.xlabel, ylabel=panel.ylabel)
    axes.grid(alpha=0.25)
    if legend and (panel.lines or panel.level):
        # Under the axes: a legend among many lines hides one of them.
        handles, names = axes.get_legend_handles_labels()
        long = any(len(name) > _LONG_NAME for name in names)
        crowded = len(panel.names) > _CROWDED
        below = -0.44 if crowded else -0.26 if panel.names else -0.18 if long else -0.14  # names take room
        axes.legend(
            handles,
            [fill(name, _WIDEST_NAME) for name in names],
            frameon=False,
            fontsize=7 if long else 9,
            loc="upper center",
            bbox_to_anchor=(0.5, below),
            ncols=1 if long else 2,
        )
