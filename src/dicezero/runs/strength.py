"""How strong a run is, by whatever meter measured it: the one number that curves, lists and screens show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StrengthKind:
    """What a meter's first number is.

    Attributes:
        key: of the number in a line of metrics; ``key_low`` and ``key_high`` bound it where it is sampled.
        title: above a curve of it.
        digits: after the decimal point.
        level: the name and height of what perfect play would reach, where that is known.
        others: further numbers in [0, 1] of the same kind: key to name.
    """

    key: str
    title: str
    digits: int
    level: tuple[str, float] | None = None
    others: tuple[tuple[str, str], ...] = ()


KINDS = {
    "exact": StrengthKind(
        "vs_optimal",
        "Score against perfect play",
        4,
        ("perfect", 0.5),
        (("raw_vs_optimal", "network alone"),),
    ),
    "match": StrengthKind("score", "Score against the opponent", 3),
    "mean_return": StrengthKind("mean_return", "Mean return", 2),
}


def strength_kind(line: Mapping[str, Any]) -> StrengthKind | None:
    """What was measured in a round, None where nothing was."""
    kind = KINDS.get(str(line.get("meter", "")).partition("(")[0])
    # Without an opponent, or a range to place returns in, an exact measurement has no score either.
    return kind if kind is None or kind.key in line else KINDS["mean_return"]


def measured_lines(lines: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The rounds that were measured as the last of them was."""
    kinds = [strength_kind(line) for line in lines]
    last = next((kind for kind in reversed(kinds) if kind is not None), None)
    return [line for line, kind in zip(lines, kinds, strict=True) if kind is last and kind is not None]


def strength_text(line: Mapping[str, Any], *, percent: bool = False) -> str:
    """The number with its interval and who it is against: ``0.512 (0.480 to 0.544) against random``.

    With ``percent`` scores are as pages show them: ``51.2 % (48.0 to 54.4 %) against random``.
    """
    kind = strength_kind(line)
    if kind is None:
        return "-"
    share = percent and kind.key != "mean_return"
    unit, sign, digits = (100.0, " %", kind.digits - 2) if share else (1.0, "", kind.digits)

    def number(key: str) -> str:
        return f"{unit * float(line[key]):.{digits}f}"

    shown = f"{number(kind.key)}{sign}"
    low, high = f"{kind.key}_low", f"{kind.key}_high"
    if line.get(low) is not None and line.get(high) is not None:
        shown += f" ({number(low)} to {number(high)}{sign})"
    return f"{shown} against {line['opponent']}" if "opponent" in line else shown
