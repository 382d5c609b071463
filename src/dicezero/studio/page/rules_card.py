"""The rules of a game in a few sentences, for somebody who has never seen it."""

from __future__ import annotations

from html import escape

from dicezero.rules.games import game_module
from dicezero.studio.catalog import Catalog

_PLAIN = ("The position is shown as the game prints it; every legal move is a button below it.",)


def rules_html(game: str, catalog: Catalog) -> str:
    """The rules of the game of that name as HTML: ours, or what somebody's own game says of itself."""
    own = catalog.rules(game)
    sentences = own or getattr(game_module(game.partition("(")[0]), "RULES", _PLAIN)
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
