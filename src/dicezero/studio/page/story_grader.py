"""Grades of the moves as they are played: one telling of a game at a time, however fast one plays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from nicegui import Client, background_tasks

from dicezero.studio.page.session_view import SessionView
from dicezero.studio.page.stage import Stage
from dicezero.studio.pool import BusyError

_STEPS = 4  # of a game that are graded at once: the curve grows while the rest is judged
_BUSY_SECONDS = 1.0  # until the next try where others are being served


class StoryGrader:
    """Shows on a stage what each move was worth; ``current`` is the game that is played now."""

    def __init__(self, client: Client, stage: Stage, current: Callable[[], SessionView | None]) -> None:
        self._client, self._stage, self._current = client, stage, current
        self._grading: SessionView | None = None  # whose grading is under way
        self._more = False  # whether something was played since it began

    def grade_later(self, view: SessionView) -> None:
        """Grades what there is, in a thread; what is played meanwhile is graded next."""
        self._more = True
        if view.session.graded and self._grading is not view:
            self._grading = view
            background_tasks.create(self._grade(view), name="story")

    async def _grade(self, view: SessionView) -> None:
        while self._more and view is self._current():
            self._more = False
            try:
                story = await asyncio.wrap_future(view.session.story(more=_STEPS))
            except BusyError:
                self._more = True
                await asyncio.sleep(_BUSY_SECONDS)
                continue
            except Exception as error:  # the game goes on without grades
                with self._client:
                    self._stage.complain(f"The game could not be graded: {error}")
                break
            graded = len(view.story.points) if view.story else 0
            if view is self._current() and view.fits(story) and len(story.points) >= graded:
                view.story = story
                self._more |= story.script != view.session.script
                with self._client:
                    self._stage.judge(view)
        if self._grading is view:
            self._grading = None
