"""A board as data: cells, what stands on them, and where an action is clicked.

A game describes its board: in its own module (``board`` of ``rules.games.NAME``) or on its states (see
``board_hook``). Pictures and the studio draw it and take clicks without knowing the game.

**An action is a path of places.** Go's is one crossing, chess's the square a piece leaves and the one it
reaches, a promotion's has the new piece as a third place. A place that is no cell ("Pass", "Queen") becomes a
button. Several paths may mean one action, such as the two halves of a backgammon turn in either order. Where
one click is enough, because the die gives the distance, ``legs`` are from where to where the piece goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

Path = tuple[str, ...]  # places, in the order of the clicks
Leg = tuple[str, str]  # from a cell to a cell
Shape = Literal["disc", "stone", "coin", "back", "cross", "ring", "figure", "tile", "cube", "text"]
CellShape = Literal["square", "crossing", "hexagon", "peg", "spike_up", "spike_down", "tray", "rack", "spot"]
Mark = Literal["last", "check", "star", "owned_p0", "owned_p1", "owned_black", "owned_white"]

HEX_HEIGHT = 0.8660254037844386  # from one row of hexagons of breadth 1 to the next
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Piece:
    """What stands on a cell.

    Attributes:
        name: what a screen reader calls it: "white knight".
        colour: a colour of the palette ("p0", "p1", "white", "black", "red", …) or ``#rrggbb``.
        shape: how it is drawn.
        text: written on it; ``small`` below that.
        ink: the colour of the text; by default the one that goes with ``colour``.
        outline: of a ``figure``: an SVG path in a box of 100; ``detail`` are lines upon it.
        won: whether it is part of what won the game.
    """

    name: str
    colour: str = "p0"
    shape: Shape = "disc"
    text: str = ""
    small: str = ""
    ink: str = ""
    outline: str = ""
    detail: str = ""
    won: bool = False


@dataclass(frozen=True)
class Cell:
    """A place of the board: the box from (column, row) of ``width`` and ``height``, in cells, y downwards.

    Attributes:
        name: what paths, arrows and labels call it; unique on its board.
        pieces: what stands here, the lowest first.
        ground: a colour of the palette, or empty for none.
        marks: what is to be pointed out.
    """

    name: str
    row: float
    column: float
    pieces: tuple[Piece, ...] = ()
    ground: str = ""
    shape: CellShape = "square"
    marks: tuple[Mark, ...] = ()
    width: float = 1.0
    height: float = 1.0
    aria_label: str = ""  # for screen readers, instead of the name

    @property
    def middle(self) -> tuple[float, float]:
        """(x, y) in cells."""
        return self.column + self.width / 2, self.row + self.height / 2


@dataclass(frozen=True)
class Label:
    """A word at the point (x, y), in cells; coordinates stand outside the cells."""

    text: str
    x: float
    y: float
    size: float = 0.24  # of the letters
    ink: str = "label"


@dataclass(frozen=True)
class DieFace:
    """A die around the point (x, y), ``size`` cells wide; 0 is not thrown yet, ``used`` has been played."""

    value: int
    sides: int
    player: int
    x: float
    y: float
    used: bool = False
    size: float = 0.78


@dataclass(frozen=True)
class Board:
    """Everything that is seen of a position, from one player's side.

    Attributes:
        rows, columns: of the field that ``cells`` fill.
        cells: in reading order.
        paths: every legal action to the ways it may be clicked; one that is left out becomes a button.
        labels: coordinates and other words.
        margin: left, top, right, bottom of the field, in cells.
        frame: the colour under it all.
        sides: the colours of players 0 and 1.
        notes: on players 0 and 1, beside the board: pips, prisoners, score.
        dice: on the table.
        keys: of buttons, by their place: ``{"Up": "ArrowUp"}``; arrow keys can then be swiped too.
        legs: of an action whose clicks are not its way: where its piece goes, for arrows.
    """

    rows: float
    columns: float
    cells: tuple[Cell, ...]
    paths: Mapping[int, tuple[Path, ...]] = field(default_factory=dict)
    labels: tuple[Label, ...] = ()
    margin: tuple[float, float, float, float] = (0.15, 0.15, 0.15, 0.15)
    frame: str = "frame"
    sides: tuple[str, str] = ("p0", "p1")
    notes: tuple[str, str] = ("", "")
    dice: tuple[DieFace, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)
    legs: Mapping[int, tuple[Leg, ...]] = field(default_factory=dict)

    def cell(self, name: str) -> Cell | None:
        """The cell of that name; None where there is none."""
        return next((cell for cell in self.cells if cell.name == name), None)


def square_name(row: int, column: int, rows: int) -> str:
    """As chess writes it: files lettered from the left, ranks numbered from below; ``row`` is from above."""
    return f"{LETTERS[column]}{rows - row}"


def edge_labels(names_across: Sequence[str], names_down: Sequence[str]) -> tuple[Label, ...]:
    """Coordinates below the columns and left of the rows; ``labelled`` is the margin that they need."""
    size = 0.24 * _growth(len(names_across))
    return (
        *(Label(name, x + 0.5, len(names_down) + size * 0.92, size) for x, name in enumerate(names_across)),
        *(Label(name, -size * 0.92, y + 0.5, size) for y, name in enumerate(names_down)),
    )


def labelled(columns: int) -> tuple[float, float, float, float]:
    """The margin of a board with coordinates."""
    return 0.44 * _growth(columns), 0.16, 0.16, 0.44 * _growth(columns)


def _growth(columns: int) -> float:
    """Letters keep their size on the screen when the cells of a larger board shrink."""
    return min(2.0, max(1.0, columns / 9))


def turned(board: Board) -> Board:
    """The same board from the other side of the table; its labels stay left of it and below."""
    cells = tuple(
        replace(
            cell,
            row=board.rows - cell.row - cell.height,
            column=board.columns - cell.column - cell.width,
        )
        for cell in reversed(board.cells)
    )
    labels = tuple(
        replace(
            label,
            x=board.columns - label.x if 0 <= label.x <= board.columns else label.x,
            y=board.rows - label.y if 0 <= label.y <= board.rows else label.y,
        )
        for label in board.labels
    )
    return replace(board, cells=cells, labels=labels)


def chequered(row: int, column: int, rows: int) -> str:
    """The colour of a square of a chessboard; a1 is dark."""
    return "dark" if (rows - 1 - row + column) % 2 == 0 else "light"


def one_click(names: Mapping[int, str]) -> dict[int, tuple[Path, ...]]:
    """Paths of actions that are one click each."""
    return {action: ((place,),) for action, place in names.items()}


def from_to(moves: Iterable[tuple[int, Path]]) -> dict[int, tuple[Path, ...]]:
    """Paths of actions that are clicked in one way each."""
    return {action: (path,) for action, path in moves}


def line_of(rows: Sequence[str], length: int) -> list[tuple[int, int]]:
    """(row, column) of the first ``length`` equal marks in a row, column or diagonal; a dot is no mark."""
    height, width = len(rows), len(rows[0])
    for y in range(height):
        for x in range(width):
            for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(y + i * dy, x + i * dx) for i in range(length)]
                if not all(0 <= v < height and 0 <= u < width for v, u in cells):
                    continue
                marks = {rows[v][u] for v, u in cells}
                if len(marks) == 1 and "." not in marks:
                    return cells
    return []
