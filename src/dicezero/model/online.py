"""Learning while playing: what a network offers that plays and learns at once, without episodes in between.

A judge of afterstates may have ``online(game, *, settings, weights, optimiser, threads)``: an
``OnlineLearner``, or None for a game it cannot play natively, which is then learned from replay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from dicezero.model.weights import Weights

if TYPE_CHECKING:
    from dicezero.rules.protocol import Game

Optimiser = dict[str, np.ndarray[Any, Any]]
OnProgress = Callable[[int, int], None]  # receives (games over, decisions made)


@dataclass(frozen=True)
class OnlineSettings:
    """How to play and learn at once; a learner may have no use for some of it.

    Attributes:
        value_lambda: of TD(lambda).
        discount: of a reward, for every decision before it.
        scale: what a value of 1 stands for, in the game's units.
        epsilon: the probability that a move is any legal one; nothing is learned across it.
        max_moves: decisions after which a game is cut off.
        block: games that are played with the same weights before they are learned from.
        batch: decisions a training step.
        epochs: passes over the decisions of a block.
        weight_decay: decoupled, as in AdamW.
    """

    value_lambda: float = 0.7
    discount: float = 1.0
    scale: float = 1.0
    epsilon: float = 0.0
    max_moves: int = 1_000
    block: int = 64
    batch: int = 256
    epochs: int = 1
    weight_decay: float = 0.0


@dataclass(frozen=True)
class OnlineRound:
    """What a round of playing and learning was like.

    Attributes:
        games, decisions: played.
        mean_return: of player 0, in the game's units.
        mean_length: decisions a game.
        truncated: games that were cut off.
        losses: the mean of each term by name.
    """

    games: int
    decisions: int
    mean_return: float
    mean_length: float
    truncated: int
    losses: dict[str, float]


class OnlineLearner(Protocol):
    """Plays and learns at once, natively; its state is weights and optimiser, exactly."""

    def play_round(
        self, *, games: int, seed: int, learning_rate: float, on_progress: OnProgress | None
    ) -> OnlineRound:
        """Plays so many games and learns from them; what comes out depends on no number of threads.

        Raises:
            KeyboardInterrupt: the learner's state is then that of no round; make a new one.
        """
        ...

    def weights(self) -> Weights:
        """What plays."""
        ...

    def optimiser(self) -> Optimiser:
        """All else that a learner needs to go on exactly as this one would."""
        ...


@runtime_checkable
class OffersOnline(Protocol):
    """A network that may learn while it plays."""

    def online(
        self,
        game: Game,
        *,
        settings: OnlineSettings,
        weights: Weights,
        optimiser: Mapping[str, np.ndarray[Any, Any]] | None,
        threads: int | None,
    ) -> OnlineLearner | None:
        """The learner that begins with these weights; None for a game that it cannot play natively.

        Args:
            game: what is played.
            settings: of playing and learning.
            weights: to begin with.
            optimiser: of a learner that stood there, None for a new one.
            threads: to work with, all cores by default; no result depends on it.
        """
        ...
