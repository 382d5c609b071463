"""The best-looking position one move ahead: on Nannon the largest lead in pips."""

from __future__ import annotations

import time

from dicezero._native import Nannon, NannonState
from dicezero.agents.simple import immediate_result
from dicezero.rules.protocol import Game, State
from dicezero.search.minimax import Algorithm, MinimaxConfig, minimax_search
from dicezero.search.result import SearchResult


def nannon_pips(game: Nannon, state: NannonState, player: int) -> int:
    """How far ``player`` still has to go: the steps of all its checkers to SAFETY."""
    goal = game.points + 1
    return goal * state.home(player) + sum(goal - point for point in state.points(player))


class GreedyAgent:
    """Takes a win at once; else the move after which the evaluation is best, the lowest id among equals.

    On Nannon the evaluation is the lead in pips, on the other native games their linear evaluation; a game
    that has none is played by id, unless a move wins.
    """

    def __init__(self, name: str, game: Game) -> None:
        self.name = name
        self.game = game
        # No lead is larger: scaled by it, a lead is a value in [-1, 1].
        self._most = game.checkers * (game.points + 1) if isinstance(game, Nannon) else 1

    def search(self, state: State, *, seed: int) -> SearchResult:  # noqa: ARG002 - it draws no lots
        """Compares the legal moves."""
        if not isinstance(state, NannonState) or not isinstance(self.game, Nannon):
            algorithm: Algorithm = "expectiminimax" if self.game.max_chance_outcomes() else "alphabeta"
            return minimax_search(self.game, state, MinimaxConfig(algorithm, depth=1, exact_root=True))
        begin = time.perf_counter()
        player = state.current_player()
        values: dict[int, float] = {}
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            lead = nannon_pips(self.game, child, 1 - player) - nannon_pips(self.game, child, player)
            values[action] = child.returns()[player] if child.is_terminal() else lead / self._most
        action = max(values, key=lambda a: (values[a], -a))
        return immediate_result(action, value=values[action], values=values, begin=begin)
