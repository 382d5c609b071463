"""The figures of the bandit part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dicezero.experiments.figure import Panel, Series, draw
from dicezero.experiments.gumbel.bandit_study import KNOWLEDGE, NOISE, VALUE_ERRORS

_SHOWN = ("Gumbel", "without replacement", "with replacement", "top-n", "PUCT", "PUCT, most visits")


def draw_bandits(out: Path, data: Mapping[str, Any]) -> None:
    """Figure 1, policy improvement, simple regret and completed Q, into ``out``."""
    _figure_1(out, data["halving"])
    _improvement(out, data["improvement"])
    _regret(out, data["regret"])
    _targets(out, data)


def _figure_1(out: Path, data: Mapping[str, Any]) -> None:
    visits = data["visits"]
    ranks = tuple(float(rank) for rank in range(1, len(visits) + 1))
    line = Series(ranks, tuple(visits), tuple(visits), tuple(visits))
    title = "n = 200 simulations, m = 16 actions sampled"
    lines = {"visits": line}
    panel = Panel(title, "sampled actions, the most visited first", "visits N(a)", lines, bars=True)
    draw(out / "figure-1.png", [panel])


def _improvement(out: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    def lines(key: str) -> dict[str, Series]:
        return {
            name: _plain([(row["simulations"], row[key]) for row in rows if row["method"] == name])
            for name in (*_SHOWN, "TRPO", "MPO")
        }

    panels = [
        Panel(
            "How often is search worse than its predictor?",
            "simulations",
            "share of bandits made worse",
            lines("made_worse"),
        ),
        Panel("What is lost against the best arm", "simulations", "simple regret", lines("regret")),
    ]
    draw(out / "bandit-improvement.png", panels)


def _regret(out: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    panels = [
        Panel(
            f"{knows}, {seen}",
            "simulations",
            "simple regret",
            {
                name: _intervals(
                    [
                        (row["simulations"], row["regret"])
                        for row in rows
                        if (row["predictor"], row["values"], row["method"]) == (knows, seen, name)
                    ]
                )
                for name in _SHOWN
            },
            ticks=tuple(sorted({row["simulations"] for row in rows})),
        )
        for knows in KNOWLEDGE
        for seen in NOISE
    ]
    draw(out / "bandit-regret.png", panels, columns=2)


def _targets(out: Path, data: Mapping[str, Any]) -> None:
    knows, seen = next(iter(KNOWLEDGE)), next(iter(NOISE))
    rows = [r for r in data["regret"] if (r["predictor"], r["values"]) == (knows, seen)]
    names = ("Gumbel", "with replacement", "PUCT", "TRPO", "MPO")
    learned = {
        name: _intervals([(row["simulations"], row["target"]) for row in rows if row["method"] == name])
        for name in names
    }
    mixed = {
        f"{words}, n = {n}": _intervals(
            [(row["value_error"], row[key]) for row in data["v_mix"] if row["simulations"] == n]
        )
        for n in (2, 16)
        for key, words in (("mixed", "v_mix"), ("raw", "the network's value"))
    }
    ticks = tuple(sorted({row["simulations"] for row in rows}))
    level = (0.0, "the predictor itself")
    panels = [
        Panel("What the policy to learn from would win", "simulations", "gain", learned, level, ticks),
        Panel(
            "Arms not visited stand at",
            f"error of the value network ({VALUE_ERRORS[0]:g} to {VALUE_ERRORS[-1]:g})",
            "gain of the policy to learn from",
            mixed,
            level,
        ),
    ]
    draw(out / "bandit-targets.png", panels)


def _plain(points: Sequence[tuple[float, float]]) -> Series:
    xs, ys = zip(*points, strict=True)
    return Series(xs, ys, ys, ys)


def _intervals(points: Sequence[tuple[float, Sequence[float]]]) -> Series:
    return Series(
        tuple(x for x, _ in points),
        tuple(y[0] for _, y in points),
        tuple(y[1] for _, y in points),
        tuple(y[2] for _, y in points),
    )
