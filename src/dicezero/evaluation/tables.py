"""A policy that is a table, as an agent: perfect play in a large game at the speed of a look."""

from __future__ import annotations

import time
from collections.abc import Sequence

from dicezero.agents.simple import immediate_result
from dicezero.rules.protocol import State
from dicezero.search.result import SearchResult
from dicezero.solve import Policy


class PolicyAgent:
    """Plays a fixed policy of one action a decision."""

    def __init__(self, name: str, policy: Policy) -> None:
        if isinstance(policy.data, str) or policy.data.ndim != 1:
            raise ValueError(f"policy of {name} is stochastic; give one action a decision")
        self.name = name
        self._positions, self._actions = policy.positions, policy.data

    def actions(self, states: Sequence[State], seeds: Sequence[int]) -> list[int]:  # noqa: ARG002 - deterministic
        """What it plays at each state."""
        return [int(self._actions[self._positions.index(state)]) for state in states]

    def search(self, state: State, *, seed: int) -> SearchResult:
        """Looks the move up; the table knows no values."""
        begin = time.perf_counter()
        action = self.actions([state], [seed])[0]
        return immediate_result(action, value=0.0, values={}, begin=begin)
