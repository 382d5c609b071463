"""One game of a match, as it was played."""

from __future__ import annotations

from dataclasses import dataclass

MAX_PLIES = 1_000_000


@dataclass(frozen=True)
class GameRecord:
    """One game as it was played.

    Attributes:
        actions: every action from the start, chance outcomes included.
        dice: the chance outcomes alone, in order.
        returns: of player 0 and player 1.
    """

    actions: tuple[int, ...]
    dice: tuple[int, ...]
    returns: tuple[float, float]
