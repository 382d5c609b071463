"""Nannon of any size: the points on an arch, home and safety at its feet, the die under it.

The reader's checkers run over the arch from left to right, the other side's from right to left.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from dicezero import _native
from dicezero.rules.draw import board_text, status
from dicezero.studio.page.boards.dice import die
from dicezero.studio.page.boards.marks import (
    Point,
    checker,
    circle,
    glide,
    move,
    on_circle,
    ring_sector,
    svg,
    swing,
    text,
)
from dicezero.studio.page.boards.view import View

_WIDTH, _HEIGHT = 760.0, 550.0
_CENTRE = (380.0, 372.0)
_RADIUS, _HALF = 290.0, 56.0  # of the lane's middle, and half its breadth
_TRAY_WIDTH, _TRAY_HEIGHT, _TRAY_TOP, _TRAY_GAP = 262.0, 66.0, 392.0, 74.0
_TRAY_RADIUS, _TRAY_NAME = 21.0, 126.0  # of a checker in a tray; where the first stands, right of the name
HOME, SAFETY = 0, -1  # places beside the points 1..n


@dataclass(frozen=True)
class Size:
    """What the places on the drawing depend on."""

    points: int
    checkers: int
    seat: int  # the reader's player


@dataclass(frozen=True)
class Place:
    """Where a checker stands: a point as the reader counts, or the ``index``-th place of a tray."""

    player: int
    point: int  # 1..n, HOME or SAFETY
    index: int = 0


def board(state: _native.NannonState, view: View) -> str:
    """The board from the reader's side."""
    game = state.get_game()
    size = Size(game.points, game.checkers, view.seat)
    here = places(state, view.seat)
    sources = _moved(view.before, here, view.seat) if view.before is not None else {}
    parts = [_ground(), *_lane(size), *_trays(view)]
    parts += [_draw_checker(place, sources.get(place), size) for place in here]
    pending = () if view.pending is None else (view.pending,)
    for action in (*view.moves, *pending):
        child = state.clone()
        child.apply_action(action)
        for target, source in _moved(state, places(child, view.seat), view.seat).items():
            if target.player == state.current_player():
                parts.append(_draw_move(view, action, source, target, size))
    parts += _die(state, view)
    return svg(
        _WIDTH, _HEIGHT, parts, kind="nannon", label=f"Nannon board, {status(state)}. {board_text(state)}"
    )


def places(state: _native.NannonState, seat: int) -> list[Place]:
    """Every checker's place, points counted by player ``seat``."""
    points = state.get_game().points
    found = []
    for player in (0, 1):
        found += [Place(player, HOME, i) for i in range(state.home(player))]
        found += [Place(player, SAFETY, i) for i in range(state.safety(player))]
        for point in state.points(player):
            found.append(Place(player, point if player == seat else points + 1 - point))
    return found


def _moved(before: object, here: list[Place], seat: int) -> dict[Place, Place]:
    """Which checkers stand elsewhere than ``before``: new place to old; at most one a player."""
    if not isinstance(before, _native.NannonState):  # a page may have shown another game before
        return {}
    then = places(before, seat)
    found = {}
    for player in (0, 1):
        gone = [p for p in (Counter(then) - Counter(here)).elements() if p.player == player]
        come = [p for p in (Counter(here) - Counter(then)).elements() if p.player == player]
        if len(gone) == len(come) == 1:
            found[come[0]] = gone[0]
    return found


def _spot(place: Place, size: Size) -> Point:
    """The middle of a place on the drawing."""
    if place.point > 0:
        return on_circle(_CENTRE, _RADIUS, _angle(place.point, size))
    mine = place.player == size.seat
    left = (place.point == HOME) == mine
    x, y = _tray_corner(left, mine)
    room = _TRAY_WIDTH - _TRAY_NAME - _TRAY_RADIUS - 8
    step = min(_TRAY_RADIUS * 2 + 2, room / max(1, size.checkers - 1))
    return x + _TRAY_NAME + place.index * step, y + _TRAY_HEIGHT / 2


def _angle(point: int, size: Size) -> float:
    return 180.0 - (point - 0.5) * 180.0 / size.points


