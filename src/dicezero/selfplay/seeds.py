"""Random numbers by address: (seed, round, game, move) names a number, in any process and any order."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dicezero import _native

_MASK = (1 << 64) - 1
_FACTOR = 0xD1342543DE82EF95  # odd, so that different parts give different numbers

SeedArray = npt.NDArray[np.uint64]


def address_seed(seed: int, *address: int) -> int:
    """A number in [0, 2**64) for the address; different addresses are unrelated."""
    mixed = _native.mix64(seed & _MASK)
    for part in address:
        mixed = _native.mix64(mixed ^ ((part + 1) * _FACTOR & _MASK))
    return int(mixed)


def address_uniform(seed: int, *address: int) -> float:
    """A number in [0, 1) for the address, 53 bits."""
    return (address_seed(seed, *address) >> 11) * 2.0**-53


def extended_seeds(seeds: SeedArray, *address: npt.NDArray[np.int64] | int) -> SeedArray:
    """[B], the numbers of longer addresses: ``seeds`` are those of their beginnings, a part may be [B]."""
    for part in address:
        seeds = _mix64(seeds ^ (np.atleast_1d(part).astype(np.uint64) + np.uint64(1)) * np.uint64(_FACTOR))
    return seeds


def extended_uniforms(seeds: SeedArray, *address: npt.NDArray[np.int64] | int) -> npt.NDArray[np.float64]:
    """[B], the same as numbers in [0, 1)."""
    return (extended_seeds(seeds, *address) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _mix64(x: SeedArray) -> SeedArray:
    """``_native.mix64`` of every element."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
