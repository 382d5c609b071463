"""The grades of a person's moves, worked out in the background while the game goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress

from dicezero.rules.protocol import State
from dicezero.studio.grading import Grade, Grader
from dicezero.studio.lines import Actions
from dicezero.studio.pool import BusyError, Pool


class MoveGrades:
    """Grades by the actions up to the move and with it. Safe for many threads."""

    def __init__(self, pool: Callable[[], Pool]) -> None:
        """``pool`` gives the threads that grade, when there is something to grade."""
        self._pool = pool
        self._lock = threading.Lock()
        self._futures: dict[Actions, Future[Grade]] = {}

    def begin(self, grader: Grader, state: State, actions: Actions) -> None:
        """Queues the last of ``actions``, made at ``state``; where too many wait the story will have it."""
        with self._lock, suppress(BusyError):
            self._futures.pop(actions, None)
            self._futures[actions] = self._pool().submit(grader.grade, state, actions[-1])

    def ready(self, actions: Actions) -> Grade | None:
        """The grade of the last of ``actions``; None until it is ready."""
        future = self._future(actions)
        return _result(future) if future is not None and future.done() else None

    def soon(self, actions: Actions) -> Grade | None:
        """The same where somebody is at it, which is waited for; what is only queued is not."""
        future = self._future(actions)
        return _result(future) if future is not None and (future.running() or future.done()) else None

    def of_line(self, actions: Actions) -> dict[int, Grade]:
        """Those of a line's moves that are ready, by their place in it."""
        places = range(len(actions)) if self._futures else range(0)
        return {at: grade for at in places if (grade := self.ready(actions[: at + 1])) is not None}

    def losses(self, actions: Actions, *, patience: float) -> list[float]:
        """What the graded moves of a line have lost, in their order; waits so many seconds for each."""
        losses = []
        for at in range(len(actions)):
            future = self._future(actions[: at + 1])
            if future is not None:
                with suppress(Exception, CancelledError):  # a move that could not be graded does not count
                    losses.append(future.result(timeout=patience).lost)
        return losses

    def clear(self) -> None:
        """Forgets all, and drops what is only queued."""
        with self._lock:
            for future in self._futures.values():
                future.cancel()
            self._futures.clear()

    def _future(self, actions: Actions) -> Future[Grade] | None:
        with self._lock:
            return self._futures.get(actions)


def _result(future: Future[Grade]) -> Grade | None:
    try:
        return future.result()
    except (Exception, CancelledError):  # a game goes on without a grade
        return None
