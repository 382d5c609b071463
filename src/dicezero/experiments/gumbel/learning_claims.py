"""What the paper concludes about learning, as comparisons of runs that numbers decide.

A comparison is decided by the 95 % interval of a difference in agreement of the networks alone: over seeds
(Student's) where there are three or more, else from the number of positions asked, which leaves out what
another seed would have done.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dicezero.evaluation.interval import Z95, mean_interval
from dicezero.experiments.gumbel.verdict import Claim, Ruling, by_interval

Rows = Sequence[Mapping[str, Any]]
Kind = Literal["better", "not worse", "learns", "fails to learn"]

LEARNED = 0.05  # gain in agreement over the first weights that counts as having learned
MARGIN = 0.03  # what counts as alike

_KEY = "network_agreement"


@dataclass(frozen=True)
class Comparison:
    """One claim, and what has to be compared for it.

    Attributes:
        name, where, says: of the claim; its criterion follows from the other fields.
        kind: ``better``: first above second; ``not worse``: not below by more than MARGIN; ``learns``: gains
            more than LEARNED over its first weights; ``fails to learn``: less.
        first, second: names of methods; the second is not used by the last two kinds.
        simulations: the claim has to hold at each of these; those not run are left out.
    """

    name: str
    where: str
    says: str
    kind: Kind
    first: str
    second: str
    simulations: tuple[int, ...]

    @property
    def claim(self) -> Claim:
        """With its criterion in words."""
        at = "n = " + ", ".join(map(str, self.simulations))
        what = {
            "better": f"{self.first} above {self.second}",
            "not worse": f"{self.first} at most {MARGIN} below {self.second}",
            "learns": f"{self.first} gains more than {LEARNED} over its first weights",
            "fails to learn": f"{self.first} gains less than {LEARNED} over its first weights",
        }[self.kind]
        criterion = (
            f"Agreement of the network alone, {at}. Confirmed if {what}, 95 % interval, at every n that "
            "was run; refuted if the interval says the opposite at any."
        )
        return Claim(self.name, self.where, self.says, criterion)


SWEEP: tuple[Comparison, ...] = tuple(
    comparison
    for base, gumbel, full in (
        ("alphazero", "gumbel-alphazero", "full-gumbel-alphazero"),
        ("muzero", "gumbel-muzero", "full-gumbel-muzero"),
    )
    for comparison in (
        Comparison(
            f"{gumbel} learns with two simulations",
            "section 7.1, figure 2",
            "Gumbel learns reliably even with two simulations.",
            "learns",
            gumbel,
            "",
            (2,),
        ),
        Comparison(
            f"{base} fails with few simulations",
            "section 7.1, figure 2",
            "The baseline fails to learn from few simulations (16 or less on 9x9 Go, which has 82 moves).",
            "fails to learn",
            base,
            "",
            (2, 4),
        ),
        Comparison(
            f"{gumbel} beats {base} with few simulations",
            "abstract, section 7.1",
            "Gumbel significantly improves on the baseline when planning with few simulations.",
            "better",
            gumbel,
            base,
            (2, 4),
        ),
        Comparison(
            f"{gumbel} is never worse than {base}",
            "sections 1 and 7",
            "Better with a small number of simulations, and never worse.",
            "not worse",
            gumbel,
            base,
            (16, 32, 50, 200),
        ),
        Comparison(
            f"{full} is not worse than {gumbel}",
            "section 5, figure 7",
            "The principled selection inside the tree gives a small benefit.",
            "not worse",
            full,
            gumbel,
            (2, 4, 16, 50, 200),
        ),
    )
)


def judge_runs(comparisons: Sequence[Comparison], rows: Rows, *, positions: int) -> list[dict[str, Any]]:
    """The claims whose runs have ended at one number of simulations or more, each with its verdict."""
    found = []
    for comparison in comparisons:
        differences = {
            n: difference
            for n in comparison.simulations
            if (difference := _difference(comparison, rows, n, positions)) is not None
        }
        if differences:
            rulings = [by_interval(low, high) for _, low, high in differences.values()]
            numbers = {f"n = {n}": middle for n, (middle, _, _) in differences.items()}
            seeds = {row["seed"] for row in rows if row["ended"] and row["method"] == comparison.first}
            found.append(comparison.claim.ruled(_ruling(rulings), {**numbers, "seeds": float(len(seeds))}))
    return found


def _ruling(rulings: Sequence[Ruling]) -> Ruling:
    if "refuted" in rulings:
        return "refuted"
    return "confirmed" if set(rulings) == {"confirmed"} else "not decidable"


def _difference(
    comparison: Comparison, rows: Rows, n: int, positions: int
) -> tuple[float, float, float] | None:
    """What has to be above zero, with its interval; None where a run is missing."""
    first = _by_seed(rows, comparison.first, n)
    signs: dict[Kind, Callable[[Mapping[str, Any], Mapping[str, Any]], float]] = {
        "better": lambda a, b: a["lines"][-1][_KEY] - b["lines"][-1][_KEY],
        "not worse": lambda a, b: a["lines"][-1][_KEY] - b["lines"][-1][_KEY] + MARGIN,
        "learns": lambda a, _: a["lines"][-1][_KEY] - a["lines"][0][_KEY] - LEARNED,
        "fails to learn": lambda a, _: LEARNED - a["lines"][-1][_KEY] + a["lines"][0][_KEY],
    }
    other = _by_seed(rows, comparison.second, n) if comparison.second else first
    seeds = sorted(first.keys() & other.keys())
    if not seeds:
        return None
    found = [signs[comparison.kind](first[seed], other[seed]) for seed in seeds]
    middle = sum(found) / len(found)
    if len(found) >= 3:
        return middle, *mean_interval(found)
    # Two shares of the same positions; that they are asked the same makes this wider than it need be.
    half = Z95 * math.sqrt(2 * 0.25 / (positions * len(found)))
    return middle, middle - half, middle + half


def _by_seed(rows: Rows, method: str, n: int) -> dict[int, Mapping[str, Any]]:
    return {
        row["seed"]: row
        for row in rows
        if row["ended"] and (row["method"], row["simulations"]) == (method, n)
    }
