"""Independent random streams from one seed: a number is addressed, never drawn in turn.

Every random number of a match belongs to an address such as (seed, "dice", pair, roll). So the dice of a
pair of games do not depend on what the agents draw, on who sits where, or on how many games were played.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b


def stream_seed(seed: int, *address: int | str) -> int:
    """A number in [0, 2**63) for the address; different addresses are unrelated."""
    text = "/".join(str(part) for part in (seed, *address))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def stream_uniform(seed: int, *address: int | str) -> float:
    """A number in [0, 1) for the address."""
    return (stream_seed(seed, *address) >> 10) * 2.0**-53


def pick_outcome(outcomes: Sequence[tuple[int, float]], uniform: float) -> int:
    """The chance outcome whose share of [0, 1) holds ``uniform``; one of probability zero is never picked."""
    at = uniform * sum(probability for _, probability in outcomes)
    possible = [(outcome, probability) for outcome, probability in outcomes if probability > 0.0]
    if not possible:
        raise ValueError(
            "a chance node has no outcome of positive probability; check the game's chance_outcomes()"
        )
    for outcome, probability in possible:
        at -= probability
        if at < 0.0:
            return outcome
    return possible[-1][0]
