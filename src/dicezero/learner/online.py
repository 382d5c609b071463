"""Learning while playing: a network's own learner does both at once, natively; there are no shards."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from dicezero.learner.learning import Learned, Report
from dicezero.learner.training import TrainingError
from dicezero.model.online import OffersOnline, OnlineLearner, OnlineRound, OnlineSettings
from dicezero.model.weights import Weights
from dicezero.presets.preset import Preset
from dicezero.runs.config import RunConfig
from dicezero.selfplay.drive import episode_limit
from dicezero.selfplay.runtime import Player
from dicezero.selfplay.seeds import address_seed

__all__ = ["OnlineLearner", "OnlineLearning", "OnlineRound", "OnlineSettings", "online_learner"]

_ROUND = 1 << 43  # an address no game's number reaches
_LAST = "last."  # before the name of weights that learn, where a mean of them plays


def online_learner(
    preset: Preset,
    player: Player,
    weights: Weights,
    optimiser: Mapping[str, np.ndarray[Any, Any]] | None,
) -> OnlineLearner | None:
    """The learner of the player's network; None where the preset, the network or the game has none."""
    network = player.recipe.network
    if preset.updates != "online" or not isinstance(network, OffersOnline):
        return None
    settings = OnlineSettings(
        value_lambda=1.0 if preset.value_target == "outcome" else preset.value_lambda,
        discount=player.spec.discount,
        scale=player.recipe.units.scale,
        epsilon=preset.epsilon,
        max_moves=episode_limit(player.spec, preset.max_moves),
        block=preset.block_games,
        batch=preset.batch,
        epochs=preset.epochs,
        weight_decay=preset.loss.weight_decay,
    )
    if preset.averaging and optimiser is not None:
        weights = network.check(
            {name: optimiser[_LAST + name] for name in weights if _LAST + name in optimiser}
        )
    return network.online(player.game, settings=settings, weights=weights, optimiser=optimiser, threads=None)


def averaged(mean: Weights, last: Weights, *, number: int, averaging: float) -> Weights:
    """The mean of the weights after rounds 1..number, from that of the rounds before and the last ones.

    The weight of a round grows with its number to the power of ``averaging``: whenever a run is looked at,
    the same share of it counts, and its beginning is forgotten.
    """
    share = np.float32((averaging + 1.0) / (averaging + number))
    return {name: mean[name] + share * (array - mean[name]) for name, array in last.items()}


class OnlineLearning:
    """Rounds of a network's own learner."""

    def __init__(self, config: RunConfig, learner: OnlineLearner, weights: Weights) -> None:
        """``weights`` are what plays: those that a run begins with, or of its last round."""
        self._config, self._preset, self._learner = config, config.preset, learner
        self._weights = weights

    def play_round(self, index: int, report: Report) -> Learned:
        """Playing and learning; the time it took is that of self-play."""
        begin, games = time.perf_counter(), self._preset.games
        report("self-play", 0, games, 0)
        played = self._learner.play_round(
            games=games,
            seed=address_seed(self._config.seed, index, _ROUND),
            learning_rate=self._preset.learning_rate_at(index),
            on_progress=lambda over, moves: report("self-play", over, games, moves),
        )
        for name, value in played.losses.items():
            if not math.isfinite(value):
                raise TrainingError(
                    f"round {index + 1}: the loss term {name!r} is {value}; the round is dropped and the "
                    "last one stands; lower learning_rate"
                )
        last, averaging = self._learner.weights(), self._preset.averaging
        self._weights = (
            averaged(self._weights, last, number=index + 1, averaging=averaging) if averaging else last
        )
        return Learned(
            mean_return=played.mean_return,
            mean_length=played.mean_length,
            games=played.games,
            decisions=played.decisions,
            truncated=played.truncated,
            simulations=0,
            losses=played.losses,
            seconds_selfplay=time.perf_counter() - begin,
            seconds_learning=0.0,
            files={},
        )

    def weights(self) -> Weights:
        """After the last round."""
        return self._weights

    def optimiser(self) -> dict[str, np.ndarray[Any, Any]]:
        """The learner's own, and where a mean plays the weights that it learns."""
        state = self._learner.optimiser()
        if self._preset.averaging:
            state |= {_LAST + name: array for name, array in self._learner.weights().items()}
        return state

    def shards_after(self, number: int, shards: tuple[str, ...]) -> tuple[str, ...]:  # noqa: ARG002
        """None: nothing is kept to learn from again."""
        return ()
