"""From a position to its board."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.protocol import State
from dicezero.studio.page.boards.connect_four import connect_four
from dicezero.studio.page.boards.nannon import nannon
from dicezero.studio.page.boards.plain import plain
from dicezero.studio.page.boards.tic_tac_toe import tic_tac_toe
from dicezero.studio.page.boards.view import View


def board_html(state: State, view: View) -> str:
    """The board of the game that ``state`` belongs to; moves carry ``data-action``, all text is escaped."""
    if isinstance(state, _native.NannonState):
        return nannon(state, view)
    if isinstance(state, _native.TicTacToeState):
        return tic_tac_toe(state, view)
    if isinstance(state, _native.ConnectFourState):
        return connect_four(state, view)
    return plain(state, view)
