"""Networks evaluated on every symmetric form of a position: the mean of their outputs.

Logits are averaged, which is the geometric mean of the policies, and values. Sums are in double precision and
in the order of the symmetries, natively and here: both give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.model.weights import Floats
from dicezero.rules.symmetry import Symmetry


class SymmetricEvaluator:
    """AlphaZero's evaluator over all symmetric forms; ``native`` where the evaluator itself is."""

    def __init__(self, evaluator: Callable[..., tuple[Any, Any]], symmetries: Sequence[Symmetry]) -> None:
        self.evaluator, self.symmetries = evaluator, tuple(symmetries)
        inner = getattr(evaluator, "native", None)
        self.native = (
            _native.SymmetricEvaluator(inner, [(list(s.cells), list(s.actions)) for s in self.symmetries])
            if isinstance(inner, _native.Evaluator)
            else None
        )

    def __call__(self, observations: npt.ArrayLike, legal: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Observations [M, ...] and legal [M, A] to policy logits [M, A] and value [M], for the mover."""
        mask = np.asarray(legal, np.bool_)
        turned_legal = np.concatenate([mask[:, list(s.actions)] for s in self.symmetries])
        logits, value = self.evaluator(turned(observations, self.symmetries), turned_legal)
        return mean_answer(np.asarray(logits), np.asarray(value), self.symmetries)


def turned(observations: npt.ArrayLike, symmetries: Sequence[Symmetry]) -> Floats:
    """[S * M, O], the observations [M, ...] of planes in every form, one form after another."""
    array = np.asarray(observations, np.float32)
    planes = array.reshape(len(array), -1, len(symmetries[0].cells))
    return np.concatenate([planes[:, :, list(s.cells)].reshape(len(array), -1) for s in symmetries])


def mean_answer(
    logits: npt.NDArray[Any], value: npt.NDArray[Any], symmetries: Sequence[Symmetry]
) -> tuple[Floats, Floats]:
    """Logits [M, A] and values [M] on the board as it is, from those of all forms, [S * M, A] and [S * M].

    Columns behind the players' actions mean nothing where a player is to move, and stay in their places.
    """
    forms, rows = len(symmetries), len(value) // len(symmetries)
    sums = np.zeros((rows, logits.shape[1]))
    for symmetry, form in zip(symmetries, np.split(logits, forms), strict=True):
        choices = len(symmetry.actions)
        sums[:, list(symmetry.actions)] += form[:, :choices]
        sums[:, choices:] += form[:, choices:]
    total = np.zeros(rows)
    for form in np.split(value, forms):
        total += form
    return (sums / forms).astype(np.float32), (total / forms).astype(np.float32)
