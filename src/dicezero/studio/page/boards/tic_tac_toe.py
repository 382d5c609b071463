"""Tic-tac-toe: crosses and rings that are drawn before your eyes."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.draw import board_text, status
from dicezero.studio.page.boards.marks import Point, move, svg
from dicezero.studio.page.boards.rows import PLAYERS, Cell, changed, landing, line_of, rows_of
from dicezero.studio.page.boards.view import View

_CELL, _EDGE = 170.0, 20.0
_SIZE = 3 * _CELL + 2 * _EDGE


def board(state: _native.TicTacToeState, view: View) -> str:
    """Three by three."""
    rows = rows_of(state)
    fresh = changed(view.before, rows)
    parts = [f'<rect class="ground" x="4" y="4" width="{_SIZE - 8:g}" height="{_SIZE - 8:g}" rx="26"/>']
    for at in (_EDGE + _CELL, _EDGE + 2 * _CELL):
        parts.append(f'<path class="rule" d="M{at:g} {_EDGE + 14:g}V{_SIZE - _EDGE - 14:g}"/>')
        parts.append(f'<path class="rule" d="M{_EDGE + 14:g} {at:g}H{_SIZE - _EDGE - 14:g}"/>')
    won = line_of(rows, 3)
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark in PLAYERS:
                extra = (" fresh" if (y, x) == fresh else "") + (" won" if (y, x) in won else "")
                parts.append(_mark(_middle((y, x)), PLAYERS[mark], extra))
    for action in view.moves:
        cell = landing(state, action)
        if cell is not None:
            parts.append(_draw_move(view, action, cell, state.current_player()))
    if won:
        (ax, ay), (bx, by) = _middle(won[0]), _middle(won[-1])
        parts.append(f'<path class="strike" d="M{ax:g} {ay:g}L{bx:g} {by:g}"/>')
    label = f"Tic-tac-toe board, {status(state)}. {board_text(state)}"
    return svg(_SIZE, _SIZE, parts, kind="tic-tac-toe", label=label)


def _middle(cell: Cell) -> Point:
    return _EDGE + _CELL * (cell[1] + 0.5), _EDGE + _CELL * (cell[0] + 0.5)


def _mark(centre: Point, player: int, extra: str) -> str:
    x, y = centre
    if player == 0:
        path = f"M{x - 42:g} {y - 42:g}l84 84M{x + 42:g} {y - 42:g}l-84 84"
    else:
        path = f"M{x:g} {y - 46:g}a46 46 0 1 1 -0.1 0"
    return f'<path class="mark p{player}{extra}" pathLength="100" d="{path}"/>'


def _draw_move(view: View, action: int, cell: Cell, player: int) -> str:
    x, y = _middle(cell)
    half = _CELL / 2 - 10
    shapes = [
        f'<rect class="touch cell" x="{x - half:g}" y="{y - half:g}" '
        f'width="{2 * half:g}" height="{2 * half:g}" rx="18"/>',
        _mark((x, y), player, " ghost"),
    ]
    return move(view, action, shapes, badge=(x + half - 20, y - half + 20))
