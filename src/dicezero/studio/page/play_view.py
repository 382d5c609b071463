"""Playing: the board, the moves with their grades, the line of win probability and the end of a game."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from nicegui import ui

from dicezero.rules.protocol import State
from dicezero.rules.reading import action_strings, is_over
from dicezero.studio import game_files
from dicezero.studio.catalog import Catalog, GameOffer
from dicezero.studio.hall import Hall, NoTableError
from dicezero.studio.page.boards import read_path
from dicezero.studio.page.cube_answers import advise_cube, answer_cube
from dicezero.studio.page.file_buttons import hand_out
from dicezero.studio.page.gallery import Gallery
from dicezero.studio.page.session_view import SessionView
from dicezero.studio.page.setup_panel import Choice, SetupPanel
from dicezero.studio.page.stage import Stage
from dicezero.studio.page.story_grader import StoryGrader
from dicezero.studio.page.wishes import Wishes
from dicezero.studio.page.words import advice_line
from dicezero.studio.table import Event

_FORCED_SECONDS = 1.0  # in which the only move is seen before it is played
_PAUSES = {"roll": 0.62, "move": 0.48, "forced": 0.6}  # seconds in which the last thing is seen happening
_TO_THE_BOARD = "scrollTo({top: 0, behavior: 'instant'})"  # from the button that begins, below it on a phone


class PlayView:
    """One person's game. Everything slow runs in threads; while it does, ``busy`` refuses moves."""

    def __init__(self, catalog: Catalog, hall: Hall, games: Sequence[GameOffer]) -> None:
        self._hall, self._catalog = hall, catalog
        self.view: SessionView | None = None
        self.still = False  # whether the browser asks for no motion
        self._wishes = Wishes()
        with ui.element("main").classes("play choosing") as self._main:
            self._gallery = Gallery(
                catalog, games, lambda game: self.setup.begin_game(game), self._stop_browsing
            )
            with ui.element("div").classes("setup-column"):
                self.setup = SetupPanel(catalog, games, self.open, self.browse)
            self.stage = Stage(self)
        self._client = ui.context.client
        self._grader = StoryGrader(self._client, self.stage, lambda: self.view)
        self._client.on_delete(self.leave)

    def browse(self) -> None:
        """The pictures of all games; the one being played waits."""
        self._main.classes(add="choosing")
        self.setup.playing(on=False)
        self._gallery.show(playing=self.view is not None)

    async def draw_tiles(self) -> None:
        """Makes the pictures, once, and shows them."""
        await self._gallery.fill()
        if self.view is None:
            self.browse()

    def _stop_browsing(self) -> None:
        self._main.classes(remove="choosing")
        self._gallery.hide()
        self.setup.playing(on=True)

    async def open(self, choice: Choice) -> None:
        """A new table in place of the one there is."""
        self.stage.say(f"{choice.title} takes a seat \u2026")
        try:
            session = await asyncio.to_thread(choice.open, self._hall)
        except (ValueError, RuntimeError) as error:  # a choice that cannot be had, or no table free
            self.stage.complain(str(error))
            if self.view is not None:
                self.stage.refresh(self.view)
            return
        self.leave()
        session.holder = self
        self._sit_down(SessionView(session, choice.title))
        self._client.run_javascript(_TO_THE_BOARD)
        await self._go_on()

    async def take_up(self, table: str) -> bool:
        """Goes on with a game after the page was loaded again; False where there is no such table."""
        try:
            session = self._hall.get(table)
        except NoTableError:
            return False
        if session.holder is not None:  # a table that a program opened stays the program's
            session.holder = self
        self._sit_down(SessionView(session, self.setup.title(session.opponent)))
        await self._go_on()
        return True

    def leave(self) -> None:
        """Gives the table back, unless the page was loaded again and another view has taken it up."""
        if self.view is not None:
            if self.view.session.holder is self:
                with suppress(NoTableError):  # left idle for an hour: cleared away already
                    self._hall.close(self.view.session.id)
            self.view = None

    def _sit_down(self, view: SessionView) -> None:
        self.view = view
        self._wishes.forget()
        self._stop_browsing()
        ui.navigate.history.replace(f"/?table={view.session.id}")

    async def play(self, action: int) -> None:
        """The person's move, then all up to their next one; in an earlier position it begins a line."""
        view = self.view
        if view is None or view.busy or action not in view.legal():
            return
        # A move waits for a hint, but not for dice or the opponent: nobody means a position to come.
        if self._wishes.keep(view, lambda: self.play(action), here=True):
            return
        if view.shown is not None:
            self._go_back(view)
        before = view.position()
        view.busy, view.advice = True, None
        try:
            event = await asyncio.to_thread(view.session.play, action)
        except ValueError as error:
            view.busy = False
            self.stage.complain(str(error))
            return
        if await self._seen(view, before, event):
            self._grader.grade_later(view)
            await self._go_on()

    async def answer(self, word: str) -> None:
        """What the person does with the cube, and on."""
        view, pause = self.view, 0.0 if self.still else _PAUSES["move"]
        if view is not None and await answer_cube(view, word, self.stage, pause=pause):
            await self._go_on()

    async def branch(self) -> None:
        """Plays on from the position that is shown, as a line of its own."""
        view = self.view
        if view is None or self._wishes.keep(view, self.branch) or view.shown is None:
            return
        self._go_back(view)
        await self._go_on()

    async def switch(self, line: int) -> None:
        """Puts another line on the board, at its end."""
        view = self.view
        if view is None or self._wishes.keep(view, lambda: self.switch(line)):
            return
        lines = view.lines()
        if 0 <= line < len(lines):
            view.session.go_to(lines[line].actions, lines[line].doubles)
            view.shown = view.advice = None
            self._shorten(view)
            await self._go_on()

    def _go_back(self, view: SessionView) -> None:
        """The position that is shown becomes the one that is played."""
        view.session.back_to(len(view.session.table.actions) if view.shown is None else view.shown)
        view.shown = view.advice = None
        self._shorten(view)

    def save(self, suffix: str) -> None:
        """The line on the board as a file, for the browser to keep."""
        if self.view is not None:
            hand_out(self.view, suffix, self.stage.complain)

    async def load(self, name: str, text: str) -> None:
        """The game of a file in place of the one there is, against the opponent that is chosen."""
        try:
            loaded = await asyncio.to_thread(game_files.load, name, text, self._catalog)
        except ValueError as error:
            self.stage.complain(f"The file was not loaded: {error}")
            return
        await self.open(await self.setup.choice_for(loaded.record, loaded.game))
        self.stage.tell(loaded.note)

    def pick(self, path: str) -> None:
        """The first places of a move, as they are clicked."""
        view = self.view
        if view is not None and not view.busy:
            ply = len(view.session.table.actions) if view.shown is None else view.shown
            view.picked = ply, read_path(path)
            self.stage.draw(view)

    async def undo(self) -> None:
        """Back to the person's last choice."""
        view = self.view
        if view is None or self._wishes.keep(view, self.undo):
            return
        view.shown = view.advice = None
        if await asyncio.to_thread(view.session.undo):
            self._shorten(view)
        else:
            self.stage.complain("There is nothing to take back yet.")
        await self._go_on()

    async def retry(self) -> None:
        """The same game, the same dice, from the start."""
        view = self.view
        if view is None or self._wishes.keep(view, self.retry):
            return
        view.shown = view.advice = None
        await asyncio.to_thread(view.session.retry)
        self._shorten(view)
        await self._go_on()

    async def advise(self) -> None:
        """Points out what the best judge there is would play for the person."""
        view = self.view
        if view is None or self._wishes.keep(view, self.advise) or view.shown is not None:
            return
        if await advise_cube(view, self.stage) or not view.session.table.legal():
            return
        view.advising = True
        self.stage.say("Looking for a good move \u2026")
        try:
            view.advice = view.advice or await asyncio.to_thread(view.session.advise)
        except Exception as error:  # an agent may fail in any way; the game goes on
            self.stage.complain(f"No hint: {error}")
        finally:
            view.advising = False
        if view is not self.view:  # another game has begun meanwhile
            return
        self.stage.refresh(view)
        if view.advice is not None:
            names, adviser = view.session.table.legal(), view.opponent if view.alone else ""
            self.stage.say(advice_line(view.advice, names, view.stakes(), adviser=adviser))
        await self._wishes.grant(view)

    def look(self, ply: int | None) -> None:
        """Shows the position after ``ply`` actions; the last one, or None, is the game itself."""
        view = self.view
        if view is None or self._wishes.keep(view, lambda: self.look(ply)):
            return
        count = len(view.session.table.actions)
        view.shown = None if ply is None or ply >= count else max(0, ply)
        view.advice = None
        self.stage.refresh(view)

    def step(self, by: int) -> None:
        """One position back or forward."""
        if self.view is not None and not self._wishes.keep(self.view, lambda: self.step(by)):
            count = len(self.view.session.table.actions)
            self.look((count if self.view.shown is None else self.view.shown) + by)

    async def _go_on(self) -> None:
        """Dice and agent, one thing after the other, until the person has to choose or the game is over."""
        view = self.view
        if view is None:
            return
        view.busy = True
        self.stage.refresh(view)
        try:
            while True:
                before = view.position()
                self.stage.expect(view, before)
                await self._announce_forced(view, before)
                event = await asyncio.to_thread(view.session.advance)
                if event is None or not await self._seen(view, before, event):
                    break
        except Exception as error:  # an agent may fail in any way; the page stays
            self.stage.complain(f"{view.opponent} failed: {error}. Undo, or start a new game.")
        finally:
            view.busy = False
        if view is self.view:
            self.stage.refresh(view)
            self._grader.grade_later(view)
            await self._wishes.grant(view)

    async def _announce_forced(self, view: SessionView, state: State) -> None:
        """Shows the person's only move before it is played, unless they would rather not wait."""
        if is_over(state) or state.current_player() != view.seat or view is not self.view:
            return
        names = action_strings(state)
        if len(names) != 1 or not self.setup.shows_forced():
            return
        ((view.pending, name),) = names.items()
        self.stage.draw(view)
        self.stage.say(f"Your only move: {name}")
        await asyncio.sleep(0 if self.still else _FORCED_SECONDS)
        view.pending = None

    async def _seen(self, view: SessionView, before: State, event: Event) -> bool:
        """Draws what happened and leaves time to see it; False when another game has begun meanwhile."""
        if view is not self.view:
            return False
        self.stage.draw(view, before)
        self.stage.announce(view, event)
        await asyncio.sleep(0 if self.still else _PAUSES[event.kind])
        return view is self.view

    def _shorten(self, view: SessionView) -> None:
        if view.story is not None and not view.fits(view.story):
            view.story = None
