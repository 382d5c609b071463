"""Auxiliary targets beside a finished game's result: a network learns from more than one number a game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dicezero.rules.errors import GameError
from dicezero.rules.protocol import Game


@dataclass(frozen=True)
class AuxiliarySpec:
    """A finished game's targets beside its result, each number in [-1, 1], for player 1 the other way round.

    Attributes:
        planes: numbers that every cell of the board has, such as whose it is.
        cells: of the board.
        numbers: of the whole game, such as by how much it was won.
    """

    planes: int
    cells: int
    numbers: int

    @property
    def size(self) -> int:
        """All of them: cell by cell for each plane, then the others."""
        return self.planes * self.cells + self.numbers


def auxiliary_of(game: Game, shape: Sequence[int]) -> AuxiliarySpec | None:
    """What the game's ``auxiliary_shape()`` gives, (planes, numbers); None where it has none or nothing.

    A game that offers it has states whose ``auxiliary_targets()`` gives the numbers once the game is over.

    Args:
        game: any.
        shape: of an observation, (channels, height, width); empty where observations are no planes.

    Raises:
        GameError: what the game gives are no such counts.
    """
    ask = getattr(game, "auxiliary_shape", None)
    if not callable(ask):
        return None
    try:
        planes, numbers = (int(n) for n in ask())
    except (TypeError, ValueError) as error:
        raise GameError(f"{game}: auxiliary_shape() is no (planes, numbers) ({error})") from error
    if min(planes, numbers) < 0 or (planes and not shape):
        raise GameError(
            f"{game}: auxiliary_shape() is ({planes}, {numbers}); give counts of at least 0, and planes only "
            "where observations are planes"
        )
    cells = math.prod(shape[1:]) if planes else 0
    return AuxiliarySpec(planes, cells, numbers) if planes or numbers else None
