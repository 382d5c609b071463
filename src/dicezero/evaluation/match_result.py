"""What a match gave: scores, returns and their intervals from the pairs of games."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dicezero.evaluation.interval import mean_interval, return_interval, score_interval
from dicezero.evaluation.sprt import Sprt, Verdict
from dicezero.rules.showing import ShownAsTable
from dicezero.selfplay.episode import Episode


@dataclass(frozen=True)
class MatchResult(ShownAsTable):
    """What a match gave, all of it for the first agent.

    Attributes:
        games, wins, draws, losses: counts; games = wins + draws + losses.
        score: (wins + draws / 2) / games, in [0, 1].
        ci95: 95 % interval of the score, from the pairs.
        mean_return: what a game paid, on average.
        mean_return_ci95: its interval, from the pairs.
        mean_plies: moves a game, passes included, chance outcomes not.
        truncated: games that did not end in time; each counts as a draw.
        distinct: games that are not the repetition of an earlier one, move by move; the intervals take every
            pair for a new one, so few distinct games make them too narrow.
        adjusted_score, adjusted_ci95: the score without the luck of the dice, where a solution was given;
            unbiased like the score, and as a rule far more precise.
        adjusted_return, adjusted_return_ci95: the same of the mean return.
        variance_ratio: variance of a pair's return over that of its adjusted return: so many times as many
            games would the plain figures need.
        sprt: the verdict of a sequential test, None where there was none or the games ran out before it.
        sprt_ratio: its log-likelihood ratio in the end.
    """

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    ci95: tuple[float, float]
    mean_return: float
    mean_return_ci95: tuple[float, float]
    mean_plies: float
    truncated: int = 0
    distinct: int = 0
    adjusted_score: float | None = None
    adjusted_ci95: tuple[float, float] | None = None
    adjusted_return: float | None = None
    adjusted_return_ci95: tuple[float, float] | None = None
    variance_ratio: float | None = None
    sprt: Verdict | None = None
    sprt_ratio: float | None = None


class MatchSheet:
    """The games of a match so far, for the first agent."""

    def __init__(self) -> None:
        self.scores: list[float] = []
        self.adjusted_scores: list[float] = []
        self._returns: list[float] = []
        self._adjusted: list[float] = []
        self._decisions = 0
        self._truncated = 0
        self._seen: set[bytes] = set()

    def add(self, episode: Episode, paid: float, *, decisions: int | None = None) -> None:
        """A game, and what it paid the first agent; ``decisions`` where it was over before its episode."""
        self.scores.append(1.0 if paid > 0.0 else 0.0 if paid < 0.0 else 0.5)
        self._returns.append(paid)
        self._decisions += len(episode.decisions) if decisions is None else decisions
        self._truncated += episode.truncated
        self._seen.add(hashlib.sha256(np.ascontiguousarray(episode.action).tobytes()).digest())

    def adjust(self, luck: float, width: float) -> None:
        """Takes the luck, in returns, out of the last game; ``width`` is that of the range of returns.

        The mean of the luck is 0, so a fixed share of it can be taken from the score without bias; this
        share takes out all of it where a win, a draw and a loss are paid as far apart as they score.
        """
        self._adjusted.append(self._returns[-1] - luck)
        self.adjusted_scores.append(self.scores[-1] - luck / width)

    def result(self, returns: tuple[float, float], test: Sprt | None) -> MatchResult:
        """All of it; ``returns`` are their range."""
        pairs, adjusted = _pair_means(self._returns), _pair_means(self._adjusted)
        games, some = len(self.scores), bool(self._adjusted)
        return MatchResult(
            games=games,
            wins=self.scores.count(1.0),
            draws=self.scores.count(0.5),
            losses=self.scores.count(0.0),
            score=mean(self.scores),
            ci95=score_interval(_pair_means(self.scores)),
            mean_return=mean(self._returns),
            mean_return_ci95=return_interval(pairs, returns),
            mean_plies=self._decisions / games,
            truncated=self._truncated,
            distinct=len(self._seen),
            adjusted_score=mean(self.adjusted_scores) if some else None,
            adjusted_ci95=_within(mean_interval(_pair_means(self.adjusted_scores)), (0.0, 1.0))
            if some
            else None,
            adjusted_return=mean(self._adjusted) if some else None,
            adjusted_return_ci95=_within(mean_interval(adjusted), returns) if some else None,
            variance_ratio=_variance(pairs) / max(_variance(adjusted), 1e-12) if some else None,
            sprt=test.verdict if test else None,
            sprt_ratio=test.ratio if test else None,
        )


def _within(interval: tuple[float, float], bounds: tuple[float, float]) -> tuple[float, float]:
    """The part of an interval that a mean can be in: without luck a game may score beyond the bounds."""
    low, high = (min(max(end, bounds[0]), bounds[1]) for end in interval)
    return low, high


def _pair_means(values: list[float]) -> list[float]:
    return [mean(values[i : i + 2]) for i in range(0, len(values), 2)]


def mean(values: Sequence[float]) -> float:
    """The average of at least one number."""
    return sum(values) / len(values)


def _variance(values: list[float]) -> float:
    middle = mean(values)
    return sum((value - middle) ** 2 for value in values) / max(1, len(values) - 1)
