"""A network and a search as one: what decides in self-play, in measurement and in play.

Values here are in the planner's own units (``Units``): records and results are in the game's.
"""

from __future__ import annotations

import math
import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dicezero.model.network import ModelPlayer
from dicezero.model.symmetric import mean_answer, turned
from dicezero.rules.symmetry import Symmetry
from dicezero.search.config import Dirichlet, SearchConfig
from dicezero.search.plan import Evaluate, PlanResult, plan, plan_states
from dicezero.search.proofs import Proofs, prove_states
from dicezero.search.simulator import Root
from dicezero.selfplay.states import Positions

Floats = npt.NDArray[np.float32]
SeedArray = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Units:
    """How a planner's values relate to the game's: a value of 1 is worth ``scale`` of its returns.

    Attributes:
        scale: of every value and reward.
        low, high: of any value, scaled; infinite where nobody knows.
    """

    scale: float = 1.0
    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True)
class Decisions:
    """A search's results for B positions; values are for the player to move."""

    action: npt.NDArray[np.int32]  # [B]
    policy: Floats  # [B, C]; zeros recommend nothing
    value: Floats  # [B]
    visits: npt.NDArray[np.int32]  # [B, C]; none where no search was needed
    q: Floats  # [B, C], NaN where not visited


class Planner(Protocol):
    """Decides at many positions at once; a row depends on its own position and seed only."""

    @property
    def afterstates(self) -> bool:
        """Whether records keep the position after each move, in the mover's view, not the one before it."""
        ...

    def predict(self, positions: Positions) -> tuple[Floats, Floats]:
        """The network alone: policy logits [B, C], -inf where illegal, and value [B]."""
        ...

    def search(
        self, positions: Positions, config: SearchConfig, seeds: SeedArray, *, noise: bool
    ) -> Decisions:
        """The search. Without ``noise`` it plays its best: no Gumbel or Dirichlet noise, no temperature."""
        ...


def decide(
    planner: Planner, positions: Positions, config: SearchConfig, seeds: SeedArray, *, noise: bool
) -> Decisions:
    """Searches where there is a choice; a forced move is played with the network's evaluation alone."""
    forced = positions.legal.sum(axis=1) == 1
    action = positions.legal.argmax(axis=1).astype(np.int32)
    policy = positions.legal.astype(np.float32)
    value = np.zeros(len(action), np.float32)
    visits, q = np.zeros(policy.shape, np.int32), np.full(policy.shape, np.nan, np.float32)
    for_network, for_search = np.flatnonzero(forced), np.flatnonzero(~forced)
    if len(for_network):
        value[for_network] = planner.predict(positions.rows(for_network))[1]
    if len(for_search):
        decisions = planner.search(positions.rows(for_search), config, seeds[for_search], noise=noise)
        action[for_search], policy[for_search], value[for_search] = (
            decisions.action,
            decisions.policy,
            decisions.value,
        )
        visits[for_search], q[for_search] = decisions.visits, decisions.q
    return Decisions(action, policy, value, visits, q)


def available_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Spent:
    """What a planner's searches have cost so far."""

    def __init__(self) -> None:
        self.evaluations = 0  # by the network
        self.network_seconds = 0.0  # inside it, summed over threads

    def add(self, result: PlanResult) -> None:
        """Counts a search."""
        self.evaluations += int(result.evaluations.sum())
        self.network_seconds += result.network_seconds

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Counts the time of a call of the network outside a search."""
        begin = time.perf_counter()
        yield
        self.network_seconds += time.perf_counter() - begin


# What the core says, and what ``checked_step`` does, where a step of the model is no number.
_NO_NUMBER = re.compile(r"the network's \w+ has -?(nan|inf)|step\.\w+ has a value that is not finite")
_DIVERGES = (
    "Searched deeper than it was unrolled in training, a model's hidden state may grow without bound: give "
    "max_depth=K, the steps it was unrolled, or learn with hidden_scaling=minmax"
)


class RulesPlanner:
    """AlphaZero: an evaluator of positions, and a search over the true rules.

    ``threads`` of a search, where its configuration does not ask for more than one: by default as many as
    there are cores. No result depends on it.
    """

    afterstates = False

    def __init__(self, evaluator: Evaluate, *, threads: int | None = None) -> None:
        self.evaluator = evaluator
        self.threads = available_cores() if threads is None else threads
        self.spent = Spent()

    def predict(self, positions: Positions) -> tuple[Floats, Floats]:
        """The network alone."""
        with self.spent.asking():
            logits, value = self.evaluator(positions.observation, positions.legal)
        return np.where(positions.legal, logits, -np.inf).astype(np.float32), value

    def search(
        self, positions: Positions, config: SearchConfig, seeds: SeedArray, *, noise: bool
    ) -> Decisions:
        """Searches over the rules what alpha-beta has not proved first."""
        choices = positions.legal.shape[1]
        if not config.proof_nodes:
            return _decisions(self.plan(positions, config, seeds, noise=noise), choices)
        proofs = self.prove(positions, config)
        decisions, open_rows = _proved(proofs, config, choices), np.flatnonzero(~proofs.proved)
        if len(open_rows):
            plans = self.plan(positions.rows(open_rows), config, seeds[open_rows], noise=noise)
            for name, column in vars(_decisions(plans, choices)).items():
                getattr(decisions, name)[open_rows] = column
        return decisions

    def prove(self, positions: Positions, config: SearchConfig) -> Proofs:
        """What alpha-beta proves of the positions within ``config.proof_nodes``, in the game's units."""
        threads = max(config.threads, self.threads)
        return prove_states(positions.game, positions.states, nodes=config.proof_nodes, threads=threads)

    def plan(
        self, positions: Positions, config: SearchConfig, seeds: SeedArray, *, noise: bool
    ) -> PlanResult:
        """The same search with its trees."""
        gumbel = None if noise else np.zeros(positions.legal.shape)
        result = plan_states(
            self.evaluator,
            positions.states,
            _searching(config, noise=noise, threads=self.threads),
            game=positions.game,
            seed=seeds,
            gumbel=_gumbel(config, gumbel),
        )
        self.spent.add(result)
        return result


