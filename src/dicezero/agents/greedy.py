"""The best-looking position one move ahead: on Nannon the largest lead in pips."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from dicezero._native import Nannon
from dicezero.agents.simple import immediate_result
from dicezero.rules.protocol import Game, State
from dicezero.search.minimax import MinimaxConfig, minimax_search
from dicezero.search.result import SearchResult


def nannon_pip_lead(game: Nannon) -> Callable[[State, int], float]:
    """How far ``player`` is ahead in the race, in [-1, 1]: the pips the other still has to go, less its own.

    The observation holds the viewer's points 1..n, the other's (counted from the viewer's side), and how many
    checkers of both are at home, as unary codes.
    """
    points, checkers = game.points, game.checkers
    to_go = np.arange(points, 0, -1)
    home = points + 1

    def lead(state: State, player: int) -> float:
        seen = np.asarray(state.observation_tensor(player))  # type: ignore[attr-defined]
        mine, other, rest = seen[:points], seen[points : 2 * points], seen[2 * points :]
        my_pips = mine @ to_go + home * rest[:checkers].sum()
        other_pips = other @ to_go[::-1] + home * rest[2 * checkers : 3 * checkers].sum()
        return float(other_pips - my_pips) / (home * checkers)

    return lead


class GreedyAgent:
    """Takes a win at once; else the move after which the evaluation is best, the lowest id among equals.

    On Nannon the evaluation is the lead in pips, on the other native games their linear evaluation; a game
    that has none is played by id, unless a move wins.
    """

    def __init__(self, name: str, game: Game) -> None:
        self.name = name
        self.game = game
        self._evaluate = nannon_pip_lead(game) if isinstance(game, Nannon) else None

    def search(self, state: State, *, seed: int) -> SearchResult:  # noqa: ARG002 - it draws no lots
        """Compares the legal moves."""
        if self._evaluate is None:
            return minimax_search(self.game, state, MinimaxConfig(depth=1))
        begin = time.perf_counter()
        player = state.current_player()
        values: dict[int, float] = {}
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            values[action] = child.returns()[player] if child.is_terminal() else self._evaluate(child, player)
        action = max(values, key=lambda a: (values[a], -a))
        return immediate_result(action, value=values[action], values=values, begin=begin)
