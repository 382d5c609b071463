"""Numbers of any size as distributions over a grid of points: MuZero's value transform and two-hot code.

A number x is a point of h-space, h(x) = sign(x) (sqrt(|x| + 1) - 1) + 0.001 x, and there the weighted mean of
two neighbours in the grid; logits stand for the inverse of h at the mean of their softmax. All functions
take NumPy and JAX arrays and answer in kind; ``cpp/model/support.h`` decodes natively.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

_SLOPE = 0.001  # of the linear part: without it the inverse would not be Lipschitz
_EVEN = 20  # points lie one apart up to here,
_GROWTH = 1.12  # and from here on each is further out by this factor at most


def _namespace(x: Any) -> Any:
    """The module whose functions take ``x``: NumPy, or JAX's."""
    if isinstance(x, np.ndarray | np.generic | float | int):
        return np
    import jax.numpy  # only where there are its arrays

    return jax.numpy


def transform(x: Any) -> Any:
    """The transform h of every element."""
    xp = _namespace(x)
    size = xp.abs(x)
    return xp.sign(x) * (size / (xp.sqrt(size + 1.0) + 1.0) + _SLOPE * size)


def untransform(y: Any) -> Any:
    """The inverse of h of every element.

    |x| = t (t + 2), where t = sqrt(|x| + 1) - 1 solves 0.001 t^2 + 1.002 t = |y|. In float32 the usual
    formula loses digits to a difference of near-equal numbers; this one loses none.
    """
    xp = _namespace(y)
    size, linear = xp.abs(y), 1.0 + 2.0 * _SLOPE
    t = 2.0 * size / (linear + xp.sqrt(linear * linear + 4.0 * _SLOPE * size))
    return xp.sign(y) * t * (t + 2.0)


@dataclass(frozen=True)
class Support:
    """A grid that is symmetric about 0; the outermost points are +-h(limit).

    Attributes:
        limit: the largest number it can represent, and minus that the smallest.
    """

    limit: float

    def __post_init__(self) -> None:
        if not isinstance(self.limit, int | float) or not 0.0 < self.limit <= 1e12:
            raise ValueError(f"value_limit={self.limit!r} must be in (0, 1e12]")

    @classmethod
    def of(cls, limit: float = 50_000.0) -> Support:
        """The support for numbers from -``limit`` to ``limit``."""
        return cls(float(limit))

    @cached_property
    def points(self) -> npt.NDArray[np.float32]:
        """[bins], ascending, in h-space."""
        end = float(transform(self.limit))
        if end <= _EVEN:
            steps = math.ceil(end)
            half = np.arange(1, steps + 1) * (end / steps)
        else:
            steps = math.ceil(math.log(end / _EVEN) / math.log(_GROWTH))
            far = _EVEN * (end / _EVEN) ** (np.arange(1, steps + 1) / steps)
            half = np.concatenate([np.arange(1, _EVEN + 1), far])
        return np.concatenate([-half[::-1], [0.0], half]).astype(np.float32)

    def __len__(self) -> int:
        return len(self.points)

    def check(self, values: npt.ArrayLike) -> None:
        """Refuses numbers beyond the limit; ValueError names one and the setting."""
        array = np.asarray(values)
        beyond = ~(np.abs(array) <= self.limit)  # NaN is beyond any
        if beyond.any():
            raise ValueError(
                f"a value or reward of {array[beyond].flat[0]:g} is beyond value_limit={self.limit:g}; "
                "give a larger one: --set value_limit=..."
            )

    def encode(self, values: Any) -> Any:
        """Numbers [...] to weights [..., bins]: two neighbours share 1 so that their mean is h of the number.

        NaN where a number is beyond the limit: it has no code, and ``check`` raises.
        """
        xp = _namespace(values)
        points = xp.asarray(self.points)
        gaps = points[1:] - points[:-1]
        place = transform(values)[..., None]
        one = xp.ones_like(place)
        rising = xp.concatenate([one, (place - points[:-1]) / gaps], axis=-1)
        falling = xp.concatenate([(points[1:] - place) / gaps, one], axis=-1)
        weights = xp.clip(xp.minimum(rising, falling), 0.0, 1.0)
        slack = 1e-6 * self.limit  # float32 rounds the limit itself
        return xp.where(xp.abs(values)[..., None] <= self.limit + slack, weights, xp.nan)

    def mean(self, probabilities: Any) -> Any:
        """Distributions [..., bins] to the numbers [...] they stand for."""
        xp = _namespace(probabilities)
        return untransform(xp.sum(probabilities * xp.asarray(self.points), axis=-1))

    def decode(self, logits: Any) -> Any:
        """Logits [..., bins] to the numbers [...] they stand for."""
        xp = _namespace(logits)
        weights = xp.exp(logits - logits.max(axis=-1, keepdims=True))
        return self.mean(weights / weights.sum(axis=-1, keepdims=True))
