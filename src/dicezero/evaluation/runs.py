"""A run's network and search as something that can be measured."""

from __future__ import annotations

from dataclasses import replace

from dicezero.evaluation.dynamics import DynamicsModel
from dicezero.learner.run import Run
from dicezero.search.config import SearchConfig
from dicezero.selfplay.planners import ModelPlanner

LARGEST_SEARCHED = 200_000  # decisions; a larger game is searched on a sample only


def play_config(run: Run, simulations: int | None = None) -> SearchConfig | None:
    """The search the run plays with, with so many simulations; None where it has or wants no search."""
    preset = run.config.preset
    if simulations == 0 or preset.kind not in ("rules", "model"):
        return None
    return replace(preset.play, simulations=simulations or preset.play.simulations)


def learned_model(run: Run) -> DynamicsModel:
    """The run's model of the game; ValueError for a run that has none."""
    if not isinstance(run.planner, ModelPlanner):
        preset = run.config.preset
        raise ValueError(
            f"--dynamics needs a run that learns a model of the game, such as ndmz or gumbel-ndmz; "
            f"{preset.name} has none to test"
        )
    return run.planner.model
