"""A table in use: its lock, the grades of its moves, its story."""

from __future__ import annotations

import threading
import time
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING

from dicezero.studio.grading import Grade
from dicezero.studio.pool import BusyError
from dicezero.studio.story import Story, tell
from dicezero.studio.table import Event, Table

if TYPE_CHECKING:
    from dicezero.studio.hall import Hall


class Session:
    """A table that several threads may ask for; each call holds the table's lock for as long as it takes.

    Attributes:
        id: unguessable.
        game, opponent: what was asked for.
        spec: the agent that plays, as a name.
        table: take ``lock`` around direct use.
        touched: when it was last used, by ``time.monotonic``.
        holder: the page that shows it, if one does.
    """

    def __init__(
        self, session_id: str, game: str, opponent: str, spec: str, table: Table, hall: Hall
    ) -> None:
        self.id = session_id
        self.game = game
        self.opponent = opponent
        self.spec = spec
        self.table = table
        self.lock = threading.RLock()
        self.touched = time.monotonic()
        self.holder: object | None = None
        self._hall = hall
        self._grades: dict[int, Future[Grade]] = {}
        self._story: Story | None = None

    def play(self, action: int) -> Event:
        """The person's move; its grade is worked out in the background."""
        with self.lock:
            ply = len(self.table.actions)
            event = self.table.play(action)
            if event.kind == "move" and self.graded:
                self._grade_later(ply)
            return event

    def advance(self) -> Event | None:
        """See ``Table.advance``."""
        with self.lock:
            return self.table.advance()

    def settle(self) -> list[Event]:
        """Advances until the person has to choose or the game is over.

        Who watches an agent play alone sees one move of it at a time.
        """
        with self.lock:
            events = []
            while (event := self.table.advance()) is not None:
                events.append(event)
                if self.table.watching and event.player >= 0:
                    break
            return events

    def undo(self) -> bool:
        """See ``Table.undo``; grades of moves taken back are forgotten."""
        with self.lock:
            done = self.table.undo()
            self._forget()
            return done

    def retry(self) -> None:
        """See ``Table.retry``."""
        with self.lock:
            self.table.retry()
            self._forget()

    def grade(self, ply: int) -> Grade | None:
        """The grade of the person's move at ``ply`` (its place in the actions); None until it is ready."""
        with self.lock:
            future = self._grades.get(ply)
        if future is None or not future.done():
            return None
        try:
            return future.result()
        except (Exception, CancelledError):  # a game goes on without a grade
            return None

    def grades(self) -> dict[int, Grade]:
        """Those that are ready, by ply."""
        with self.lock:
            plies = sorted(self._grades)
        return {ply: grade for ply in plies if (grade := self.grade(ply)) is not None}

    @property
    def graded(self) -> bool:
        """Whether moves are judged by win probability: two play, and positions can be searched."""
        spec = self.table.spec
        return spec.players == 2 and spec.simulator == "states"

    def story(self) -> Future[Story]:
        """The game so far, told in the background.

        Raises:
            BusyError: too many wait.
            ValueError: the game is not graded.
        """
        if not self.graded:
            raise ValueError(f"{self.table.spec.name} has no story: win probability is for games of two")
        with self.lock:
            actions, known = self.table.actions, self._story
        return self._hall.thinking.submit(self._tell, actions, known)

    def _tell(self, actions: tuple[int, ...], known: Story | None) -> Story:
        game = self.table.game
        story = tell(game, actions, self._hall.grader(game), known=known)
        self._story = story
        return story

    def _grade_later(self, ply: int) -> None:
        state, action = self.table.position(ply), self.table.actions[ply]
        grader = self._hall.grader(self.table.game)
        try:
            self._grades[ply] = self._hall.grading.submit(grader.grade, state, action)
        except BusyError:  # the game goes on; the story will have the grade
            self._grades.pop(ply, None)

    def _forget(self) -> None:
        for ply in [ply for ply in self._grades if ply >= len(self.table.actions)]:
            self._grades.pop(ply).cancel()
