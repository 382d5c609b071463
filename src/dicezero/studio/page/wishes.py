"""What is asked for while dice, agent or judge are at work, and done once they have finished."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from dicezero.studio.page.session_view import SessionView

Wish: TypeAlias = Callable[[], Awaitable[None] | None]

MOST = 8  # that wait; whoever holds a key down does not mean all of them


class Wishes:
    """Keeps what is asked for meanwhile, in its order."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Wish, object]] = deque()

    def keep(self, view: SessionView, wish: Wish, *, here: bool = False) -> bool:
        """Whether ``wish`` has to wait; then it is kept. ``here``: it means nothing in another position."""
        busy = view.busy or view.advising
        if busy and len(self._waiting) < MOST:
            self._waiting.append((wish, _place(view) if here else None))
        return busy

    def forget(self) -> None:
        """Another game has begun."""
        self._waiting.clear()

    async def grant(self, view: SessionView) -> None:
        """Does what was asked for, one after the other; what sets the game going again does the rest."""
        while self._waiting and not view.busy and not view.advising:
            wish, place = self._waiting.popleft()
            if place is None or place == _place(view):
                done = wish()
                if done is not None:
                    await done


def _place(view: SessionView) -> object:
    return view.session.script, view.shown
