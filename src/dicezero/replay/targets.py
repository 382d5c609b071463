"""What a network is to say at each step of a game.

Targets are stored a step, not a sample: a sample of K + 1 steps is K + 1 neighbouring rows, and past the end
the last row again, which is what an absorbing state is.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

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


def step_targets(record: GameRecord, actions: ActionSet, *, value_lambda: float) -> StepTargets:
    """The targets of one game; see ``value_targets`` for ``value_lambda``."""
    choice = record.actor >= 0
    policy = np.zeros((len(record), actions.size), np.float32)
    policy[:, : actions.choices] = record.policy
    policy[~choice, actions.no_op] = 1.0
    chance = np.where(record.actor == CHANCE, record.action, actions.no_op).astype(np.int16)
    value = value_targets(record, value_lambda=value_lambda)
    return StepTargets(record.observation, record.actor, record.action, record.legal, policy, chance, value)


def with_played_policy(targets: StepTargets) -> StepTargets:
    """The simple policy loss: where a player acts, the target is the move that was played."""
    policy = targets.policy.copy()
    choice = np.flatnonzero(targets.actor >= 0)
    policy[choice] = 0.0
    policy[choice, targets.action[choice]] = 1.0
    return replace(targets, policy=policy)


def value_targets(record: GameRecord, *, value_lambda: float) -> npt.NDArray[np.float32]:
    """[T], the lambda-return: 1 is the outcome, 0 the search's value at the next decision.

    A step of chance, or past the end, is worth what the last decision is worth, for the player who made it.
    Before the first decision nobody has moved and the value is 0; no sample starts there.
    """
    targets = np.zeros(len(record))
    decisions = np.flatnonzero(record.actor >= 0)
    following: tuple[int, float, float] | None = (
        None  # player, search's value and target of the next decision
    )
    for step in decisions[::-1]:
        player = int(record.actor[step])
        if following is None:
            targets[step] = record.outcome[step] * (1 if player == 0 else -1)
        else:
            sign = 1 if following[0] == player else -1
            targets[step] = sign * ((1.0 - value_lambda) * following[1] + value_lambda * following[2])
        following = player, float(record.value[step]), float(targets[step])
    for step in range(1, len(record)):
        if record.actor[step] < 0:
            targets[step] = targets[step - 1]
    return targets.astype(np.float32)


def joined(parts: list[StepTargets]) -> StepTargets:
    """Many games one after another."""
    return StepTargets(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(StepTargets)))


def identities(actor: npt.NDArray[np.int8]) -> npt.NDArray[np.int32]:
    """[B, K + 1] actors to identities, relative to the mover of each sample's root (column 0)."""
    relative = np.where(actor == actor[:, :1], MOVER, OTHER)
    relative = np.where(actor == CHANCE, CHANCE_IDENTITY, relative)
    return np.where(actor == TERMINAL, TERMINAL_IDENTITY, relative).astype(np.int32)
