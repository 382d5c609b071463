"""A position searched again and again with twice the budget: how an agent's choice comes about.

The search with the full budget is the one that ``dicezero search`` makes for the same agent and seed, and so
is each smaller one for the name that its snapshot carries.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from dicezero.agents import make_agent
from dicezero.agents.base import Agent
from dicezero.agents.learned import RunAgent
from dicezero.agents.searching import MinimaxAgent, MonteCarloAgent
from dicezero.rules.names import Name, parse_name
from dicezero.rules.protocol import Game, State
from dicezero.search.result import SearchResult
from dicezero.studio.beliefs import Belief, beliefs_of
from dicezero.studio.branches import trimmed
from dicezero.studio.pool import BusyError, Pool


class MakeAgent(Protocol):
    """``make_agent``, or another way to get the agent of a name."""

    def __call__(self, spec: str, game: Game, *, keep_tree: bool) -> Agent:
        """The agent."""
        ...


Unit = Literal["simulations", "plies", "nodes", "looks"]

MAX_SIMULATIONS = 10_000
MAX_PLIES = 12
MAX_NODES = 2_000_000
MAX_SECONDS = 10.0  # an analysis does not begin a search that would end later, as far as can be foreseen
LAST_TREE, EARLIER_TREE = 4_000, 600  # nodes kept of the full search's tree, and of the others'

_PARAMETER: dict[Unit, str] = {"simulations": "simulations", "plies": "depth", "nodes": "max_nodes"}
_MOST: dict[Unit, int] = {"simulations": MAX_SIMULATIONS, "plies": MAX_PLIES, "nodes": MAX_NODES}
_FIRST: dict[Unit, int] = {"simulations": 1, "plies": 1, "nodes": 64}


@dataclass(frozen=True)
class Snapshot:
    """One search of the position.

    Attributes:
        spec: the agent's name with this budget, as ``dicezero search`` takes it.
        budget: in ``unit``.
        unit: ``simulations``; ``plies`` or ``nodes`` of minimax; ``looks`` of agents that look once and have
            no budget.
        result: what was found, with its tree if there is one. Values are for the player to move.
        beliefs: what a learned model expects after each move; empty for other agents.
        full: the budget is the agent's own.
    """

    spec: str
    budget: int
    unit: Unit
    result: SearchResult
    beliefs: tuple[Belief, ...]
    full: bool


def analyse(
    game: Game,
    state: State,
    spec: str,
    *,
    seed: int,
    simulations: int | None = None,
    stop: threading.Event | None = None,
    max_seconds: float = MAX_SECONDS,
    make: MakeAgent = make_agent,
) -> Iterator[Snapshot]:
    """Searches ``state`` with budgets of 1, 2, 4, ... up to the agent's own; plies go up one by one.

    Args:
        game: what is played.
        state: a choice node.
        spec: an agent's name; a budget in seconds is refused, for it has no certain answer.
        seed: of every search.
        simulations: the full budget (of minimax: the plies) in place of the name's.
        stop: no further search once it is set.
        max_seconds: no further search if the time so far and what the next one will take exceed this; the
            last snapshot is then not ``full``.
        make: makes agents, as ``make_agent`` does.

    Raises:
        ValueError: no choice node, an unknown agent, or a budget above the studio's: 10,000 simulations, 12
            plies or 2,000,000 nodes.
    """
    if state.current_player() < 0:
        what = "the game is over" if state.is_terminal() else "the dice are to be rolled"
        raise ValueError(f"{what}: there is no choice to search")
    begin = time.perf_counter()
    agent = make(spec, game, keep_tree=True)
    unit, full = _budget(agent)
    if simulations is not None and unit != "looks":
        spec, full = _with(spec, unit, simulations), simulations
        agent = _with_budget(agent, spec, game, simulations, make)
    if unit != "looks" and full > _MOST[unit]:
        raise ValueError(
            f"{_PARAMETER[unit]}={full} is more than the studio searches; give at most {_MOST[unit]}"
        )
    beliefs = beliefs_of(agent, state)
    seconds, growth = 0.0, 2.0
    for budget in _doubling(unit, full):
        last = budget == full
        if seconds and time.perf_counter() - begin + growth * seconds > max_seconds:
            return
        if stop is not None and stop.is_set():
            return
        named = spec if last else _with(spec, unit, budget)
        searcher = agent if last else _with_budget(agent, named, game, budget, make)
        start = time.perf_counter()
        result = searcher.search(state, seed=seed)
        took = time.perf_counter() - start
        # A ply more multiplies the work by the moves there are, or their square root.
        growth = max(4.0, took / seconds if seconds > 0.01 else 0.0) if unit == "plies" else 2.0
        seconds = took
        if result.tree is not None:
            result = replace(result, tree=trimmed(result.tree, LAST_TREE if last else EARLIER_TREE))
        yield Snapshot(named, budget, unit, result, beliefs, last)


def _budget(agent: Agent) -> tuple[Unit, int]:
    """The unit that the agent's effort is counted in, and how much of it the agent spends."""
    if isinstance(agent, RunAgent):
        searches = agent.simulations > 0 and agent.run.config.preset.kind != "td"
        return ("simulations", agent.simulations) if searches else ("looks", 1)
    if isinstance(agent, MonteCarloAgent):
        if agent.config.simulations is None or agent.config.seconds is not None:
            raise ValueError(f"{agent.name} thinks for a time; give simulations instead")
        return "simulations", agent.config.simulations
    if isinstance(agent, MinimaxAgent):
        if agent.config.max_seconds is not None:
            raise ValueError(f"{agent.name} thinks for a time; give depth or max_nodes instead")
        if agent.config.max_nodes is not None:
            return "nodes", agent.config.max_nodes
        explicit = bool(getattr(agent.game, "tree_is_explicit", False))
        plies = agent.config.horizon(tree_is_explicit=explicit)
        return ("plies", plies) if plies is not None else ("looks", 1)
    return "looks", 1


