"""Ways to turn or mirror a board that the rules cannot distinguish from the board itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.rules.errors import GameError
from dicezero.rules.games import game_module
from dicezero.rules.protocol import Game


@dataclass(frozen=True)
class Symmetry:
    """Element i of what is turned is element cells[i] (actions[i], outcomes[i]) of what was.

    Attributes:
        cells: of the board, row by row.
        actions: of the players.
        outcomes: of chance; empty where there is none.
    """

    cells: tuple[int, ...]
    actions: tuple[int, ...]
    outcomes: tuple[int, ...] = ()

    @cached_property
    def moved(self) -> npt.NDArray[np.int32]:
        """[actions], what each action is called on the turned board."""
        return np.argsort(np.array(self.actions, np.int32)).astype(np.int32)

    @cached_property
    def rolled(self) -> npt.NDArray[np.int32]:
        """[outcomes], what each outcome is called on the turned board."""
        return np.argsort(np.array(self.outcomes, np.int32)).astype(np.int32)


def symmetries_of(game: Game, shape: Sequence[int], actions: int, outcomes: int) -> tuple[Symmetry, ...]:
    """What the game's ``symmetries()`` gives, the board as it is among them; empty where it has none.

    A game may offer ``symmetries()``: (cells, actions) pairs, each a permutation, or (cells, actions,
    outcomes) where there are dice. Pairs of a game with dice are taken where its module has how many
    outcomes belong to each cell (``OUTCOMES_A_CELL``): then an outcome goes where its cell does. Else none
    are taken, as it is unknown what becomes of an outcome; nor where observations are no planes.

    Args:
        game: any.
        shape: of an observation, (channels, height, width) for a board.
        actions: of players.
        outcomes: of chance.

    Raises:
        GameError: what the game gives are no permutations of the cells, the actions and the outcomes.
    """
    ask = getattr(game, "symmetries", None)
    if not callable(ask) or len(shape) != 3:
        return ()
    size = shape[1] * shape[2]
    try:
        pairs = [tuple(tuple(map(int, part)) for part in each) for each in ask()]
        symmetries = [Symmetry(*each, *_outcomes(game, each, size, outcomes)) for each in pairs]
    except (TypeError, ValueError) as error:
        raise GameError(f"{game}: symmetries() gives no (cells, actions) pairs ({error})") from error
    if outcomes and not all(each.outcomes for each in symmetries):
        return ()
    for each in symmetries:
        parts = (each.cells, size), (each.actions, actions), (each.outcomes, outcomes)
        if any(sorted(part) != list(range(count)) for part, count in parts):
            raise GameError(
                f"{game}: symmetries() gives {len(each.cells)} cells, {len(each.actions)} actions and "
                f"{len(each.outcomes)} outcomes; give permutations of the {size} cells, of the {actions} "
                f"actions and of the {outcomes} outcomes"
            )
    return tuple(symmetries) if len(symmetries) > 1 else ()


def _outcomes(
    game: Game, symmetry: tuple[tuple[int, ...], ...], size: int, outcomes: int
) -> tuple[tuple[int, ...], ...]:
    """Where the outcomes go, for a symmetry of cells and actions alone; nothing if unknown."""
    module = game_module(str(game.short_name())) if _native.is_native(game) else None  # type: ignore[attr-defined]
    each = getattr(module, "OUTCOMES_A_CELL", 0)
    if len(symmetry) != 2 or not each or each * size != outcomes:
        return ()
    return (tuple(cell * each + kind for cell in symmetry[0] for kind in range(each)),)
