"""What is measured after every round of an experiment."""

from __future__ import annotations

import os
import time
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

from dicezero.agents import make_agent
from dicezero.agents.base import Agent
from dicezero.evaluation.arena import play_match
from dicezero.evaluation.dynamics import measure_dynamics
from dicezero.evaluation.policies import planned_policy
from dicezero.evaluation.runs import PlannerAgent, play_config
from dicezero.evaluation.trajectories import Trajectories, random_trajectories
from dicezero.evaluation.yardstick import Yardstick
from dicezero.experiments.boards import Board
from dicezero.presets.registry import Preset
from dicezero.search.config import SearchConfig
from dicezero.selfplay.planners import ModelPlanner, Planner
from dicezero.solve import Policy


@dataclass(frozen=True)
class Meter:
    """How a planner is measured on a board.

    On a small board every decision is searched and the policy valued exactly. On a large one it plays, as
    in the paper, against perfect and against random play; the luck of the dice is taken out.

    Attributes:
        games: of each match on a large board; the paper plays 1,000.
        dynamics_games: random games that a learned model is tested on; the paper plays 500.
        seed: of searches and games, the same in every round: rounds differ by their weights alone.
    """

    games: int = 1000
    dynamics_games: int = 500
    seed: int = 0

    def measure(self, board: Board, preset: Preset, planner: Planner) -> dict[str, Any]:
        """Scores with search and of the network alone, and the tests of the model where there is one."""
        begin = time.perf_counter()
        config = play_config(preset)
        measured = {f"network_{name}": value for name, value in self.scores(board, planner, None).items()}
        if config is None:
            measured |= {name.removeprefix("network_"): value for name, value in measured.items()}
        else:
            measured |= self.scores(board, planner, config)
        if isinstance(planner, ModelPlanner):
            report = measure_dynamics(planner.model, _games(self, board), depth=preset.unroll)
            measured |= {"top_move": report.top_move, "uniform": report.uniform}
            measured["by_depth"] = [asdict(row) for row in report.by_depth]
        return measured | {"seconds_evaluating": time.perf_counter() - begin}

    def scores(self, board: Board, planner: Planner, config: SearchConfig | None) -> dict[str, Any]:
        """``vs_optimal`` and ``vs_random`` of the search, or without ``config`` of the network alone."""
        if board.exact:
            return _exact(board, self._policy(board, planner, config))
        name = "network" if config is None else f"search({config.simulations})"
        agent = PlannerAgent(name, planner, _threaded(config), board.game)
        return self._play(board, "vs_optimal", agent, board.optimal_agent) | self._play(
            board, "vs_random", agent, make_agent("random", board.game)
        )

    def exact_network(self, board: Board, planner: Planner) -> dict[str, float]:
        """The network alone, exactly, on a board of any size; minutes on a large one."""
        return _exact(board, self._policy(board, planner, None))

    def _policy(self, board: Board, planner: Planner, config: SearchConfig | None) -> Policy:
        return planned_policy(planner, board.solution.positions, _threaded(config), seed=self.seed)

    def _play(self, board: Board, key: str, agent: Agent, opponent: Agent) -> dict[str, Any]:
        match = play_match(
            board.game, agent, opponent, games=self.games, seed=self.seed, solution=board.solution
        )
        assert match.adjusted_ci95 is not None  # noqa: S101 - a solution was given
        return {
            key: match.adjusted_score,
            f"{key}_ci95": list(match.adjusted_ci95),
            f"{key}_played": match.score,
        }


def _exact(board: Board, policy: Policy) -> dict[str, float]:
    figures = Yardstick(board.solution).figures(policy)
    return {name: figures[name] for name in ("vs_optimal", "vs_random")}


@cache
def _games(meter: Meter, board: Board) -> Trajectories:
    """The same games for every round."""
    return random_trajectories(
        board.game, games=meter.dynamics_games, seed=meter.seed, solution=board.solution
    )


def _threaded(config: SearchConfig | None) -> SearchConfig | None:
    """All cores: a result does not depend on their number."""
    return None if config is None else replace(config, threads=min(16, os.cpu_count() or 1))