def _doubling(unit: Unit, full: int) -> list[int]:
    if unit == "looks":
        return [full]
    if unit == "plies":
        return list(range(1, full + 1))
    budgets, budget = [], min(_FIRST[unit], full)
    while budget < full:
        budgets.append(budget)
        budget *= 2
    return [*budgets, full]


def _with(spec: str, unit: Unit, budget: int) -> str:
    """The agent's name with another budget."""
    name = parse_name(spec)
    return str(Name(name.word, {**name.parameters, _PARAMETER[unit]: str(budget)}))


def _with_budget(agent: Agent, spec: str, game: Game, budget: int, make: MakeAgent) -> Agent:
    if isinstance(agent, RunAgent):
        return agent.thinking(budget, name=spec)  # the weights are read once
    return make(spec, game, keep_tree=True)


class Analysis:
    """``analyse`` in a thread of its own, to be looked at while it runs.

    What goes wrong in it is a message in ``error`` and nothing else: the caller goes on.
    """

    def __init__(
        self,
        game: Game,
        state: State,
        spec: str,
        *,
        seed: int,
        simulations: int | None = None,
        make: MakeAgent = make_agent,
    ) -> None:
        """The arguments are those of ``analyse``; the state is copied."""
        self.spec = spec
        self.error: str | None = None
        self._snapshots: list[Snapshot] = []
        self._stop, self._ended = threading.Event(), threading.Event()
        self._arguments = (game, state.clone(), spec)
        self._options: dict[str, Any] = {"seed": seed, "simulations": simulations, "make": make}

    def start(self, pool: Pool | None = None) -> Analysis:
        """Begins, in a thread of the pool or in one of its own; a full pool is an ``error`` too."""
        if pool is None:
            threading.Thread(target=self._run, name="analysis").start()  # Python's end waits for it
            return self
        try:
            pool.submit(self._run)
        except BusyError as error:
            self.error = str(error)
            self._ended.set()
        return self

    def cancel(self) -> None:
        """No further search is begun; the one under way is left to end."""
        self._stop.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Waits for the end; whether it has come."""
        return self._ended.wait(timeout)

    @property
    def running(self) -> bool:
        """Whether more snapshots may come."""
        return not self._ended.is_set()

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        """Those there are by now, the smallest budget first."""
        return tuple(self._snapshots)

    def _run(self) -> None:
        try:
            game, state, spec = self._arguments
            for snapshot in analyse(game, state, spec, stop=self._stop, **self._options):
                self._snapshots.append(snapshot)
        except ValueError as error:
            self.error = str(error)
        except Exception as error:  # a thread can report only through this field
            logging.getLogger(__name__).exception("analysis of %s failed", self.spec)
            self.error = f"the analysis failed ({type(error).__name__}); the game goes on"
        finally:
            self._ended.set()
