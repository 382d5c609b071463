"""Figures of a study: the end of its runs by number of simulations, and the way there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dicezero.experiments.figure import Panel, draw, spread
from dicezero.experiments.gumbel.study import Axis, Judge, Shown, Study

Row = Mapping[str, Any]
_ACROSS = 4  # panels that can be read side by side on a page
_LONG = 120.0  # seconds from which time is shown in minutes


def finished(rows: Sequence[Row]) -> list[Row]:
    """Those that have ended: a half-trained run would look like a weak number of simulations."""
    return [row for row in rows if row["ended"]]


def last_points(rows: Sequence[Row], method: str, key: str) -> list[list[tuple[float, float]]]:
    """(simulations, what was reached in the end), a list a seed."""
    by_seed: dict[int, list[tuple[float, float]]] = {}
    for row in finished(rows):
        if row["method"] == method and key in row["lines"][-1]:
            by_seed.setdefault(row["seed"], []).append((row["simulations"], row["lines"][-1][key]))
    return [sorted(points) for points in by_seed.values()]


def equal_minutes(rows: Sequence[Row]) -> tuple[float, list[dict[str, Any]]]:
    """What each run had reached when the shortest of all was over: CPU minutes, and the rows cut there."""
    done = finished(rows)
    if not done:
        return 0.0, []
    seconds = min(row["lines"][-1]["cpu_seconds"] for row in done)
    cut = [{**row, "lines": [x for x in row["lines"] if x["cpu_seconds"] <= seconds + 1e-9]} for row in done]
    return seconds / 60, cut


def draw_study(out: Path, study: Study, rows: Sequence[Row], judge: Judge) -> None:
    """``NAME.png``: the ends; with ``curves`` also ``NAME-curves.png``, by games and by CPU minutes."""
    done = finished(rows)
    if not done:
        return
    names = list(dict.fromkeys(row["method"] for row in done))
    ticks = tuple(sorted({row["simulations"] for row in done}))
    minutes, cut = equal_minutes(rows)
    if study.axis is None:
        panels = [_panel(shown, shown.title, rows, names, ticks) for shown in judge.shown]
    else:
        panels = [_along(study.axis, shown, rows, ticks) for shown in judge.shown]
    if study.curves:
        first = judge.shown[0]
        title = f"{first.title}, after {_clock(minutes)}"
        panels.insert(1, _panel(first, title, cut, names, ticks))
        path, words = out / f"{study.name}-curves.png", f"{study.title} ({study.figure}): {first.title}"
        across, curves = _in_rows(list(_curves(done, names, ticks, first)))
        draw(path, curves, columns=across, title=words, same_y=True)
    panels = [panel for panel in panels if panel.lines]
    if panels:
        title = f"{study.title} ({study.figure})"
        draw(out / f"{study.name}.png", panels, columns=2 if len(panels) > 3 else 0, title=title)


def _panel(
    shown: Shown, title: str, rows: Sequence[Row], names: Sequence[str], ticks: tuple[int, ...]
) -> Panel:
    lines = {name: spread(points) for name in names if (points := last_points(rows, name, shown.key))}
    return Panel(title, "simulations a move in training", shown.ylabel, lines, shown.level, ticks)


def _along(axis: Axis, shown: Shown, rows: Sequence[Row], ticks: tuple[int, ...]) -> Panel:
    """A line for each number of simulations, by the setting in which the methods differ."""
    points: dict[tuple[int, int], list[tuple[float, float]]] = {}  # of (simulations, seed)
    for place, method in enumerate(axis.places):
        for row in finished(rows):
            if row["method"] == method and shown.key in row["lines"][-1]:
                key = row["simulations"], row["seed"]
                points.setdefault(key, []).append((place, row["lines"][-1][shown.key]))
    lines = {
        f"n = {n}": spread([of_seed for (of, _), of_seed in points.items() if of == n])
        for n in ticks
        if any(of == n for of, _ in points)
    }
    names = tuple(axis.places.values())
    return Panel(shown.title, axis.label, shown.ylabel, lines, shown.level, names=names)


def _curves(rows: Sequence[Row], names: Sequence[str], ticks: Sequence[int], shown: Shown) -> Iterator[Panel]:
    key = shown.key
    for n in ticks:
        lines = {
            name: spread(
                [
                    [(line["games"], line[key]) for line in row["lines"] if key in line]
                    for row in rows
                    if (row["method"], row["simulations"]) == (name, n)
                ]
            )
            for name in names
        }
        yield Panel(f"n = {n}", "games of self-play", shown.ylabel, _there(lines), shown.level)
    longest = max(row["lines"][-1]["cpu_seconds"] for row in rows)
    unit, seconds = ("CPU minutes", 60.0) if longest > _LONG else ("CPU seconds", 1.0)
    for n in ticks:
        lines = {name: spread([_by_time(rows, name, n, key, seconds)]) for name in names}
        yield Panel(f"n = {n}", unit, shown.ylabel, _there(lines), shown.level)


def _in_rows(panels: Sequence[Panel]) -> tuple[int, list[Panel | None]]:
    """How many side by side, and the first half of the panels each above its own of the second half."""
    half = len(panels) // 2
    across = -(-half // -(-half // _ACROSS))
    placed: list[Panel | None] = []
    for start in range(0, half, across):
        for panels_of_one in (panels[:half], panels[half:]):
            row = panels_of_one[start : start + across]
            placed += [*row, *[None] * (across - len(row))]
    return across, placed


def _there(lines: dict[str, Any]) -> dict[str, Any]:
    return {name: line for name, line in lines.items() if line.x}


def _clock(minutes: float) -> str:
    return f"{minutes:.3g} CPU minutes" if 60 * minutes > _LONG else f"{60 * minutes:.2g} CPU seconds"


def _by_time(rows: Sequence[Row], name: str, n: int, key: str, seconds: float) -> list[tuple[float, float]]:
    """The mean over seeds, measurement by measurement: no two seeds take the same time.

    Time is in units of so many ``seconds``.
    """
    own = [row["lines"] for row in rows if (row["method"], row["simulations"]) == (name, n)]
    return [
        (
            sum(line["cpu_seconds"] for line in column) / len(column) / seconds,
            sum(line[key] for line in column) / len(column),
        )
        for column in zip(*own, strict=False)
        if all(key in line for line in column)
    ]
