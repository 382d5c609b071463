"""Connect Four: discs that fall behind a frame with holes."""

from __future__ import annotations

import math

from dicezero import _native
from dicezero.rules.draw import board_text, status
from dicezero.studio.page.boards.marks import Point, checker, circle, move, svg
from dicezero.studio.page.boards.rows import PLAYERS, Cell, changed, landing, line_of, rows_of
from dicezero.studio.page.boards.view import View

_CELL, _EDGE, _TOP, _HOLE = 100.0, 18.0, 46.0, 41.0


def board(state: _native.ConnectFourState, view: View) -> str:
    """The rack, the columns to click from top to bottom."""
    rows = rows_of(state)
    fresh = changed(view.before, rows)
    width, height = len(rows[0]) * _CELL + 2 * _EDGE, len(rows) * _CELL + 2 * _EDGE
    parts = [_backdrop(width, height)]
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark in PLAYERS:
                parts.append(_disc((y, x), PLAYERS[mark], falls=(y, x) == fresh))
    parts.append(_frame(len(rows), len(rows[0]), width, height))
    won = line_of(rows, 4)
    parts += [circle(_middle(cell), _HOLE + 3, "winner") for cell in won]
    for action in view.moves:
        cell = landing(state, action)
        if cell is not None:
            parts.append(_draw_move(view, action, cell, state.current_player(), height))
    label = f"Connect Four board, {status(state)}. {board_text(state)}"
    return svg(width, height + _TOP, parts, kind="connect-four", label=label)


def _middle(cell: Cell) -> Point:
    return _EDGE + _CELL * (cell[1] + 0.5), _TOP + _EDGE + _CELL * (cell[0] + 0.5)


def _disc(cell: Cell, player: int, *, falls: bool) -> str:
    motion = ""
    if falls:
        drop = (cell[0] + 1) * _CELL
        # Free fall: the time grows with the root of the way.
        seconds = 0.2 + 0.14 * math.sqrt(cell[0] + 1)
        motion = f' data-falling="true" style="--from:translateY({-drop:g}px);--fall:{seconds:.2f}s"'
    return checker(_middle(cell), _HOLE + 4, player, motion=motion)


def _backdrop(width: float, height: float) -> str:
    return (
        f'<rect class="back" x="8" y="{_TOP + 8:g}" width="{width - 16:g}" height="{height - 16:g}" rx="30"/>'
    )


def _frame(rows: int, columns: int, width: float, height: float) -> str:
    """One path with its holes cut out (even-odd), so that discs pass behind it."""
    x0, y0, x1, y1, r = 4.0, _TOP + 4, width - 4, _TOP + height - 4, 34.0
    path = (
        f"M{x0 + r:g} {y0:g}H{x1 - r:g}A{r:g} {r:g} 0 0 1 {x1:g} {y0 + r:g}V{y1 - r:g}"
        f"A{r:g} {r:g} 0 0 1 {x1 - r:g} {y1:g}H{x0 + r:g}A{r:g} {r:g} 0 0 1 {x0:g} {y1 - r:g}V{y0 + r:g}"
        f"A{r:g} {r:g} 0 0 1 {x0 + r:g} {y0:g}Z"
    )
    rims = []
    for y in range(rows):
        for x in range(columns):
            cx, cy = _middle((y, x))
            half = f"a{_HOLE:g} {_HOLE:g} 0 1 0"
            path += f"M{cx - _HOLE:g} {cy:g}{half} {2 * _HOLE:g} 0{half} {-2 * _HOLE:g} 0Z"
            rims.append(circle((cx, cy), _HOLE, "rim"))
    return f'<path class="frame" fill-rule="evenodd" d="{path}"/>' + "".join(rims)


def _draw_move(view: View, action: int, cell: Cell, player: int, height: float) -> str:
    x, y = _middle(cell)
    left = x - _CELL / 2
    shapes = [
        f'<rect class="touch column" x="{left + 4:g}" y="{_TOP + 8:g}" width="{_CELL - 8:g}" '
        f'height="{height - 16:g}" rx="26"/>',
        circle((x, y), _HOLE - 6, f"ghost p{player}"),
        f'<path class="chute p{player}" d="M{x - 13:g} {_TOP - 20:g}h26l-13 15z"/>',
    ]
    return move(view, action, shapes, badge=(x, 16.0))