class ModelPlanner:
    """MuZero and NDMZ: a learned model; of the rules it knows the root's legal moves and nothing else.

    ``threads`` as in ``RulesPlanner``. With ``symmetries`` the root's policy and value are the mean over all
    symmetric forms of the position; its hidden state, and all below it, are of the position as it is.
    """

    afterstates = False

    def __init__(
        self, model: ModelPlayer, *, threads: int | None = None, symmetries: Sequence[Symmetry] = ()
    ) -> None:
        self.model = model
        self.symmetries = tuple(symmetries)
        self.threads = available_cores() if threads is None else threads
        self.spent = Spent()

    def predict(self, positions: Positions) -> tuple[Floats, Floats]:
        """The network alone."""
        _, logits, value = self._root(positions)
        choices = logits[:, : positions.legal.shape[1]]
        return np.where(positions.legal, choices, -np.inf).astype(np.float32), value

    def search(
        self, positions: Positions, config: SearchConfig, seeds: SeedArray, *, noise: bool
    ) -> Decisions:
        """Searches in the model; the root's mover is its player 0."""
        return _decisions(self.plan(positions, config, seeds, noise=noise), positions.legal.shape[1])

    def plan(
        self, positions: Positions, config: SearchConfig, seeds: SeedArray, *, noise: bool
    ) -> PlanResult:
        """The same search with its trees; a row's actions are the model's, chance outcomes among them."""
        hidden, logits, value = self._root(positions)
        rows, choices = positions.legal.shape
        legal = np.zeros(logits.shape, np.bool_)
        legal[:, :choices] = positions.legal
        gumbel = None if noise else np.zeros(logits.shape)
        root = Root(hidden, logits, value, legal, np.zeros(rows, np.int32))
        settings = _searching(config, noise=noise, threads=self.threads)
        try:
            result = plan(self.model, root, settings, seed=seeds, gumbel=_gumbel(config, gumbel))
        except ValueError as error:
            if _NO_NUMBER.search(str(error)):
                raise ValueError(f"{error}. {_DIVERGES}") from error
            raise
        self.spent.add(result)
        return result

    def _root(self, positions: Positions) -> tuple[Floats, Floats, Floats]:
        """Hidden states [B, H], policy logits [B, A] and values [B]."""
        with self.spent.asking():
            hidden, logits, value = self.model.root(positions.observation)
            if self.symmetries:
                _, logits, value = self.model.root(turned(positions.observation, self.symmetries))
                logits, value = mean_answer(logits, value, self.symmetries)
            return hidden, logits, value


def _decisions(result: PlanResult, choices: int) -> Decisions:
    columns = slice(choices)  # a model's actions go on with chance's, which are not legal at a root
    policy, visits, q = result.policy[:, columns], result.visits[:, columns], result.q[:, columns]
    return Decisions(result.action, policy, result.value, visits, q)


def _proved(proofs: Proofs, config: SearchConfig, choices: int) -> Decisions:
    """Proved moves as decisions; rows that are not proved hold nothing.

    Where the position is not lost, its move is one to learn. Where it is, all moves are as good.
    """
    value = (proofs.value / config.value_scale).astype(np.float32)
    visits = (np.arange(choices) == proofs.action[:, None]).astype(np.int32)
    policy = visits * ~proofs.lost[:, None]
    q = np.where(visits > 0, value[:, None], np.nan).astype(np.float32)
    return Decisions(proofs.action.copy(), policy.astype(np.float32), value, visits, q)


def _gumbel(config: SearchConfig, gumbel: npt.NDArray[np.float64] | None) -> npt.NDArray[np.float64] | None:
    return gumbel if config.root == "gumbel" else None


def _searching(config: SearchConfig, *, noise: bool, threads: int) -> SearchConfig:
    """The configuration of a search as it is run."""
    threaded = replace(config, threads=max(config.threads, threads), proof_nodes=0)
    if noise:
        return threaded
    bare = Dirichlet()
    return replace(threaded, temperature=0.0, dirichlet=bare, forced_playouts=0.0, prune_targets=False)
