"""A confidence interval for the mean of scores in [0, 1] that stays honest when there are few."""

from __future__ import annotations

import math
from collections.abc import Sequence

Z95 = 1.959963984540054


def score_interval(scores: Sequence[float], *, z: float = Z95) -> tuple[float, float]:
    """The interval for the mean of independent ``scores``; 95 % with the default ``z``.

    Two imaginary scores, a 0 and a 1, are added to the sample (the idea of Agresti and Coull's interval):
    without them, five wins out of five would be reported as certainty.
    """
    if not scores:
        return 0.0, 1.0
    sample = [*scores, 0.0, 1.0]
    count = len(sample)
    mean = sum(sample) / count
    variance = sum((score - mean) ** 2 for score in sample) / (count - 1)
    half = z * math.sqrt(variance / count)
    return max(0.0, mean - half), min(1.0, mean + half)


def mean_interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval for the mean of independent ``values`` of any range, by Student's distribution."""
    count = len(values)
    if count < 2:
        return -math.inf, math.inf
    mean = math.fsum(values) / count
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    half = _student95(count - 1) * math.sqrt(variance / count)
    return mean - half, mean + half


def return_interval(values: Sequence[float], returns: tuple[float, float]) -> tuple[float, float]:
    """The 95 % interval for the mean of independent returns, ``returns`` being the least and the greatest.

    Where these are known it is that of scores, which stays honest when there are few; else Student's.
    """
    low, high = returns
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        return mean_interval(values)
    bottom, top = score_interval([(value - low) / (high - low) for value in values])
    return low + bottom * (high - low), low + top * (high - low)


def _student95(freedom: int) -> float:
    """Student's 97.5 % quantile: an expansion around the normal one, a table where that fails."""
    small = (12.7062, 4.3027, 3.1824, 2.7764)
    if freedom <= len(small):
        return small[freedom - 1]
    z, n = Z95, float(freedom)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3
