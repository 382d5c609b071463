"""What a network is to say at each step of a game.

Targets are stored a step, not a sample: a sample of K + 1 steps is K + 1 neighbouring rows, and past the end
the last row again, which is what an absorbing state is.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from dicezero.replay.values import ValueTarget, value_targets
from dicezero.selfplay.record import CHANCE, TERMINAL, ActionSet, GameRecord

MOVER, OTHER, CHANCE_IDENTITY, TERMINAL_IDENTITY = range(4)  # identities, relative to the sample's root


@dataclass(frozen=True, eq=False)
class StepTargets:
    """The T steps of a game, or of many one after another."""

    observation: npt.NDArray[np.float32]  # [T, O]
    actor: npt.NDArray[np.int8]  # [T]
    action: npt.NDArray[np.int16]  # [T], unified; what the dynamics network is fed
    legal: npt.NDArray[np.bool_]  # [T, C]
    policy: npt.NDArray[np.float32]  # [T, A], the search's where a player acts, else no-op
    chance: npt.NDArray[np.int16]  # [T], the outcome where chance acts, else no-op
    value: npt.NDArray[np.float32]  # [T], for the mover; elsewhere for whoever moved last
    search_value: npt.NDArray[np.float32]  # [T], what the search said, for the mover; elsewhere 0

    def rows(self, start: int, stop: int) -> StepTargets:
        """Steps start..stop-1, as views."""
        return StepTargets(*(getattr(self, f.name)[start:stop] for f in fields(StepTargets)))


def step_targets(record: GameRecord, actions: ActionSet, value: ValueTarget) -> StepTargets:
    """The targets of one game."""
    choice = record.actor >= 0
    policy = np.zeros((len(record), actions.size), np.float32)
    policy[:, : actions.choices] = record.policy
    policy[~choice, actions.no_op] = 1.0
    chance = np.where(record.actor == CHANCE, record.action, actions.no_op).astype(np.int16)
    worth = value_targets(record, value)
    return StepTargets(
        record.observation, record.actor, record.action, record.legal, policy, chance, worth, record.value
    )


def with_played_policy(targets: StepTargets) -> StepTargets:
    """The simple policy loss: where a player acts, the target is the move that was played."""
    policy = targets.policy.copy()
    choice = np.flatnonzero(targets.actor >= 0)
    policy[choice] = 0.0
    policy[choice, targets.action[choice]] = 1.0
    return replace(targets, policy=policy)


def joined(parts: list[StepTargets]) -> StepTargets:
    """Many games one after another."""
    return StepTargets(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(StepTargets)))


def identities(actor: npt.NDArray[np.int8]) -> npt.NDArray[np.int32]:
    """[B, K + 1] actors to identities, relative to the mover of each sample's root (column 0)."""
    relative = np.where(actor == actor[:, :1], MOVER, OTHER)
    relative = np.where(actor == CHANCE, CHANCE_IDENTITY, relative)
    return np.where(actor == TERMINAL, TERMINAL_IDENTITY, relative).astype(np.int32)
