"""How far a round is: what a screen shows while it is under way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Stage = Literal["self-play", "training", "measuring"]


@dataclass(frozen=True)
class Progress:
    """A moment of a round.

    Attributes:
        round: the round under way, from 1.
        stage: of the round.
        done, total: games over, training steps done, or decisions measured, of how many.
        moves: decisions made so far in this round's games; 0 outside self-play.
    """

    round: int
    stage: Stage
    done: int
    total: int
    moves: int = 0
