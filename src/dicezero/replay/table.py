"""The steps of many episodes one after another, and what a sample needs of them, row by row.

Frames are most of what a step takes, so they stay in the blocks in which they came, one a round: a table of
a million steps is made anew without moving them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero.replay.targets import StepTargets
from dicezero.rules.spec import GameSpec
from dicezero.selfplay.episode import (
    CHANCE,
    TERMINAL,
    ActionSet,
    Episode,
    advised,
    dense_rows,
    join_episodes,
    split_episodes,
)
from dicezero.selfplay.states import network_input

Rows = npt.NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class Placed:
    """An episode, and where its frames stand."""

    episode: Episode  # its observations are a view of the block
    targets: StepTargets
    block: npt.NDArray[Any]  # [N, ...], the frames of all episodes that came with it
    first: int  # of the episode's frames there


class Table:
    """T steps; ``starts`` are those that a sample may begin at, once ``find_starts`` was called."""

    def __init__(self, placed: Sequence[Placed], spec: GameSpec) -> None:
        self._spec, self._actions = spec, ActionSet.of(spec)
        self._arrays = join_episodes([p.episode for p in placed], frames=False)
        steps = self._arrays["steps"]
        ends = np.cumsum(steps)
        self._ends = ends
        self.actor: npt.NDArray[np.int8] = self._arrays["actor"]
        self.action: npt.NDArray[np.int32] = self._arrays["action"]
        self.value = np.concatenate([p.targets.value for p in placed])  # [T]
        self.reward = np.concatenate([p.targets.reward for p in placed])  # [T]
        self.searched: npt.NDArray[np.float32] = self._arrays[
            "value"
        ]  # [T], by the search, in the game's units
        self.last = np.repeat(ends - 1, steps)  # [T], the final step of its episode
        self.truncated = np.repeat(self._arrays["truncated"], steps)  # [T], whether its episode was cut off
        self.starts = np.empty(0, np.int64)
        # Where each step's frame and legal actions stand.
        numbers: dict[int, int] = {}
        block = [numbers.setdefault(id(p.block), len(numbers)) for p in placed]
        self._blocks = list({id(p.block): p.block for p in placed}.values())
        self._block = np.repeat(np.array(block, np.int32), steps)  # [T]
        self._first_frame = np.repeat([p.first for p in placed], steps)  # [T], of its episode
        seen = np.cumsum(self._arrays["observed"])
        before = np.repeat(np.concatenate([[0], seen[ends - 1][:-1]]), steps)
        self._frame = self._first_frame + seen - before - 1  # [T], of the last step up to it that has one
        self._choice = np.cumsum(self._arrays["choices"]) - self._arrays["choices"]
        with_policy = advised(self._arrays["choices"], self._arrays["policy"])
        self._per_advised = len(with_policy) / max(1, int(with_policy.sum()))

    @property
    def bytes_per_step(self) -> float:
        """Memory that a step takes, frames and policies included; places in the table, some 45 bytes, not."""
        arrays = (*self._arrays.values(), *self._blocks, self.value, self.reward)
        return sum(array.nbytes for array in arrays) / len(self.actor)

    def views(self) -> Iterator[tuple[Episode, StepTargets]]:
        """The episodes again, as views of the table; without their frames."""
        episodes = split_episodes(self._arrays)
        for episode, end in zip(episodes, self._ends.tolist(), strict=True):
            part = slice(end - len(episode), end)
            yield episode, StepTargets(self.value[part], self.reward[part])

    def find_starts(self, *, afterstates: bool, chance: bool) -> None:
        """Where a sample may start: at decisions, and with ``chance`` at the first roll after one.

        Of ``afterstates`` those that end the game are none: their value is known.
        """
        actor = self.actor
        starts = actor >= 0
        if afterstates:
            starts[:-1] &= (actor[1:] != TERMINAL) | self.truncated[1:]
        if chance:
            starts[1:] |= (actor[1:] == CHANCE) & (actor[:-1] >= 0) & self._arrays["observed"][1:]
        self.starts = np.flatnonzero(starts)
        if not len(self.starts):
            raise ValueError("no game of the replay has a step to learn from: each ended with its first move")

    def observations(self, rows: Rows) -> npt.NDArray[np.float32]:
        """[R, O], what a network is shown at each step; zeros where the step has no frame."""
        seen = self._spec.observation
        assert seen is not None  # noqa: S101 - a preset without observations is refused earlier
        back = np.arange(seen.stack - 1, -1, -1)
        frame = np.maximum(self._frame[rows][:, None] - back, self._first_frame[rows][:, None])  # [R, stack]
        inputs = network_input(seen, self._frames(self._block[rows], frame))
        hidden = ~self._arrays["observed"][rows]
        if hidden.any():
            inputs[hidden] = 0.0
        return inputs

    def _frames(self, block: Rows, frame: Rows) -> npt.NDArray[Any]:
        """[R, stack, ...] for blocks [R] and the frames [R, stack] there."""
        first = self._blocks[0]
        stacks = np.zeros((*frame.shape, *first.shape[1:]), first.dtype)
        for number, frames in enumerate(self._blocks):
            if len(frames) and len(here := np.flatnonzero(block == number)):
                stacks[here] = frames[np.maximum(frame[here], 0)]
        return stacks

    def auxiliary_rows(self, rows: Rows) -> npt.NDArray[np.float32]:
        """[R, X], the auxiliary targets of each step's episode, for its actor; NaN where it was cut off."""
        auxiliary = self._arrays["auxiliary"][np.searchsorted(self._ends, rows, side="right")]
        return np.asarray(np.where(self.actor[rows] == 1, -1.0, 1.0)[:, None] * auxiliary, np.float32)

    def legal_rows(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """[R, C], the legal actions of each step."""
        ids, counts, at = self._options(rows)
        return dense_rows(ids, np.ones(len(at), np.bool_), counts, self._actions.choices)

    def policy_rows(self, rows: Rows, *, scaled: bool = False) -> npt.NDArray[np.float32]:
        """[R, A], the search's policy where a player acts, else no-op.

        Where some decisions have zeros instead, those that have a policy count the more if ``scaled``: so
        many times as there are decisions to one of them. The mean cross-entropy with such targets over all
        decisions is that over the decisions that have one.
        """
        ids, counts, at = self._options(rows)
        policy = self._arrays["policy"][at]
        if scaled and self._per_advised != 1.0:
            policy = policy * np.float32(self._per_advised)
        dense = dense_rows(ids, policy, counts, self._actions.size)
        dense[self.actor[rows] < 0, self._actions.no_op] = 1.0
        return dense

    def outcomes(self, rows: Rows) -> npt.NDArray[np.int32]:
        """The outcome of each step where chance acts, else no-op; in the shape of ``rows``."""
        outcomes = np.where(self.actor[rows] == CHANCE, self.action[rows], self._actions.no_op)
        return outcomes.astype(np.int32)

    def _options(self, rows: Rows) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Rows]:
        """Legal ids of the rows one after another, how many each has, and where they stand."""
        counts = self._arrays["choices"][rows]
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        at = np.repeat(self._choice[rows], counts) + within
        return self._arrays["legal"][at], counts, at
