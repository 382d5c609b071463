"""Backgammon for people: the board as the reader sees it, its own home below on the right."""

from __future__ import annotations

from collections.abc import Iterator

from dicezero import _native
from dicezero.rules.board import Board, Cell, CellShape, DieFace, Label, Path, Piece
from dicezero.rules.draw import MARKS
from dicezero.rules.games.backgammon_turns import Checkers, point_name, turns

TITLE = "Backgammon"
UNSEEN = ("observation",)
DOUBLED = True  # it may be played for money with a doubling cube
RULES = (
    "Bring all your checkers home, below on the right, and then off the board before your opponent does.",
    "Click a checker and the point it goes to, once for each die. A point with two enemy checkers is closed; "
    "a lone one is hit and has to come in again from the bar, before anything else moves.",
    "A double is played twice over: two checkers, then two more, those farther from home first.",
    "As much of a roll is played as can be. A loser who has borne off nothing loses double, and with a "
    "checker on the bar or in the winner's home three times.",
)

_BAR, _OFF = 25, 0
_WON = ("", "", " with a gammon", " with a backgammon")
_TOP, _BOTTOM = range(13, 25), range(12, 0, -1)  # the reader's points as they lie from left to right
_HIGH, _GAP = 5.0, 1.3  # of a point, and between the two rows of them
_COLOURS = ("orange", "blue")
_HOME, _HYPER_CHECKERS = 6, 3
_CONTACT_LIFE, _SHORT_LIFE = 0.68, 0.6  # of a cube: while the sides can meet, and at the end of a race


def phase(state: _native.BackgammonState) -> str:
    """One phrase: who acts and with what roll, or how it ended."""
    if state.is_terminal():
        points = int(state.returns()[0])
        return f"{MARKS[points < 0]} won{_WON[abs(points)]}"
    mark = MARKS[state.turn]
    if state.dice == (0, 0):
        return f"{mark} to roll" if state.history() or not _at_start(state) else "opening roll"
    large, small = state.dice
    return f"{mark} to move {large}{small}{', second half' if state.second_half else ''}"


def greedy_value(state: _native.BackgammonState, player: int) -> float:
    """The lead in pips, as a share of the longest way: in [-1, 1]."""
    longest = _BAR * sum(state.checkers(player))
    return (state.pips(1 - player) - state.pips(player)) / longest


def cube_life(state: _native.BackgammonState) -> float:
    """How live a doubling cube is before a roll, 0..1: GNU Backgammon's figures."""
    own, other = state.checkers(state.turn), state.checkers(1 - state.turn)
    back, other_back = (max((p for p in range(1, _BAR + 1) if side[p]), default=0) for side in (own, other))
    if sum(own) <= _HYPER_CHECKERS:
        return _SHORT_LIFE
    if back + other_back > _BAR:
        return _CONTACT_LIFE
    if max(back, other_back) <= _HOME:
        return _SHORT_LIFE
    return min(0.7, max(_SHORT_LIFE, 0.55 + 0.00125 * state.pips(state.turn)))


