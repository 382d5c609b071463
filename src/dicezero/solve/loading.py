"""A solution's file read back for its game."""

from __future__ import annotations

from os import PathLike

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.rules.protocol import Game
from dicezero.rules.registry import load_game
from dicezero.solve import container
from dicezero.solve.errors import SolutionFileError
from dicezero.solve.facts import Facts
from dicezero.solve.keys import Keys
from dicezero.solve.table import game_name


def read_solution(
    path: str | PathLike[str], game: str | Game | None
) -> tuple[Game, npt.NDArray[np.float64], Facts, Keys | None]:
    """The game, its values, the facts and the keys (None where the game is ranked); all of it checked.

    Raises:
        SolutionFileError: not a solution, damaged, of another version or of another game.
    """
    facts, arrays = container.read(path)
    name = facts.game
    try:
        game = load_game(name if game is None else game)
    except ValueError as error:
        raise SolutionFileError(f"{path} solves {name!r}, which cannot be loaded: {error}") from error
    if game_name(game) != name:
        raise SolutionFileError(f"{path} solves {name!r}, not {game_name(game)!r}; give game=")
    keys = Keys.from_arrays(arrays)
    ranked = _native.ranked_states(game)
    # The number of keys is checked with the file.
    fits = keys is not None if ranked is None else keys is None and len(arrays["values"]) == ranked
    if not fits:
        raise SolutionFileError(f"{path} does not hold the states of {name}; solve the game again")
    return game, arrays["values"], facts, keys
