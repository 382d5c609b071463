"""Nannon for people."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.draw import MARKS, result
from dicezero.rules.svg import COLOURS, FAINT, FIELD, GROUND, box, disc, svg, text

TITLE = "Nannon"
RULES = (
    "Run all your checkers from HOME over the arch into SAFETY before your opponent does.",
    "Each turn one die is rolled and one checker moves forward by exactly that many points; "
    "past the last point it is safe.",
    "Land on a lone checker of the other side and it goes back to its HOME. "
    "Two neighbours protect each other: they cannot be landed on.",
    "Opening: the difference of two dice. If nothing can move, the turn is lost.",
)


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
    row = row_of_points(state)
    count = len(row)

    def cells(values: list[str]) -> str:
        return "".join(f"{value:>3}" for value in values)

    left = [f"x HOME   {state.home(0)}", f"o SAFETY {state.safety(1)}"]
    right = [f"SAFETY {state.safety(0)}", f"HOME   {state.home(1)}"]
    width = max(len(text) for text in left)
    return "\n".join(
        (
            f"{'x counts':<{width}}  {cells([str(p) for p in range(1, count + 1)])}",
            f"{left[0]:<{width}} >{cells(list(row))}  > {right[0]}",
            f"{left[1]:<{width}} <{' ' * 3 * count}  < {right[1]}",
            f"{'o counts':<{width}}  {cells([str(p) for p in range(count, 0, -1)])}",
            phase(state),
        )
    )


def board_svg(state: _native.NannonState) -> str:
    """The strip of points; x runs to the right above, o to the left below, each with HOME and SAFETY."""
    row, words = row_of_points(state), phase(state)
    cell, side = 36, 78
    board = cell * len(row)
    width, right = board + 2 * side + 4, 2 + side + board
    parts = [box(2, 24, width - 4, 92, GROUND)]
    for i, mark in enumerate(row):
        cx = 2 + side + cell * i + cell // 2
        parts.append(box(cx - cell // 2 + 2, 30, cell - 4, 80, FIELD))
        parts.append(text(cx, 17, str(i + 1), 11, COLOURS["x"]))
        parts.append(text(cx, 132, str(len(row) - i), 11, COLOURS["o"]))
        if mark in COLOURS:
            parts.append(disc(cx, 70, 13, COLOURS[mark]))
    for left, top, word, mark, count in (
        (2, 30, "HOME", "x", state.home(0)),
        (right, 30, "SAFETY", "x", state.safety(0)),
        (2, 72, "SAFETY", "o", state.safety(1)),
        (right, 72, "HOME", "o", state.home(1)),
    ):
        parts.append(text(left + side // 2, top + 10, word, 9, FAINT))
        parts += _pile(left + side // 2, top + 25, count, mark)
    parts.append(text(2 + side // 2, 17, "x \u2192", 12, COLOURS["x"]))
    parts.append(text(right + side // 2, 132, "\u2190 o", 12, COLOURS["o"]))
    parts.append(text(width // 2, 153, words))
    return svg(width, 160, parts, words)


def row_of_points(state: _native.NannonState) -> str:
    """The points from player 0's side, one letter each: x, o or a dot."""
    points = state.get_game().points
    row = ["."] * points
    for point in state.points(0):
        row[point - 1] = "x"
    for point in state.points(1):
        row[points - point] = "o"
    return "".join(row)


def _pile(cx: int, cy: int, count: int, mark: str) -> list[str]:
    """Up to five small checkers side by side, or one with the number beside it."""
    if count > 5:
        return [disc(cx - 10, cy, 7, COLOURS[mark]), text(cx + 10, cy + 4, f"\u00d7{count}", 12, FAINT)]
    start = cx - 7 * (count - 1)
    return [disc(start + 14 * i, cy, 6, COLOURS[mark]) for i in range(count)]
