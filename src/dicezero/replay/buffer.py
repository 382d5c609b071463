"""The last games, as one table of steps that samples are drawn from."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero.replay.targets import StepTargets, identities, joined, step_targets, with_played_policy
from dicezero.replay.values import ValueTarget
from dicezero.selfplay.record import CHANCE, TERMINAL, ActionSet, GameRecord


@dataclass(frozen=True, eq=False)
class Batch:
    """B samples; each starts at a decision or a roll and goes on for K steps, past the end absorbed there."""

    observation: npt.NDArray[np.float32]  # [B, O], of the root
    legal: npt.NDArray[np.bool_]  # [B, C], of the root
    action: npt.NDArray[np.int32]  # [B, K], unified; from step k to step k + 1
    policy: npt.NDArray[np.float32]  # [B, K + 1, A]
    chance: npt.NDArray[np.int32]  # [B, K + 1]
    identity: npt.NDArray[np.int32]  # [B, K + 1], relative to the root's mover
    value: npt.NDArray[np.float32]  # [B, K + 1]
    # [B, K, O], of the K steps after the root, zero where no player acts; None where nobody asked for it
    following: npt.NDArray[np.float32] | None = None

    def arrays(self) -> dict[str, Any]:
        """What there is, by name."""
        return {name: array for name, array in vars(self).items() if array is not None}


@dataclass(frozen=True, eq=False)
class KeptGame:
    """A game of the ring, named by the round that played it and its number there."""

    round: int  # counted from 1
    number: int
    outcome: float  # for player 0
    steps: StepTargets

    def record(self, actions: ActionSet) -> GameRecord:
        """The game as it was played, with the policy and the values it has now."""
        steps = self.steps
        policy = steps.policy[:, : actions.choices]  # where nobody acts the weight is on no-op, beyond these
        outcome = np.full(len(steps.actor), self.outcome, np.float32)
        return GameRecord(
            steps.observation, steps.actor, steps.action, steps.legal, policy, steps.search_value, outcome
        )


@dataclass(frozen=True, eq=False)
class Fresh:
    """What a new search says of the D decisions of a game in the ring."""

    round: int
    number: int
    policy: npt.NDArray[np.float32]  # [D, C], the policy's target
    value: npt.NDArray[np.float32]  # [D], for the player to move


class Replay:
    """A ring of the last ``capacity`` games.

    Memory is bounded by ``capacity``: once samples are drawn the games are views of one table, and a step
    takes ``step_bytes`` bytes; while a round's games are taken in there are two tables.
    """

    def __init__(
        self,
        actions: ActionSet,
        *,
        capacity: int,
        value: ValueTarget | None = None,
        afterstates: bool = False,
        chance: bool = False,
        played_policy: bool = False,
    ) -> None:
        """An empty ring.

        Args:
            actions: of the game.
            capacity: games kept.
            value: how the value's target is made; the outcome by default.
            played_policy: the policy's target is the move that was played, not the search's policy; a game
                searched again gets the move that the new search chose.
            chance: samples start at chance's first step after a decision too; it was observed.
            afterstates: observations are of afterstates; the last one of a game is over, and no sample.
        """
        if capacity < 1:
            raise ValueError(f"capacity={capacity} must be at least 1 game")
        self._actions = actions
        self._value = value or ValueTarget()
        self._afterstates = afterstates
        self._chance = chance
        self._played_policy = played_policy
        self._games: deque[KeptGame] = deque(maxlen=capacity)
        self._table: StepTargets | None = None

    def __len__(self) -> int:
        return len(self._games)

    @property
    def actions(self) -> ActionSet:
        """The numbering of its games' actions."""
        return self._actions

    @property
    def games(self) -> tuple[KeptGame, ...]:
        """The games, oldest first."""
        return tuple(self._games)

    def add(self, records: Iterable[GameRecord], *, round_number: int = 1) -> None:
        """Takes the games of a round in; the oldest make room."""
        for number, record in enumerate(records):
            steps = step_targets(record, self._actions, self._value)
            if self._played_policy:
                steps = with_played_policy(steps)
            self._games.append(KeptGame(round_number, number, float(record.outcome[0]), steps))
        self._table = None

    def refresh(self, found: Iterable[Fresh]) -> None:
        """Gives games of the ring new policies and values, and the targets that follow from them."""
        places = {(game.round, game.number): i for i, game in enumerate(self._games)}
        for fresh in found:
            place = places.get((fresh.round, fresh.number))
            if place is not None:  # else it has made room
                self._games[place] = self._refreshed(self._games[place], fresh)
        self._table = None

    @property
    def decisions(self) -> int:
        """Steps that a sample can start at: where a player acted, and where chance did if it is learned."""
        self._build()
        return len(self._starts)

    def endings(self, unroll: int) -> npt.NDArray[np.int64]:
        """[E], the numbers of the decisions whose game ends within ``unroll`` steps, in order."""
        self._build()
        return np.flatnonzero(self._last[self._starts] - self._starts <= unroll)

    @property
    def step_bytes(self) -> int:
        """Memory that a step takes."""
        table = self._build()
        return sum(getattr(table, f.name)[:1].nbytes for f in fields(table))

    def batch(self, chosen: npt.NDArray[np.int64], *, unroll: int, following: bool = False) -> Batch:
        """The samples that start at the decisions of those numbers, [B] in 0..decisions-1.

        With ``following`` they carry the observations after the root, too.
        """
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
            following=table.observation[rows[:, 1:]] if following else None,
        )

    def _refreshed(self, game: KeptGame, fresh: Fresh) -> KeptGame:
        record = game.record(self._actions)
        decisions = np.flatnonzero(record.actor >= 0)
        if fresh.policy.shape != (len(decisions), self._actions.choices):
            raise ValueError(
                f"game {fresh.number} of round {fresh.round} has {len(decisions)} decisions of "
                f"{self._actions.choices} actions; the new policy is {fresh.policy.shape}"
            )
        policy, value = record.policy.copy(), record.value.copy()
        policy[decisions], value[decisions] = fresh.policy, fresh.value
        record = replace(record, policy=policy, value=value)
        return replace(game, steps=step_targets(record, self._actions, self._value))

    def _build(self) -> StepTargets:
        if self._table is not None:
            return self._table
        if not self._games:
            raise ValueError("the replay is empty; add games before sampling")
        table = joined([game.steps for game in self._games])
        ends = np.cumsum([len(game.steps.actor) for game in self._games])
        lengths = np.diff(ends, prepend=0)
        # The games become views of the table, so that their steps are in memory once.
        for i, (end, length) in enumerate(zip(ends.tolist(), lengths.tolist(), strict=True)):
            self._games[i] = replace(self._games[i], steps=table.rows(end - length, end))
        starts = table.actor >= 0
        if self._afterstates:
            starts[:-1] &= table.actor[1:] != TERMINAL
        if self._chance:
            starts[1:] |= (table.actor[1:] == CHANCE) & (table.actor[:-1] >= 0)
        self._last = np.repeat(ends - 1, lengths)  # [steps], the final step of its game
        self._starts = np.flatnonzero(starts)
        if not len(self._starts):
            raise ValueError("no game of the replay has a step to learn from: each ended with its first move")
        self._table = table
        return table
