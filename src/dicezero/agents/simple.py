"""Agents that look no further than the next move."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from dicezero.rules.door import checked_legal_actions
from dicezero.rules.protocol import Game, State
from dicezero.search.result import SearchResult


@dataclass(frozen=True)
class NoParameters:
    """For agents that have none."""


def immediate_result(action: int, *, value: float, values: dict[int, float], begin: float) -> SearchResult:
    """The result of looking at the legal moves alone; ``begin`` is the clock when it started."""
    return SearchResult(
        action=action,
        value=value,
        action_values=values,
        visits=dict.fromkeys(values, 1),
        nodes=len(values),
        leaves=len(values),
        cutoffs=0,
        principal_variation=(action,),
        stopped="one ply",
        seconds=time.perf_counter() - begin,
    )


class RandomAgent:
    """Any legal move, each as likely as the others."""

    def __init__(self, name: str, game: Game) -> None:
        self.name = name
        self.game = game
        self._actions = game.num_distinct_actions()

    def search(self, state: State, *, seed: int) -> SearchResult:
        """A move at random; its value is not known and given as 0."""
        begin = time.perf_counter()
        legal = checked_legal_actions(state, self._actions)
        action = random.Random(seed).choice(legal)
        return immediate_result(action, value=0.0, values=dict.fromkeys(legal, 0.0), begin=begin)
