"""A board from a game's own text, where the game has no other: OpenSpiel's grids, of hexagons too.

The text of the first position is read as rows of single characters, the names of its actions as cells of them
("a1", "a2b3", "(0,1)"). That reading is believed only if trying actions changes the cells that they name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from dicezero.rules.board import (
    HEX_HEIGHT,
    LETTERS,
    Board,
    Cell,
    Label,
    Path,
    Piece,
    edge_labels,
    labelled,
    turned,
)
from dicezero.rules.games import game_module
from dicezero.rules.protocol import Game, State, is_chance

_ROW = re.compile(r"(?P<indent>\s*)(?P<number>\d{1,2}(?=[\s.A-Za-z@#+*_-]))?(?P<body>.*?)(?:\s+\d{1,2})?\s*")
_BODY = re.compile(r"[A-Za-z0-9.@#+*_-]+")
_SQUARE, _PAIR = re.compile(r"([a-z])(\d{1,2})"), re.compile(r"(\d{1,2}), ?(\d{1,2})")
_EMPTY, _BLOCKS = ".-_", "#*"
_TRIED = 12  # actions of the first position
_MOST = 30  # rows or columns


@dataclass(frozen=True)
class Rows:
    """A text as a grid: what each cell shows, what the rows are called, whether each stands further right."""

    cells: tuple[str, ...]
    names: tuple[str, ...]
    sheared: bool

    def name(self, row: int, column: int) -> str:
        """The name of a cell."""
        return f"{LETTERS[column]}{self.names[row]}"

    def items(self) -> Iterator[tuple[str, str, int, int]]:
        """(name, what it shows, row, column) of every cell."""
        for row, line in enumerate(self.cells):
            for column, mark in enumerate(line):
                yield self.name(row, column), mark, row, column


@dataclass(frozen=True)
class Reading:
    """How a game's text is to be read.

    Attributes:
        pairs: whether actions name cells as (row, column), else by letter and number.
        first: a character of player 0's.
        cased: whether capitals are one player's and small letters the other's.
        columns: how many there are.
        above: the player whose pieces begin above the other's; None where neither's do.
    """

    pairs: bool
    first: str
    cased: bool
    columns: int
    above: int | None = None

    def player(self, mark: str) -> int:
        """Whose piece a character is."""
        mine = mark.isupper() == self.first.isupper() if self.cased else mark.lower() == self.first.lower()
        return 0 if mine else 1


def text_grid(state: State, seat: int = 0) -> Board | None:
    """The board that the text of a state of OpenSpiel's shows; None where it shows none.

    A side that begins above looks at it from there, so that everybody's own pieces are below.
    """
    if not from_openspiel(state):
        return None
    reading = _reading(state.get_game())  # type: ignore[attr-defined]
    rows = None if reading is None else read_rows(str(state), reading.columns)
    if reading is None or rows is None:
        return None
    cells = tuple(_cell(rows, *item, reading) for item in rows.items())
    paths: dict[int, tuple[Path, ...]] = {}
    if not state.is_terminal() and not is_chance(state):
        for action in state.legal_actions():
            path = places(state.action_to_string(state.current_player(), action), rows, pairs=reading.pairs)
            if path:
                paths[action] = (path,)
    notes = getattr(game_module(state.get_game().get_type().short_name), "NOTES", ("", ""))  # type: ignore[attr-defined]
    board = replace(_board(rows, cells, paths, pairs=reading.pairs), notes=notes)
    return turned(board) if seat == reading.above and not rows.sheared else board


def from_openspiel(state: State) -> bool:
    """Whether a state is one of OpenSpiel's."""
    get_game = getattr(state, "get_game", None)
    return callable(get_game) and hasattr(get_game(), "get_type")


def read_rows(text: str, columns: int | None = None) -> Rows | None:
    """The longest run of lines that are rows of as many single characters; None where there are not two.

    Where the number of ``columns`` is known, digits may be pieces too.
    """
    best: list[tuple[str, str, int]] = []
    run: list[tuple[str, str, int]] = []
    for line in [*text.replace("[", " ").replace("]", " ").splitlines(), ""]:
        row = _row(line, columns)
        if row is None or (run and len(row[0]) != len(run[0][0])):
            best, run = max(best, run, key=len), []
        if row is not None:
            run.append(row)
    if not 2 <= len(best) <= _MOST or not 2 <= len(best[0][0]) <= len(LETTERS):
        return None
    numbered = all(number for _, number, _ in best)
    names = tuple(number if numbered else str(i + 1) for i, (_, number, _) in enumerate(best))
    indents = [indent for *_, indent in best]
    steps = {after - before for before, after in pairwise(indents)}
    return Rows(tuple(cells for cells, *_ in best), names, sheared=len(steps) == 1 and steps.pop() > 0)


