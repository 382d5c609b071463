"""Wald's sequential probability ratio test: as few games as the question needs.

H0: the first agent is ``elo0`` stronger; H1: it is ``elo1`` stronger. Scores of independent pairs of games
come in one by one; the test stops as soon as the likelihood ratio decides which hypothesis to keep, at error
rates set beforehand. The scores are taken as normal with the variance seen so far, which is what a
generalised likelihood ratio comes to when the hypotheses are close. A pair has at most five scores, or,
adjusted for luck, a continuous one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

Verdict = Literal["H0", "H1"]
_FEWEST = 16  # pairs before the variance is trusted


def elo_score(elo: float) -> float:
    """The expected score in [0, 1] of an advantage in Elo points."""
    return float(1.0 / (1.0 + 10.0 ** (-elo / 400.0)))


@dataclass(frozen=True)
class SprtConfig:
    """The question and the error rates.

    Attributes:
        elo0, elo1: the two hypotheses, elo0 < elo1, in Elo points.
        alpha: how often H1 may be kept where H0 holds.
        beta: how often H0 may be kept where H1 holds.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -2000 <= self.elo0 < self.elo1 <= 2000:
            raise ValueError(f"elo0={self.elo0}, elo1={self.elo1} must satisfy -2000 <= elo0 < elo1 <= 2000")
        for name in ("alpha", "beta"):
            if not 0.0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name}={getattr(self, name)} is out of range; give 0..0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are kept."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


@dataclass
class Sprt:
    """A test under way."""

    config: SprtConfig
    pairs: int = 0
    ratio: float = 0.0  # log likelihood of H1 over H0
    verdict: Verdict | None = None
    _sum: float = field(default=0.0, repr=False)
    _squares: float = field(default=0.0, repr=False)

    def add(self, score: float) -> Verdict | None:
        """Takes in a pair's mean score; returns the verdict once there is one, which then stands."""
        if self.verdict is not None:
            return self.verdict
        self.pairs += 1
        self._sum += score
        self._squares += score * score
        if self.pairs < _FEWEST:
            return None
        mean = self._sum / self.pairs
        variance = max((self._squares - self.pairs * mean * mean) / (self.pairs - 1), 1e-12)
        low, high = elo_score(self.config.elo0), elo_score(self.config.elo1)
        self.ratio = self.pairs * (high - low) * (2 * mean - low - high) / (2 * variance)
        lower, upper = self.config.bounds
        self.verdict = "H1" if self.ratio >= upper else "H0" if self.ratio <= lower else None
        return self.verdict


def parse_sprt(text: str, *, alpha: float = 0.05, beta: float = 0.05) -> SprtConfig:
    """``"0,10"`` as a test of +0 against +10 Elo."""
    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"sprt={text!r} is not elo0,elo1; write e.g. 0,10") from None
    return SprtConfig(elo0, elo1, alpha, beta)
