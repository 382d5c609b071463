"""From a position to its board."""

from __future__ import annotations

from dicezero.rules.games import named_module, native_name
from dicezero.rules.protocol import State
from dicezero.studio.page.boards.plain import plain
from dicezero.studio.page.boards.view import View


def board_html(state: State, view: View) -> str:
    """The board of the game that ``state`` belongs to; moves carry ``data-action``, all text is escaped.

    A game of ours is drawn by ``board(state, view)`` of the module here that has its short name.
    """
    name = native_name(state)
    board = None if name is None else getattr(named_module(__package__, name), "board", None)
    return plain(state, view) if board is None else str(board(state, view))
