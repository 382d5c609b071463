"""Agents measured against the truth: no game is played, no sample is drawn."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dicezero.agents.base import Agent, uninterrupted
from dicezero.agents.simple import RandomAgent
from dicezero.evaluation.yardstick import Yardstick
from dicezero.selfplay.seeds import address_seed
from dicezero.solve import Policy, Solution, uniform


@dataclass(frozen=True)
class ExactScore:
    """An agent's worth on a solved game; scores are in [0, 1] of the range of its returns, seats averaged.

    Attributes:
        name: of the agent.
        vs_optimal: score against perfect play; 0.5 is perfect. NaN where there are no scores: a single
            player has no opponent, and returns without bounds have no range.
        vs_random: score against random play, likewise.
        mean_return: against perfect play or alone, in the game's units; NaN where play is paid for ever.
        optimal_return: what perfect play is paid instead.
        regret: given away at a decision with a choice, on average over all of them: score, or returns where
            there is none.
        milliseconds: the agent took for a decision with a choice, on average.
    """

    name: str
    vs_optimal: float
    vs_random: float
    mean_return: float
    optimal_return: float
    regret: float
    milliseconds: float


def agent_policy(
    agent: Agent, solution: Solution, *, seed: int, on_decision: Callable[[int, int], None] | None = None
) -> Policy:
    """What the agent plays at every decision of the game.

    A stochastic agent chooses once a decision, each time with a seed of its own: one fixed policy, sampled
    from those it may play. The random agent is the exception, its policy is known.

    Args:
        agent: who plays.
        solution: of the agent's game.
        seed: of its random numbers.
        on_decision: called with (decisions done, of how many).
    """
    positions = solution.positions
    if isinstance(agent, RandomAgent):
        return uniform(positions)
    total = len(positions)
    actions = np.empty(total, dtype=np.int16)
    for index in range(total):
        state = positions.state(index)
        legal = state.legal_actions()
        if len(legal) == 1:
            actions[index] = legal[0]
        else:
            actions[index] = uninterrupted(agent.search(state, seed=address_seed(seed, index) >> 1)).action
        if on_decision:
            on_decision(index + 1, total)
    return Policy(positions, actions)


def exact_score(
    agent: Agent, solution: Solution, *, seed: int = 0, on_decision: Callable[[int, int], None] | None = None
) -> ExactScore:
    """Asks the agent at every decision and values the policy exactly."""
    begin = time.perf_counter()
    policy = agent_policy(agent, solution, seed=seed, on_decision=on_decision)
    seconds = time.perf_counter() - begin
    yardstick = Yardstick(solution)
    figures = yardstick.figures(policy)
    return ExactScore(
        name=agent.name,
        vs_optimal=figures.get("vs_optimal", math.nan),
        vs_random=figures.get("vs_random", math.nan),
        mean_return=figures.get("mean_return", math.nan),
        optimal_return=yardstick.optimal_return,
        regret=figures["regret"],
        milliseconds=1000 * seconds / _choices(solution),
    )


def _choices(solution: Solution) -> int:
    """Decisions with more than one legal action."""
    positions = solution.positions
    return max(1, sum(int((positions.legal(*r).sum(axis=1) > 1).sum()) for r in positions.ranges(65_536)))
