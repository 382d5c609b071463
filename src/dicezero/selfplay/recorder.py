"""Steps of many episodes as they come, lock step by lock step, and the record of each in the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero.rules.spec import GameSpec
from dicezero.selfplay.episode import TERMINAL, ActionSet, Episode

Ints = npt.NDArray[np.integer]
Floats = npt.NDArray[np.floating]


@dataclass(frozen=True)
class _Chunk:
    """Steps [M] of M different episodes, or of several rolls each; None where there is nothing to keep."""

    episode: Ints
    actor: Ints
    action: Ints
    reward: Floats
    value: Floats | None = None
    frame: npt.NDArray[Any] | None = None  # [M, ...]
    shown: npt.NDArray[np.bool_] | None = None  # [M], which of the frames count; all by default
    legal: npt.NDArray[np.bool_] | None = None  # [M, C]
    policy: Floats | None = None  # [M, C]


@dataclass
class Recorder:
    """The steps of ``count`` episodes; a call adds at most one decision, or any number of rolls, to each."""

    count: int
    spec: GameSpec
    steps: npt.NDArray[np.int64] = field(init=False)  # [count], so far
    _chunks: list[_Chunk] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.steps = np.zeros(self.count, np.int64)
        self._actions = ActionSet.of(self.spec)
        self._truncated = np.zeros(self.count, np.bool_)
        auxiliary_size = self.spec.auxiliary.size if self.spec.auxiliary else 0
        self._auxiliary = np.full((self.count, auxiliary_size), np.nan, np.float32)

    def add_idle(
        self,
        episode: Ints,
        actor: int,
        action: Ints,
        reward: Floats,
        *,
        frame: npt.NDArray[Any] | None = None,
        shown: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        """Steps [M] at which no player acts; ``action`` is unified, ``frame`` [M, ...] counts where shown."""
        self._add(_Chunk(episode, np.full(len(episode), actor), action, reward, frame=frame, shown=shown))

    def add_decisions(
        self,
        episode: Ints,
        player: Ints,
        action: Ints,
        reward: Floats,
        *,
        value: Floats | None,
        legal: npt.NDArray[np.bool_] | None,
        policy: Floats | None,
        frame: npt.NDArray[Any] | None,
    ) -> None:
        """A decision each of some episodes, [M]; values and rewards in the game's units."""
        self._add(_Chunk(episode, player, action, reward, value, frame, None, legal, policy))

    def end(self, episode: Ints, *, expected: Floats | None = None, auxiliary: Floats | None = None) -> None:
        """The final step of some episodes [M]; with ``expected`` they were cut off there.

        ``expected`` is what player 0 would still have expected, ``auxiliary`` [M, X] the auxiliary
        targets of the end.
        """
        if expected is not None:
            self._truncated[episode] = True
        if auxiliary is not None:
            self._auxiliary[episode] = auxiliary
        actor, action = np.full(len(episode), TERMINAL), np.full(len(episode), self._actions.end)
        self._add(_Chunk(episode, actor, action, np.zeros(len(episode)), expected))

    def episodes(self) -> list[Episode]:
        """The finished episodes, in the order of their numbers."""
        episode = np.concatenate([chunk.episode for chunk in self._chunks])
        rows = len(episode)
        # Where each step goes: episodes one after another, the steps of one in the order they came.
        place = np.empty(rows, np.int64)
        place[np.argsort(episode, kind="stable")] = np.arange(rows)
        at = np.split(place, np.cumsum([len(chunk.episode) for chunk in self._chunks])[:-1])
        actor, action = np.empty(rows, np.int8), np.empty(rows, np.int32)
        reward, value = np.empty(rows, np.float32), np.zeros(rows, np.float32)
        observed, choices = np.zeros(rows, np.bool_), np.zeros(rows, np.int32)
        for chunk, to in zip(self._chunks, at, strict=True):
            actor[to], action[to], reward[to] = chunk.actor, chunk.action, chunk.reward
            if chunk.value is not None:
                value[to] = chunk.value
            if chunk.frame is not None:
                observed[to] = True if chunk.shown is None else chunk.shown
            if chunk.legal is not None:
                choices[to] = chunk.legal.sum(axis=1)
        observation = self._frames(at, observed)
        legal, policy = self._choices(at, choices)
        ends = np.cumsum(self.steps)
        frame_ends, choice_ends = np.cumsum(observed)[ends - 1], np.cumsum(choices)[ends - 1]
        episodes = []
        for i, end in enumerate(ends.tolist()):
            steps = slice(end - int(self.steps[i]), end)
            frames = slice(int(frame_ends[i - 1]) if i else 0, int(frame_ends[i]))
            options = slice(int(choice_ends[i - 1]) if i else 0, int(choice_ends[i]))
            episodes.append(
                Episode(
                    observation=observation[frames],
                    observed=observed[steps],
                    actor=actor[steps],
                    action=action[steps],
                    reward=reward[steps],
                    choices=choices[steps],
                    value=value[steps],
                    legal=legal[options],
                    policy=policy[options],
                    truncated=bool(self._truncated[i]),
                    auxiliary=self._auxiliary[i],
                )
            )
        return episodes

    def _add(self, chunk: _Chunk) -> None:
        if len(chunk.episode):
            self._chunks.append(chunk)
            self.steps += np.bincount(chunk.episode, minlength=self.count)

    def _frames(self, at: list[npt.NDArray[np.int64]], observed: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
        """[N, ...], the frames in the order of the steps that have one."""
        seen = self.spec.observation
        shape, dtype = (seen.shape, seen.dtype) if seen else ((0,), "float32")
        frames = np.empty((int(observed.sum()), *shape), dtype)
        row = np.cumsum(observed) - 1
        for chunk, to in zip(self._chunks, at, strict=True):
            if chunk.frame is not None:
                kept = slice(None) if chunk.shown is None else chunk.shown
                frames[row[to[kept]]] = chunk.frame[kept].reshape(-1, *shape)
        return frames

    def _choices(
        self, at: list[npt.NDArray[np.int64]], choices: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
        """[L] each, legal actions and their probabilities in the order of the steps."""
        total = int(choices.sum())
        legal, policy = np.empty(total, np.int32), np.zeros(total, np.float32)
        start = np.cumsum(choices) - choices
        for chunk, to in zip(self._chunks, at, strict=True):
            if chunk.legal is None:
                continue
            row, action = np.nonzero(chunk.legal)
            count = chunk.legal.sum(axis=1)
            first = np.cumsum(count) - count
            target = start[to[row]] + np.arange(len(row)) - first[row]
            legal[target] = action
            if chunk.policy is not None:
                policy[target] = chunk.policy[row, action]
        return legal, policy
