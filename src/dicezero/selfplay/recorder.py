"""Steps of many games as they come, lock step by lock step, and the record of each game in the end."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dicezero.selfplay.record import TERMINAL, ActionSet, GameRecord

Ints = npt.NDArray[np.integer]
Floats = npt.NDArray[np.float32]
Legal = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class _Seen:
    """What a player saw and thought, a row a decision."""

    observation: Floats
    legal: Legal
    policy: Floats
    value: Floats


@dataclass
class Recorder:
    """The steps of ``games`` games; a call adds at most one decision, or any number of rolls, to a game."""

    games: int
    actions: ActionSet
    observation_size: int
    steps: npt.NDArray[np.int64] = field(init=False)  # [games], so far
    _chunks: list[tuple[Ints, Ints, Ints, _Seen | None]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.steps = np.zeros(self.games, np.int64)

    def add_idle(self, game: Ints, actor: int, action: Ints, observation: Floats | None = None) -> None:
        """Steps [M] at which no player acts; ``action`` is unified, ``observation`` [M, O] if any."""
        seen = None
        if observation is not None:
            nothing = np.zeros((len(game), self.actions.choices), np.float32)
            seen = _Seen(observation, nothing.astype(np.bool_), nothing, np.zeros(len(game), np.float32))
        self._add(game, np.full(len(game), actor), action, seen)

    def add_decisions(
        self,
        game: Ints,
        player: Ints,
        action: Ints,
        *,
        observation: Floats,
        legal: Legal,
        policy: Floats,
        value: Floats,
    ) -> None:
        """A decision each of some games, [M]."""
        self._add(game, player, action, _Seen(observation, legal, policy, value))

    def records(self, outcome: Floats) -> list[GameRecord]:
        """The finished games; ``outcome`` [games] is for player 0."""
        self.add_idle(np.arange(self.games), TERMINAL, np.full(self.games, self.actions.end))
        game, actor, action = (np.concatenate([chunk[i] for chunk in self._chunks]) for i in range(3))
        rows, choices = len(game), self.actions.choices
        observation = np.zeros((rows, self.observation_size), np.float32)
        legal, policy = np.zeros((rows, choices), np.bool_), np.zeros((rows, choices), np.float32)
        value = np.zeros(rows, np.float32)
        # Where each step goes: games one after another, the steps of a game in the order they came.
        place = np.empty(rows, np.int64)
        place[np.argsort(game, kind="stable")] = np.arange(rows)
        start = 0
        for part, _, _, seen in self._chunks:
            at = place[start : start + len(part)]
            start += len(part)
            if seen is not None:
                observation[at], legal[at] = seen.observation, seen.legal
                policy[at], value[at] = seen.policy, seen.value
        actors, unified = np.empty(rows, np.int8), np.empty(rows, np.int16)
        actors[place], unified[place] = actor, action
        outcomes = np.repeat(np.clip(outcome, -1.0, 1.0).astype(np.float32), self.steps)
        ends = np.cumsum(self.steps)
        cuts = [slice(end - count, end) for end, count in zip(ends, self.steps, strict=True)]
        return [
            GameRecord(
                observation=observation[cut],
                actor=actors[cut],
                action=unified[cut],
                legal=legal[cut],
                policy=policy[cut],
                value=value[cut],
                outcome=outcomes[cut],
            )
            for cut in cuts
        ]

    def _add(self, game: Ints, actor: Ints, action: Ints, seen: _Seen | None) -> None:
        self._chunks.append((game, actor, action, seen))
        self.steps += np.bincount(game, minlength=self.games)
