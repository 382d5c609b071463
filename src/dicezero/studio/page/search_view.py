"""Looking into a search: the tree of an agent for the position on the board, live while it searches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from importlib.resources import files

from nicegui import ui

from dicezero.studio.analysis import MAX_SECONDS, Analysis, Snapshot
from dicezero.studio.branches import Path
from dicezero.studio.catalog import Catalog
from dicezero.studio.hall import Hall
from dicezero.studio.page.boards import View, board_html
from dicezero.studio.page.search_found import Found, Searched, card
from dicezero.studio.page.search_position import ON_BOARD, Position, Reached, reach, studies
from dicezero.studio.page.searchers import budgets, favourites, searchers
from dicezero.studio.page.tree_html import tree_colours
from dicezero.studio.scale import Scale

_POLL_SECONDS, _FOLLOW_SECONDS = 0.12, 1.0  # between looks at the analysis, and at the game
_CSS = files("dicezero.studio.page") / "assets" / "search.css"


class SearchView:
    """One person's look into searches. An analysis runs in the hall's threads; what fails is a message."""

    def __init__(self, get_position: Callable[[], Position | None], catalog: Catalog, hall: Hall) -> None:
        self._get_position = get_position
        self._catalog = catalog
        self._hall = hall
        self._position: Position | None = None
        self._reached: Reached | None = None
        self._studies: dict[str, Position] | None = None  # made when the view is first in sight
        self._looked_at: Path = ()  # the node of the tree whose position is on the small board
        self._analysis: Analysis | None = None
        self._shots: tuple[Snapshot, ...] = ()
        self._shown = -1  # which snapshot; the newest one while ``_follow``
        self._follow = True
        self._quiet = False  # changes of the controls are the view's own
        self.active = False
        ui.add_css(tree_colours() + _CSS.read_text("utf-8"))
        with ui.element("main").classes("search") as self._main:
            with ui.element("div").classes("search-ask"):
                self._controls()
            with ui.element("div").classes("search-main"):
                self._found = Found(self._show, self._look_at)
            with ui.element("div").classes("search-side"):
                self._found.tables()
        self._timer = ui.timer(_POLL_SECONDS, self._look, active=False)
        ui.timer(_FOLLOW_SECONDS, self._follow_game)
        ui.context.client.on_delete(self.close)

    def _controls(self) -> None:
        with card("ask", "What is searched"):
            self._which = ui.select({ON_BOARD: "The game on the board"}, value=ON_BOARD, label="Position")
            self._which.props('outlined dense options-dense aria-label="Position"').classes("wide")
            self._which.on_value_change(self._chosen)
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
        if self._studies is None:
            self._studies = await asyncio.to_thread(studies, self._catalog)
        self._offer_positions()
        position = self._wanted()
        if position == self._position and self._analysis is not None:
            return
        changed = position is None or self._position is None or position.game != self._position.game
        changed |= position is not None and position.study is not None
        met = self._position is not None and position is not None
        another = not met or position.opponent != self._position.opponent  # type: ignore[union-attr]
        self._position = position
        if position is None:
            self._found.say("There is no game yet.")
            return
        try:
            self._reached = await asyncio.to_thread(reach, position, self._catalog)
            if changed or another:
                await self._offer(position, keep=not another)
        except ValueError as error:
            self._found.say(str(error), failed=True)
            return
        mover = self._reached.state.current_player() if self._reached.state is not None else 0
        second = mover == 1 and position.study is None
        self._main.classes(add="second" if second else "", remove="" if second else "second")
        self._show_board()
        self._start()

    def _offer_positions(self) -> None:
        """The game on the board, if there is one, and the positions of textbooks."""
        titles = {} if self._get_position() is None else {ON_BOARD: "The game on the board"}
        options = titles | {title: title for title in self._studies or {}}
        if options and options != self._which.options:
            kept = self._which.value if self._which.value in options else next(iter(options))
            with self._quietly():
                self._which.set_options(options, value=kept)

    def _wanted(self) -> Position | None:
        """The position that is chosen."""
        return (self._studies or {}).get(str(self._which.value)) or self._get_position()

    async def _chosen(self) -> None:
        if not self._quiet and self.active:
            await self.open()

    def _show_board(self) -> None:
        """The position that is searched, or the one behind a node of the tree, with the favourite moves."""
        position, reached = self._position, self._reached
        if position is None or reached is None or reached.state is None:
            self._board.content = self._where.content = ""
            return
        name = position.names[reached.state.current_player()]
        mover, whom = ("Your move", "you") if name == "You" else (f"{name} to move", name)
        back = "The last choice before what is on the board. " if reached.back else ""
        words = [f"{back}{mover}; all numbers are for {whom}."]
        if position.study is not None:
            words.insert(0, position.study.text)
        state, path = reached.after(self._looked_at) or (reached.state, ())
        shown = 0 <= self._shown < len(self._shots) and not path
        arrows = favourites(state, self._shots[self._shown].result, Scale.of(reached.game)) if shown else ()
        if path:
            words.append(f"On the board: after {', '.join(path)}.")
        self._where.content = "".join(f"<p>{escape(text)}</p>" for text in words)
        self._board.content = board_html(state, View(seat=position.seat, names=position.names, arrows=arrows))

    def _look_at(self, path: Path) -> None:
        """A node of the tree is looked at: its position on the small board."""
        self._looked_at = path
        self._show_board()

    async def _follow_game(self) -> None:
        """The opponent may move while the view is in sight."""
        if self.active and self._studies is not None and self._wanted() != self._position:
            await self.open()

    def close(self) -> None:
        """It goes out of sight: nothing more is searched."""
        self.active = False
        self._timer.active = False
        if self._analysis is not None and self._analysis.running:
            self._analysis.cancel()
            self._analysis = None

    async def _offer(self, position: Position, *, keep: bool) -> None:
        """The agents for a position; ``keep`` the one that is chosen, else the opponent comes first."""
        options = await asyncio.to_thread(searchers, self._catalog, position.game)
        named = dict(position.study.agents) if position.study else {}
        options = named | options
        kept = None if named or not keep else self._agent.value
        first = next(iter(options))  # of a tree that is written out: a textbook's search
        explicit = self._reached is not None and getattr(self._reached.game, "tree_is_explicit", False)
        if position.opponent in options and not explicit:
            first = position.opponent
        with self._quietly():
            self._agent.set_options(options, value=kept if kept in options else first)
            self._budget.set_options(budgets(self._spec()), value=0)

    def _spec(self) -> str:
        if self._reached is None or not self._agent.value:
            return ""
        return self._catalog.spec(str(self._agent.value), self._reached.game)

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
        self._shots, self._shown, self._follow, self._looked_at = (), -1, True, ()
        self._found.reset()
        reached = self._reached
        if reached is None or reached.state is None:
            self._found.say("Nobody has had to choose yet: let the dice roll.")
            return
        try:
            spec = self._spec()
        except ValueError as error:  # a run that has gone, or weights no longer kept
            self._found.say(str(error), failed=True)
            return
        seed, budget = int(self._seed.value or 0), int(self._budget.value or 0)
        self._analysis = Analysis(
            reached.game,
            reached.state,
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
        position, reached = self._position, self._reached
        if position is not None and reached is not None and reached.state is not None:
            scale = Scale.of(reached.game)
            searched = Searched(reached.state, position.names, scale, self._command_text)
            self._found.draw(self._shots, self._shown, searched)
            self._show_board()

    def _command_text(self, shot: Snapshot) -> str:
        start = self._position.start if self._position else None
        reached = self._reached
        place = f' --position "{start}"' if start else ""
        moves = f' --moves "{reached.moves}"' if reached and reached.moves else ""
        named = reached.named if reached else ""
        seed = int(self._seed.value or 0)
        return f'dicezero search "{shot.spec}" --game "{named}"{place}{moves} --seed {seed} --show'

    def _show(self, index: int) -> None:
        if 0 <= index < len(self._shots):
            self._shown = index
            self._follow = self._shown == len(self._shots) - 1
            self._draw()
