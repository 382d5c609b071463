"""The rules of a game in a few sentences, for somebody who has never seen it."""

from __future__ import annotations

from html import escape

_RULES = {
    "nannon": (
        "Run all your checkers from HOME over the arch into SAFETY before your opponent does.",
        "Each turn one die is rolled and one checker moves forward by exactly that many points; "
        "past the last point it is safe.",
        "Land on a lone checker of the other side and it goes back to its HOME. "
        "Two neighbours protect each other: they cannot be landed on.",
        "Opening: the difference of two dice. If nothing can move, the turn is lost.",
    ),
    "tic_tac_toe": (
        "Three of your marks in a row, a column or a diagonal win.",
        "Nine marks without a row: a draw.",
    ),
    "connect_four": (
        "Drop a disc into a column; it falls to the lowest free hole.",
        "Four of yours in a row, a column or a diagonal win; a full board is a draw.",
    ),
}
_PLAIN = ("The position is shown as the game prints it; every legal move is a button below it.",)


def rules_html(game: str) -> str:
    """The rules of the game of that name, without parameters, as HTML."""
    sentences = _RULES.get(game.partition("(")[0], _PLAIN)
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
