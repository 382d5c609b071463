"""What the paper concludes about learning, as comparisons of runs that numbers decide.

A comparison is decided by the 95 % interval of a difference in one measured number: over seeds (Student's)
where there are three or more, else from the error of the measurements, which leaves out what another seed
would have done.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dicezero.evaluation.interval import Z95, mean_interval
from dicezero.experiments.gumbel.verdict import Claim, Ruling, by_interval

Rows = Sequence[Mapping[str, Any]]
Kind = Literal["better", "not worse", "learns", "fails to learn"]


@dataclass(frozen=True)
class Criterion:
    """The measured number that decides, and how much of it counts.

    Attributes:
        key: of a line; where the line has ``KEY_ci95`` too, that is the number's 95 % interval.
        words: what it is, as a criterion begins.
        learned: a gain over the first weights that counts as having learned.
        margin: what counts as alike.
        error: standard error of the number, where a line has no interval.
    """

    key: str
    words: str
    learned: float
    margin: float
    error: float = 0.0

    def error_of(self, line: Mapping[str, Any]) -> float:
        """The standard error of what was measured there."""
        low, high = line.get(f"{self.key}_ci95", (-Z95 * self.error, Z95 * self.error))
        return float(high - low) / (2 * Z95)


@dataclass(frozen=True)
class Comparison:
    """One claim, and what has to be compared for it.

    Attributes:
        name, where, says: of the claim; its criterion follows from the other fields.
        kind: ``better``: first above second; ``not worse``: not below by more than the criterion's margin;
            ``learns``: gains more than its ``learned`` over the first weights; ``fails to learn``: less.
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

    def claim(self, by: Criterion) -> Claim:
        """With its criterion in words."""
        at = "n = " + ", ".join(map(str, self.simulations))
        what = {
            "better": f"{self.first} above {self.second}",
            "not worse": f"{self.first} at most {by.margin:g} below {self.second}",
            "learns": f"{self.first} gains more than {by.learned:g} over its first weights",
            "fails to learn": f"{self.first} gains less than {by.learned:g} over its first weights",
        }[self.kind]
        criterion = (
            f"{by.words}, {at}. Confirmed if {what}, 95 % interval, at every n that "
            "was run; refuted if the interval says the opposite at any."
        )
        return Claim(self.name, self.where, self.says, criterion)


def family_comparisons(
    base: str,
    gumbel: str,
    full: str = "",
    *,
    fails: tuple[int, ...] = (2, 4),
    many: tuple[int, ...] = (16, 32, 50, 200),
) -> tuple[Comparison, ...]:
    """The paper's claims on a family of agents on any game.

    Args:
        base: the name of the baseline.
        gumbel: of Gumbel with its own root alone.
        full: of Full Gumbel; without it there are no claims on that.
        fails: numbers of simulations that are few for this game: the baseline fails, Gumbel is better.
        many: numbers at which Gumbel is not worse.
    """
    comparisons = (
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
            fails,
        ),
        Comparison(
            f"{gumbel} beats {base} with few simulations",
            "abstract, section 7.1",
            "Gumbel significantly improves on the baseline when planning with few simulations.",
            "better",
            gumbel,
            base,
            fails,
        ),
        Comparison(
            f"{gumbel} is never worse than {base}",
            "sections 1 and 7",
            "Better with a small number of simulations, and never worse.",
            "not worse",
            gumbel,
            base,
            many,
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
    return comparisons if full else comparisons[:-1]


def judge_runs(comparisons: Sequence[Comparison], rows: Rows, by: Criterion) -> list[dict[str, Any]]:
    """The claims whose runs have ended at one number of simulations or more, each with its verdict.

    A verdict's numbers are, for each n, what has to be above zero and its interval.
    """
    verdicts = []
    for comparison in comparisons:
        differences = {
            n: difference
            for n in comparison.simulations
            if (difference := _difference(comparison, rows, n, by)) is not None
        }
        if differences:
            rulings = [by_interval(low, high) for _, low, high in differences.values()]
            numbers = {
                f"n = {n}{end}": value
                for n, difference in differences.items()
                for end, value in zip(("", " low", " high"), difference, strict=True)
            }
            seeds = {row["seed"] for row in rows if row["ended"] and row["method"] == comparison.first}
            claim = comparison.claim(by)
            verdicts.append(claim.ruled(_ruling(rulings), {**numbers, "seeds": float(len(seeds))}))
    return verdicts


def _ruling(rulings: Sequence[Ruling]) -> Ruling:
    if "refuted" in rulings:
        return "refuted"
    return "confirmed" if set(rulings) == {"confirmed"} else "not decidable"


def _difference(
    comparison: Comparison, rows: Rows, n: int, by: Criterion
) -> tuple[float, float, float] | None:
    """What has to be above zero, with its interval; None where a run is missing or was not measured so."""
    ends = _lines(rows, comparison.first, n, -1, by.key)
    other, sign, spare = {
        "better": (comparison.second, 1.0, 0.0),
        "not worse": (comparison.second, 1.0, by.margin),
        "learns": ("", 1.0, -by.learned),
        "fails to learn": ("", -1.0, by.learned),
    }[comparison.kind]
    against = _lines(rows, other, n, -1, by.key) if other else _lines(rows, comparison.first, n, 0, by.key)
    pairs = [(ends[seed], against[seed]) for seed in sorted(ends.keys() & against.keys())]
    if not pairs:
        return None
    differences = [sign * (a[by.key] - b[by.key]) + spare for a, b in pairs]
    middle = sum(differences) / len(differences)
    if len(differences) >= 3:
        return middle, *mean_interval(differences)
    # As if the two were measured apart; where both were asked the same, this is wider than it need be.
    half = Z95 * math.sqrt(sum(by.error_of(line) ** 2 for pair in pairs for line in pair)) / len(differences)
    return middle, middle - half, middle + half


def _lines(rows: Rows, method: str, n: int, place: int, key: str) -> dict[int, Mapping[str, Any]]:
    """The first (0) or last (-1) line of each run of that method that has ended, by seed."""
    return {
        row["seed"]: row["lines"][place]
        for row in rows
        if row["ended"] and (row["method"], row["simulations"]) == (method, n) and key in row["lines"][place]
    }
