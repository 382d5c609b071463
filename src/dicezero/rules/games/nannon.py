"""Nannon for people: an arch of points, over which the reader runs from left to right, the die under it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dicezero import _native
from dicezero.rules.board import Board, Cell, DieFace, Label, Leg, Path, Piece
from dicezero.rules.draw import MARKS, result
from dicezero.rules.race import pips

TITLE = "Nannon"
RULES = (
    "Run all your checkers from HOME over the arch into SAFETY before your opponent does.",
    "Each turn one die is rolled and one checker moves forward by exactly that many points; "
    "past the last point it is safe. Click the checker, or the point it would reach.",
    "Land on a lone checker of the other side and it goes back to its HOME. "
    "Two neighbours protect each other: they cannot be landed on.",
    "Opening: the difference of two dice. If nothing can move, the turn is lost.",
)

_COLOURS = ("orange", "blue")
_STEP = 1.1  # from the middle of a point to the middle of the next, in cells
_TRAY = 0.96  # the height of a tray


def phase(state: _native.NannonState) -> str:
    """One phrase: who acts and with what roll, or how it ended."""
    if state.is_terminal():
        return result(state)
    if not state.history():
        return "opening roll"
    mark = MARKS[state.turn]
    return f"{mark} to move {state.roll}" if state.roll else f"{mark} to roll"


def board_text(state: _native.NannonState) -> str:
    """The strip of points with both counts, HOME and SAFETY."""
    row = _points(state)
    count = len(row)

    def cells(values: list[str]) -> str:
        return "".join(f"{value:>3}" for value in values)

    left = [f"x HOME   {state.home(0)}", f"o SAFETY {state.safety(1)}"]
    right = [f"SAFETY {state.safety(0)}", f"HOME   {state.home(1)}"]
    width = max(len(text) for text in left)
    return "\n".join(
        (
            f"{'x counts':<{width}}  {cells([str(p) for p in range(1, count + 1)])}",
            f"{left[0]:<{width}} >{cells(row)}  > {right[0]}",
            f"{left[1]:<{width}} <{' ' * 3 * count}  < {right[1]}",
            f"{'o counts':<{width}}  {cells([str(p) for p in range(count, 0, -1)])}",
            phase(state),
        )
    )


def board(state: _native.NannonState, seat: int = 0) -> Board:
    """The arch; inside it points are numbered as the reader counts them, outside as the other side does."""
    game = state.get_game()
    radius = _radius(game.points)
    size = _letters(game.points)
    rows, columns = radius + 0.9 + 2 * (_TRAY + size), 2 * radius + 1
    acts = not state.is_terminal() and not state.is_chance_node()
    legs = _legs(state) if acts else {}
    width = min(1.6, max(0.8, 0.42 * radius))
    die = DieFace(state.roll, game.sides, state.turn, columns / 2, 0.5 + 0.74 * radius, size=width)
    return Board(
        rows,
        columns,
        tuple(_cells(state, seat)),
        {action: _clicks(leg) for action, (leg,) in legs.items()},
        (*_numbers(game.points, seat), *_tray_names(game.points, seat)),
        margin=(1.5 * size, 1.3 * size, 1.5 * size, 0.15),
        frame="felt",
        notes=(_way(state, 0), _way(state, 1)),
        dice=() if state.is_terminal() else (die,),
        legs=legs,
    )


def _points(state: _native.NannonState) -> list[str]:
    """The points from player 0's side: x, o or a dot; both where many checkers start on a short board."""
    points = state.get_game().points
    own, other = state.points(0), state.points(1)
    return [
        "x" * (point in own) + "o" * (points + 1 - point in other) or "." for point in range(1, points + 1)
    ]


def _radius(points: int) -> float:
    """Of the arch, so that its points lie side by side; small boards keep room for the die."""
    return max(1.9, _STEP / 2 / math.sin(math.pi / 2 / points))


def _letters(points: int) -> float:
    """The size of letters, larger where cells are small."""
    return min(0.44, 0.2 + 0.012 * points)


def _spot(point: int, points: int, out: float = 0.0) -> tuple[float, float]:
    """The middle of a point as the reader counts, or of what stands ``out`` cells further outside."""
    radius = _radius(points)
    turn = math.pi * (1 - (point - 0.5) / points)
    middle = radius + 0.5
    return middle + (radius + out) * math.cos(turn), middle - (radius + out) * math.sin(turn)


def _cells(state: _native.NannonState, seat: int) -> Iterator[Cell]:
    points = state.get_game().points
    for point, marks in enumerate(_points(state), 1):  # as player 0 counts
        seen = point if seat == 0 else points + 1 - point
        x, y = _spot(seen, points)
        pieces = sum((_checkers(player, 1) for player in (0, 1) if MARKS[player] in marks), ())
        ground = "spike-b" if seen % 2 else "spike-a"
        yield Cell(f"point{point}", y - 0.5, x - 0.5, pieces, ground, "spot", aria_label=f"point {seen}")
    for player in (0, 1):
        for what, count in (("home", state.home(player)), ("safety", state.safety(player))):
            x, y, width = _tray(what, player, points, seat)
            label = f"{'your' if player == seat else 'the other'} {what}"
            pieces = _checkers(player, count)
            yield Cell(f"{what}{player}", y, x, pieces, "tray", "tray", (), width, _TRAY, label)


def _tray(what: str, player: int, points: int, seat: int) -> tuple[float, float, float]:
    """x, y and width: homes where a side sets out, safeties where it arrives, the reader's above."""
    radius, size, mine = _radius(points), _letters(points), player == seat
    width = radius + 0.4
    x = 0.0 if (what == "home") == mine else radius + 0.6
    return x, radius + 0.75 + size + (0 if mine else _TRAY + 0.1 + size), width


def _checkers(player: int, count: int) -> tuple[Piece, ...]:
    return (Piece(f"{_COLOURS[player]} checker", f"p{player}"),) * count


def _numbers(points: int, seat: int) -> Iterator[Label]:
    size = _letters(points)
    for point in range(1, points + 1):
        yield Label(str(point), *_spot(point, points, -0.5 - size * 0.75), size, f"p{seat}-edge")
        yield Label(
            str(points + 1 - point), *_spot(point, points, 0.5 + size * 0.75), size, f"p{1 - seat}-edge"
        )


def _tray_names(points: int, seat: int) -> Iterator[Label]:
    size = _letters(points)
    for player in (0, 1):
        for what in ("home", "safety"):
            x, y, width = _tray(what, player, points, seat)
            yield Label(what.upper(), x + width / 2, y - size / 2, size * 0.8, f"p{player}-edge")


def _legs(state: _native.NannonState) -> dict[int, tuple[Leg, ...]]:
    """Where the checker of each move comes from and goes to; a pass goes nowhere."""
    points, player = state.get_game().points, state.turn

    def place(own: int) -> str:
        if own == 0 or own > points:
            return f"{'home' if own == 0 else 'safety'}{player}"
        return f"point{own if player == 0 else points + 1 - own}"

    moves = [action for action in state.legal_actions() if action <= points]
    return {action: ((place(action), place(action + state.roll)),) for action in moves}


def _clicks(leg: Leg) -> tuple[Path, ...]:
    """The checker, or the point it reaches; several may reach safety, so that decides nothing."""
    start, end = leg
    return ((start,),) if end.startswith("safety") else ((start,), (end,))


def _way(state: _native.NannonState, player: int) -> str:
    return f"{pips(state.get_game(), state, player)} points to go"
