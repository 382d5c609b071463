"""The paper's claims, the criterion that decides whether they hold here, and the verdict on the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Ruling = Literal["confirmed", "refuted", "not decidable"]


@dataclass(frozen=True)
class Claim:
    """One conclusion of the paper, to be decided by a number.

    Attributes:
        name: a short name for it.
        where: its place in the paper.
        says: the conclusion in a sentence.
        criterion: what confirms it, what refutes it; written before anything is run.
    """

    name: str
    where: str
    says: str
    criterion: str

    def ruled(self, ruling: Ruling, numbers: Mapping[str, float]) -> dict[str, Any]:
        """The claim with its verdict as plain data."""
        return {**asdict(self), "verdict": ruling, "numbers": dict(numbers)}


def by_interval(low: float, high: float) -> Ruling:
    """Confirmed where a difference is above zero for sure, refuted where it is below."""
    if low > 0.0:
        return "confirmed"
    return "refuted" if high < 0.0 else "not decidable"


def yes_or_no(holds: bool) -> Ruling:
    """Of something that is computed exactly."""
    return "confirmed" if holds else "refuted"
