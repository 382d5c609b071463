"""Backgammon for people: the board as player 0 (x) sees it, its home below on the right."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.draw import MARKS
from dicezero.rules.svg import COLOURS, FAINT, FIELD, GROUND, box, disc, svg, text

TITLE = "Backgammon"
_BAR, _OFF = 25, 0
_WON = ("", "", " with a gammon", " with a backgammon")
_TRIANGLES = ("#d9cbb0", "#c3a878")
_TOP, _BOTTOM = range(13, 25), range(12, 0, -1)  # x's points as they lie from left to right


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


def board_svg(state: _native.BackgammonState) -> str:
    """Triangles and checkers; what is borne off stands beside the board."""
    own, other = state.checkers(0), state.checkers(1)
    cell, high, gap = 32, 168, 24
    width, height = 12 * cell + 40 + 46, 2 * high + gap + 36
    parts = [box(2, 18, 12 * cell + 40, 2 * high + gap, GROUND)]
    for points, top in ((_TOP, True), (_BOTTOM, False)):
        for i, point in enumerate(points):
            left = 6 + cell * i + (28 if i >= 6 else 0)
            base = 20 if top else 16 + 2 * high + gap
            tip = base + (high - 14) * (1 if top else -1)
            parts.append(
                f'<path d="M{left} {base}h{cell}L{left + cell // 2} {tip}z" fill="{_TRIANGLES[point % 2]}"/>'
            )
            parts.append(text(left + cell // 2, 13 if top else height - 5, str(point), 10, FAINT))
            mine, theirs = own[point], other[25 - point]
            parts += _stack(left + cell // 2, base, 1 if top else -1, mine or theirs, "x" if mine else "o")
    middle = 6 + 6 * cell + 14
    parts.append(box(middle - 11, 22, 22, 2 * high + gap - 8, FIELD))
    parts += _stack(middle, 40, 1, own[_BAR], "x") + _stack(middle, 2 * high + gap - 4, -1, other[_BAR], "o")
    off = 12 * cell + 40 + 24
    for mark, count, y in (("o", other[_OFF], 60), ("x", own[_OFF], 2 * high + gap - 16)):
        parts.append(disc(off, y, 9, COLOURS[mark]))
        parts.append(text(off, y + 24, f"\u00d7{count}", 11, FAINT))
    parts.append(text(width // 2, height + 16, phase(state)))
    return svg(width, height + 24, parts, phase(state))


def _at_start(state: _native.BackgammonState) -> bool:
    start = state.get_game().new_initial_state()
    return all(state.checkers(player) == start.checkers(player) for player in (0, 1))


def _cell(mine: int, theirs: int, height: int) -> str:
    """What is seen of a stack at a height 0..4; the fifth shows the number of a larger one."""
    count, mark = (mine, "x") if mine else (theirs, "o")
    if count > 5 and height == 4:
        return str(count)
    return mark if count > height else "." if height == 0 else ""


def _stack(cx: int, base: int, down: int, count: int, mark: str) -> list[str]:
    """Up to five checkers from the edge inwards, and the number where there are more."""
    parts = [disc(cx, base + down * (15 + 27 * i), 13, COLOURS[mark]) for i in range(min(count, 5))]
    if count > 5:
        parts.append(text(cx, base + down * (15 + 27 * 4) + 5, str(count), 13, "#ffffff"))
    return parts
