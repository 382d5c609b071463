"""Plan, learn and measure in games with and without dice.

Everything public is here by name; each name is loaded when it is first used, so that importing the package
costs next to nothing. Solving is ``dicezero.solve.solve``: the folder has the name.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dicezero.agents import Agent, AgentError, make_agent
    from dicezero.evaluation.arena import MatchResult, play_match
    from dicezero.evaluation.exact import ExactScore, exact_score
    from dicezero.evaluation.ratings import Rating, bradley_terry
    from dicezero.evaluation.tournament import play_tournament
    from dicezero.learner.loop import train
    from dicezero.presets.registry import PRESETS, Preset
    from dicezero.rules import (
        ChanceGame,
        ChanceState,
        Game,
        GameError,
        State,
        check_game,
        list_games,
        load_game,
        load_object,
        perft,
    )
    from dicezero.runs.loading import Run, load_run
    from dicezero.search.config import SearchConfig
    from dicezero.search.draw import save_tree
    from dicezero.search.explicit import ExplicitGame
    from dicezero.search.minimax import MinimaxConfig, Recording, minimax_search
    from dicezero.search.plan import PlanResult, Reuse, plan, plan_states
    from dicezero.search.replay import ReplayStep, replay_search
    from dicezero.search.result import SearchResult
    from dicezero.search.simulator import Root, Step
    from dicezero.search.tree import TreeNode
    from dicezero.search.treefile import load_tree
    from dicezero.search.uct import UctConfig, uct_search
    from dicezero.selfplay.planners import ModelPlanner, RulesPlanner
    from dicezero.solve import Solution

    __version__: str

_HOME = {
    "Agent": "agents",
    "AgentError": "agents",
    "ChanceGame": "rules",
    "ChanceState": "rules",
    "ExactScore": "evaluation.exact",
    "ExplicitGame": "search.explicit",
    "Game": "rules",
    "GameError": "rules",
    "MatchResult": "evaluation.arena",
    "MinimaxConfig": "search.minimax",
    "ModelPlanner": "selfplay.planners",
    "PRESETS": "presets.registry",
    "PlanResult": "search.plan",
    "Preset": "presets.registry",
    "Rating": "evaluation.ratings",
    "Recording": "search.minimax",
    "ReplayStep": "search.replay",
    "Reuse": "search.plan",
    "Root": "search.simulator",
    "RulesPlanner": "selfplay.planners",
    "Run": "runs.loading",
    "SearchConfig": "search.config",
    "SearchResult": "search.result",
    "Solution": "solve",
    "State": "rules",
    "Step": "search.simulator",
    "TreeNode": "search.tree",
    "UctConfig": "search.uct",
    "bradley_terry": "evaluation.ratings",
    "check_game": "rules",
    "exact_score": "evaluation.exact",
    "list_games": "rules",
    "load_game": "rules",
    "load_object": "rules",
    "load_run": "runs.loading",
    "load_tree": "search.treefile",
    "make_agent": "agents",
    "minimax_search": "search.minimax",
    "perft": "rules",
    "plan": "search.plan",
    "plan_states": "search.plan",
    "play_match": "evaluation.arena",
    "play_tournament": "evaluation.tournament",
    "replay_search": "search.replay",
    "save_tree": "search.draw",
    "train": "learner.loop",
    "uct_search": "search.uct",
}

__all__ = [
    "PRESETS",
    "Agent",
    "AgentError",
    "ChanceGame",
    "ChanceState",
    "ExactScore",
    "ExplicitGame",
    "Game",
    "GameError",
    "MatchResult",
    "MinimaxConfig",
    "ModelPlanner",
    "PlanResult",
    "Preset",
    "Rating",
    "Recording",
    "ReplayStep",
    "Reuse",
    "Root",
    "RulesPlanner",
    "Run",
    "SearchConfig",
    "SearchResult",
    "Solution",
    "State",
    "Step",
    "TreeNode",
    "UctConfig",
    "__version__",
    "bradley_terry",
    "check_game",
    "exact_score",
    "list_games",
    "load_game",
    "load_object",
    "load_run",
    "load_tree",
    "make_agent",
    "minimax_search",
    "perft",
    "plan",
    "plan_states",
    "play_match",
    "play_tournament",
    "replay_search",
    "save_tree",
    "train",
    "uct_search",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("dicezero")
        except PackageNotFoundError:  # used from a source tree
            return "0+source"
    if name in _HOME:
        try:
            return getattr(importlib.import_module(f"dicezero.{_HOME[name]}"), name)
        except ModuleNotFoundError as error:
            from dicezero.rules.extras import explained

            raise explained(error, f"dicezero.{name}") from None
    raise AttributeError(f"module 'dicezero' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
