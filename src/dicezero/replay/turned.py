"""Samples on a turned board: what is true of a position is true of its mirror image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from dicezero.replay.buffer import Batch
from dicezero.rules.symmetry import Symmetry

_Array = TypeVar("_Array", bound=np.generic)


def turned_batch(batch: Batch, symmetries: Sequence[Symmetry], which: npt.NDArray[np.int64]) -> Batch:
    """The samples [B], each turned by the symmetry of its number in ``which`` [B], all its steps alike."""
    cells = np.array([symmetry.cells for symmetry in symmetries])[which]  # [B, cells]
    actions = np.array([symmetry.actions for symmetry in symmetries])[which]  # [B, C]
    moved = np.stack([symmetry.moved for symmetry in symmetries])[which]  # [B, C]
    choices = actions.shape[1]
    action = batch.action.copy()  # unified: what is no player's action stays
    players = action < choices
    row = np.broadcast_to(np.arange(len(which))[:, None], action.shape)[players]
    action[players] = moved[row, action[players]]
    policy = batch.policy.copy()
    policy[..., :choices] = np.take_along_axis(batch.policy[..., :choices], actions[:, None], axis=2)
    following = None if batch.following is None else _planes(batch.following, cells)
    return replace(
        batch,
        observation=_planes(batch.observation, cells),
        legal=np.take_along_axis(batch.legal, actions, axis=1),
        action=action,
        policy=policy,
        following=following,
    )


def _planes(flat: npt.NDArray[_Array], cells: npt.NDArray[np.int64]) -> npt.NDArray[_Array]:
    """Observations [B, ..., channels * cells] with the cells [B, cells] of every plane exchanged."""
    planes = flat.reshape(len(cells), -1, cells.shape[1])
    return np.take_along_axis(planes, cells[:, None], axis=2).reshape(flat.shape)
