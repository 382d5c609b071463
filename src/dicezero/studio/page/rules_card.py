"""The rules of a game in a few sentences, for somebody who has never seen it."""

from __future__ import annotations

from html import escape

from dicezero.rules.games import game_module

_PLAIN = ("The position is shown as the game prints it; every legal move is a button below it.",)


def rules_html(game: str) -> str:
    """The rules of the game of that name, without parameters, as HTML."""
    sentences = getattr(game_module(game.partition("(")[0]), "RULES", _PLAIN)
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
