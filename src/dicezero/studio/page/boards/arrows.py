"""Arrows over a board: what a search prefers, a hint, a move that is about to be played."""

from __future__ import annotations

import math
from collections.abc import Mapping

from dicezero.rules.board import Board
from dicezero.rules.draw import board_of
from dicezero.rules.protocol import State
from dicezero.rules.shapes import landing, middle, stacked
from dicezero.studio.page.boards.view import Arrow

Point = tuple[float, float]


def arrows_of(
    state: State, weights: Mapping[int, float], words: Mapping[int, str] | None = None
) -> tuple[Arrow, ...]:
    """Arrows for actions with weights in [0, 1]; actions that are no clicks on cells are left out.

    ``words`` stand beside the last leg of each, by default its weight in per cent.
    """
    board = board_of(state)
    if board is None:
        return ()
    found = []
    for action, weight in weights.items():
        ends = move_ends(board, action)
        text = f"{100 * weight:.0f} %" if words is None else words.get(action, "")
        found += [
            Arrow(start, end, weight, text if leg == len(ends) else "")
            for leg, (start, end) in enumerate(ends, 1)
        ]
    return tuple(found)


def move_ends(board: Board, action: int) -> list[tuple[str, str]]:
    """(from, to) of each leg of an action, one cell twice where it is a click on one cell."""
    if action in board.legs:
        return list(board.legs[action])
    paths = board.paths.get(action)
    cells = [place for place in paths[0] if board.cell(place) is not None] if paths else []
    if len(cells) == 1:
        return [(cells[0], cells[0])]
    return list(zip(cells[0::2], cells[1::2], strict=False))


def draw_arrow(board: Board, arrow: Arrow, classes: str, *, words: str = "") -> str:
    """One arrow, or a disc; empty where the board has no such cells."""
    start, end = board.cell(arrow.start), board.cell(arrow.end)
    if start is None or end is None:
        return ""
    weight = min(1.0, max(0.0, arrow.weight))
    spot = landing(end)
    label = f'<text x="{spot[0]:.1f}" y="{spot[1] + 9:.1f}">{words}</text>' if words else ""
    if start.name == end.name:
        x, y = middle(end)
        shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{20 + 22 * math.sqrt(weight):.1f}"/>'
        return f'<g class="arrow {classes}" aria-hidden="true">{shape}{label}</g>'
    path = _arrow_path(stacked(start, max(0, len(start.pieces) - 1)), spot, 7 + 13 * weight)
    return (
        f'<g class="arrow {classes}" data-from="{start.name}" data-to="{end.name}" aria-hidden="true">'
        f'<path d="{path}"/>{label}</g>'
    )


def _arrow_path(start: Point, end: Point, breadth: float) -> str:
    """A shaft and a head, from the rim of one piece into the middle of the other cell."""
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    head, half, wide = 18 + breadth * 1.3, breadth / 2, breadth * 0.55 + 12

    def at(along: float, across: float) -> str:
        x = start[0] + along * ux - across * uy
        y = start[1] + along * uy + across * ux
        return f"{x:.1f} {y:.1f}"

    neck = max(22.0, length - head)
    return (
        f"M{at(18, half)}L{at(neck, half)}L{at(neck, wide)}L{at(length, 0)}"
        f"L{at(neck, -wide)}L{at(neck, -half)}L{at(18, -half)}Z"
    )
