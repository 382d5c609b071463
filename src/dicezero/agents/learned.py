"""Plays what a run has learned."""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dicezero.agents.errors import AgentError
from dicezero.agents.judged_chances import judge_of, judged_chances
from dicezero.agents.learned_config import RunAgentConfig
from dicezero.agents.learned_tree import in_units, learned_tree, principal_line
from dicezero.agents.simple import immediate_result
from dicezero.rules.names import Name
from dicezero.rules.protocol import Game, State
from dicezero.runs.loading import Run, load_run
from dicezero.search.cube import Chances
from dicezero.search.halving import Phase
from dicezero.search.plan import PlanResult
from dicezero.search.proofs import Proofs
from dicezero.search.result import SearchResult
from dicezero.search.tree import TreeNode
from dicezero.selfplay.planners import ModelPlanner, Planner, RulesPlanner, SeedArray, decide
from dicezero.selfplay.states import Positions, positions_of
from dicezero.selfplay.td import AfterstatePlanner

MAX_TREE_NODES = 10_000  # of a tree that a result carries


class RunAgent:
    """The network of a round of a run and its search, without noise; values are in the game's units."""

    def __init__(self, name: str, game: Game, config: RunAgentConfig, *, keep_tree: bool = False) -> None:
        self.name = self.title = name
        self.game = game
        self.keep_tree = keep_tree
        try:
            self.run: Run = load_run(
                config.path,
                game,
                trust=config.trust,
                round_number=config.round,
                average=config.average,
                symmetries=config.symmetries,
            )
        except ValueError as error:
            raise AgentError(f"run: {error}") from error
        if config.weights and not self.run.sha256.startswith(config.weights):
            raise AgentError(
                f"run: the weights of round {self.run.round} in {config.path} are not {config.weights} but "
                f"{self.run.sha256[: len(config.weights)]}; the run was trained anew, leave weights out"
            )
        self._planner = self._looking(config)
        try:
            search = config.search(self.run.config.preset, self.run.spec)
        except ValueError as error:
            raise AgentError(f"run: {error}") from error
        self.simulations = search.simulations if config.simulations is None else config.simulations
        self._search = replace(search, simulations=max(1, self.simulations))
        self._scale = search.value_scale  # a value of 1 in the game's units
        self._branches = self.run.spec.simulator == "states"

    def _looking(self, config: RunAgentConfig) -> Planner:
        """The run's planner, looking as far as is asked for."""
        planner, asked = self.run.planner, config.judged()
        if asked is None:
            return planner
        if not isinstance(planner, AfterstatePlanner):
            name = "candidates" if config.plies is None else "plies"
            raise AgentError(
                f"run: {name}={getattr(config, name)}, but {config.path} has learned by "
                f"{self.run.config.preset.name}, which judges no moves but searches; give simulations instead"
            )
        return planner.deeper(asked)

    def thinking(self, simulations: int, *, name: str) -> RunAgent:
        """The same network with another budget."""
        other = copy.copy(self)
        other.name, other.simulations = name, simulations
        other._search = replace(self._search, simulations=max(1, simulations))
        return other

    def actions(self, states: Sequence[State], seeds: Sequence[int]) -> list[int]:
        """What ``search`` would play at each of many states, all at once."""
        positions = positions_of(self.game, self.run.spec, states)
        if self.simulations == 0:
            return [int(action) for action in self._planner.predict(positions)[0].argmax(axis=1)]
        search_seeds = np.array([seed % 2**64 for seed in seeds], np.uint64)
        decisions = decide(self._planner, positions, self._search, search_seeds, noise=False)
        return [int(action) for action in decisions.action]

    def search(self, state: State, *, seed: int) -> SearchResult:
        """Searches, or evaluates the network alone; a forced move is played at once."""
        begin = time.perf_counter()
        positions = positions_of(self.game, self.run.spec, [state])
        if self.simulations == 0:
            logits, values = self._planner.predict(positions)
            best, value = int(logits[0].argmax()), float(values[0]) * self._scale
            return immediate_result(best, value=value, values={best: value}, begin=begin)
        seeds = np.array([seed % 2**64], np.uint64)
        planner = self._planner
        legal = [int(action) for action in state.legal_actions()]
        if isinstance(planner, AfterstatePlanner):
            return self._judged(planner, positions, begin)
        if not isinstance(planner, RulesPlanner | ModelPlanner):
            return self._at_once(positions, seeds, legal, begin)
        if len(legal) == 1:
            result = self._at_once(positions, seeds, legal, begin)
            note = "one legal move: not searched"
            tree = TreeNode("choice", state.current_player(), value=result.value, note=note)
            return replace(result, tree=tree if self.keep_tree else None)
        if isinstance(planner, RulesPlanner) and self._search.proof_nodes:
            proofs = planner.prove(positions, self._search)
            if proofs.proved[0]:
                return self._proved(proofs, state, begin)
        plan = planner.plan(positions, self._search, seeds, noise=False)
        visits = {action: int(plan.visits[0, action]) for action in legal}
        action = int(plan.action[0])
        return SearchResult(
            action=action,
            value=float(plan.value[0]) * self._scale,
            action_values={a: float(plan.q[0, a]) * self._scale for a in legal if visits[a]},
            visits=visits,
            nodes=plan.tree.num_nodes(0),
            leaves=int(plan.evaluations[0]),
            cutoffs=0,
            principal_variation=principal_line(plan.tree, state, action, branches=self._branches),
            stopped="simulations",
            seconds=time.perf_counter() - begin,
            tree=self._tree(plan, state) if self.keep_tree else None,
            halving=self._halving(plan, action),
        )

    @property
    def knows_chances(self) -> bool:
        """Whether the run predicts how a game may end: of its presets td-lambda does, with dice."""
        return judge_of(self.run.spec, self._planner) is not None

    def chances(self, state: State) -> Chances:
        """How the game may end, in the view of the player who rolls next; AgentError where it has none."""
        return judged_chances(self.name, self.game, self.run.spec, self._planner, state)

    def _judged(self, planner: AfterstatePlanner, positions: Positions, begin: float) -> SearchResult:
        """The move of the greatest worth, the lowest id among equals."""
        moves = planner.moves(positions)
        values: dict[int, float] = {}
        for move, value in zip(moves.action.tolist(), moves.value.tolist(), strict=True):
            if not np.isnan(value):
                values[move] = max(value * self._scale, values.get(move, -np.inf))
        action = max(values, key=lambda move: (values[move], -move))
        plies = planner.config.plies
        return SearchResult(
            action=action,
            value=values[action],
            action_values=values,
            visits=dict.fromkeys(values, 1),
            nodes=int(moves.nodes[0]),
            leaves=int(moves.leaves[0]),
            cutoffs=0,
            principal_variation=(action,),
            stopped="forced" if len(moves.action) == 1 else "one ply" if plies == 1 else "depth",
            seconds=time.perf_counter() - begin,
        )

    def _proved(self, proofs: Proofs, state: State, begin: float) -> SearchResult:
        """The move that alpha-beta has proved, and what it is worth."""
        action, value, nodes = int(proofs.action[0]), float(proofs.value[0]), int(proofs.nodes[0])
        tree = TreeNode("choice", state.current_player(), value=value, note="proved by alpha-beta")
        return SearchResult(
            action=action,
            value=value,
            action_values={action: value},
            visits={a: int(a == action) for a in map(int, state.legal_actions())},
            nodes=nodes,
            leaves=0,
            cutoffs=0,
            principal_variation=(action,),
            stopped="proved",
            seconds=time.perf_counter() - begin,
            tree=tree if self.keep_tree else None,
        )

    def _at_once(
        self, positions: Positions, seeds: SeedArray, legal: list[int], begin: float
    ) -> SearchResult:
        """A move with no alternative, or one chosen by the values one ply ahead."""
        decision = decide(self._planner, positions, self._search, seeds, noise=False)
        visits = {action: int(decision.visits[0, action]) for action in legal}
        total = max(1, sum(visits.values()))
        return SearchResult(
            action=int(decision.action[0]),
            value=float(decision.value[0]) * self._scale,
            action_values={a: float(decision.q[0, a]) * self._scale for a in legal if visits[a]},
            visits=visits,
            nodes=total,
            leaves=total,
            cutoffs=0,
            principal_variation=(int(decision.action[0]),),
            stopped="forced" if len(legal) == 1 else "one ply",
            seconds=time.perf_counter() - begin,
        )

    def _tree(self, plan: PlanResult, state: State) -> TreeNode:
        if isinstance(self._planner, RulesPlanner):
            tree = plan.tree.export(0, max_nodes=MAX_TREE_NODES)
        else:
            tree = learned_tree(plan.tree, state, self.game, max_nodes=MAX_TREE_NODES)
        return in_units(tree, self._scale)

    def _halving(self, plan: PlanResult, action: int) -> tuple[Phase, ...]:
        """The phases of Gumbel's search, Q in the game's units."""
        return tuple(
            replace(
                phase,
                candidates=tuple(
                    replace(c, q=None if c.q is None else c.q * self._scale) for c in phase.candidates
                ),
            )
            for phase in plan.tree.halving(0, chosen=action)
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
        spec = Name("run", {"path": config.path})
        raise AgentError(f"td: {config.path} has learned by {preset.name}; write {spec}")
    return agent
