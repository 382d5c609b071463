"""What is seen of a game: board, status, verdict, chart and moves; what to do is a ``Player``'s business."""

from __future__ import annotations

from collections.abc import Awaitable
from html import escape
from typing import Protocol

from nicegui import events, ui

from dicezero.rules.protocol import State, is_chance
from dicezero.studio.page.file_buttons import FileButtons
from dicezero.studio.page.line_list import LineList
from dicezero.studio.page.session_view import SessionView
from dicezero.studio.page.verdict_card import end_card, verdict_card
from dicezero.studio.page.win_chart import total_options, win_options
from dicezero.studio.page.words import cube_line, result_line
from dicezero.studio.table import Event

_TITLES = {
    "win": "Your chance of winning",
    "points": "Your expected points",
    "total": "Your score",
}
_ENLARGE = "(e) => e.target.closest('.stage').querySelector('.board-holder').classList.toggle('large')"
_CURRENT_IN_SIGHT = """setTimeout(() => { const list = document.querySelector(".plies"),
    one = list?.querySelector("[aria-current]"); if (!one) return;
    const above = one.getBoundingClientRect().top - list.getBoundingClientRect().top;
    const below = above + one.offsetHeight - list.clientHeight;
    list.scrollTop += above < 0 ? above : Math.max(0, below); }, 30)"""
_CLICKED = "(e) => { const m = e.target.closest('[data-%s]'); if (m) emit(Number(m.dataset.%s)); }"


class Player(Protocol):
    """What the buttons do."""

    def play(self, action: int) -> Awaitable[None]:
        """A move on the board."""

    def pick(self, path: str) -> None:
        """A move is begun, gone on with or let go."""

    def answer(self, word: str) -> Awaitable[None]:
        """Decides on the doubling cube."""

    def undo(self) -> Awaitable[None]:
        """Takes the last move back."""

    def retry(self) -> Awaitable[None]:
        """Starts the same game again."""

    def advise(self) -> Awaitable[None]:
        """Gives a hint."""

    def branch(self) -> Awaitable[None]:
        """Plays on from the position that is shown."""

    def switch(self, line: int) -> Awaitable[None]:
        """Puts another line on the board."""

    def save(self, suffix: str) -> None:
        """Hands the game out as a file."""

    def load(self, name: str, text: str) -> Awaitable[None]:
        """Takes up the game of a file."""

    def look(self, ply: int | None) -> None:
        """Shows an earlier position."""

    def step(self, by: int) -> None:
        """Goes on to a neighbouring position."""


