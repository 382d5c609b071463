"""Counting lines of play."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.protocol import Game, State
from dicezero.rules.registry import load_game


def perft(game: str | Game, depth: int, state: State | None = None) -> list[int]:
    """Nodes of the game tree at depth 0..``depth``; chance outcomes and passes are edges like any other.

    Counted from ``state``, or from the start of the game.

    Raises:
        GameError: the game cannot be loaded.
        ValueError: ``depth`` is out of range.
    """
    return _native.perft(load_game(game), depth, state)
