"""The best-looking position one move ahead: in a race the largest lead in pips."""

from __future__ import annotations

import time

from dicezero.agents.simple import immediate_result
from dicezero.rules.protocol import Game, State, max_outcomes
from dicezero.rules.race import most_pips, pips
from dicezero.search.minimax import Algorithm, MinimaxConfig, minimax_search
from dicezero.search.result import SearchResult


class GreedyAgent:
    """Takes a win at once; else the move after which the evaluation is best, the lowest id among equals.

    In a race (Nannon) the evaluation is the lead in pips, on the other native games their own evaluation; a
    game that has none is played by id, unless a move wins.
    """

    def __init__(self, name: str, game: Game) -> None:
        self.name = name
        self.game = game
        self._most = most_pips(game)  # no lead is larger: scaled by it, a lead is a value in [-1, 1]

    def search(self, state: State, *, seed: int) -> SearchResult:  # noqa: ARG002 - it draws nothing
        """Compares the legal moves."""
        if not self._most:
            algorithm: Algorithm = "expectiminimax" if max_outcomes(self.game) else "alphabeta"
            return minimax_search(self.game, state, MinimaxConfig(algorithm, depth=1, exact_root=True))
        begin = time.perf_counter()
        player = state.current_player()
        values: dict[int, float] = {}
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            values[action] = child.returns()[player] if child.is_terminal() else self._lead(child, player)
        action = max(values, key=lambda a: (values[a], -a))
        return immediate_result(action, value=values[action], values=values, begin=begin)

    def _lead(self, state: State, player: int) -> float:
        mine, other = (pips(self.game, state, side) or 0 for side in (player, 1 - player))
        return (other - mine) / self._most
