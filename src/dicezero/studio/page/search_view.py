"""Looking into a search: the tree of an agent for the position on the board, live while it thinks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from nicegui import ui

from dicezero.rules.protocol import Game, State
from dicezero.rules.reading import action_strings
from dicezero.studio.analysis import MAX_SECONDS, Analysis, Snapshot
from dicezero.studio.catalog import Catalog
from dicezero.studio.hall import Hall
from dicezero.studio.own_games import split_name
from dicezero.studio.page.boards import View, board_html
from dicezero.studio.page.search_found import Found, Searched, card
from dicezero.studio.page.searchers import budgets, searchers
from dicezero.studio.page.tree_html import tree_colours
from dicezero.studio.scale import Scale

_POLL_SECONDS, _FOLLOW_SECONDS = 0.12, 1.0  # between looks at the analysis, and at the game
_CSS = files("dicezero.studio.page") / "assets" / "search.css"


@dataclass(frozen=True)
class Position:
    """What is looked at.

    Attributes:
        game: its name, as the catalog offers it.
        actions: from the start to the position, chance outcomes included.
        opponent: whom the person plays against, an id of the catalog.
        names: what the players are called.
        seat: from whose side the board is seen.
        start: where the game began, in its own notation; None for the game's own start.
    """

    game: str
    actions: tuple[int, ...]
    opponent: str = ""
    names: tuple[str, str] = ("player 0", "player 1")
    seat: int = 0
    start: str | None = None


class SearchView:
    """One person's look into searches. An analysis runs in the hall's threads; what fails is a message."""

    def __init__(self, get_position: Callable[[], Position | None], catalog: Catalog, hall: Hall) -> None:
        self._get_position = get_position
        self._catalog = catalog
        self._hall = hall
        self._position: Position | None = None
        self._game: Game | None = None
        self._state: State | None = None
        self._analysis: Analysis | None = None
        self._shots: tuple[Snapshot, ...] = ()
        self._shown = -1  # which snapshot; the newest one while ``_follow``
        self._follow = True
        self._quiet = False  # changes of the controls are the view's own
        self._moves_made = ""  # to the position, as --moves takes them
        self._named: object = None  # the game, as a terminal takes it
        self._back = False  # the position is the last choice, not what is on the board
        self.active = False
        ui.add_css(tree_colours() + _CSS.read_text("utf-8"))
        with ui.element("main").classes("search"):
            with ui.element("div").classes("search-ask"):
                self._controls()
            with ui.element("div").classes("search-main"):
                self._found = Found(self._show)
            with ui.element("div").classes("search-side"):
                self._found.tables()
        self._timer = ui.timer(_POLL_SECONDS, self._look, active=False)
        ui.timer(_FOLLOW_SECONDS, self._follow_game)
        ui.context.client.on_delete(self.close)

    def _controls(self) -> None:
        with card("ask", "What is searched"):
            self._agent = ui.select({}, label="Agent", on_change=self._agent_changed)
            self._agent.props('outlined dense options-dense aria-label="Agent"').classes("wide")
            with ui.element("div").classes("row-of-two"):
                self._budget = ui.select({0: "its own"}, value=0, label="Budget", on_change=self._restart)
                self._budget.props('outlined dense options-dense aria-label="Budget"')
                self._seed = ui.number("Seed", value=0, min=0, precision=0, on_change=self._restart)
                self._seed.props('outlined dense debounce=400 aria-label="Seed of the search"')
            self._where = ui.html("", sanitize=False).classes("where")
            self._board = ui.html("", sanitize=False).classes("small-board")

    async def open(self) -> None:
        """The view comes into sight, or the position on the board has changed."""
        self.active = True
        position = self._get_position()
        if position == self._position and self._analysis is not None:
            return
        changed = position is None or self._position is None or position.game != self._position.game
        self._position = position
        if position is None:
            self._found.say("There is no game yet.")
            return
        try:
            await asyncio.to_thread(self._reach, position)
            if changed or position.opponent not in self._agent.options:
                await self._offer(position)
        except ValueError as error:
            self._found.say(str(error), failed=True)
            return
        self._show_board(position)
        self._start()

    def _show_board(self, position: Position) -> None:
        """The position that is searched."""
        if self._state is None:
            self._board.content = self._where.content = ""
            return
        mover = escape(position.names[self._state.current_player()])
        back = "The last choice before what is on the board: " if self._back else ""
        self._where.content = f"{back}{mover} to move; every number is for {mover}."
        self._board.content = board_html(self._state, View(seat=position.seat, names=position.names))

    async def _follow_game(self) -> None:
        """The opponent may move while the view is in sight."""
        if self.active and self._get_position() != self._position:
            await self.open()

    def close(self) -> None:
        """It goes out of sight: nothing more is searched."""
        self.active = False
        self._timer.active = False
        if self._analysis is not None and self._analysis.running:
            self._analysis.cancel()
            self._analysis = None

    def _reach(self, position: Position) -> None:
        """The last choice at or before the position."""
        self._game = self._catalog.game(position.game)
        begin = [] if position.start is None else [position.start]
        state = self._game.new_initial_state(*begin)
        place, _ = split_name(position.game)
        self._named = position.game if place else self._game  # a file's name is what a terminal takes
        self._state, self._moves_made = None, ""
        made: list[str] = []
        for action in (*position.actions, None):
            if state.current_player() >= 0:
                self._state, self._moves_made = state.clone(), ",".join(made)
            if action is not None:
                made.append(action_strings(state)[action])
                state.apply_action(action)
        self._back = state.current_player() < 0

    async def _offer(self, position: Position) -> None:
        options = await asyncio.to_thread(searchers, self._catalog, position.game)
        kept = self._agent.value
        first = position.opponent if position.opponent in options else next(iter(options))
        with self._quietly():
            self._agent.set_options(options, value=kept if kept in options else first)
            self._budget.set_options(budgets(self._spec()), value=0)

    def _spec(self) -> str:
        if self._game is None or not self._agent.value:
            return ""
        return self._catalog.spec(str(self._agent.value), self._game)

    def _agent_changed(self) -> None:
        if self._quiet or not self._agent.value:
            return
        with self._quietly():
            self._budget.set_options(budgets(self._spec()), value=0)
        self._start()

    def _restart(self) -> None:
        if not self._quiet and self.active:
            self._start()

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        self._quiet = True
        yield
        self._quiet = False

    def _start(self) -> None:
        """A new analysis in place of the one there is."""
        if self._analysis is not None:
            self._analysis.cancel()
            self._analysis = None
        self._shots, self._shown, self._follow = (), -1, True
        self._found.reset()
        if self._game is None or self._state is None:
            self._found.say("Nobody has had to choose yet: let the dice roll.")
            return
        try:
            spec = self._spec()
        except ValueError as error:  # a run that has gone, or weights no longer kept
            self._found.say(str(error), failed=True)
            return
        seed, budget = int(self._seed.value or 0), int(self._budget.value or 0)
        self._analysis = Analysis(
            self._game,
            self._state,
            spec,
            seed=seed,
            simulations=budget or None,
            make=self._catalog.agent,
        ).start(self._hall.thinking)
        self._found.say("thinking …")
        self._timer.active = True

    def _look(self) -> None:
        """What is new since the last look."""
        analysis = self._analysis
        if analysis is None:
            self._timer.active = False
            return
        running = analysis.running  # before the snapshots: none can come after
        shots = analysis.snapshots
        if len(shots) != len(self._shots):
            self._shots = shots
            if self._follow or self._shown < 0:
                self._shown = len(shots) - 1
            self._draw()
        if not running:
            self._timer.active = False
            self._tell_end(analysis)

    def _tell_end(self, analysis: Analysis) -> None:
        if analysis.error is not None:
            self._found.say(analysis.error, failed=True)
        elif self._shots and not self._shots[-1].full:
            note = f"ended after {MAX_SECONDS:g} s; the full budget would take longer"
            self._found.add(note)

    def _draw(self) -> None:
        if self._state is not None and self._position is not None and self._game is not None:
            scale = Scale.of(self._game)
            searched = Searched(self._state, self._position.names, scale, self._command_text)
            self._found.draw(self._shots, self._shown, searched)

    def _command_text(self, shot: Snapshot) -> str:
        start = self._position.start if self._position else None
        place = f' --position "{start}"' if start else ""
        moves = f' --moves "{self._moves_made}"' if self._moves_made else ""
        seed = int(self._seed.value or 0)
        return f'dicezero search "{shot.spec}" --game "{self._named}"{place}{moves} --seed {seed} --show'

    def _show(self, index: int) -> None:
        if 0 <= index < len(self._shots):
            self._shown = index
            self._follow = self._shown == len(self._shots) - 1
            self._draw()
