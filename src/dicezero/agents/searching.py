"""Agents that search a tree: each is an algorithm's configuration and the game it plays."""

from __future__ import annotations

from dicezero.rules.protocol import Game, State
from dicezero.search.minimax import MinimaxConfig, Recording, minimax_search
from dicezero.search.result import SearchResult
from dicezero.search.uct import UctConfig, UctSearcher, nmcts_search


class MinimaxAgent:
    """Minimax, alpha-beta or expectiminimax, by its configuration."""

    def __init__(self, name: str, game: Game, config: MinimaxConfig, *, keep_tree: bool = False) -> None:
        self.name = name
        self.game = game
        self.config = config
        self.keep_tree = keep_tree

    def search(self, state: State, *, seed: int) -> SearchResult:  # noqa: ARG002 - it samples nothing
        """Searches; nothing is sampled, so the same position always has the same answer."""
        record = Recording() if self.keep_tree else None
        return minimax_search(self.game, state, self.config, record=record)


class MonteCarloAgent:
    """UCT, or flat Monte Carlo where the configuration is a ``FlatConfig``; each search has a new tree."""

    def __init__(self, name: str, game: Game, config: UctConfig, *, keep_tree: bool = False) -> None:
        self.name = name
        self.game = game
        self.config = config
        self.keep_tree = keep_tree
        self._searcher = UctSearcher(game, config)  # its memory is used again, not what it knows

    def search(self, state: State, *, seed: int) -> SearchResult:
        """Searches; the seed determines every random number."""
        record = Recording() if self.keep_tree else None
        return self._searcher.search(state, seed=seed, record=record)


class NmctsAgent(MonteCarloAgent):
    """Nondeterministic Monte Carlo tree search."""

    def search(self, state: State, *, seed: int) -> SearchResult:
        """Searches; the seed determines every random number."""
        record = Recording() if self.keep_tree else None
        return nmcts_search(self.game, state, self.config, seed=seed, record=record)
