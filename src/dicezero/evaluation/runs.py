"""A run's network and search as something that can be measured."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dicezero.agents import Agent, AgentError, make_agent
from dicezero.agents.learned import RunAgent
from dicezero.agents.optimal import OptimalAgent
from dicezero.agents.simple import immediate_result
from dicezero.evaluation.dynamics import DynamicsModel
from dicezero.evaluation.luck import Falls, Luck, judged_falls, solved_falls
from dicezero.presets.fitting import units_of
from dicezero.presets.registry import Preset
from dicezero.rules.protocol import Game, State
from dicezero.rules.spec import spec_of
from dicezero.runs.loading import Run
from dicezero.search.config import SearchConfig
from dicezero.search.result import SearchResult
from dicezero.selfplay.planners import ModelPlanner, Planner, decide
from dicezero.selfplay.states import positions_of

LARGEST_SEARCHED = 200_000  # decisions; a larger game is searched on a sample only


class PlannerAgent:
    """A network and its search as an agent, without a folder; without ``config`` the network alone."""

    def __init__(self, name: str, planner: Planner, config: SearchConfig | None, game: Game) -> None:
        self.name = name
        self._planner, self._config, self._game, self._spec = planner, config, game, spec_of(game)

    def actions(self, states: Sequence[State], seeds: Sequence[int]) -> list[int]:
        """What it plays at each state."""
        positions = positions_of(self._game, self._spec, states)
        if self._config is None:
            return [int(action) for action in self._planner.predict(positions)[0].argmax(axis=1)]
        search_seeds = np.array([seed % 2**64 for seed in seeds], np.uint64)
        chosen = decide(self._planner, positions, self._config, search_seeds, noise=False)
        return [int(action) for action in chosen.action]

    def search(self, state: State, *, seed: int) -> SearchResult:
        """One state of its own."""
        begin = time.perf_counter()
        action = self.actions([state], [seed])[0]
        return immediate_result(action, value=0.0, values={}, begin=begin)


def play_config(preset: Preset, simulations: int | None = None) -> SearchConfig | None:
    """The search a preset plays with, with so many simulations; None where it has or wants no search."""
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


def luck_by(agent: str, game: Game) -> Luck:
    """The luck of games of ``game`` by the values of a run, named as an agent.

    Raises:
        AgentError: the agent has no network whose values could be asked for.
    """
    falls = named_falls(agent, game)
    return lambda actions, start: sum(fall.luck for fall in falls(actions, start))


def named_falls(agent: str, game: Game) -> Falls:
    """The luck of each outcome by the values of a run, named as an agent; AgentError where it has none."""
    falls = falls_by(make_agent(agent, game), game)
    if falls is None:
        raise AgentError(f"{agent} has no values of its own; give run(path=DIR) or pretrained")
    return falls


def falls_by(agent: Agent, game: Game) -> Falls | None:
    """The luck of each outcome by an agent that plays perfectly or has a network; None for others."""
    if isinstance(agent, OptimalAgent):
        return solved_falls(agent.solution)
    if not isinstance(agent, RunAgent) or agent.run.spec.simulator != "states":
        return None
    scale = units_of(agent.run.config.preset, agent.run.spec).scale
    return judged_falls(game, agent.run.spec, agent.run.planner, scale=scale)
