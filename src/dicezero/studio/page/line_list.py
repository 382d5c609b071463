"""The lines of a game as a short list: where each left the others, and how it stands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from html import escape

from nicegui import events, ui

from dicezero.evaluation.cube_review import cube_at
from dicezero.studio.lines import LineView
from dicezero.studio.page.session_view import SessionView

_CLICKED = "(e) => { const m = e.target.closest('[data-line]'); if (m) emit(Number(m.dataset.line)); }"


class LineList:
    """Buttons, one a line; hidden while there is but one. ``switched`` is called with a line's number."""

    def __init__(self, switched: Callable[[int], Awaitable[None]]) -> None:
        with ui.element("section").classes("card lines").props('aria-label="Lines"') as self._card:
            ui.html("Lines", tag="h2", sanitize=False)
            self._list = ui.html("", sanitize=False)
            self._list.on("click", self._click, js_handler=_CLICKED)
        self._switched = switched
        self._card.set_visibility(False)

    def show(self, view: SessionView) -> None:
        """The lines as they are now."""
        lines = view.lines()
        self._card.set_visibility(len(lines) > 1)
        self._list.content = lines_html(lines, view)

    async def _click(self, event: events.GenericEventArguments) -> None:
        await self._switched(int(event.args))


def lines_html(lines: tuple[LineView, ...], view: SessionView) -> str:
    """The list; a line whose story is known carries the chances at its end."""
    rows = []
    for number, line in enumerate(lines):
        title = f"line {number + 1}" if number else "first line"
        where = f"from {_place(line, view)}: {line.text}" if number else "as it was first played"
        standing = escape(_standing(line, view))
        current = ' aria-current="true"' if line.current else ""
        rows.append(
            f'<li><button type="button" class="line-row" data-line="{number}"{current}>'
            f"<b>{title}</b> <span>{escape(where)}</span><em>{standing}</em></button></li>"
        )
    return f'<ol class="line-rows">{"".join(rows)}</ol>'


def _place(line: LineView, view: SessionView) -> str:
    """Where a line left the others: ``move 5``."""
    state, moves = view.session.table.begin(), 0
    for action in line.actions[: line.fork]:
        moves += state.current_player() >= 0
        state.apply_action(action)
    return f"move {moves + 1}"


def _standing(line: LineView, view: SessionView) -> str:
    """How the line ended, or how it stands where that is known."""
    moves = f"{line.moves} move{'' if line.moves == 1 else 's'}"
    if line.returns is not None:
        mine = line.returns[min(view.seat, len(line.returns) - 1)]
        if view.alone:
            return f"{moves}, got {mine:g}"
        return f"{moves}, {'won' if mine > 0 else 'lost' if mine < 0 else 'a draw'}"
    win = view.session.win_of(line.actions)
    if win is None:
        return moves
    scale = view.scale.times(cube_at(line.doubles, len(line.actions)))
    chance = scale.of_share(win if view.seat == 0 else 1.0 - win)
    return f"{moves}, you expect {chance}" if view.scale.points else f"{moves}, your chance {chance}"