def _row(line: str, columns: int | None) -> tuple[str, str, int] | None:
    """(cells, number, indentation) of a line that is a row."""
    word = line.strip()
    if columns is not None and " " not in word and word[:-columns].isdigit():
        return word[-columns:], word[:-columns], 0
    match = _ROW.fullmatch(line)
    if match is None:
        return None
    words = match["body"].split()
    cells = "".join(words)
    if not _BODY.fullmatch(cells) or not (len(words) == 1 or all(len(word) == 1 for word in words)):
        return None
    if len(cells) < 2 or LETTERS.startswith(cells.lower()):  # the letters of the columns
        return None
    return cells, match["number"] or "", len(match["indent"])


def places(name: str, rows: Rows, *, pairs: bool) -> Path:
    """The cells that an action's name has in it, in order; empty where one is not on the grid."""
    if pairs:
        spots = [(int(row), int(column)) for row, column in _PAIR.findall(name)]
    else:
        spots = [
            (rows.names.index(number) if number in rows.names else -1, LETTERS.index(letter))
            for letter, number in _SQUARE.findall(name)
        ]
    if any(not (0 <= r < len(rows.cells) and 0 <= c < len(rows.cells[0])) for r, c in spots):
        return ()
    return tuple(rows.name(r, c) for r, c in spots)


@lru_cache(maxsize=64)
def _reading_of(name: str, pairs: bool) -> Reading | None:
    """A reading of the first position that its actions bear out."""
    from dicezero.rules.registry import load_game

    state = load_game(name).new_initial_state()
    rows = read_rows(str(state))
    if rows is None or is_chance(state) or state.is_terminal():
        return None
    shown = {cell: mark for cell, mark, _, _ in rows.items()}
    first = ""
    for action in list(state.legal_actions())[:_TRIED]:
        path = places(state.action_to_string(state.current_player(), action), rows, pairs=pairs)
        child = state.clone()
        child.apply_action(action)
        after = read_rows(str(child))
        if not path or after is None or (after.names, after.sheared) != (rows.names, rows.sheared):
            return None
        now = {cell: mark for cell, mark, _, _ in after.items()}
        if now[path[-1]] == shown[path[-1]]:
            return None
        first = now[path[-1]]
    letters = {mark for mark in shown.values() if mark.isalpha()}
    cased = len(letters) > 3 and {mark.isupper() for mark in letters} == {True, False}
    if not first:
        return None
    reading = Reading(pairs, first, cased, len(rows.cells[0]))
    return replace(reading, above=_above(rows, reading))


def _above(rows: Rows, reading: Reading) -> int | None:
    """Whose pieces stand above the other's, by the middle of their rows."""
    heights: tuple[list[int], list[int]] = ([], [])
    for _, mark, row, _ in rows.items():
        if mark not in _EMPTY + _BLOCKS:
            heights[reading.player(mark)].append(row)
    if not all(heights):
        return None
    first, second = (sum(side) / len(side) for side in heights)
    return None if abs(first - second) < 1 else int(second < first)


def _reading(game: Game) -> Reading | None:
    return _reading_of(str(game), False) or _reading_of(str(game), True)


def _cell(rows: Rows, name: str, mark: str, row: int, column: int, reading: Reading) -> Cell:
    piece = () if mark in _EMPTY else (_piece(mark, reading),)
    if rows.sheared:
        return Cell(name, row * HEX_HEIGHT, column + row / 2, piece, "field", "hexagon")
    said = f"{row}, {column}" if reading.pairs else ""
    return Cell(name, row, column, piece, "field-odd" if (row + column) % 2 else "field", aria_label=said)


def _piece(mark: str, reading: Reading) -> Piece:
    if mark in _BLOCKS:
        return Piece("block", "line", "tile")
    player = reading.player(mark)
    text = "" if mark in "xobw@+XOBW" and not reading.cased else mark
    return Piece(f"{('orange', 'blue')[player]} {mark}", f"p{player}", text=text)


def _board(rows: Rows, cells: tuple[Cell, ...], paths: dict[int, tuple[Path, ...]], *, pairs: bool) -> Board:
    """The board with rows and columns called as the moves call them: pairs count from 0."""
    high, wide = len(rows.cells), len(rows.cells[0])
    counted = [[str(i) for i in range(size)] for size in (wide, high)]
    edges = edge_labels(*counted) if pairs else edge_labels(LETTERS[:wide], rows.names)
    board = Board(high, wide, cells, paths, edges, margin=labelled(wide))
    if not rows.sheared:
        return board
    labels = [Label(LETTERS[x], x + 0.5, -0.25, 0.3) for x in range(wide)]
    labels += [Label(name, y / 2 - 0.25, (y + 0.6) * HEX_HEIGHT, 0.3) for y, name in enumerate(rows.names)]
    return replace(
        board,
        rows=(high - 1) * HEX_HEIGHT + 1,
        columns=wide + (high - 1) / 2,
        labels=tuple(labels),
        margin=(0.55, 0.55, 0.25, 0.3),
    )
