"""The last episodes, as one table of steps that samples are drawn from."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero.model.support import Support
from dicezero.replay.table import Placed, Table
from dicezero.replay.targets import StepTargets, identities, step_targets
from dicezero.replay.values import ValueTarget
from dicezero.rules.spec import GameSpec
from dicezero.selfplay.episode import ActionSet, Episode

_LEAST = 0.05  # of the mean distance, for a sample that is right already


@dataclass(frozen=True, eq=False)
class Batch:
    """B samples; each starts at a decision or a roll and goes on for K steps, past the end absorbed there."""

    observation: npt.NDArray[np.float32]  # [B, O], of the root
    legal: npt.NDArray[np.bool_]  # [B, C], of the root
    action: npt.NDArray[np.int32]  # [B, K], unified; from step k to step k + 1
    policy: npt.NDArray[np.float32]  # [B, K + 1, A], see ``Table.policy_rows``
    chance: npt.NDArray[np.int32]  # [B, K + 1]
    identity: npt.NDArray[np.int32]  # [B, K + 1], relative to the root's mover
    value: npt.NDArray[np.float32]  # [B, K + 1]
    reward: npt.NDArray[np.float32]  # [B, K], of those actions, for who moved last
    # [B, K + 1], 0 past the end of an episode that was cut off: nothing is known; else the sample's weight
    mask: npt.NDArray[np.float32]
    # [B, K, O], of the K steps after the root, zero where no player acts; None where it was not requested
    following: npt.NDArray[np.float32] | None = None
    # [B, X], the end's auxiliary targets, for the root's mover; NaN: not known. None as there
    auxiliary: npt.NDArray[np.float32] | None = None

    def arrays(self) -> dict[str, Any]:
        """What there is, by name."""
        return {name: array for name, array in vars(self).items() if array is not None}


@dataclass(frozen=True, eq=False)
class KeptEpisode:
    """An episode of the ring, named by the round that played it and its number there."""

    round: int  # counted from 1
    number: int
    placed: Placed

    @property
    def episode(self) -> Episode:
        """What was played."""
        return self.placed.episode

    @property
    def targets(self) -> StepTargets:
        """What is learned of it."""
        return self.placed.targets


@dataclass(frozen=True, eq=False)
class Fresh:
    """A new search's results for the D decisions of an episode in the ring."""

    round: int
    number: int
    policy: npt.NDArray[np.float32]  # [L], over the legal actions, as ``Episode.policy``
    value: npt.NDArray[np.float32]  # [D], for the player to move, in the game's units


