"""Cells and pieces as SVG. A colour is a name; ``Paint`` makes of it what a picture or a page needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import escape

from dicezero.rules.board import HEX_HEIGHT, Board, Cell, Piece

Paint = Callable[[str], str]
UNIT = 100.0  # user units a cell

# For pictures that stand alone. A colour "x" may have "x-edge" (its outline) and "x-ink" (writing on it).
PALETTE = {
    "p0": "#e2582c", "p0-edge": "#a83a15", "p0-ink": "#ffffff",
    "p1": "#2f6fd6", "p1-edge": "#1c4a99", "p1-ink": "#ffffff",
    "white": "#fbf8f0", "white-edge": "#4a443c", "white-ink": "#3a352e",
    "black": "#35312d", "black-edge": "#12100e", "black-ink": "#f3ede0",
    "red": "#fdf7e8", "red-edge": "#b3261e", "red-ink": "#b3261e",
    "jet": "#fdf7e8", "jet-edge": "#2a2724", "jet-ink": "#2a2724",
    "back": "#8d7a5c", "back-edge": "#5f5039", "back-ink": "#d9c8a5",
    "light": "#f0dfc2", "dark": "#b98a63", "field": "#fbf7ee", "field-odd": "#e9dfca",
    "frame": "#efe6d5", "wood": "#e3bd74", "felt": "#efe6d5", "tiles": "#bbada0", "empty": "#cdc1b4",
    "rack": "#33508f", "rack-edge": "#274078", "rack-ink": "#dfe7f7", "hole": "#e9eef8",
    "spike-a": "#d9cbb0", "spike-b": "#b9905f", "tray": "#e2d6bf", "bar": "#d8cab0",
    "line": "#7d6c52", "label": "#5f5546", "last": "#d8c65a", "check": "#d8432f", "won": "#d99a00",
}  # fmt: skip


def printed(colour: str) -> str:
    """The paint of pictures that stand alone."""
    return PALETTE.get(colour, colour)


def shade(colour: str, part: str) -> str:
    """The name of a colour's edge or ink; a literal colour has dark ones."""
    if not colour.startswith("#"):
        return f"{colour}-{part}"
    return "#00000055" if part == "edge" else "#ffffff"


def middle(cell: Cell) -> tuple[float, float]:
    """The middle of a cell in user units."""
    x, y = cell.middle
    return x * UNIT, y * UNIT


def stacked(cell: Cell, index: int) -> tuple[float, float]:
    """Where the ``index``-th piece stands; a high cell's pile grows from its base, a wide one's from left."""
    x, y = middle(cell)
    if cell.height <= 1:
        room = cell.width - 0.94 if piles(cell) else 0.36 if len(cell.pieces) > 1 else 0.0
        return x - (room / 2 - index * min(0.9, room / max(1, len(cell.pieces) - 1))) * UNIT, y
    if cell.shape == "rack":
        return x, (cell.row + cell.height - 0.5 - index) * UNIT
    step = min(0.86, (cell.height - 0.9) / max(1, len(cell.pieces) - 1))
    way = (0.47 + index * step) * UNIT
    top = cell.row * UNIT
    return x, top + way if cell.shape == "spike_down" else top + cell.height * UNIT - way


def landing(cell: Cell) -> tuple[float, float]:
    """Where a piece that arrives will stand."""
    after = replace(cell, pieces=(*cell.pieces, Piece("")))
    return stacked(after, len(cell.pieces)) if piles(cell) else middle(cell)


def piles(cell: Cell) -> bool:
    """Whether a cell has room for several pieces."""
    return max(cell.width, cell.height) > 1.5


def box(x: float, y: float, width: float, height: float, radius: float, fill: str, more: str = "") -> str:
    """A rectangle."""
    corner = f' rx="{radius:g}"' if radius else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corner} fill="{fill}"{more}/>'


def disc(x: float, y: float, radius: float, fill: str, stroke: str = "", width: float = 0) -> str:
    """A circle."""
    line = f' stroke="{stroke}" stroke-width="{width:g}"' if stroke else ""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"{line}/>'


def word(
    x: float, y: float, text: str, size: float, fill: str, weight: int = 600, classes: str = "on"
) -> str:
    """Words around (x, y)."""
    return (
        f'<text class="{classes}" x="{x:g}" y="{y + size * 0.36:g}" font-size="{size:g}" '
        f'font-weight="{weight}" text-anchor="middle" fill="{fill}">{escape(text)}</text>'
    )


