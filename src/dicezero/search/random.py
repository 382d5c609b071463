"""The project's random numbers in plain Python: bit for bit those of the native core (cpp/rules/random.h)."""

from __future__ import annotations

import math
from collections.abc import Sequence

_MASK = (1 << 64) - 1
_STREAM = 0xD1342543DE82EF95
_LEAST = 2.0**-54  # stands for a uniform draw of exactly 0 where a logarithm follows


def mix64(x: int) -> int:
    """SplitMix64: one step of a Weyl sequence through a mixing function, on 64 bits."""
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def row_seed(seed: int, row: int) -> int:
    """The seed of one row of a batch: a function of the batch's seed and the row's number only."""
    return mix64(mix64(seed & _MASK) ^ ((row * _STREAM) & _MASK))


def _rotate_left(x: int, bits: int) -> int:
    return ((x << bits) | (x >> (64 - bits))) & _MASK


class Rng:
    """xoshiro256++ named by (seed, stream), with the few distributions that a search draws from."""

    def __init__(self, seed: int, stream: int = 0) -> None:
        x = mix64(seed & _MASK) ^ ((stream * _STREAM) & _MASK)
        self._state = []
        for _ in range(4):
            x = mix64(x)
            self._state.append(x)

    def next(self) -> int:
        """64 random bits."""
        s = self._state
        result = (_rotate_left((s[0] + s[3]) & _MASK, 23) + s[0]) & _MASK
        t = (s[1] << 17) & _MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = _rotate_left(s[3], 45)
        return result

    def uniform(self) -> float:
        """Uniform in [0, 1), 53 bits."""
        return (self.next() >> 11) * 2.0**-53

    def positive_uniform(self) -> float:
        """Uniform in (0, 1): a draw of 0 becomes 2^-54."""
        return self.uniform() or _LEAST

    def gumbel(self) -> float:
        """Gumbel(0): -log(-log(u))."""
        return -math.log(-math.log(self.positive_uniform()))

    def normal(self) -> float:
        """Box-Muller with two uniforms; the cosine branch only, so that every call costs the same."""
        radius = math.sqrt(-2.0 * math.log(self.positive_uniform()))
        return radius * math.cos(2.0 * math.pi * self.uniform())

    def gamma(self, alpha: float) -> float:
        """Gamma(alpha) by Marsaglia and Tsang; below 1 a draw for alpha + 1 times u^(1/alpha), u last."""
        if alpha < 1.0:
            boosted = self.gamma(alpha + 1.0)
            return boosted * math.pow(self.positive_uniform(), 1.0 / alpha)
        d = alpha - 1.0 / 3.0
        c = 1.0 / math.sqrt(9.0 * d)
        while True:
            x = self.normal()
            v = (1.0 + c * x) ** 3
            if v <= 0.0:
                continue
            if math.log(self.positive_uniform()) < 0.5 * x * x + d - d * v + d * math.log(v):
                return d * v

    def roulette(self, probabilities: Sequence[float]) -> int:
        """The position drawn by one uniform number; the last one if rounding leaves a sliver."""
        u = self.uniform()
        for position, probability in enumerate(probabilities):
            if u < probability:
                return position
            u -= probability
        return len(probabilities) - 1
