"""The last games, as one table of steps that samples are drawn from."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero.replay.targets import StepTargets, identities, joined, step_targets, with_played_policy
from dicezero.selfplay.record import ActionSet, GameRecord


@dataclass(frozen=True, eq=False)
class Batch:
    """B samples; each starts at a decision and goes on for K steps, past the end in the absorbing state."""

    observation: npt.NDArray[np.float32]  # [B, O], of the root
    legal: npt.NDArray[np.bool_]  # [B, C], of the root
    action: npt.NDArray[np.int32]  # [B, K], unified; from step k to step k + 1
    policy: npt.NDArray[np.float32]  # [B, K + 1, A]
    chance: npt.NDArray[np.int32]  # [B, K + 1]
    identity: npt.NDArray[np.int32]  # [B, K + 1], relative to the root's mover
    value: npt.NDArray[np.float32]  # [B, K + 1]


class Replay:
    """A ring of the last ``capacity`` games."""

    def __init__(
        self, actions: ActionSet, *, capacity: int, value_lambda: float = 1.0, played_policy: bool = False
    ) -> None:
        if capacity < 1:
            raise ValueError(f"capacity={capacity} must be at least 1 game")
        if not 0.0 <= value_lambda <= 1.0:
            raise ValueError(f"value_lambda={value_lambda} is out of range; give 0..1")
        self._actions = actions
        self._value_lambda = value_lambda
        self._played_policy = played_policy  # the policy's target is the move played, not the search's policy
        self._games: deque[StepTargets] = deque(maxlen=capacity)
        self._table: StepTargets | None = None

    def __len__(self) -> int:
        return len(self._games)

    def add(self, records: Iterable[GameRecord]) -> None:
        """Takes games in; the oldest make room."""
        for record in records:
            targets = step_targets(record, self._actions, value_lambda=self._value_lambda)
            self._games.append(with_played_policy(targets) if self._played_policy else targets)
        self._table = None

    @property
    def decisions(self) -> int:
        """Steps at which a player acted: where a sample can start."""
        self._build()
        return len(self._starts)

    def batch(self, chosen: npt.NDArray[np.int64], *, unroll: int) -> Batch:
        """The samples that start at the decisions of those numbers, [B] in 0..decisions-1."""
        table = self._build()
        start = self._starts[chosen]
        rows = np.minimum(start[:, None] + np.arange(unroll + 1), self._last[start][:, None])  # [B, K + 1]
        return Batch(
            observation=table.observation[start],
            legal=table.legal[start],
            action=table.action[rows[:, :-1]].astype(np.int32),
            policy=table.policy[rows],
            chance=table.chance[rows].astype(np.int32),
            identity=identities(table.actor[rows]),
            value=table.value[rows],
        )

    def _build(self) -> StepTargets:
        if self._table is None:
            if not self._games:
                raise ValueError("the replay is empty; add games before sampling")
            self._table = joined(list(self._games))
            lengths = [len(game.actor) for game in self._games]
            self._last = np.repeat(np.cumsum(lengths) - 1, lengths)  # [steps], the final step of its game
            self._starts = np.flatnonzero(self._table.actor >= 0)
        return self._table
