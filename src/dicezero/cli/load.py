"""A game from the command line: a name, ``file.py:Name`` of the user's own, or a tree written as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from dicezero.rules import GameError, load_game, load_object
from dicezero.rules.protocol import Game


def load(text: str) -> Game:
    """The game that ``text`` names, known to follow the protocol; raises GameError."""
    return load_game(cast("Game", load_unchecked(text)))


def load_unchecked(text: str) -> object:
    """The object that ``text`` names, whatever it is; a name itself where it is a registered game's."""
    if text.endswith(".json"):
        return _tree(Path(text))
    return load_object(text) if ":" in text else text


def _tree(path: Path) -> Game:
    """A game whose whole tree stands in a file."""
    from dicezero.search.explicit import ExplicitGame

    try:
        return ExplicitGame.parse(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise GameError(f"{path} is no game tree: {error}") from None
