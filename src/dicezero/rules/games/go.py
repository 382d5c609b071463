"""Go for people."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.board import Board, Cell, Mark, Piece, edge_labels, labelled, one_click

TITLE = "Go"
FIRST = "go(board_size=9)"
RULES = (
    "Black and White put stones on the crossings in turn; Black begins.",
    "Stones of one colour that touch along the lines live and die together: when the last free crossing "
    "beside them is taken, they are taken off the board.",
    "No move may repeat an earlier position of the board.",
    "Two passes in a row end the game. Stones and the crossings that only they reach count a point each; "
    "White gets the komi for moving second. Stones on the board count as alive: take dead ones first.",
)

_COLUMNS = "ABCDEFGHJKLMNOPQRST"
_SIDES = ("Black", "White")
_COLOURS = ("black", "white")


def phase(state: _native.GoState) -> str:
    """Who is to move, or who won by how much."""
    if state.is_terminal():
        lead = state.score()
        return "draw" if lead == 0 else f"{_SIDES[lead < 0]} won by {abs(lead):g}"
    passed = state.last_action() == state.get_game().num_distinct_actions() - 1
    return (
        f"{_SIDES[1 - state.current_player()]} passed, " * passed
        + f"{_SIDES[state.current_player()]} to move"
    )


def board_text(state: _native.GoState) -> str:
    """Rows numbered, columns lettered, as vertices name them; X is Black."""
    return f"{state}\n{phase(state)}"


def board(state: _native.GoState) -> Board:
    """Stones on the lines, the same way up for both; territory once it is over."""
    rows = stones(state)
    size, last = len(rows), state.last_action()
    owners = _owners(rows) if state.is_terminal() else {}
    stars = _star_points(size)
    cells = []
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            marks: list[Mark] = ["star"] if (y, x) in stars else []
            if (size - 1 - y) * size + x == last:
                marks.append("last")
            if (y, x) in owners:
                marks.append("owned_black" if owners[y, x] == "X" else "owned_white")
            side = "XO".find(mark)
            stone = (Piece(f"{_COLOURS[side]} stone", _COLOURS[side], "stone"),) if side >= 0 else ()
            cells.append(Cell(_name(y, x, size), y, x, stone, shape="crossing", marks=tuple(marks)))
    places = {
        action: "Pass" if action == size * size else _name(size - 1 - action // size, action % size, size)
        for action in state.legal_actions()
    }
    captured = _captured(state, rows)
    komi = state.get_game().komi
    return Board(
        size,
        size,
        tuple(cells),
        one_click(places),
        edge_labels(_COLUMNS[:size], [str(size - y) for y in range(size)]),
        margin=labelled(size),
        frame="wood",
        sides=("black", "white"),
        notes=(f"captured {captured[1]}", f"captured {captured[0]}, komi {komi:g}"),
    )


def stones(state: _native.GoState) -> list[str]:
    """The rows from the top, X is Black, O White, a dot empty."""
    size = state.get_game().board_size
    return [row[3::2] for row in str(state).split("\n")[:size]]


def _name(row: int, column: int, size: int) -> str:
    return f"{_COLUMNS[column]}{size - row}"


def _captured(state: _native.GoState, rows: list[str]) -> tuple[int, int]:
    """How many stones Black and White have lost since the first move."""
    start = state.get_game().deserialize_state(state.serialize().rpartition("|")[0] + "|")
    first, before = start.current_player(), stones(start)
    lost = []
    for side, mark in enumerate("XO"):
        played = [a for i, a in enumerate(state.history()) if (first + i) % 2 == side and a < len(rows) ** 2]
        lost.append(len(played) + "".join(before).count(mark) - "".join(rows).count(mark))
    return lost[0], lost[1]


def _owners(rows: list[str]) -> dict[tuple[int, int], str]:
    """Whose territory each empty crossing is: X or O; those that both reach are left out."""
    size = len(rows)
    owners: dict[tuple[int, int], str] = {}
    seen: set[tuple[int, int]] = set()
    for start in ((y, x) for y in range(size) for x in range(size) if rows[y][x] == "."):
        if start in seen:
            continue
        area, reached, waiting = [], set(), [start]
        seen.add(start)
        while waiting:
            y, x = waiting.pop()
            area.append((y, x))
            for v, u in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if not (0 <= v < size and 0 <= u < size):
                    continue
                if rows[v][u] != ".":
                    reached.add(rows[v][u])
                elif (v, u) not in seen:
                    seen.add((v, u))
                    waiting.append((v, u))
        if len(reached) == 1:
            owners |= dict.fromkeys(area, reached.pop())
    return owners


def _star_points(size: int) -> set[tuple[int, int]]:
    if size < 7:
        return {(size // 2, size // 2)} if size % 2 and size > 3 else set()
    edge = 2 if size < 13 else 3
    lines = [edge, size - 1 - edge]
    points = {(row, column) for row in lines for column in lines}
    if size % 2:
        middle = size // 2
        points.add((middle, middle))
        if size >= 15:
            points |= {point for at in lines for point in ((middle, at), (at, middle))}
    return points