def _tray_corner(left: bool, mine: bool) -> Point:
    """The reader's trays lie nearer to the lane."""
    x = 18.0 if left else _WIDTH - 18.0 - _TRAY_WIDTH
    return x, _TRAY_TOP + (0.0 if mine else _TRAY_GAP)


def _radius(place: Place, size: Size) -> float:
    return min(40.0, 0.42 * math.pi * _RADIUS / size.points) if place.point > 0 else _TRAY_RADIUS


def _ground() -> str:
    return f'<rect class="table" x="0" y="0" width="{_WIDTH:g}" height="{_HEIGHT:g}" rx="24"/>'


def _lane(size: Size) -> list[str]:
    parts = []
    step = 180.0 / size.points
    gap = min(0.5, step / 40)
    for point in range(1, size.points + 1):
        start = 180.0 - (point - 1) * step
        path = ring_sector(_CENTRE, _RADIUS - _HALF, _RADIUS + _HALF, start - gap, start - step + gap)
        parts.append(f'<path class="field{" odd" if point % 2 else ""}" d="{path}"/>')
        x, y = on_circle(_CENTRE, _RADIUS - _HALF - 20, _angle(point, size))
        parts.append(text((x, y + 6), str(point), "count"))
    return parts


def _trays(view: View) -> list[str]:
    parts = []
    for player in (0, 1):
        mine = player == view.seat
        for left in (True, False):
            x, y = _tray_corner(left, mine)
            word = "HOME" if left == mine else "SAFETY"
            parts.append(
                f'<rect class="tray p{player}" x="{x:g}" y="{y:g}" width="{_TRAY_WIDTH:g}" '
                f'height="{_TRAY_HEIGHT:g}" rx="14"/>'
            )
            parts.append(text((x + 14, y + _TRAY_HEIGHT / 2 + 6), word, f"tray-name p{player}"))
    return parts


def _draw_checker(place: Place, source: Place | None, size: Size) -> str:
    spot, radius = _spot(place, size), _radius(place, size)
    motion = ""
    if source is not None:
        # The one hit leaves when the other arrives.
        delay = 0.22 if place.point == HOME else 0.0
        if place.point > 0 and source.point > 0:
            motion = swing(_angle(place.point, size) - _angle(source.point, size), _CENTRE)
        else:
            motion = glide(_spot(source, size), spot, _radius(source, size) / radius, delay=delay)
    return checker(spot, radius, place.player, motion=motion)


def _draw_move(view: View, action: int, source: Place, target: Place, size: Size) -> str:
    """The checker to move, the place it goes to and the way there."""
    start, end = _spot(source, size), _spot(target, size)
    radius, arrival = _radius(source, size), _radius(target, size)
    if source.point > 0 and target.point > 0:
        sweep = 1 if target.point > source.point else 0
        way = f"A{_RADIUS:g} {_RADIUS:g} 0 0 {sweep} {end[0]:.1f} {end[1]:.1f}"
    else:
        way = f"L{end[0]:.1f} {end[1]:.1f}"
    # Several checkers may bear off: the common place in safety is shown, but only a point is worth a click.
    aim = "ghost" if target.point > 0 else "ghost silent"
    shapes = [
        f'<path class="trail p{source.player}" d="M{start[0]:.1f} {start[1]:.1f}{way}"/>',
        circle(end, arrival, f"{aim} p{source.player}"),
        circle(start, radius + 5, f"halo p{source.player}"),
        circle(start, radius + 5, "touch"),
    ]
    if action == view.pending:
        return f'<g class="pending" aria-hidden="true">{"".join(shapes)}</g>'
    badge = (start[0] + radius * 0.8, start[1] - radius * 0.8)
    return move(view, action, shapes, badge=badge)


def _die(state: _native.NannonState, view: View) -> list[str]:
    if state.is_terminal():
        return []
    roller = state.turn
    before = view.before
    rolling = before is not None and before.is_chance_node() and state.roll > 0
    middle = (_CENTRE[0], _CENTRE[1] - 96)
    sides = state.get_game().sides
    whose = view.names[roller]
    words = f"{whose} rolled {state.roll}" if state.roll else f"{whose} to roll"
    return [
        die(middle, 104, state.roll, sides=sides, player=roller, rolling=rolling),
        text((middle[0], middle[1] + 92), words, "caption"),
    ]
