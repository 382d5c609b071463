"""What is asked for while dice, agent or judge are at work, and done once they have finished."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from dicezero.studio.page.session_view import SessionView

Wish: TypeAlias = Callable[[], Awaitable[None] | None]


class Wishes:
    """Keeps the last wish: who presses two keys meanwhile means the second."""

    def __init__(self) -> None:
        self._last: Wish | None = None

    def keep(self, view: SessionView, wish: Wish) -> bool:
        """Whether ``wish`` has to wait; then it is kept."""
        if view.busy:
            self._last = wish
        return view.busy

    def forget(self) -> None:
        """Another game has begun."""
        self._last = None

    async def grant(self) -> None:
        """Does what was asked for last."""
        wish, self._last = self._last, None
        if wish is not None and (done := wish()) is not None:
            await done
