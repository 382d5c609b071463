"""The board of somebody's own game: what ``state.board()`` returns, checked and made a ``Board``.

The method returns a dictionary, so that a game file needs to import nothing:

* ``rows``, ``columns``: how many.
* ``cells``: ``(row, column)`` to what is there, rows counted from the top: a text, or a dictionary with any
  of ``text``, ``colour`` (``p0``, ``p1``, ``white``, ``black``, ``red`` or ``#rrggbb``), ``shape``, ``name``,
  ``ground`` (a colour of the cell) and ``mark`` (``last`` or ``won``). Cells that are left out are empty.
* ``actions``: a legal action to where it is clicked: one ``(row, column)``, a list of them in the order of
  the clicks, or a text, which becomes a button. Actions that are left out are buttons with their names.
* ``notes``: a text for each player, shown beside the board.

The method may take ``seat``, the player who looks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

from dicezero.rules.board import LETTERS, Board, Cell, Path, Piece, Shape, edge_labels, labelled
from dicezero.rules.errors import GameError
from dicezero.rules.shapes import PALETTE

MOST = 26  # rows or columns
_KEYS = ("rows", "columns", "cells", "actions", "notes")
_CELL_KEYS = ("text", "colour", "shape", "name", "ground", "mark")
_MARKS = ("last", "won")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def read_board(description: object) -> Board:
    """The board that a dictionary describes.

    Raises:
        GameError: naming the entry, its value and what it must be.
    """
    if isinstance(description, Board):
        return description
    if not isinstance(description, Mapping):
        raise GameError(
            f"board() returned {_short(description)}; it must be a dictionary with rows and columns"
        )
    _check_entries("board()", description, _KEYS)
    rows, columns = (_count(description, key) for key in ("rows", "columns"))
    cells = description.get("cells", {})
    if not isinstance(cells, Mapping):
        raise GameError(f"board(): cells is {_short(cells)}; it must be (row, column) to what is there")
    there = {_spot(key, rows, columns, "cells"): _content(key, value) for key, value in cells.items()}
    made = tuple(
        _cell(row, column, rows, there.get((row, column), {}))
        for row in range(rows)
        for column in range(columns)
    )
    actions = description.get("actions", {})
    if not isinstance(actions, Mapping) or not all(isinstance(action, int) for action in actions):
        raise GameError(f"board(): actions is {_short(actions)}; it must be legal actions to where they are")
    paths = {action: (_path(action, where, rows, columns),) for action, where in actions.items()}
    numbers = [str(rows - row) for row in range(rows)]
    return Board(
        rows,
        columns,
        made,
        paths,
        edge_labels(LETTERS[:columns], numbers),
        margin=labelled(columns),
        notes=_notes(description.get("notes", ("", ""))),
    )


def _check_entries(where: str, entries: Mapping[Any, Any], keys: tuple[str, ...]) -> None:
    for key in entries:
        if key not in keys:
            raise GameError(f"{where}: unknown entry {_short(key)}; it may have {', '.join(keys)}")


def _count(description: Mapping[Any, Any], key: str) -> int:
    value = description.get(key)
    if not isinstance(value, int) or not 1 <= value <= MOST:
        raise GameError(f"board(): {key} is {_short(value)}; it must be a number in 1..{MOST}")
    return value


def _spot(key: object, rows: int, columns: int, where: str) -> tuple[int, int]:
    match key:
        case (int(row), int(column)) if 0 <= row < rows and 0 <= column < columns:
            return row, column
    raise GameError(
        f"board(): {where} has {_short(key)}; it must be (row, column) with rows in 0..{rows - 1} "
        f"and columns in 0..{columns - 1}"
    )


def _content(key: object, value: object) -> Mapping[str, str]:
    content = {"text": value} if isinstance(value, str) else value
    if not isinstance(content, Mapping) or not all(isinstance(v, str) for v in content.values()):
        raise GameError(
            f"board(): the cell {_short(key)} is {_short(value)}; it must be a text or texts by name"
        )
    where = f"board(): the cell {_short(key)}"
    _check_entries(where, content, _CELL_KEYS)
    for entry in ("colour", "ground"):
        colour = content.get(entry, "p0")
        if colour not in PALETTE and not _COLOUR.fullmatch(colour):
            raise GameError(
                f"{where}: {entry} is {_short(colour)}; it must be p0, p1, white, black or #rrggbb"
            )
    if content.get("shape", "disc") not in get_args(Shape):
        shapes = ", ".join(get_args(Shape))
        raise GameError(f"{where}: shape is {_short(content['shape'])}; it must be one of {shapes}")
    if content.get("mark", "last") not in _MARKS:
        raise GameError(f"{where}: mark is {_short(content['mark'])}; it must be one of {', '.join(_MARKS)}")
    return content


def _cell(row: int, column: int, rows: int, content: Mapping[str, str]) -> Cell:
    """A text alone is written on the cell; with a colour it stands on a piece of that colour."""
    text, colour = content.get("text", ""), content.get("colour", "")
    shape = content.get("shape", "disc" if colour else "text")
    mark = content.get("mark")
    name = content.get("name") or text or shape
    piece = Piece(name, colour or "label", shape, text, won=mark == "won")  # type: ignore[arg-type]
    ground = content.get("ground") or ("field-odd" if (row + column) % 2 else "field")
    return Cell(
        f"{LETTERS[column]}{rows - row}",
        row,
        column,
        (piece,) if text or colour else (),
        ground,
        "peg",
        ("last",) if mark == "last" else (),
    )


def _path(action: int, where: object, rows: int, columns: int) -> Path:
    if isinstance(where, str) and where:
        return (where.replace("|", "/"),)
    spots = where if isinstance(where, list) else [where]
    names = []
    for spot in spots:
        row, column = _spot(spot, rows, columns, f"action {action}")
        names.append(f"{LETTERS[column]}{rows - row}")
    if not names:
        raise GameError(f"board(): action {action} is clicked nowhere; leave it out to make it a button")
    return tuple(names)


def _notes(notes: object) -> tuple[str, str]:
    match notes:
        case [str(first), str(second)] | (str(first), str(second)):
            return first, second
    raise GameError(f"board(): notes is {_short(notes)}; it must be two texts, one for each player")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
