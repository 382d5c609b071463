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
    rolled = np.stack([symmetry.rolled for symmetry in symmetries])[which]  # [B, outcomes]
    choices = actions.shape[1]
    renamed = np.concatenate([moved, choices + rolled], axis=1)  # unified: what is no action stays
    policy = batch.policy.copy()
    policy[..., :choices] = np.take_along_axis(batch.policy[..., :choices], actions[:, None], axis=2)
    following = None if batch.following is None else _planes(batch.following, cells)
    auxiliary = batch.auxiliary
    if auxiliary is not None:  # planes of the board first, then numbers, which stay
        on_board = auxiliary.shape[1] // cells.shape[1] * cells.shape[1]
        auxiliary = np.concatenate([_planes(auxiliary[:, :on_board], cells), auxiliary[:, on_board:]], axis=1)
    return replace(
        batch,
        observation=_planes(batch.observation, cells),
        legal=np.take_along_axis(batch.legal, actions, axis=1),
        action=_renamed(batch.action, renamed),
        chance=_renamed(batch.chance, renamed) if rolled.shape[1] else batch.chance,
        policy=policy,
        following=following,
        auxiliary=auxiliary,
    )


def _renamed(actions: npt.NDArray[np.int32], names: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Unified actions [B, K] by their names [B, named] on the turned board; others keep theirs."""
    named = actions < names.shape[1]
    turned = np.take_along_axis(names, np.where(named, actions, 0), axis=1)
    return np.where(named, turned, actions).astype(np.int32)


def _planes(flat: npt.NDArray[_Array], cells: npt.NDArray[np.int64]) -> npt.NDArray[_Array]:
    """Observations [B, ..., channels * cells] with the cells [B, cells] of every plane exchanged."""
    planes = flat.reshape(len(cells), -1, cells.shape[1])
    return np.take_along_axis(planes, cells[:, None], axis=2).reshape(flat.shape)
