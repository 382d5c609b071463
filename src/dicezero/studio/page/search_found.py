"""What a search has found, as it is shown: the choice by budget, the tree, the moves beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import Any

from nicegui import events, ui

from dicezero.rules.protocol import State
from dicezero.rules.reading import action_strings
from dicezero.search.answer import line_strings
from dicezero.studio.analysis import Snapshot
from dicezero.studio.branches import Path
from dicezero.studio.page import search_tables as tables
from dicezero.studio.page.search_chart import budget_options, move_colours
from dicezero.studio.page.tree_panel import TreePanel
from dicezero.studio.scale import Scale

_SHOT = "(e) => { const n = e.target.closest('[data-shot]'); if (n) emit(Number(n.dataset.shot)); }"
_SCROLL = """setTimeout(() => { const b = document.querySelector(".strip [aria-pressed=true]");
    if (b) b.parentElement.scrollLeft = b.offsetLeft - b.parentElement.clientWidth / 2; }, 30)"""


@dataclass(frozen=True)
class Searched:
    """The position that was searched, and how it is shown.

    Attributes:
        state: a choice node.
        names: of the players.
        scale: the unit of values.
        command: gives the search of a snapshot as a line for a terminal.
    """

    state: State
    names: tuple[str, str]
    scale: Scale
    command: Callable[[Snapshot], str]

    @property
    def mover(self) -> str:
        """Who has to choose."""
        return self.names[self.state.current_player()]


class Found:
    """The cards of the search view that show results; ``picked`` is called with the snapshot to show."""

    def __init__(self, picked: Callable[[int], None], looked_at: Callable[[Path], None]) -> None:
        """``looked_at`` is called with the node of the tree that was clicked."""
        self._picked = picked
        self._quiet = False  # a change of the slider is the view's own
        with card("found", "What was found"):
            self._status = ui.html("", sanitize=False).classes("status").props("role=status aria-live=polite")
            self._caption = ui.html("", sanitize=False).classes("none")
            self._strip = ui.html("", sanitize=False).classes("strip").props('aria-label="Choice by budget"')
            self._strip.on("click", lambda e: self._pick(e.args), js_handler=_SHOT)
            self._slider = ui.slider(min=0, max=1, step=1, value=0, on_change=self._slid)
            self._slider.props('snap markers aria-label="Budget shown"')
            self._chart = ui.echart({}, renderer="svg").classes("chart")
        with card("tree", "Tree"):
            self._tree = TreePanel(looked_at)

    def tables(self) -> None:
        """The cards beside the tree, where the caller is."""
        with card("principal", "Expected line and moves"):
            self._line = _titled("Expected line")
            self._moves = _titled("Moves")
        with card("halving", "Gumbel's candidates") as self._halving_card:
            self._halving = _titled("Gumbel's candidates")
        with card("beliefs", "Beliefs of the model") as self._beliefs_card:
            self._beliefs = _titled("What the model believes")
        with card("command", "The same in a terminal"):
            self._command = _titled("The same in a terminal")

    def reset(self) -> None:
        """Another search: only the root of its tree is open."""
        self._tree.reset()

    def say(self, text: str, *, failed: bool = False) -> None:
        """A message in place of a result."""
        self._status.content = f'<span class="{"failed" if failed else "none"}">{escape(text)}</span>'

    def add(self, text: str) -> None:
        """A remark after the result."""
        self._status.content += f' <span class="none">{escape(text)}</span>'

    def draw(self, shots: Sequence[Snapshot], shown: int, searched: Searched) -> None:
        """Shows one of the snapshots."""
        shot, state, scale = shots[shown], searched.state, searched.scale
        names, result = action_strings(state), shot.result
        colours = move_colours(shots)
        worth = "points expected" if scale.points else "chance of winning"
        whom = "you" if searched.mover == "You" else searched.mover
        self._status.content = (
            f"Best for {escape(whom)}: <b>{escape(names[result.action])}</b>, "
            f"<b>{scale.of_value(result.action_values.get(result.action, result.value))}</b> {worth} "
            f'<span class="none">({tables.effort_text(shot)}'
            f"{', ' + escape(result.stopped) if shot.unit == 'looks' else ''})</span>"
        )
        self._caption.content = f"The choice at each budget, in {shot.unit}:"
        self._strip.content = tables.strip_html(shots, names, chosen=shown, colours=colours)
        ui.run_javascript(_SCROLL)
        with self._quietly():
            self._slider.props(f"max={max(1, len(shots) - 1)}")
            self._slider.set_value(shown)
        for element in (self._caption, self._strip, self._slider, self._chart):
            element.set_visibility(len(shots) > 1 and len(names) > 1)
        self._chart.options.clear()
        self._chart.options.update(budget_options(shots, names, colours, chosen=shown, scale=scale))
        self._chart.update()
        self._line.content = tables.line_html(line_strings(state, result.principal_variation))
        self._moves.content = tables.moves_html(result, names, scale)
        self._halving.content = tables.halving_html(result, names, scale)
        self._halving_card.set_visibility(bool(result.halving))
        self._beliefs.content = tables.beliefs_html(shot.beliefs, searched.names)
        self._beliefs_card.set_visibility(bool(shot.beliefs))
        self._command.content = tables.command_html(searched.command(shot))
        self._tree.show(result.tree, names=searched.names, mover=state.current_player(), scale=scale)

    def _slid(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if not self._quiet:
            self._pick(event.value)

    def _pick(self, index: object) -> None:
        if isinstance(index, int | float):
            self._picked(int(index))

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        self._quiet = True
        yield
        self._quiet = False


def card(classes: str, label: str) -> ui.element:
    """A card with a name for screen readers."""
    return ui.element("section").classes(f"card {classes}").props(f'aria-label="{label}"')


def _titled(title: str) -> ui.html:
    ui.html(title, tag="h2", sanitize=False)
    return ui.html("", sanitize=False).classes("scroll")