def bearoff_sides(
    state: _native.BackgammonState, *, most: int
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """[6] checkers on the home points of who rolls next and of the other, where nothing else is left to play.

    None unless both sides have 1..``most`` checkers left, all at home, and can lose no gammon.
    """
    sides = state.checkers(state.turn), state.checkers(1 - state.turn)
    homes = tuple(tuple(side[1 : _HOME + 1]) for side in sides)
    for side, home in zip(sides, homes, strict=True):
        if not (side[_OFF] > 0 and 1 <= sum(home) <= most and sum(home) == sum(side[1:])):
            return None
    return homes[0], homes[1]


def board_text(state: _native.BackgammonState) -> str:
    """Twelve points above and below, five checkers high, with the bar between; larger stacks as numbers."""
    own, other = state.checkers(0), state.checkers(1)

    def numbers(points: range) -> str:
        cells = [f"{point:>3}" for point in points]
        return "".join(cells[:6]) + "  bar" + "".join(cells[6:])

    def row(points: range, height: int, bar: str) -> str:
        cells = [f"{_cell(own[p], other[25 - p], height):>3}" for p in points]
        return "".join(cells[:6]) + f"  {bar:^3}" + "".join(cells[6:])

    def bar(mark: str, count: int, height: int) -> str:
        return f"{count}{mark}" if count and height == 0 else ""

    lines = [numbers(_TOP)]
    lines += [row(_TOP, height, bar("x", own[_BAR], height)) for height in range(5)]
    lines.append("")
    lines += [row(_BOTTOM, height, bar("o", other[_BAR], height)) for height in range(4, -1, -1)]
    lines.append(numbers(_BOTTOM))
    lines.append(
        f"x off {own[_OFF]}, pips {state.pips(0)}; o off {other[_OFF]}, pips {state.pips(1)}; {phase(state)}"
    )
    return "\n".join(line.rstrip() for line in lines)


def board(state: _native.BackgammonState, seat: int = 0, picked: Path = ()) -> Board:
    """Points numbered as both sides count them; what has been picked of a turn is played already."""
    place = Checkers(state.checkers(0), state.checkers(1))
    acts = not state.is_terminal() and not state.is_chance_node()
    played: tuple[int, ...] = ()
    if acts:
        place, played = place.after(state.turn, picked)
    rows, columns = 2 * _HIGH + _GAP, 14.25
    return Board(
        rows,
        columns,
        tuple(_cells(place, seat)),
        turns(state) if acts else {},
        tuple(_numbers(rows, seat)),
        margin=(0.25, 0.78, 0.25, 0.78),
        frame="felt",
        notes=(f"{state.pips(0)} pips", f"{state.pips(1)} pips"),
        dice=_dice(state, seat, played) if acts else (),
    )


def _numbers(rows: float, seat: int) -> Iterator[Label]:
    """Of the points, as the reader counts them and, farther out and smaller, as the other side does."""
    for points, top in ((_TOP, True), (_BOTTOM, False)):
        for i, point in enumerate(points):
            x = _left(i) + 0.5
            yield Label(str(point), x, -0.21 if top else rows + 0.21, 0.32, f"p{seat}-edge")
            away = -0.56 if top else rows + 0.56
            yield Label(str(_BAR - point), x, away, 0.26, f"p{1 - seat}-edge")


def _left(place: int) -> float:
    return place + (place >= 6)


def _cells(place: Checkers, seat: int) -> Iterator[Cell]:
    mine, theirs = place[seat], place[1 - seat]
    for points, top in ((_TOP, True), (_BOTTOM, False)):
        shape: CellShape = "spike_down" if top else "spike_up"
        row = 0.0 if top else _HIGH + _GAP
        for i, point in enumerate(points):
            pile = _pile(seat, mine[point]) or _pile(1 - seat, theirs[25 - point])
            ground = "spike-a" if point % 2 else "spike-b"
            name = point_name(point if seat == 0 else 25 - point)
            yield Cell(name, row, _left(i), pile, ground, shape, height=_HIGH, aria_label=f"point {point}")
        player = seat if top else 1 - seat  # a player who was hit comes in again on the far side
        pile = _pile(player, place[player][_BAR])
        yield Cell(
            f"bar{player}",
            row,
            6.0,
            pile,
            "bar",
            "tray",
            height=_HIGH,
            aria_label=_whose("bar", player, seat),
        )
        player = 1 - seat if top else seat
        pile = _pile(player, place[player][_OFF])
        label = _whose("tray", player, seat)
        yield Cell(
            f"off{player}", row, 13.2, pile, "tray", "tray", width=1.05, height=_HIGH, aria_label=label
        )


def _whose(what: str, player: int, seat: int) -> str:
    return f"your {what}" if player == seat else f"the other {what}"


def _pile(player: int, count: int) -> tuple[Piece, ...]:
    return (Piece(f"{_COLOURS[player]} checker", f"p{player}"),) * count


def _dice(state: _native.BackgammonState, seat: int, played: tuple[int, ...]) -> tuple[DieFace, ...]:
    """On the mover's side of the bar; of a double all four."""
    large, small = state.dice
    values = [large, small] if large != small else [large] * 4
    gone = [*played, *[large] * (2 * state.second_half)]
    middle = 10.0 if state.turn == seat else 3.0
    faces = []
    for i, value in enumerate(values):
        used = value in gone
        if used:
            gone.remove(value)
        x = middle + (i - (len(values) - 1) / 2) * 1.0
        faces.append(DieFace(value, 6, state.turn, x, _HIGH + _GAP / 2, used))
    return tuple(faces)


def _at_start(state: _native.BackgammonState) -> bool:
    start = state.get_game().new_initial_state()
    return all(state.checkers(player) == start.checkers(player) for player in (0, 1))


def _cell(mine: int, theirs: int, height: int) -> str:
    """What is seen of a stack at a height 0..4; the fifth shows the number of a larger one."""
    count, mark = (mine, "x") if mine else (theirs, "o")
    if count > 5 and height == 4:
        return str(count)
    return mark if count > height else "." if height == 0 else ""
