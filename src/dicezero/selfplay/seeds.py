"""Random numbers by address: (seed, round, game, move) names a number, whoever asks and in whatever order."""

from __future__ import annotations

from dicezero import _native

_MASK = (1 << 64) - 1
_FACTOR = 0xD1342543DE82EF95  # odd, so that different parts give different numbers


def address_seed(seed: int, *address: int) -> int:
    """A number in [0, 2**64) for the address; different addresses are unrelated."""
    found = _native.mix64(seed & _MASK)
    for part in address:
        found = _native.mix64(found ^ ((part + 1) * _FACTOR & _MASK))
    return int(found)


def address_uniform(seed: int, *address: int) -> float:
    """A number in [0, 1) for the address, 53 bits."""
    return (address_seed(seed, *address) >> 11) * 2.0**-53
