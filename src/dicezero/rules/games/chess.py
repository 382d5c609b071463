"""Chess for people; Gardner's small board is drawn by the same functions."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.board import (
    LETTERS,
    Board,
    Cell,
    Mark,
    Path,
    Piece,
    chequered,
    edge_labels,
    from_to,
    labelled,
    square_name,
    turned,
)
from dicezero.rules.games.chess_figures import FIGURES
from dicezero.rules.games.chess_studies import STUDIES as STUDIES

TITLE = "Chess"
UNSEEN = ("history",)
RULES = (
    "Click a piece, then the square it goes to; where it can go is marked.",
    "A side whose king is attacked and cannot be saved is mated and has lost. No legal move without check "
    "is a draw, and so are the third repetition and fifty moves without a capture or a pawn.",
)

ChessState = _native.ChessState | _native.GardnerChessState

SIDES = ("White", "Black")
_NAMES = {"p": "pawn", "r": "rook", "n": "knight", "b": "bishop", "q": "queen", "k": "king"}


def phase(state: ChessState) -> str:
    """Who is to move, or how it ended."""
    if state.is_terminal():
        first = state.returns()[0]
        return f"{state.end()}, {SIDES[first < 0]} won" if first else f"draw: {state.end()}"
    return f"{SIDES[state.current_player()]} to move" + ", in check" * state.in_check()


def board_text(state: ChessState) -> str:
    """Ranks numbered, files lettered, as moves name them; capitals are White."""
    rows = placement(state)
    lines = [f"{len(rows) - y} {' '.join(row)}" for y, row in enumerate(rows)]
    files = "  " + " ".join(LETTERS[: len(rows)])
    return "\n".join([*lines, files, phase(state)])


def board(state: ChessState, seat: int = 0) -> Board:
    """The board with the reader's side below; the last move's squares and a king in check are marked."""
    rows = placement(state)
    size, marked = len(rows), _last_squares(state)
    checked = _checked_king(state)
    cells = []
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            name = square_name(y, x, size)
            marks: list[Mark] = ["last"] if name in marked else []
            if letter == checked:
                marks.append("check")
            piece = () if letter == "." else (_piece(letter),)
            cells.append(Cell(name, y, x, piece, chequered(y, x, size), marks=tuple(marks)))
    ranks = [str(size - y) for y in range(size)]
    drawn = Board(
        size,
        size,
        tuple(cells),
        from_to((action, _path(state.uci(action))) for action in state.legal_actions()),
        edge_labels(LETTERS[:size], ranks),
        margin=labelled(size),
        sides=("white", "black"),
    )
    return turned(drawn) if seat == 1 else drawn


def placement(state: ChessState) -> list[str]:
    """The ranks from the top, a letter a square; dots are empty."""
    ranks = state.position().split()[0].split("/")
    return ["".join("." * int(c) if c.isdigit() else c for c in rank) for rank in ranks]


def _checked_king(state: ChessState) -> str:
    """The letter of the king that stands in check; empty where none does."""
    if not state.in_check():
        return ""
    return "K" if state.position().split()[1] == "w" else "k"


def _last_squares(state: ChessState) -> Path:
    """The squares that the last move left and reached; empty at the start."""
    history = state.history()
    if not history:
        return ()
    *_, actions = state.serialize().split("|")
    before = state.get_game().deserialize_state(
        state.serialize()[: -len(actions)] + ",".join(map(str, history[:-1]))
    )
    return _path(before.uci(history[-1]))[:2]


def _path(uci: str) -> Path:
    """From, to, and what a pawn becomes."""
    promotion = (_NAMES[uci[4]].capitalize(),) if len(uci) > 4 else ()
    return uci[:2], uci[2:4], *promotion


def _piece(letter: str) -> Piece:
    colour = "white" if letter.isupper() else "black"
    outline, detail = FIGURES[letter.lower()]
    name = f"{colour} {_NAMES[letter.lower()]}"
    return Piece(name, colour, "figure", outline=outline, detail=detail)
