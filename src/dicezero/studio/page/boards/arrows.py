"""Arrows over a board: what a search prefers, a hint, a move that is about to be played."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import Literal

from dicezero.rules.board import Board
from dicezero.rules.draw import board_of
from dicezero.rules.protocol import State
from dicezero.rules.shapes import landing, piles, stacked
from dicezero.studio.page.boards.view import Arrow

Point = tuple[float, float]
_RIM = 34.0  # from the middle of a piece to where an arrow may begin or end: the piece stays in sight
_SIZE = 27.0  # of the letters of a label, in hundredths of a cell; more where cells are small


def arrows_of(
    state: State,
    weights: Mapping[int, float],
    words: Mapping[int, str] | None = None,
    *,
    best: int | None = None,
) -> tuple[Arrow, ...]:
    """Arrows for actions with weights in [0, 1]; actions that are no clicks on cells are left out.

    Moves of several legs cross one another: of those only ``best`` is drawn. ``words`` stand at the end of
    each, by default its weight in per cent.
    """
    board = board_of(state)
    if board is None:
        return ()
    ways = {action: move_ends(board, action) for action in weights}
    if best is not None and any(len(ends) > 1 for ends in ways.values()):
        ways = {best: ways[best]} if best in ways else {}
    arrows = []
    for action, ends in ways.items():
        text = f"{100 * weights[action]:.0f} %" if words is None else words.get(action, "")
        kind: Literal["search", "hint"] = "hint" if action == best else "search"
        arrows += [
            Arrow(start, end, weights[action], text if leg == len(ends) else "", kind)
            for leg, (start, end) in enumerate(ends, 1)
        ]
    return tuple(arrows)


def move_ends(board: Board, action: int) -> list[tuple[str, str]]:
    """(from, to) of each leg of an action, one cell twice where it is a click on one cell."""
    if action in board.legs:
        return list(board.legs[action])
    paths = board.paths.get(action)
    cells = [place for place in paths[0] if board.cell(place) is not None] if paths else []
    if len(cells) == 1:
        return [(cells[0], cells[0])]
    return list(zip(cells[0::2], cells[1::2], strict=False))


def draw_arrow(board: Board, arrow: Arrow, classes: str) -> str:
    """One arrow, or a disc, without its words; empty where the board has no such cells."""
    start, end = board.cell(arrow.start), board.cell(arrow.end)
    if start is None or end is None:
        return ""
    weight = min(1.0, max(0.0, arrow.weight))
    spot = landing(end)
    taken = bool(end.pieces) and not piles(end)
    if start.name == end.name:
        x, y = spot
        shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{34 + 8 * math.sqrt(weight):.1f}"/>'
    else:
        away = stacked(start, max(0, len(start.pieces) - 1))
        path = _arrow_path(away, spot, 7 + 11 * weight, short=_RIM if taken else 0.0)
        shape = f'<path d="{path}"/>'
    return (
        f'<g class="arrow {classes}{" taken" if taken else ""}" data-from="{escape(start.name, quote=True)}" '
        f'data-to="{escape(end.name, quote=True)}" aria-hidden="true">{shape}</g>'
    )


def draw_plate(board: Board, arrow: Arrow) -> str:
    """The words of an arrow; what stands at its end, and its head, stay in sight."""
    start, end = board.cell(arrow.start), board.cell(arrow.end)
    if start is None or end is None or not arrow.words:
        return ""
    x, y = landing(end)
    if start.name != end.name:
        y += -33 if y < stacked(start, max(0, len(start.pieces) - 1))[1] else 33
    elif end.pieces and not piles(end):
        y += 33
    return (
        f'<g class="plate {arrow.kind}" aria-hidden="true">{_label((x, y), arrow.words, board.columns)}</g>'
    )


def _label(at: Point, text: str, columns: float) -> str:
    """Words on a plate around a point."""
    size = _SIZE * min(1.9, max(1.0, columns / 9)) * (0.82 if len(text) > 5 else 1.0)
    width, height = 0.56 * size * len(text) + 0.5 * size, 1.22 * size
    x, y = at
    return (
        f'<rect x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'rx="{height / 2:.1f}"/><text x="{x:.1f}" y="{y + 0.35 * size:.1f}" font-size="{size:.0f}">'
        f"{escape(text)}</text>"
    )


def _arrow_path(start: Point, end: Point, breadth: float, *, short: float) -> str:
    """A shaft and a head, from the rim of one piece to ``short`` of the other cell's middle."""
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    head, half, wide = 18 + breadth * 1.1, breadth / 2, breadth * 0.5 + 11

    def at(along: float, across: float) -> str:
        x = start[0] + along * ux - across * uy
        y = start[1] + along * uy + across * ux
        return f"{x:.1f} {y:.1f}"

    tip = max(length - short, _RIM + 24)
    neck = max(_RIM + 4, tip - head)
    return (
        f"M{at(_RIM, half)}L{at(neck, half)}L{at(neck, wide)}L{at(tip, 0)}"
        f"L{at(neck, -wide)}L{at(neck, -half)}L{at(_RIM, -half)}Z"
    )
