"""What a round's playing and learning are to the run: one of two strategies, from replay or online."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from dicezero.learner.progress import Stage
from dicezero.model.weights import Weights

Report = Callable[[Stage, int, int, int], None]  # receives (stage, done, of how many, decisions made)


@dataclass(frozen=True)
class Learned:
    """What steps 1 and 2 of a round gave.

    Attributes:
        mean_return, mean_length, games, decisions, truncated: of self-play; returns are of player 0, lengths
            in decisions.
        simulations: of all searches of self-play.
        losses: the mean of each term.
        seconds_selfplay, seconds_learning: by the clock.
        files: what was written for the round, with its SHA-256.
        rounds_behind: by how many rounds the weights that played these games are older than those that
            learned from them, where self-play goes on during training; else None.
        seconds_overlapped: by the clock, in which it did both.
    """

    mean_return: float
    mean_length: float
    games: int
    decisions: int
    truncated: int
    simulations: int
    losses: dict[str, float]
    seconds_selfplay: float
    seconds_learning: float
    files: dict[str, str]
    rounds_behind: int | None = None
    seconds_overlapped: float = 0.0


class Learning(Protocol):
    """Plays and learns round after round; its state is what a checkpoint holds."""

    def play_round(self, index: int, report: Report) -> Learned:
        """Round ``index``, counted from 0, up to new weights; nothing is committed."""
        ...

    def weights(self) -> Weights:
        """What plays, after the last round; the same dict until the next."""
        ...

    def optimiser(self) -> dict[str, np.ndarray[Any, Any]]:
        """All else that going on takes, but for shards."""
        ...

    def shards_after(self, number: int, shards: tuple[str, ...]) -> tuple[str, ...]:
        """Those of ``shards`` that are still needed once round ``number``, from 1, is done."""
        ...
