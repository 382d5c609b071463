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
_TREE = (
    "A tree of a textbook: the player to move chooses a branch, and the game goes on below it.",
    "The number in the square where it ends is what MAX, the first player, gets, and MIN pays it.",
)
_EPISODES = (
    "An environment: each button is an action, and the score is the sum of its rewards.",
    "Choose a run as the agent and You watch as the seat to see it play, with what it expects and plans.",
)


def rules_html(game: str, catalog: Catalog) -> str:
    """The rules of the game of that name as HTML: ours, or the docstring of somebody's own game."""
    own = catalog.rules(game)
    ours = getattr(game_module(game.partition("(")[0]), "RULES", None)
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in own or ours or _of_its_kind(game, catalog))


def _of_its_kind(game: str, catalog: Catalog) -> tuple[str, ...]:
    try:
        made = catalog.game(game)
    except ValueError:  # a game that cannot be made has no rules either
        return _PLAIN
    if spec_of(made).simulator == "episodes":
        return _EPISODES
    return _TREE if getattr(made, "tree_is_explicit", False) else _PLAIN
