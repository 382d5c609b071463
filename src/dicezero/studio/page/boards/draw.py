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
    module = None if name is None else named_module(__package__, name)
    return plain(state, view) if module is None else str(module.board(state, view))
