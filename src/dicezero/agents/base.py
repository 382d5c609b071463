"""What plays: one method, and randomness as an argument."""

from __future__ import annotations

from typing import Protocol

from dicezero.rules.protocol import State
from dicezero.search.result import SearchResult


def uninterrupted(result: SearchResult) -> SearchResult:
    """The result of a search that ended by itself; KeyboardInterrupt where Ctrl-C cut it short.

    A search hands back what it has by then, which is a help to whoever looks at one position; in a match it
    would change the result, and nothing would show.
    """
    if result.stopped == "interrupted":
        raise KeyboardInterrupt
    return result


class Agent(Protocol):
    """Chooses moves for whoever is to move. Holds no state between games."""

    name: str

    def search(self, state: State, *, seed: int) -> SearchResult:
        """Looks at ``state`` (a choice node) and says what to play; the same seed gives the same answer."""
        ...
