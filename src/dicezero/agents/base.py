"""What plays: one method, and randomness as an argument."""

from __future__ import annotations

from typing import Protocol

from dicezero.rules.protocol import State
from dicezero.search.result import SearchResult


class Agent(Protocol):
    """Chooses moves for whoever is to move. Holds no state between games."""

    name: str

    def search(self, state: State, *, seed: int) -> SearchResult:
        """Looks at ``state`` (a choice node) and says what to play; the same seed gives the same answer."""
        ...
