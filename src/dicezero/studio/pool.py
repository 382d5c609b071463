"""A few threads with a bounded queue: work that may come a little later, and never piles up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


class BusyError(RuntimeError):
    """As much work is waiting as may wait; try again in a moment."""


class Pool:
    """Runs calls in ``workers`` threads; at most ``waiting`` calls are under way or waiting."""

    def __init__(self, name: str, *, workers: int, waiting: int) -> None:
        self._name = name
        self._waiting = waiting
        self._slots = threading.BoundedSemaphore(waiting)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix=f"studio-{name}")

    def submit(self, call: Callable[..., Result], *arguments: Any, **options: Any) -> Future[Result]:
        """Queues a call; BusyError where the queue is full or closed."""
        if not self._slots.acquire(blocking=False):
            raise BusyError(f"{self._name}: {self._waiting} are waiting already; try again in a moment")
        try:
            future = self._threads.submit(call, *arguments, **options)
        except RuntimeError:
            self._slots.release()
            raise BusyError(f"{self._name}: the studio is closing") from None
        future.add_done_callback(lambda _: self._slots.release())
        return future

    def close(self) -> None:
        """Drops what waits; what is under way ends by its own budget."""
        self._threads.shutdown(wait=False, cancel_futures=True)
