"""Strength without sampling: what a network plays at every decision of a solved game, valued exactly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dicezero.search.config import SearchConfig
from dicezero.selfplay.planners import Planner, Positions, decide
from dicezero.selfplay.seeds import address_seed
from dicezero.solve import Policy, Solution, optimal, uniform

_ROWS = 1024  # positions searched at a time: their trees live in memory together


class Yardstick:
    """A solved game with its decisions laid out for planners; made once, used every round."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        decisions = solution.positions
        count = len(decisions)
        states = [decisions.state(i) for i in range(count)]
        observation = decisions.observations(0, count).reshape(count, -1)
        self._positions = Positions(states, observation, decisions.legal(0, count))
        self._optimal = optimal(solution)

    def raw_policy(self, planner: Planner) -> Policy:
        """The network's first choice at every decision, without search."""
        logits, _ = planner.predict(self._positions)
        return self._policy(logits.argmax(axis=1))

    def search_policy(
        self,
        planner: Planner,
        config: SearchConfig,
        *,
        seed: int,
        on_decisions: Callable[[int, int], None] | None = None,
    ) -> Policy:
        """The search's choice at every decision, without noise at the root.

        ``on_decisions`` hears (decisions searched, of how many).
        """
        count = len(self._positions.states)
        seeds = np.array([address_seed(seed, i) for i in range(count)], np.uint64)
        actions = np.empty(count, np.int32)
        for start in range(0, count, _ROWS):
            rows = np.arange(start, min(start + _ROWS, count))
            found = decide(planner, self._positions.rows(rows), config, seeds[rows], noise=False)
            actions[rows] = found.action
            if on_decisions:
                on_decisions(int(rows[-1]) + 1, count)
        return self._policy(actions)

    def vs_optimal(self, policy: Policy) -> float:
        """Score against perfect play in [0, 1], seats averaged; 0.5 is perfect."""
        return float(self.solution.evaluate(policy, self._optimal, threads=1).score)

    def vs_random(self, policy: Policy) -> float:
        """Score against random play."""
        return float(self.solution.evaluate(policy, uniform(self.solution.positions), threads=1).score)

    def perfect_vs_random(self) -> float:
        """What perfect play scores against random play."""
        return self.vs_random(self._optimal)

    def _policy(self, actions: npt.NDArray[np.integer]) -> Policy:
        return Policy(self.solution.positions, np.ascontiguousarray(actions, np.int16))
