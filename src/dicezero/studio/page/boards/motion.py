"""What changed between two boards: which piece came from where, and how it is set in motion."""

from __future__ import annotations

import math
from collections import Counter

from dicezero.rules.board import Board, Piece
from dicezero.rules.shapes import stacked

Point = tuple[float, float]
Spot = tuple[str, int]  # a cell's name and a piece's place in its pile


def moved(before: Board, now: Board) -> dict[Spot, Point | None]:
    """Where each piece that was not here before stood then, in user units; None for a new one."""
    gone: list[tuple[str, Point]] = []
    come: list[tuple[str, Spot, Point]] = []
    cells = {cell.name: cell for cell in now.cells}
    then = {cell.name: cell for cell in before.cells}
    for name, cell in cells.items():
        past = then[name].pieces if name in then else ()
        left = Counter(p.name for p in past) - Counter(p.name for p in cell.pieces)
        new = Counter(p.name for p in cell.pieces) - Counter(p.name for p in past)
        gone += [(p, stacked(then[name], i)) for p, i in _top(past, left)]
        come += [(p, (name, i), stacked(cell, i)) for p, i in _top(cell.pieces, new)]
    sources_by_spot: dict[Spot, Point | None] = {}
    for piece, spot, at in come:
        sources = [source for source in gone if source[0] == piece]
        nearest = min(sources, key=lambda source: math.dist(source[1], at), default=None)
        if nearest is not None:
            gone.remove(nearest)
        sources_by_spot[spot] = None if nearest is None else nearest[1]
    return sources_by_spot


def glide(start: Point, end: Point) -> str:
    """The attributes that let a piece drawn at ``end`` come from ``start``, in user units."""
    dx, dy = start[0] - end[0], start[1] - end[1]
    return (
        f' style="--from:translate({dx:.1f}px,{dy:.1f}px);transform-origin:{end[0]:.1f}px {end[1]:.1f}px" '
        'data-moving="true"'
    )


def _top(pieces: tuple[Piece, ...], counts: Counter[str]) -> list[tuple[str, int]]:
    """(name, index) of so many pieces of each name, from the top of the pile."""
    rest, top = counts.copy(), []
    for index in reversed(range(len(pieces))):
        name = pieces[index].name
        if rest[name] > 0:
            rest[name] -= 1
            top.append((name, index))
    return top
