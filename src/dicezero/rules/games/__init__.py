"""What games look like to people: a module a game, of the game's name, imported when it is needed.

A module may offer ``TITLE``, ``FIRST`` (the name with the size for a first game), ``RULES`` (sentences for
beginners), ``board(state)``, ``board_text(state)`` and ``phase(state)`` (one phrase: who acts and with what);
whatever it leaves out is made from ``str(state)``. ``board`` returns a ``Board``, for pictures and for the
studio; it may take ``seat``, the player who looks, and ``picked``, the places of a move clicked so far.
``OUTCOMES_A_CELL`` means that outcome ``cell * OUTCOMES_A_CELL + kind`` belongs to that cell of the board.
``STUDIES`` are positions for the studio's search page (``rules.study``), ``SIDES`` what the players are
called there. ``UNSEEN`` are parameters for networks alone, no field for a player. ``NOTES`` are on
players 0 and 1, beside a board that is read from a game's text. ``DOUBLED`` means that the game may be
played for money with a doubling cube, ``cube_life(state)`` how live that is before a roll,
``bearoff_sides(state, most)`` what is left of a race to bear off.
"""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from types import ModuleType

from dicezero import _native


@cache
def game_module(name: str) -> ModuleType | None:
    """The module about one of our games, by its short name; None where there is none."""
    word = name if name.isidentifier() else f"game_{name}"  # 2048 is no name of a module
    if not word.isidentifier() or importlib.util.find_spec(f"{__name__}.{word}") is None:
        return None
    return importlib.import_module(f"{__name__}.{word}")


def is_doubled(name: str) -> bool:
    """Whether one of our games, by its short name, may be played for money with a doubling cube."""
    return bool(getattr(game_module(name), "DOUBLED", False))


def native_name(state: object) -> str | None:
    """The short name of the game of a state of ours; None for any other state."""
    get_game = getattr(state, "get_game", None)
    game = get_game() if callable(get_game) else None
    return str(game.short_name()) if game is not None and _native.is_native(game) else None


def module_of(state: object) -> ModuleType | None:
    """The module about the game of a state of ours; None for any other state."""
    name = native_name(state)
    return None if name is None else game_module(name)
