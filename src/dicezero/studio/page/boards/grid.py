"""Any board that a game describes as data: drawn, clicked place by place, focused and read aloud."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from html import escape

from dicezero.rules.board import Board, Cell, Path
from dicezero.rules.shapes import UNIT, ground, hexagon, landing, over, piece_svg, piles, stacked, under
from dicezero.studio.page.boards.arrows import draw_arrow, draw_plate, move_ends
from dicezero.studio.page.boards.cube import cube_buttons
from dicezero.studio.page.boards.dice import die
from dicezero.studio.page.boards.motion import glide, moved
from dicezero.studio.page.boards.picking import SEPARATOR, Picking, picking
from dicezero.studio.page.boards.view import Arrow, View

_VAST = 11  # rows and columns of a board whose cells are too small for a finger on a phone


def grid(board: Board, view: View, *, before: Board | None = None, label: str = "", pending: str = "") -> str:
    """The board with what can be clicked; what differs from ``before`` moves.

    ``pending`` is the name of a move about to be played, named below the board where no arrow shows it.
    """
    picks = picking(board, view.moves, view.picked)
    hinted = _hinted(board, view, picks)
    left, top, right, bottom = (side * UNIT for side in board.margin)
    width, height = board.columns * UNIT + left + right, board.rows * UNIT + top + bottom
    sources = {} if before is None else moved(before, board)
    parts = ground(board, paint)
    parts += [mark for cell in board.cells for mark in under(cell, paint)]
    parts += [_outline(cell, "picked") for cell in board.cells if cell.name in _begun(board, picks)]
    parts += [_pieces(cell, sources) for cell in board.cells]
    parts += [mark for cell in board.cells for mark in over(cell, paint)]
    parts += _dice(board, before)
    parts += [
        _target(board, cell, view, picks, hinted=cell.name in hinted)
        for cell in board.cells
        if cell.name in picks.clickable
    ]
    parts += _pointers(board, view)
    more = " swipes" if any(key.startswith("Arrow") for key in board.keys.values()) else ""
    more += " fine" if board.columns >= 8 else ""
    more += " vast" if board.columns >= _VAST and len(board.cells) >= _VAST**2 else ""
    picture = (
        f'<svg viewBox="{-left:g} {-top:g} {width:g} {height:g}" '
        f'role="group" aria-label="{escape(label, quote=True)}">{"".join(parts)}</svg>'
    )
    notes = [_note(board, view, player) for player in (1 - view.seat, view.seat)]
    sides = "-".join(side.lstrip("#") for side in board.sides)
    return (
        f'<div class="board grid sides-{sides}{more}" style="--ratio:{width / height:.3f}">'
        f"{notes[0]}{picture}{notes[1]}"
        f"{cube_buttons(view.cube)}{_buttons(board, view, picks, hinted)}"
        f"{_pending_line(board, view, pending)}{_list(board, view)}</div>"
    )


def paint(colour: str) -> str:
    """A colour of the style sheet; a literal one stays."""
    return colour if colour.startswith("#") or colour == "none" else f"var(--b-{colour})"


def _pieces(cell: Cell, sources: Mapping[tuple[str, int], tuple[float, float] | None]) -> str:
    drawn = []
    pieces = list(cell.pieces)
    if (
        piles(cell) and cell.shape != "rack" and len(pieces) > 5
    ):  # a pile that lies over itself has its number
        pieces[-1] = replace(pieces[-1], text=str(len(pieces)))
    for index, piece in enumerate(pieces):
        at, motion = stacked(cell, index), ""
        if (cell.name, index) in sources:
            source = sources[cell.name, index]
            motion = _appearing(cell, at) if source is None else glide(source, at)
        drawn.append(f'<g class="piece"{motion}>{piece_svg(piece, at, paint)}</g>')
    return "".join(drawn)


def _appearing(cell: Cell, at: tuple[float, float]) -> str:
    """A new piece grows where it stands; into a rack it falls, the time with the root of the way."""
    if cell.shape != "rack":
        return f' data-fresh="true" style="transform-origin:{at[0]:.1f}px {at[1]:.1f}px"'
    way = at[1] - cell.row * UNIT + UNIT / 2
    seconds = 0.2 + 0.14 * math.sqrt(way / UNIT)
    return f' data-falling="true" style="--from:translateY({-way:g}px);--fall:{seconds:.2f}s"'


def _dice(board: Board, before: Board | None) -> list[str]:
    fallen = before is not None and not any(one.value for one in before.dice)
    return [
        f'<g class="{"used" if one.used else "ready"}">'
        + die(
            (one.x * UNIT, one.y * UNIT),
            one.size * UNIT,
            one.value,
            sides=one.sides,
            player=one.player,
            rolling=fallen and one.value > 0,
        )
        + "</g>"
        for one in board.dice
    ]


def _pointers(board: Board, view: View) -> list[str]:
    """Arrows: of a search, of the hint, of what is about to happen."""
    arrows = sorted(view.arrows, key=lambda arrow: (arrow.kind == "hint", arrow.weight))
    parts = [draw_arrow(board, arrow, arrow.kind) for arrow in arrows]
    hint = None if any(arrow.kind == "hint" for arrow in arrows) else view.hint
    for action, kind in ((hint, "hint"), (view.pending, "pending")):
        if action is not None:
            ends = move_ends(board, action)
            parts += [draw_arrow(board, Arrow(start, end, 0.5), kind) for start, end in ends]
    return parts + [draw_plate(board, arrow) for arrow in arrows]  # words lie over all arrows


def _hinted(board: Board, view: View, picks: Picking) -> set[str]:
    """The places to click next for the hint."""
    if view.hint is None or view.hint not in view.moves:
        return set()
    paths = board.paths.get(view.hint) or ((view.moves[view.hint],),)
    count = len(picks.picked)
    return {path[count] for path in paths if path[:count] == picks.picked and len(path) > count}


def _target(board: Board, cell: Cell, view: View, picks: Picking, *, hinted: bool) -> str:
    """A cell that can be clicked: to begin a move, to go on with it, or to let it go."""
    words = ", ".join(dict.fromkeys(piece.name for piece in cell.pieces)) or "empty"
    action = picks.steps.get(cell.name)
    going_on = cell.name in picks.steps and picks.midway
    chosen = picks.midway and cell.name == picks.picked[-1]
    kind = "chosen" if chosen else "target" if going_on else "start" if action is None else "single"
    if action is not None:
        data, label = f'data-action="{action}"', f"move {view.number(action)}: {view.moves[action]}"
    else:
        data = f'data-pick="{escape(SEPARATOR.join(picks.after(cell.name)), quote=True)}"'
        verb = "let go" if chosen else "go to" if going_on else "choose"
        label = f"{verb} {cell.aria_label or cell.name}, {words}"
    shapes = [_outline(cell, "touch")]
    legs = [] if action is None else list(board.legs.get(action, ()))
    mover = bool(legs) and cell.name == legs[0][0]
    if going_on or action is not None:
        at = stacked(cell, len(cell.pieces) - 1) if mover else landing(cell)
        taken = bool(cell.pieces) and not piles(cell)
        colour = board.sides[view.seat] if view.seat < len(board.sides) else "p0"
        shapes.append(
            f'<circle class="{"aim taken" if taken else "aim"}" cx="{at[0]:g}" cy="{at[1]:g}" '
            f'r="{44 if taken or kind == "single" else 17}" style="--aim:{paint(colour)}"/>'
        )
    shapes += [draw_arrow(board, Arrow(start, end, 0.3), "way") for start, end in legs]
    kind += " mover" if mover else " goal" if legs else ""
    more, key = " hinted" if hinted else "", ""
    if action is not None and len(view.moves) <= 9:
        data += f' data-number="{view.number(action)}"'
        key = "" if legs and not mover else _badge(cell, view.number(action))
    return (
        f'<g class="move {kind}{more}" {data} data-cell="{escape(cell.name, quote=True)}" tabindex="0" '
        f'role="button" aria-label="{escape(label + ", hinted" * hinted, quote=True)}">'
        f"{''.join(shapes)}{key}</g>"
    )


def _badge(cell: Cell, number: int) -> str:
    """The key of a move, in the corner of its cell."""
    x, y = (cell.column + cell.width) * UNIT - 18, cell.row * UNIT + 18
    return (
        f'<g class="key" aria-hidden="true"><circle cx="{x:g}" cy="{y:g}" r="12"/>'
        f'<text x="{x:g}" y="{y + 5.5:g}">{number}</text></g>'
    )


def _begun(board: Board, picks: Picking) -> Path:
    """The cells of the move under way; of several moves, whole ones are done with."""
    if picks.midway:
        return picks.picked[-1:]
    return () if any(board.cell(place) is not None for place in picks.steps) else picks.picked


def _outline(cell: Cell, classes: str) -> str:
    if cell.shape == "hexagon":
        return f'<path class="{classes}" d="{hexagon(cell)}"/>'
    return (
        f'<rect class="{classes}" x="{cell.column * UNIT + 2:g}" y="{cell.row * UNIT + 2:g}" '
        f'width="{cell.width * UNIT - 4:g}" height="{cell.height * UNIT - 4:g}" rx="10"/>'
    )


def _note(board: Board, view: View, player: int) -> str:
    """The note on a player: above the board of the other one, below it of the reader."""
    if player >= len(board.notes) or not board.notes[player]:
        return ""
    return (
        f'<p class="note p{player}"><i aria-hidden="true"></i><b>{escape(view.names[player])}</b> '
        f"{escape(board.notes[player])}</p>"
    )


def _buttons(board: Board, view: View, picks: Picking, hinted: set[str]) -> str:
    """Places that are no cells, actions of one name, and the way back."""
    names = {cell.name for cell in board.cells}
    rows: list[tuple[str, str, str, str]] = []  # words, data, label, place
    for place, action in picks.steps.items():
        if place in names:
            continue
        if action is None:
            data, label = f'data-pick="{escape(SEPARATOR.join(picks.after(place)), quote=True)}"', place
        else:
            data, label = f'data-action="{action}"', f"move {view.number(action)}: {view.moves[action]}"
        rows.append((place, data, label, place))
    for action in picks.complete:
        name = view.moves[action]
        rows.append((name, f'data-action="{action}"', f"move {view.number(action)}: {name}", ""))
    if len(picks.picked) > 1:
        rows.append(
            ("Take back", f'data-pick="{escape(_joined(picks.back()), quote=True)}"', "take back", "")
        )
    buttons = []
    for number, (words, data, label, place) in enumerate(rows, 1):
        key = board.keys.get(place)
        if "data-action" in data and len(view.moves) <= 9:
            number = view.number(int(data.split('"')[1]))
        sign = f' data-key="{key}"' if key else f' data-number="{number}"'
        badge = f'<kbd aria-hidden="true">{number}</kbd>' if not key and number <= 9 else ""
        more = " hinted" if place in hinted or data == f'data-action="{view.hint}"' else ""
        more += " pending" if data == f'data-action="{view.pending}"' else ""
        buttons.append(
            f'<button type="button" class="move{more}" {data}{sign} aria-label="{escape(label, quote=True)}">'
            f"{badge}{escape(words)}</button>"
        )
    return f'<div class="choices">{"".join(buttons)}</div>' if buttons else ""


def _pending_line(board: Board, view: View, name: str) -> str:
    """A move about to be played that goes from nowhere to nowhere, such as a pass."""
    if view.pending is None or not name or move_ends(board, view.pending):
        return ""
    return f'<p class="pending-move">{escape(name)}</p>'


def _joined(path: Path) -> str:
    return SEPARATOR.join(path)


def _list(board: Board, view: View) -> str:
    """All moves by name, for boards on which a move takes more than one click."""
    if not any(len(path) > 1 for action in view.moves for path in board.paths.get(action, ())):
        return ""
    buttons = "".join(
        f'<button type="button" data-action="{action}">{escape(name)}</button>'
        for action, name in sorted(view.moves.items(), key=lambda pair: pair[1])
    )
    return f'<details class="all-moves"><summary>All moves ({len(view.moves)})</summary>{buttons}</details>'