class Stage:
    """The elements of the play view; every method only shows."""

    def __init__(self, player: Player) -> None:
        self._player = player
        with ui.element("div").classes("main-column"):
            self._board_card()
            self._chart_card()
        with ui.element("div").classes("side-column"):
            with _card("verdict", "Your last move"):
                self.verdict = ui.html("", sanitize=False).props("aria-live=polite")
            with _card("moves", "Moves"):
                ui.html("Moves", tag="h2", sanitize=False)
                self.moves = ui.html("", sanitize=False).classes("plies")
                self.moves.on(
                    "click", lambda e: player.look(int(e.args)), js_handler=_CLICKED % ("ply", "ply")
                )
                self.files = FileButtons(player.save, player.load)
            self.lines = LineList(player.switch)

    def _board_card(self) -> None:
        with _card("stage", "Board"):
            self.players = ui.html("", sanitize=False).classes("players")
            self.status = ui.html("", sanitize=False).classes("status").props("role=status aria-live=polite")
            self.board = ui.html("", sanitize=False).classes("board-holder")
            clicked = _CLICKED % ("action", "action")
            self.board.on("click", lambda e: self._player.play(int(e.args)), js_handler=clicked)
            picked = "(e) => { const m = e.target.closest('[data-pick]'); if (m) emit(m.dataset.pick); }"
            self.board.on("click", lambda e: self._player.pick(str(e.args)), js_handler=picked)
            answered = picked.replace("pick", "answer")
            self.board.on("click", lambda e: self._player.answer(str(e.args)), js_handler=answered)
            self._buttons()

    def _chart_card(self) -> None:
        with _card("line", "Win probability"):
            with ui.element("div").classes("heading"):
                self.chart_title = ui.html(_TITLES["win"], tag="h2", sanitize=False)
                self._replay_buttons()
            self.chart = ui.echart(win_options(None, 0), on_point_click=self._point_clicked, renderer="svg")
            self.chart.classes("chart")

    def _buttons(self) -> None:
        with ui.element("div").classes("tools"):
            for name, icon, key, action in (
                ("Undo", "undo", "u", self._player.undo),
                ("Hint", "lightbulb", "h", self._player.advise),
                ("Retry", "replay", "r", self._player.retry),
            ):
                button = ui.button(name, icon=icon, on_click=action).props(f'no-caps flat data-key="{key}"')
                button.classes("tool").tooltip(f"key {key}")
            enlarge = ui.button("Enlarge", icon="zoom_in").props("no-caps flat").classes("tool enlarge")
            enlarge.on("click", js_handler=_ENLARGE)
            self.branch = ui.button("Play on from here", icon="call_split", on_click=self._player.branch)
            self.branch.props('no-caps flat data-key="b"').classes("tool").tooltip("key b")
            self.branch.set_visibility(False)

    def _replay_buttons(self) -> None:
        with ui.element("div").classes("replay"):
            for icon, label, key, action in (
                ("first_page", "start of the game", "<", lambda: self._player.look(0)),
                ("chevron_left", "one back", ",", lambda: self._player.step(-1)),
                ("chevron_right", "one forward", ".", lambda: self._player.step(1)),
                ("last_page", "back to the game", ">", lambda: self._player.look(None)),
            ):
                button = ui.button(icon=icon, on_click=action).props(f'flat dense round data-key="{key}"')
                button.props(f'aria-label="{label}"').tooltip(f"{label}, key {key}")

    def refresh(self, view: SessionView) -> None:
        """Everything that depends on the position looked at."""
        self.players.content = view.players()
        self.draw(view)
        self.say(self._standing(view))
        self.judge(view)

    def draw(self, view: SessionView, before: State | None = None) -> None:
        """The board, with what differs from ``before`` in motion."""
        self.board.content = view.board(before)

    def say(self, text: str) -> None:
        """The line above the board."""
        self.status.content = escape(text)

    def complain(self, text: str) -> None:
        """A mistake or a failure; the game goes on."""
        ui.notify(text, type="warning", multi_line=True, close_button="OK", timeout=8000)

    def tell(self, text: str) -> None:
        """Something that was done, for a moment."""
        ui.notify(text, type="info", multi_line=True, close_button="OK", timeout=5000)

    def expect(self, view: SessionView, state: State) -> None:
        """Shows who is about to act."""
        if not state.is_terminal() and not is_chance(state) and state.current_player() != view.seat:
            self.say(f"{view.opponent} is thinking \u2026")

    def announce(self, view: SessionView, event: Event) -> None:
        """Shows what has just happened."""
        if event.kind == "roll":
            self.say(event.text)
        else:
            only = ", the only move" if event.kind == "forced" else ""
            self.say(f"{view.names[event.player]}: {event.text}{only}")

    def judge(self, view: SessionView) -> None:
        """The verdict, the chart, the list of moves and that of lines."""
        self.verdict.content = end_card(view) or verdict_card(view)
        watched = view.session.table.watching
        self.chart_title.content = "Its score" if watched else _TITLES[view.kind()]
        self.chart.options.clear()
        if view.alone:
            plies = view.plies()
            texts, totals = [ply.text for ply in plies], [ply.total for ply in plies]
            self.chart.options.update(total_options(texts, totals, shown=view.shown))
        else:
            self.chart.options.update(win_options(view.story, view.seat, shown=view.shown, scale=view.scale))
        self.chart.update()
        self.moves.content = view.moves()
        ui.run_javascript(_CURRENT_IN_SIGHT)
        self.lines.show(view)
        self.files.offer(view.session)
        self.branch.set_visibility(view.shown is not None and view.session.table.spec.simulator == "states")

    def _standing(self, view: SessionView) -> str:
        count = len(view.session.table.actions)
        if view.shown is not None:
            mine = " A move here begins a new line." if view.legal() else ""
            return f"Looking back: position {view.shown} of {count}.{mine}"
        returns = view.session.returns
        if returns is not None:
            return result_line(returns, view.seat)
        if (asked := view.question()) is not None:
            return cube_line(asked, view.opponent)
        return "Your move." if view.session.table.legal() and not view.busy else "\u2026"

    def _point_clicked(self, event: events.EChartPointClickEventArguments) -> None:
        self._player.look(event.data_index)


def _card(classes: str, label: str) -> ui.element:
    return ui.element("section").classes(f"card {classes}").props(f'aria-label="{label}"')