def ground(board: Board, paint: Paint) -> list[str]:
    """Frame, cells, lines and labels: all that does not move. The field's corner is (0, 0)."""
    left, top, right, bottom = (side * UNIT for side in board.margin)
    width, height = board.columns * UNIT + left + right, board.rows * UNIT + top + bottom
    parts = [box(-left, -top, width, height, 18, paint(board.frame))] if board.frame else []
    parts += [_cell(cell, paint) for cell in board.cells if cell.ground]
    if any(cell.shape == "crossing" for cell in board.cells):
        parts.append(_lines(board, paint))
    parts += [disc(*middle(cell), 9, paint("line")) for cell in board.cells if "star" in cell.marks]
    parts += [
        word(label.x * UNIT, label.y * UNIT, label.text, label.size * UNIT, paint(label.ink), 500, "label")
        for label in board.labels
    ]
    return parts


def _cell(cell: Cell, paint: Paint) -> str:
    x, y = cell.column * UNIT, cell.row * UNIT
    width, height, fill = cell.width * UNIT, cell.height * UNIT, paint(cell.ground)
    if cell.shape == "hexagon":
        return f'<path d="{hexagon(cell)}" fill="{fill}" stroke="{paint("line")}" stroke-width="2.5"/>'
    if cell.shape in ("spike_up", "spike_down"):
        base, tip = (y + height, y + 34) if cell.shape == "spike_up" else (y, y + height - 34)
        return f'<path d="M{x + 4:g} {base:g}h{width - 8:g}L{x + width / 2:g} {tip:g}z" fill="{fill}"/>'
    if cell.shape == "peg":
        return box(x + 5, y + 5, width - 10, height - 10, 12, fill)
    if cell.shape == "spot":
        return disc(*middle(cell), width / 2, fill)
    if cell.shape in ("tray", "rack"):
        return box(x, y, width, height, 12, fill)
    return box(x, y, width, height, 0, fill)


def hexagon(cell: Cell) -> str:
    """The outline of a hexagon that stands on a corner."""
    x, y = middle(cell)
    half, corner = UNIT / 2, UNIT * HEX_HEIGHT * 2 / 3
    return (
        f"M{x:g} {y - corner:.1f}l{half:g} {corner / 2:.1f}v{corner:.1f}l{-half:g} {corner / 2:.1f}"
        f"l{-half:g} {-corner / 2:.1f}v{-corner:.1f}z"
    )


def _lines(board: Board, paint: Paint) -> str:
    """From crossing to crossing."""
    half, across, down = UNIT / 2, (board.columns - 1) * UNIT, (board.rows - 1) * UNIT
    path = "".join(f"M{half:g} {half + UNIT * row:g}h{across:g}" for row in range(int(board.rows)))
    path += "".join(f"M{half + UNIT * col:g} {half:g}v{down:g}" for col in range(int(board.columns)))
    return f'<path d="{path}" fill="none" stroke="{paint("line")}" stroke-width="3" stroke-linecap="square"/>'


def under(cell: Cell, paint: Paint) -> list[str]:
    """What is pointed out under the pieces of a cell."""
    corner = (cell.column * UNIT, cell.row * UNIT, cell.width * UNIT, cell.height * UNIT)
    parts = []
    if "last" in cell.marks and cell.shape == "square":
        parts.append(box(*corner, 0, paint("last"), ' opacity="0.7"'))
    if "check" in cell.marks:
        parts.append(box(*corner, 0, paint("check"), ' opacity="0.65"'))
    return parts


def over(cell: Cell, paint: Paint) -> list[str]:
    """What is pointed out above the pieces of a cell."""
    x, y = middle(cell)
    parts = [_rack(cell, paint)] if cell.shape == "rack" else []
    spots = [stacked(cell, index) for index, piece in enumerate(cell.pieces) if piece.won]
    parts += [disc(*spot, 45, "none", paint("won"), 8) for spot in spots]
    for mark in cell.marks:
        if mark == "last" and cell.shape == "crossing":
            ink = shade(cell.pieces[0].colour, "ink") if cell.pieces else "line"
            parts.append(disc(x, y, 20, "none", paint(ink), 5))
        elif mark == "last" and cell.shape == "hexagon":
            parts.append(
                disc(x, y, 10, paint(shade(cell.pieces[0].colour, "ink") if cell.pieces else "line"))
            )
        elif mark.startswith("owned_"):
            parts.append(box(x - 14, y - 14, 28, 28, 4, paint(mark.removeprefix("owned_"))))
    return parts


