"""Strength without sampling: what a network plays at every decision of a solved game, valued exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero.search.config import SearchConfig
from dicezero.selfplay.planners import Planner, decide
from dicezero.selfplay.runtime import OnProgress, Part, Player, joined
from dicezero.selfplay.seeds import address_seed
from dicezero.selfplay.states import Positions
from dicezero.solve import Policy, Solution, optimal, solve, uniform

_ROWS = 1024  # positions searched at a time: their trees live in memory together
_LARGEST_MEASURED = 100_000  # states; larger games are not solved just to be measured


class Yardstick:
    """A solved game with its decisions laid out for planners; made once, used every round."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        decisions = solution.positions
        count = len(decisions)
        states = [decisions.state(i) for i in range(count)]
        observation = decisions.observations(0, count)
        flat = observation.reshape(count, -1)
        self._positions = Positions(solution.game, states, observation, flat, decisions.legal(0, count))
        self._optimal = optimal(solution)

    def __len__(self) -> int:
        return len(self._positions.states)

    def raw_policy(self, planner: Planner) -> Policy:
        """The network's first choice at every decision, without search."""
        return self.policy(self.raw_actions(planner, range(len(self))))

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
        every = range(len(self))
        return self.policy(self.search_actions(planner, config, every, seed=seed, on_decisions=on_decisions))

    def raw_actions(self, planner: Planner, numbers: range) -> npt.NDArray[np.int16]:
        """[N], the network's first choice at the decisions of those numbers."""
        logits, _ = planner.predict(self._positions.rows(np.arange(numbers.start, numbers.stop)))
        actions: npt.NDArray[np.int16] = logits.argmax(axis=1).astype(np.int16)
        return actions

    def search_actions(
        self,
        planner: Planner,
        config: SearchConfig,
        numbers: range,
        *,
        seed: int,
        on_decisions: Callable[[int, int], None] | None = None,
    ) -> npt.NDArray[np.int16]:
        """[N], the search's choice at the decisions of those numbers, each by its own number alone."""
        found = []
        for start in range(numbers.start, numbers.stop, _ROWS):
            rows = np.arange(start, min(start + _ROWS, numbers.stop))
            seeds = np.array([address_seed(seed, i) for i in rows.tolist()], np.uint64)
            found.append(decide(planner, self._positions.rows(rows), config, seeds, noise=False).action)
            if on_decisions:
                on_decisions(int(rows[-1]) + 1 - numbers.start, len(numbers))
        return np.concatenate(found).astype(np.int16)

    def vs_optimal(self, policy: Policy) -> float:
        """Score against perfect play in [0, 1], seats averaged; 0.5 is perfect."""
        return float(self.solution.evaluate(policy, self._optimal, threads=1).score)

    def vs_random(self, policy: Policy) -> float:
        """Score against random play."""
        return float(self.solution.evaluate(policy, uniform(self.solution.positions), threads=1).score)

    def perfect_vs_random(self) -> float:
        """What perfect play scores against random play."""
        return self.vs_random(self._optimal)

    def policy(self, actions: npt.NDArray[np.integer]) -> Policy:
        """What plays those actions [decisions]."""
        return Policy(self.solution.positions, np.ascontiguousarray(actions, np.int16))


def yardstick_of(player: Player) -> Yardstick | None:
    """That of the player's game, made once; None where the game is too large or cannot be solved."""

    def make() -> Yardstick | None:
        try:
            return Yardstick(solve(player.game, max_states=_LARGEST_MEASURED))
        except ValueError:  # strength is then measured by matches
            return None

    return player.keep("yardstick", make)


@dataclass(frozen=True)
class EveryDecision:
    """A task: what the network alone and its search choose at every decision of a solved game."""

    config: SearchConfig | None  # None: there is no search, the network's choice is all
    seed: int
    count: int  # decisions

    chunk = 512
    what = "decisions to be measured"

    def do(self, player: Player, numbers: range, on_progress: OnProgress | None = None) -> Part:
        """The choices at some of them."""
        yardstick = yardstick_of(player)
        if yardstick is None:
            raise ValueError(f"{player.game} cannot be solved here, though it was elsewhere; check its rules")
        raw = yardstick.raw_actions(player.planner, numbers)
        if self.config is None:
            return {"raw": raw, "searched": raw}
        on_decisions = None if on_progress is None else lambda done, _: on_progress(done, 0)
        searched = yardstick.search_actions(
            player.planner, player.search(self.config), numbers, seed=self.seed, on_decisions=on_decisions
        )
        return {"raw": raw, "searched": searched}

    def moves(self, part: Part) -> int:
        """None: nothing is played."""
        del part
        return 0

    def join(self, parts: Sequence[Part]) -> Part:
        """``raw`` [count] and ``searched`` [count], actions."""
        return joined(parts)
