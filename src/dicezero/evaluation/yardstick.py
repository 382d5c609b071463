"""Strength without sampling: a policy over the decisions of a solved game, valued exactly.

The one place where scores against perfect and random play are computed; meters, ``dicezero evaluate``,
agents' tables and experiments all measure with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dicezero.evaluation.policies import Decisions, OnPhase, network_actions, search_actions
from dicezero.search.config import SearchConfig
from dicezero.selfplay.runtime import OnProgress, Part, Player, joined
from dicezero.solve import (
    BestResponse,
    Evaluation,
    NoConvergenceError,
    Policy,
    PolicyLike,
    Progress,
    ProgressCallback,
    Solution,
    optimal,
    solve,
    uniform,
)

_LARGEST_MEASURED = 100_000  # states; larger games are not solved just to be measured


class Yardstick:
    """A solved game to hold policies against.

    Scores are in [0, 1] on the range of the game's returns, seats averaged; 0.5 against perfect play is
    perfect. Returns are in the game's units, discounted where the game discounts. A single player has no
    opponents: what it is paid stands beside what perfect and random play are paid.
    """

    def __init__(
        self, solution: Solution, *, threads: int | None = None, on_phase: OnPhase | None = None
    ) -> None:
        """``threads`` as ``Solution.evaluate`` takes them; ``on_phase`` gets the progress."""
        self.solution = solution
        self.alone = solution.scale.players == 1
        self._threads, self._on_phase = threads, on_phase

    @property
    def scored(self) -> bool:
        """Whether there are scores: two players, and returns that have bounds."""
        return not self.alone and self.solution.scale.bounded

    @cached_property
    def decisions(self) -> Decisions:
        """All decisions laid out for planners, kept for the next time."""
        return Decisions(self.solution.positions, keep=True)

    def policy(self, actions: npt.NDArray[np.integer]) -> Policy:
        """What plays those actions [decisions]."""
        return Policy(self.solution.positions, np.ascontiguousarray(actions, np.int16))

    def against_optimal(self, policy: PolicyLike) -> Evaluation:
        """Against perfect play; alone just what it is paid."""
        return self._evaluate(policy, optimal(self.solution), "against perfect play")

    def against_random(self, policy: PolicyLike) -> Evaluation:
        """Against random play; alone just what it is paid."""
        return self._evaluate(policy, uniform(self.solution.positions), "against random play")

    def best_reply(self, policy: PolicyLike) -> BestResponse:
        """What someone who knows the policy has against it; two players."""
        return self.solution.best_response(
            policy, threads=self._threads, progress=solver_progress("best reply", self._on_phase)
        )

    def regret(self, policy: PolicyLike) -> float:
        """Given away at a decision with a choice, all alike: score, or returns where there is none."""
        return self.solution.regret(policy).mean

    @cached_property
    def perfect_vs_random(self) -> float:
        """What perfect play scores against random play."""
        return self.against_random(optimal(self.solution)).score

    @cached_property
    def optimal_return(self) -> float:
        """What perfect play is paid: against itself, seats averaged, or alone."""
        return self.against_optimal(optimal(self.solution)).mean_return

    @cached_property
    def random_return(self) -> float:
        """What random play is paid: alone, or against itself."""
        return self.against_random(uniform(self.solution.positions)).mean_return

    def played(self, policy: PolicyLike) -> dict[str, float]:
        """``mean_return`` against perfect play or alone, and where there are scores ``vs_optimal``.

        Nothing where play goes on for ever and is paid for ever, and so has no value.
        """
        try:
            strength = self.against_optimal(policy)
        except NoConvergenceError:
            return {}
        scores = {"vs_optimal": strength.score} if self.scored else {}
        return scores | {"mean_return": strength.mean_return}

    def figures(self, policy: PolicyLike) -> dict[str, float]:
        """Two players: ``played`` and ``vs_random``; one: ``played``, ``optimal_return``, ``random_return``.

        And ``regret``. Where returns have no bounds, ``vs_random_return`` takes the place of the score.
        """
        figures = {**self.played(policy), "regret": self.regret(policy)}
        if self.alone:
            return figures | {"optimal_return": self.optimal_return, "random_return": self.random_return}
        other = self.against_random(policy)
        return figures | (
            {"vs_random": other.score} if self.scored else {"vs_random_return": other.mean_return}
        )

    def _evaluate(self, policy: PolicyLike, opponent: PolicyLike, phase: str) -> Evaluation:
        return self.solution.evaluate(
            policy, opponent, threads=self._threads, progress=solver_progress(phase, self._on_phase)
        )


def solver_progress(phase: str, on_phase: OnPhase | None) -> ProgressCallback | None:
    """The solver's progress as calls of ``on_phase``."""

    def on_progress(progress: Progress) -> None:
        if on_phase:
            on_phase(phase, progress.done, progress.total)

    return on_progress if on_phase else None


def yardstick_of(player: Player) -> Yardstick | None:
    """That of the player's game, made once; None where the game is too large or cannot be solved."""

    def make() -> Yardstick | None:
        try:
            return Yardstick(solve(player.game, max_states=_LARGEST_MEASURED), threads=1)
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
        chosen = network_actions(player.planner, yardstick.decisions, numbers)
        if self.config is None:
            return {"raw": chosen, "searched": chosen}
        searched = search_actions(
            player.planner,
            yardstick.decisions,
            player.search(self.config),
            numbers,
            seed=self.seed,
            on_phase=None if on_progress is None else lambda _, done, __: on_progress(done, 0),
        )
        return {"raw": chosen, "searched": searched}

    def moves(self, part: Part) -> int:
        """None: nothing is played."""
        del part
        return 0

    def join(self, parts: Sequence[Part]) -> Part:
        """``raw`` [count] and ``searched`` [count], actions."""
        return joined(parts)
