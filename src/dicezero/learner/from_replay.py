"""Learning from replay: a round's episodes join the last few thousand, and batches are drawn from all."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dicezero.learner.ahead import PlayingAhead
from dicezero.learner.learning import Learned, Report
from dicezero.learner.step import Trainer
from dicezero.learner.training import learn
from dicezero.model.weights import Weights
from dicezero.presets.fitting import target_of
from dicezero.presets.preset import Preset
from dicezero.replay.buffer import Replay
from dicezero.replay.reanalyse import pack_fresh, reanalyse, unpack_fresh
from dicezero.replay.shards import pack_episodes, unpack_episodes
from dicezero.runs.config import RunConfig
from dicezero.runs.files import sha256, write_atomically
from dicezero.runs.manifest import fresh_name, shard_name, shard_round
from dicezero.selfplay.episode import Episode
from dicezero.selfplay.runtime import OnProgress, Player, Runtime
from dicezero.selfplay.tasks import SelfPlay


class ReplayLearning:
    """Self-play through a runtime, a buffer of episodes, and the training step in JAX."""

    def __init__(
        self,
        config: RunConfig,
        player: Player,
        folder: Path,
        runtime: Runtime,
        weights: Weights,
        optimiser: Mapping[str, np.ndarray[Any, Any]] | None,
    ) -> None:
        """Begins with these weights; ValueError where they or the optimiser's state do not fit."""
        self._config, self._preset, self._folder = config, config.preset, folder
        self._player, self._runtime = player, runtime
        preset, network = config.preset, player.recipe.network
        self._replay = Replay(
            player.spec,
            capacity=preset.buffer_games,
            value=target_of(preset, player.spec),
            scale=player.recipe.units.scale,
            support=network.support,
            chance=preset.values_chance,
            played_policy=preset.policy_loss == "simple",
            auxiliary=preset.loss.auxiliary > 0.0,
        )
        self._trainer = Trainer(network, preset.loss, weights, optimiser)
        self._weights = weights
        self._ahead: list[Episode] | None = None  # the next round's games, where they have been played

    def load_shards(self, names: Sequence[str], read: Callable[[str], bytes], *, rounds: int) -> None:
        """Takes shards into the buffer, as the ``rounds`` rounds that wrote them did.

        Games of the round after them were played ahead, and wait for it.
        """
        for name in names:
            data = read(name)
            if name == fresh_name(number := shard_round(name)):
                self._replay.refresh(unpack_fresh(data, name=name))
                continue
            episodes = unpack_episodes(data, self._player.spec, name=name)
            if number > rounds:
                self._ahead = episodes
            else:
                self._replay.add(episodes, round_number=number)

    def play_round(self, index: int, report: Report) -> Learned:
        """Self-play with the weights of the last round, then training; or both at once (``overlap``)."""
        begin, preset = time.perf_counter(), self._preset
        behind = int(self._ahead is not None)
        files: dict[str, str] = {}
        if self._ahead is None:
            episodes = self._games(index, lambda over, moves: report("self-play", over, preset.games, moves))
            files |= self._keep(episodes, index)
        else:
            episodes, self._ahead = self._ahead, None
        self._replay.add(episodes, round_number=index + 1)
        files |= self._reanalyse(index)
        learning = time.perf_counter()
        played, overlapped = learning - begin, 0.0
        if preset.overlap:
            with PlayingAhead(lambda on_progress: self._games(index + 1, on_progress)) as ahead:
                losses = self._learn(index, report)
                learned = time.perf_counter() - learning
                self._ahead = ahead.episodes(
                    lambda over, moves: report("self-play", over, preset.games, moves)
                )
            played += ahead.seconds
            overlapped = max(0.0, learned + ahead.seconds - (time.perf_counter() - learning))
            files |= self._keep(self._ahead, index + 1)
        else:
            losses = self._learn(index, report)
            learned = time.perf_counter() - learning
        self._weights = self._trainer.weights()
        decisions = [len(episode.decisions) for episode in episodes]
        return Learned(
            mean_return=float(np.mean([e.outcome for e in episodes])),
            mean_length=float(np.mean(decisions)),
            games=len(episodes),
            decisions=sum(decisions),
            truncated=sum(episode.truncated for episode in episodes),
            simulations=_simulations(episodes, preset),
            losses=losses,
            seconds_selfplay=played,
            seconds_learning=learned,
            files=files,
            rounds_behind=behind if preset.overlap else None,
            seconds_overlapped=overlapped,
        )

    def weights(self) -> Weights:
        """After the last round."""
        return self._weights

    def optimiser(self) -> dict[str, np.ndarray[Any, Any]]:
        """Adam's count and moments."""
        return self._trainer.optimiser()

    def shards_after(self, number: int, shards: tuple[str, ...]) -> tuple[str, ...]:
        """Those that the buffer still reaches into."""
        reach = -(-self._preset.buffer_games // self._preset.games)
        return tuple(name for name in shards if shard_round(name) > number - reach)

    def _games(self, index: int, on_progress: OnProgress) -> list[Episode]:
        """The episodes of a round, played with the weights of now."""
        preset = self._preset
        task = SelfPlay(
            preset.search,
            preset.games,
            self._config.seed,
            index,
            explore_moves=preset.explore_moves,
            epsilon=preset.epsilon,
            fast_simulations=preset.fast_simulations,
            full_share=preset.full_share,
            max_moves=preset.max_moves,
            opening_moves=preset.opening_moves,
        )
        return self._runtime.run(task, self._weights, on_progress=on_progress)

    def _keep(self, episodes: list[Episode], index: int) -> dict[str, str]:
        """Writes the episodes of a round; the file and its sum."""
        name, packed = shard_name(index + 1), pack_episodes(episodes)
        write_atomically(self._folder / name, packed)
        return {name: sha256(packed)}

    def _learn(self, index: int, report: Report) -> dict[str, float]:
        """The round's training; the mean of each term of the loss."""
        return learn(
            self._trainer,
            self._replay,
            self._preset,
            seed=self._config.seed,
            round_index=index,
            on_step=lambda done, total: report("training", done, total, 0),
        )

    def _reanalyse(self, index: int) -> dict[str, str]:
        """Searches a share of the older episodes again with the newest weights; the file written and its sum.

        The findings are kept on disk, so that a resumed run learns from the very same targets.
        """
        preset = self._preset
        if not preset.reanalyse:
            return {}
        self._player.take(self._weights)
        searched = reanalyse(
            self._player.game,
            self._replay,
            self._player.planner,
            preset.search,
            share=preset.reanalyse,
            seed=self._config.seed,
            round_index=index,
            chosen_policy=preset.policy_loss == "simple",
        )
        self._replay.refresh(searched)
        name, data = fresh_name(index + 1), pack_fresh(searched)
        write_atomically(self._folder / name, data)
        return {name: sha256(data)}


def _simulations(episodes: Sequence[Episode], preset: Preset) -> int:
    """Of all searches: decisions with more than one legal move, in full where a policy is recorded."""
    full = fast = 0
    for episode in episodes:
        advised = episode.advised[episode.choices[episode.decisions] > 1]
        full += int(advised.sum())
        fast += int((~advised).sum())
    return preset.search.simulations * full + preset.fast_simulations * fast