def _rack(cell: Cell, paint: Paint) -> str:
    """A board with holes, in front of the discs that fall behind it."""
    x, y, width, height = (side * UNIT for side in (cell.column, cell.row, cell.width, cell.height))
    path = f"M{x - 1:g} {y - 1:g}h{width + 2:g}v{height + 2:g}h{-width - 2:g}z"
    for hole in range(int(cell.height)):
        path += f"M{x + 10:g} {y + UNIT * (hole + 0.5):g}a40 40 0 1 0 80 0a40 40 0 1 0 -80 0z"
    edge = paint("rack-edge")
    rims = "".join(
        disc(x + UNIT / 2, y + UNIT * (hole + 0.5), 40, "none", edge, 4) for hole in range(int(cell.height))
    )
    return f'<path fill-rule="evenodd" d="{path}" fill="{paint("rack")}"/>{rims}'


def piece_svg(piece: Piece, at: tuple[float, float], paint: Paint) -> str:
    """One piece around a point, as large as a cell has room for."""
    x, y = at
    fill, edge = paint(piece.colour), paint(shade(piece.colour, "edge"))
    ink = paint(piece.ink or shade(piece.colour, "ink"))
    if piece.shape == "stone":
        glow = f'<ellipse cx="{x - 14:g}" cy="{y - 17:g}" rx="17" ry="12" fill="#ffffff" opacity="0.16"/>'
        return disc(x, y, 46, fill, edge, 2.5) + glow
    if piece.shape == "figure":
        line = f' stroke="{edge}" stroke-width="3.2" stroke-linejoin="round" stroke-linecap="round"'
        detail = f'<path d="{piece.detail}" fill="none"{line}/>' if piece.detail else ""
        return (
            f'<g transform="translate({x - 50:g} {y - 50:g})"><path d="{piece.outline}" fill="{fill}"{line}/>'
            f"{detail.replace(edge, ink)}</g>"
        )
    if piece.shape in ("cross", "ring"):
        path = (
            f"M{x - 26:g} {y - 26:g}l52 52m0 -52l-52 52"
            if piece.shape == "cross"
            else f"M{x:g} {y - 28:g}a28 28 0 1 1 -0.1 0z"
        )
        return f'<path d="{path}" fill="none" stroke="{fill}" stroke-width="12" stroke-linecap="round"/>'
    if piece.shape in ("tile", "cube"):
        return _tile(piece, at, fill, edge, ink)
    if piece.shape == "text":
        return word(x, y, piece.text, _fitting(piece.text, 56), fill)
    return _round(piece, at, (fill, edge, ink))


def _tile(piece: Piece, at: tuple[float, float], fill: str, edge: str, ink: str) -> str:
    x, y = at
    half = 45 if piece.shape == "tile" else 38
    line = f' stroke="{edge}" stroke-width="3"' if piece.shape == "cube" else ""
    size = _fitting(piece.text, 42 if piece.shape == "tile" else 46)
    return box(x - half, y - half, 2 * half, 2 * half, 12, fill, line) + word(
        x, y, piece.text, size, ink, 700
    )


def _fitting(text: str, size: float) -> float:
    """A size of letters that keeps the text inside a cell."""
    return min(size, 128 / max(1, len(text)))


def _round(piece: Piece, at: tuple[float, float], colours: tuple[str, str, str]) -> str:
    x, y = at
    fill, edge, ink = colours
    if piece.shape == "back":
        petal = f'<path d="M{x:g} {y - 22:g}l7 15 -7 7 -7 -7z" fill="{ink}" opacity="0.75"'
        turns = (f'{petal} transform="rotate({turn} {x:g} {y:g})"/>' for turn in range(0, 360, 60))
        star = "".join(turns)
        return disc(x, y, 42, fill, edge, 3) + disc(x, y, 33, "none", ink, 2) + star
    if piece.shape == "coin":
        body = disc(x, y, 43, fill, edge, 3) + disc(x, y, 36, "none", edge, 1.5)
        figure = (
            f'<path d="{piece.outline}" transform="translate({x - 25:g} {y - 31:g}) scale(0.5)" fill="none" '
            f'stroke="{ink}" stroke-width="8.5" stroke-linecap="round" stroke-linejoin="round"/>'
        )
        return body + figure + word(x, y + 26, piece.small, 17, ink, 700)
    body = disc(x, y, 42, fill, edge, 3)
    if piece.text:
        return body + word(x, y, piece.text, _fitting(piece.text, 44), ink)
    if piece.colour in ("p0", "white"):  # colour is not the only difference between the sides
        return body + disc(x, y, 26, "none", edge, 3)
    return body + disc(x, y, 11, ink)
