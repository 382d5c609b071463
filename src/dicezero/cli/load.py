"""A game from the command line: a name, or ``file.py:Name`` / ``module:Name`` of the user's own."""

from __future__ import annotations

from typing import cast

from dicezero.rules import load_game, load_object
from dicezero.rules.protocol import Game


def load(text: str) -> Game:
    """The game that ``text`` names, known to follow the protocol; raises GameError."""
    return load_game(cast("Game", load_object(text)) if ":" in text else text)
