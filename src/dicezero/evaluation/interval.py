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
