"""Ways to turn or mirror a board that the rules cannot tell from the board itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dicezero.rules.errors import GameError
from dicezero.rules.protocol import Game


@dataclass(frozen=True)
class Symmetry:
    """Element i of what is turned is element cells[i] (actions[i]) of what was.

    Attributes:
        cells: of the board, row by row.
        actions: of the players.
    """

    cells: tuple[int, ...]
    actions: tuple[int, ...]

    @cached_property
    def moved(self) -> npt.NDArray[np.int32]:
        """[actions], what each action is called on the turned board."""
        return np.argsort(np.array(self.actions, np.int32)).astype(np.int32)


def symmetries_of(game: Game, shape: Sequence[int], actions: int, outcomes: int) -> tuple[Symmetry, ...]:
    """What the game's ``symmetries()`` gives, the board as it is among them; empty where it has none.

    A game may offer ``symmetries()``: (cells, actions) pairs, each a permutation. Where there are dice none
    are taken, as nobody says what becomes of an outcome; nor where observations are no planes.

    Args:
        game: any.
        shape: of an observation, (channels, height, width) for a board.
        actions: of players.
        outcomes: of chance.

    Raises:
        GameError: what the game gives is no pair of permutations of the cells and the actions.
    """
    ask = getattr(game, "symmetries", None)
    if not callable(ask) or outcomes or len(shape) != 3:
        return ()
    size = shape[1] * shape[2]
    try:
        found = [Symmetry(tuple(map(int, cells)), tuple(map(int, moves))) for cells, moves in ask()]
    except (TypeError, ValueError) as error:
        raise GameError(f"{game}: symmetries() gives no (cells, actions) pairs ({error})") from error
    for each in found:
        if sorted(each.cells) != list(range(size)) or sorted(each.actions) != list(range(actions)):
            raise GameError(
                f"{game}: symmetries() gives {len(each.cells)} cells and {len(each.actions)} actions; give "
                f"permutations of the {size} cells and of the {actions} actions"
            )
    return tuple(found) if len(found) > 1 else ()
