"""Chinese dark chess for people: letters on a terminal, Chinese characters in a picture."""

from __future__ import annotations

from dicezero import _native
from dicezero.rules.svg import FAINT, FIELD, GROUND, box, disc, svg, text

TITLE = "Chinese dark chess"

# General, advisor, elephant, chariot, horse, cannon, soldier; red (capitals, player 0) and black.
NAMES = dict(zip("GAERHCSgaerhcs", "帥仕相俥傌炮兵將士象車馬包卒", strict=True))
_INK = {True: "#b3261e", False: "#1f1f1f"}


def phase(state: _native.DarkChessState) -> str:
    """One phrase: who acts, or how it ended."""
    return str(state).splitlines()[-1]


def board_text(state: _native.DarkChessState) -> str:
    """Columns a.. and rows 1.., as moves name them; capitals are red, ? lies face down."""
    *rows, words = str(state).splitlines()
    letters = " ".join("abcdefgh"[: len(rows[0].split())])
    return "\n".join(["  " + letters, *(f"{i} {row}" for i, row in enumerate(rows, start=1)), words])


def board_svg(state: _native.DarkChessState) -> str:
    """Round pieces with their Chinese names and letters."""
    *rows, words = str(state).splitlines()
    cells, cell = [row.split() for row in rows], 46
    width, height = cell * len(cells[0]) + 26, cell * len(cells) + 26
    parts = [box(20, 20, width - 22, height - 22, GROUND)]
    parts += [text(22 + cell * x + cell // 2, 14, "abcdefgh"[x], 11, FAINT) for x in range(len(cells[0]))]
    for y, row in enumerate(cells):
        parts.append(text(9, 22 + cell * y + cell // 2 + 4, str(y + 1), 11, FAINT))
        for x, holds in enumerate(row):
            cx, cy = 22 + cell * x + cell // 2, 22 + cell * y + cell // 2
            if holds == "?":
                parts.append(disc(cx, cy, 19, "#9c8b6e"))
            elif holds != ".":
                parts.append(disc(cx, cy, 19, FIELD))
                parts.append(text(cx, cy + 4, NAMES[holds], 20, _INK[holds.isupper()]))
                parts.append(text(cx, cy + 15, holds, 9, _INK[holds.isupper()]))
    parts.append(text(width // 2, height + 18, words))
    return svg(width, height + 26, parts, words)