class Replay:
    """A ring of the last ``capacity`` episodes.

    Memory is bounded by ``capacity``: once samples are drawn the episodes are views of one table, and a step
    takes ``step_bytes`` bytes. While a round's episodes are taken in there are two tables, but every frame is
    there once, in the block of its round, which stays until all episodes of the round have made room.
    """

    def __init__(
        self,
        spec: GameSpec,
        *,
        capacity: int,
        value: ValueTarget | None = None,
        scale: float = 1.0,
        support: Support | None = None,
        chance: bool = False,
        played_policy: bool = False,
        auxiliary: bool = False,
    ) -> None:
        """An empty ring.

        Args:
            spec: of the game.
            capacity: episodes kept.
            value: how the value's target is made; the outcome by default.
            scale: what a value of 1 is worth in the game's units.
            support: of a network that learns values as distributions; a target beyond it is an error.
            chance: samples start at chance's first step after a decision too; it was observed.
            played_policy: the policy's target is the move that was played, not the search's policy; a game
                searched again gets the move that the new search chose.
            auxiliary: samples carry the auxiliary targets of their episode's end.
        """
        if capacity < 1:
            raise ValueError(f"capacity={capacity} must be at least 1 episode")
        self.spec = spec
        self.actions = ActionSet.of(spec)
        self._value = value or ValueTarget()
        self._scale, self._support = scale, support
        self._chance = chance
        self._played_policy = played_policy
        self._auxiliary = auxiliary
        self._kept: deque[KeptEpisode] = deque(maxlen=capacity)
        self._table: Table | None = None

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def kept(self) -> tuple[KeptEpisode, ...]:
        """The episodes, oldest first."""
        return tuple(self._kept)

    def add(self, episodes: Iterable[Episode], *, round_number: int = 1) -> None:
        """Takes the episodes of a round in; the oldest make room."""
        added = list(episodes)
        if not added:
            return
        block, first = np.concatenate([episode.observation for episode in added]), 0
        for number, episode in enumerate(added):
            if self._played_policy:
                episode = replace(episode, policy=_played(episode))
            frames = block[first : first + len(episode.observation)]
            placed = Placed(replace(episode, observation=frames), self._targets(episode), block, first)
            self._kept.append(KeptEpisode(round_number, number, placed))
            first += len(frames)
        self._table = None

    def refresh(self, searched: Iterable[Fresh]) -> None:
        """Gives episodes of the ring new policies and values, and the targets that follow from them."""
        places = {(kept.round, kept.number): i for i, kept in enumerate(self._kept)}
        for fresh in searched:
            place = places.get((fresh.round, fresh.number))
            if place is not None:  # else it has made room
                self._kept[place] = self._refreshed(self._kept[place], fresh)
        self._table = None

    @property
    def decisions(self) -> int:
        """Steps that a sample can start at: where a player acted, and where chance did if it is learned."""
        return len(self._build().starts)

    @property
    def played(self) -> int:
        """Decisions of the newest round's episodes."""
        newest = self._kept[-1].round if self._kept else 0
        return sum(len(kept.episode.decisions) for kept in self._kept if kept.round == newest)

    def endings(self, unroll: int) -> npt.NDArray[np.int64]:
        """[E], the numbers of the decisions whose episode ends within ``unroll`` steps, in order."""
        table = self._build()
        return np.flatnonzero(table.last[table.starts] - table.starts <= unroll)

    @property
    def step_bytes(self) -> float:
        """Memory that a step takes, on average."""
        return self._build().bytes_per_step

    def chances(self, priority: float) -> npt.NDArray[np.float64]:
        """[decisions], with what probability prioritised replay draws each; they add up to 1.

        By the distance between the search's value and the target, to the power of ``priority``; a small share
        of the mean distance is added, so that what is right already is seen now and then.
        """
        table = self._build()
        distance = np.abs(table.searched[table.starts] / self._scale - table.value[table.starts])
        weight = (distance.astype(np.float64) + max(_LEAST * float(distance.mean()), 1e-9)) ** priority
        return np.asarray(weight / weight.sum())

    def batch(
        self,
        chosen: npt.NDArray[np.int64],
        *,
        unroll: int,
        following: bool = False,
        chances: npt.NDArray[np.float64] | None = None,
    ) -> Batch:
        """The samples that start at the decisions of those numbers, [B] in 0..decisions-1.

        With ``following`` they carry the observations after the root, too. Samples that were drawn with
        ``chances`` count (in ``mask``) as much as makes up for it: 1 on average.
        """
        table = self._build()
        start = table.starts[chosen]
        ahead = start[:, None] + np.arange(unroll + 1)
        rows = np.minimum(ahead, table.last[start][:, None])  # [B, K + 1]
        has_target = ~table.truncated[start][:, None] | (ahead < table.last[start][:, None])
        mask = has_target.astype(np.float32)
        if chances is not None:
            mask *= (1.0 / (len(chances) * chances[chosen])).astype(np.float32)[:, None]
        return Batch(
            observation=table.observations(start),
            legal=table.legal_rows(start),
            action=table.action[rows[:, :-1]],
            policy=table.policy_rows(rows.ravel(), scaled=True).reshape(*rows.shape, self.actions.size),
            chance=table.outcomes(rows),
            identity=identities(table.actor[rows]),
            value=table.value[rows],
            reward=table.reward[rows[:, :-1]],
            mask=mask,
            following=table.observations(rows[:, 1:].ravel()).reshape(len(start), unroll, -1)
            if following
            else None,
            auxiliary=table.auxiliary_rows(start) if self._auxiliary else None,
        )

    def _targets(self, episode: Episode) -> StepTargets:
        targets = step_targets(episode, self._value, scale=self._scale)
        if self._support is not None:
            self._support.check(targets.value)
            self._support.check(targets.reward)
        return targets

    def _refreshed(self, kept: KeptEpisode, fresh: Fresh) -> KeptEpisode:
        episode = kept.episode
        if len(fresh.policy) != len(episode.policy) or len(fresh.value) != len(episode.decisions):
            raise ValueError(
                f"episode {fresh.number} of round {fresh.round} has {len(episode.decisions)} decisions with "
                f"{len(episode.policy)} legal actions; the new search has {len(fresh.value)} with "
                f"{len(fresh.policy)}"
            )
        value = episode.value.copy()
        value[episode.decisions] = fresh.value
        episode = replace(episode, policy=fresh.policy, value=value)
        return replace(kept, placed=replace(kept.placed, episode=episode, targets=self._targets(episode)))

    def _build(self) -> Table:
        if self._table is None:
            if not self._kept:
                raise ValueError("the replay is empty; add episodes before sampling")
            table = Table([kept.placed for kept in self._kept], self.spec)
            # The episodes become views of the table, so that their steps are in memory once.
            for i, (episode, targets) in enumerate(table.views()):
                kept = self._kept[i]
                whole = replace(episode, observation=kept.episode.observation)
                self._kept[i] = replace(kept, placed=replace(kept.placed, episode=whole, targets=targets))
            table.find_starts(afterstates=self._value.afterstates, chance=self._chance)
            self._table = table
        return self._table


def _played(episode: Episode) -> npt.NDArray[np.float32]:
    """[L], all weight on the move that was played: the simple policy loss; zeros stay zeros."""
    counts = episode.choices[episode.decisions]
    chosen, advised = np.repeat(episode.action[episode.decisions], counts), np.repeat(episode.advised, counts)
    return np.asarray((episode.legal == chosen) & advised, np.float32)
