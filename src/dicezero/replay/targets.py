"""What a network is to predict at each step of an episode.

Targets are stored a step, not a sample: a sample of K + 1 steps is K + 1 neighbouring rows, and past the end
the last row again, which is what an absorbing state is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero.replay.values import ValueTarget, mover_rewards, value_targets
from dicezero.selfplay.episode import CHANCE, TERMINAL, Episode

MOVER, OTHER, CHANCE_IDENTITY, TERMINAL_IDENTITY = range(4)  # identities, relative to the sample's root


@dataclass(frozen=True, eq=False)
class StepTargets:
    """The T steps of an episode, scaled to the network's units."""

    value: npt.NDArray[np.float32]  # [T], for the mover; elsewhere for who moved last
    reward: npt.NDArray[np.float32]  # [T], of what was done there, for who moved last


def step_targets(episode: Episode, target: ValueTarget, *, scale: float) -> StepTargets:
    """The targets of one episode; a value or reward of 1 stands for ``scale`` of the game's returns.

    Where a finished game's outcome stands in its value it is not paid as a reward, too.
    """
    value = value_targets(episode, target) / np.float32(scale)
    reward = mover_rewards(episode) / np.float32(scale)
    if target.absorbing == "outcome":
        reward = np.zeros_like(reward)
    return StepTargets(value, reward)


def identities(actor: npt.NDArray[np.int8]) -> npt.NDArray[np.int32]:
    """[B, K + 1] actors to identities, relative to the mover of each sample's root (column 0)."""
    relative = np.where(actor == actor[:, :1], MOVER, OTHER)
    relative = np.where(actor == CHANCE, CHANCE_IDENTITY, relative)
    return np.where(actor == TERMINAL, TERMINAL_IDENTITY, relative).astype(np.int32)
