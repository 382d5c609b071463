"""From a position to its board."""

from __future__ import annotations

from dicezero.rules.draw import board_of, board_text, status
from dicezero.rules.errors import GameError
from dicezero.rules.protocol import State
from dicezero.studio.page.boards.cube import cube_words, with_cube
from dicezero.studio.page.boards.grid import grid
from dicezero.studio.page.boards.plain import plain
from dicezero.studio.page.boards.view import View


def is_text(state: State) -> bool:
    """Whether a position is shown as its game prints it."""
    try:
        return board_of(state) is None and not callable(getattr(state, "to_svg", None))
    except GameError:
        return True


def board_html(state: State, view: View) -> str:
    """The board of the game that ``state`` belongs to; moves carry ``data-action``, all text is escaped.

    A game that describes its board as data is drawn and clicked by ``grid``; any other has its own picture or
    text and buttons.
    """
    try:
        board = board_of(state, view.seat, view.picked)
    except GameError as error:
        return plain(state, view, complaint=str(error))
    if board is None:
        return plain(state, view)
    before = None if view.before is None or type(view.before) is not type(state) else view.before
    then = None if before is None else board_of(before, view.seat)
    due = view.pending
    pending = "" if due is None else state.action_to_string(state.current_player(), due)
    words = f"board, {status(state)}. {board_text(state)}"
    if view.cube is not None:
        board = with_cube(board, view.cube, view.seat)
        then = None if then is None else with_cube(then, view.cube, view.seat)
        words += f" {cube_words(view.cube, view.seat)}"
    return grid(board, view, before=then, label=words, pending=pending)
