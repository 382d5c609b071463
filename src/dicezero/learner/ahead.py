"""The next round's games, played by a thread of its own while this round trains.

Native code runs without the GIL, so both go on at once. Nothing depends on which of them is done first: the
games are a function of their numbers and the weights they were given.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from types import TracebackType
from typing import Self

from dicezero.selfplay.episode import Episode
from dicezero.selfplay.runtime import OnProgress

_LOOK_SECONDS = 0.2  # between two looks at how far the games are, once nothing else is left to do


class _GivenUp(Exception):  # noqa: N818 - it never leaves this module
    """Raised in the thread: its games are not wanted any more."""


class PlayingAhead:
    """Games under way; ``with`` begins them, and gives them up where the block ends by an exception."""

    def __init__(self, play: Callable[[OnProgress], list[Episode]]) -> None:
        """``play`` calls its argument with its progress each time all games have moved."""
        self._play = play
        self._given_up = threading.Event()
        self._progress = 0, 0
        self.seconds = 0.0  # that it took, once it is done

    def __enter__(self) -> Self:
        self._pool = ThreadPoolExecutor(1, "dicezero-ahead")
        self._games = self._pool.submit(self._run)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._given_up.set()  # they are over, or nobody wants them
        self._pool.shutdown()

    def episodes(self, on_progress: OnProgress) -> list[Episode]:
        """Waits for the games; ``on_progress`` is called with theirs meanwhile."""
        while not wait([self._games], timeout=_LOOK_SECONDS).done:
            on_progress(*self._progress)
        return self._games.result()

    def _run(self) -> list[Episode]:
        begin = time.perf_counter()
        episodes = self._play(self._moved)
        self.seconds = time.perf_counter() - begin
        return episodes

    def _moved(self, over: int, moves: int) -> None:
        if self._given_up.is_set():
            raise _GivenUp
        self._progress = over, moves
