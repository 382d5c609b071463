"""EinStein würfelt nicht for people: x (player 0) starts above on the left, o below on the right."""

from __future__ import annotations

from dataclasses import replace

from dicezero import _native
from dicezero.rules.board import (
    LETTERS,
    Board,
    Cell,
    DieFace,
    Path,
    Piece,
    edge_labels,
    from_to,
    labelled,
    square_name,
    turned,
)

TITLE = "EinStein würfelt nicht"
RULES = (
    "Bring one of your cubes to the far corner, or take all the other side's.",
    "Each turn the die shows which cube moves: click it and then a cell one step towards that corner. If it "
    "is gone, the next lower or the next higher one moves.",
    "Whatever stands on the cell is taken, your own cubes too.",
)

_COLOURS = ("orange", "blue")


def phase(state: _native.EinsteinState) -> str:
    """One phrase: who acts and with what roll, or how it ended."""
    return str(state).splitlines()[-1]


def board(state: _native.EinsteinState, seat: int = 0) -> Board:
    """Numbered cubes, the reader's corner above on the left: own moves go right and down."""
    *lines, status = str(state).splitlines()
    rows = [line.split() for line in lines]
    size = len(rows)
    cells = tuple(
        Cell(square_name(y, x, size), y, x, _piece(holds), "field-odd" if (x + y) % 2 else "field", "peg")
        for y, row in enumerate(rows)
        for x, holds in enumerate(row)
    )
    moves = () if state.is_chance_node() else state.legal_actions()
    labels = edge_labels(LETTERS[:size], [str(size - y) for y in range(size)])
    left, top, _, bottom = labelled(size)
    drawn = Board(
        size,
        size,
        cells,
        from_to((action, _path(action, state.current_player(), size)) for action in moves),
        labels,
        margin=(left, top, 1.3, bottom),
    )
    shown = turned(drawn) if seat == 1 else drawn
    return _with_die(shown, status, size)


def _with_die(board: Board, status: str, size: int) -> Board:
    """The die stands right of the board for both viewers."""
    mark, *_, last = status.split()
    if not last.isdigit():
        return board
    return replace(board, dice=(DieFace(int(last), 6, "xo".index(mark), size + 0.65, size / 2),))


def _path(action: int, player: int, size: int) -> Path:
    """From and to; the mover counts the cells from its own corner."""
    step, last = action % 3, size * size - 1
    start = action // 3
    end = start + (0 if step == 2 else size) + (0 if step == 1 else 1)
    ends = (start, end) if player == 0 else (last - start, last - end)
    first, second = (square_name(at // size, at % size, size) for at in ends)
    return first, second


def _piece(holds: str) -> tuple[Piece, ...]:
    if holds == ".":
        return ()
    player = "xo".index(holds[0])
    return (Piece(f"{_COLOURS[player]} cube {holds[1:]}", f"p{player}", "cube", holds[1:]),)
