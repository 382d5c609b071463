"""The rules of a game in a few sentences, for somebody who has never seen it."""

from __future__ import annotations

from html import escape

from dicezero.rules.games import game_module
from dicezero.rules.spec import spec_of
from dicezero.studio.catalog import Catalog

_PLAIN = (
    "A game of OpenSpiel's. Where it has a board, click a free place, or a piece and then where it goes.",
    "Otherwise the position is shown as the game prints it, and every legal move is a button below.",
)


_EPISODES = (
    "An environment: each button is an action, and the score is the sum of its rewards.",
    "Choose a run as the agent and You watch as the seat to see it play, with what it expects and plans.",
)


def rules_html(game: str, catalog: Catalog) -> str:
    """The rules of the game of that name as HTML: ours, or what somebody's own game says of itself."""
    own = catalog.rules(game)
    known = getattr(game_module(game.partition("(")[0]), "RULES", None)
    sentences = own or known or (_EPISODES if _is_environment(game, catalog) else _PLAIN)
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)


def _is_environment(game: str, catalog: Catalog) -> bool:
    try:
        return spec_of(catalog.game(game)).simulator == "episodes"
    except ValueError:  # a game that cannot be made has no rules either
        return False
