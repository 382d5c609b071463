"""Agents that search a tree: each is an algorithm's configuration and the game it plays."""

from __future__ import annotations

from dicezero.rules.protocol import Game, State
from dicezero.search.minimax import MinimaxConfig, Recording, minimax_search
from dicezero.search.result import SearchResult


class MinimaxAgent:
    """Minimax, alpha-beta or expectiminimax, as its configuration says."""

    def __init__(self, name: str, game: Game, config: MinimaxConfig, *, keep_tree: bool = False) -> None:
        self.name = name
        self.game = game
        self.config = config
        self.keep_tree = keep_tree

    def search(self, state: State, *, seed: int) -> SearchResult:  # noqa: ARG002 - it draws no lots
        """Searches; without lots the same position always has the same answer."""
        record = Recording() if self.keep_tree else None
        return minimax_search(self.game, state, self.config, record=record)
