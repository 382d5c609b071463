"""Plays what a run has learned."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dicezero.agents.errors import AgentError
from dicezero.agents.simple import immediate_result
from dicezero.learner.run import Run, load_run
from dicezero.rules.protocol import Game, State
from dicezero.search.result import SearchResult
from dicezero.selfplay.planners import decide
from dicezero.selfplay.play import positions_of


@dataclass(frozen=True)
class RunAgentConfig:
    """Which run, and how much it thinks.

    Attributes:
        path: the folder that ``dicezero train`` wrote.
        simulations: of a search; 0 plays the network's first choice, None as many as its preset says.
        round: a round whose weights the run keeps; None is its last.
    """

    path: str
    simulations: int | None = None
    round: int | None = None

    def __post_init__(self) -> None:
        if self.simulations is not None and self.simulations < 0:
            raise ValueError(f"simulations={self.simulations} must be at least 0")
        if self.round is not None and self.round < 1:
            raise ValueError(f"round={self.round} must be at least 1")


class RunAgent:
    """The network of a round of a run and its search, without noise."""

    def __init__(self, name: str, game: Game, config: RunAgentConfig) -> None:
        self.name = name
        self.game = game
        try:
            self.run: Run = load_run(config.path, game, round_number=config.round)
        except ValueError as error:
            raise AgentError(f"run: {error}") from error
        preset = self.run.config.preset
        if preset.kind == "td" and config.simulations:
            raise AgentError(
                f"run: simulations={config.simulations}, but {config.path} has learned by {preset.name}, "
                "which looks one move ahead; leave simulations out"
            )
        search = preset.play
        self.simulations = search.simulations if config.simulations is None else config.simulations
        self._search = replace(search, simulations=max(1, self.simulations))
        self._one_ply = preset.kind == "td"

    def actions(self, states: Sequence[State], seeds: Sequence[int]) -> list[int]:
        """What ``search`` would play at each of many states, all at once."""
        positions = positions_of(states, self.game.num_distinct_actions())
        if self.simulations == 0:
            return [int(action) for action in self.run.planner.predict(positions)[0].argmax(axis=1)]
        lots = np.array([seed % 2**64 for seed in seeds], np.uint64)
        found = decide(self.run.planner, positions, self._search, lots, noise=False)
        return [int(action) for action in found.action]

    def search(self, state: State, *, seed: int) -> SearchResult:
        """Searches, or asks the network alone; a forced move is played at once."""
        begin = time.perf_counter()
        positions = positions_of([state], self.game.num_distinct_actions())
        if self.simulations == 0:
            logits, values = self.run.planner.predict(positions)
            best, value = int(logits[0].argmax()), float(values[0])
            return immediate_result(best, value=value, values={best: value}, begin=begin)
        seeds = np.array([seed % 2**64], np.uint64)
        found = decide(self.run.planner, positions, self._search, seeds, noise=False)
        legal = [int(action) for action in state.legal_actions()]
        visits = {action: int(found.visits[0, action]) for action in legal}
        total = max(1, sum(visits.values()))
        return SearchResult(
            action=int(found.action[0]),
            value=float(found.value[0]),
            action_values={a: float(found.q[0, a]) for a in legal if visits[a]},
            visits=visits,
            nodes=total,
            leaves=total,
            cutoffs=0,
            principal_variation=(int(found.action[0]),),
            stopped="forced" if len(legal) == 1 else "one ply" if self._one_ply else "simulations",
            seconds=time.perf_counter() - begin,
        )


@dataclass(frozen=True)
class TdAgentConfig:
    """Which run of ``td-lambda``.

    Attributes:
        path: the folder that ``dicezero train td-lambda`` wrote.
    """

    path: str


def td_agent(name: str, game: Game, config: TdAgentConfig) -> RunAgent:
    """The agent of a run of TD(lambda): the move whose afterstate is worth most; other runs are refused."""
    agent = RunAgent(name, game, RunAgentConfig(config.path))
    preset = agent.run.config.preset
    if preset.kind != "td":
        raise AgentError(f"td: {config.path} has learned by {preset.name}; write run(path={config.path})")
    return agent
