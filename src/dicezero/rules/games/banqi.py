"""Chinese dark chess for people: letters on a terminal, Chinese characters and letters on a board."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.board import LETTERS, Board, Cell, Path, Piece, edge_labels, from_to, labelled
from dicezero.rules.games.banqi_characters import CHARACTERS

TITLE = "Chinese dark chess"
RULES = (
    "All pieces lie face down. A turn flips one of them, or moves one of yours a step along a row or column.",
    "The first to flip plays the colour that turns up. Click a face-down piece to flip it; click yours and "
    "then the cell it goes to.",
    "A piece takes what ranks no higher: general, advisor, elephant, chariot, horse, cannon, soldier. A "
    "soldier takes the general, and the general no soldier; the cannon takes over exactly one piece.",
    "Who cannot move has lost; too long without a flip or a capture is a draw.",
)

# General, advisor, elephant, chariot, horse, cannon, soldier; red (capitals, player 0) and black.
_KINDS = dict(
    zip("GAERHCS", ("general", "advisor", "elephant", "chariot", "horse", "cannon", "soldier"), strict=True)
)


def phase(state: _native.DarkChessState) -> str:
    """One phrase: who acts, or how it ended."""
    return str(state).splitlines()[-1]


def board_text(state: _native.DarkChessState) -> str:
    """Columns a.. and rows 1.., as moves name them; capitals are red, ? lies face down."""
    *rows, status = str(state).splitlines()
    letters = " ".join("abcdefgh"[: len(rows[0].split())])
    return "\n".join(["  " + letters, *(f"{i} {row}" for i, row in enumerate(rows, start=1)), status])


def board(state: _native.DarkChessState) -> Board:
    """Round pieces with their Chinese names and letters, the same way up for both."""
    *lines, _ = str(state).splitlines()
    rows = [line.split() for line in lines]
    columns = len(rows[0])
    names = [f"{LETTERS[x]}{y + 1}" for y in range(len(rows)) for x in range(columns)]
    cells = tuple(
        Cell(names[y * columns + x], y, x, _piece(letter), "field-odd" if (x + y) % 2 else "field", "peg")
        for y, row in enumerate(rows)
        for x, letter in enumerate(row)
    )
    moves = [] if state.is_chance_node() else state.legal_actions()
    left = (
        ["".join(lines).count(letter) for letter in "GAERHCS"],
        ["".join(lines).count(x) for x in "gaerhcs"],
    )
    hidden = "".join(lines).count("?")
    unseen = f", {hidden} face down" if hidden else ""
    return Board(
        len(rows),
        columns,
        cells,
        from_to((action, _path(action, names)) for action in moves),
        edge_labels(LETTERS[:columns], [str(y + 1) for y in range(len(rows))]),
        margin=labelled(columns),
        sides=("red", "jet"),
        notes=(f"red, {sum(left[0])} in sight{unseen}", f"black, {sum(left[1])} in sight{unseen}"),
    )


def _path(action: int, names: list[str]) -> Path:
    """A cell to flip, or two to go from and to."""
    count = len(names)
    return (names[action],) if action < count else (names[action // count - 1], names[action % count])


def _piece(letter: str) -> tuple[Piece, ...]:
    if letter == ".":
        return ()
    if letter == "?":
        return (Piece("face-down piece", "back", "back"),)
    side, colour = ("red", "red") if letter.isupper() else ("black", "jet")
    name = f"{side} {_KINDS[letter.upper()]}"
    return (Piece(name, colour, "coin", small=letter, outline=CHARACTERS[letter]),)
