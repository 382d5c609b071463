"""One game of a match, as it was played."""

from __future__ import annotations

from dataclasses import dataclass

DECISIONS = 2_000  # of a game for two whose spec has no bound: a longer one is a draw
DECISIONS_ALONE = 100_000  # of one player; 2048 has no bound, and its games are long


@dataclass(frozen=True)
class Played:
    """One game as it was played.

    Attributes:
        actions: every action from the start, chance outcomes included.
        dice: the chance outcomes alone, in order.
        returns: [players]; of a game for two that was cut off, a draw: 0 for both.
        truncated: whether it was cut off, by the environment or because it was too long.
    """

    actions: tuple[int, ...]
    dice: tuple[int, ...]
    returns: tuple[float, ...]
    truncated: bool = False

    @property
    def decisions(self) -> int:
        """Moves, passes included, chance outcomes not."""
        return len(self.actions) - len(self.dice)
