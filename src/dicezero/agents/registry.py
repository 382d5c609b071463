"""Agents by name: ``random``, ``alphabeta(depth=6)``, ... in the grammar of games' names.

The parameters of an agent are the fields of its algorithm's configuration, so there is one list of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dicezero.agents.base import Agent
from dicezero.agents.errors import AgentError
from dicezero.agents.parameters import parse_parameters
from dicezero.agents.simple import NoParameters, RandomAgent
from dicezero.rules.errors import GameError
from dicezero.rules.names import nearest, parse_name, quote
from dicezero.rules.protocol import Game


@dataclass(frozen=True)
class AgentKind:
    """A kind of agent: what it is, and how one is made from (name, game, parameters, keep_tree)."""

    summary: str
    make: Callable[[str, Game, dict[str, str], bool], Agent]


def make_agent(spec: str, game: Game, *, keep_tree: bool = False) -> Agent:
    """The agent that ``spec`` names, for ``game``.

    Args:
        spec: such as ``"random"`` or ``"uct(simulations=1000)"``.
        game: what it is to play.
        keep_tree: its results carry the searched tree, where it has one.

    Raises:
        AgentError: the name or a parameter is unknown or out of range; the message says which and what to do.
    """
    try:
        name = parse_name(spec)
    except GameError as error:
        raise AgentError(str(error)) from None
    if name.word not in AGENTS:
        known = ", ".join(AGENTS)
        raise AgentError(f"unknown agent {quote(name.word)}; {nearest(name.word, AGENTS)}known: {known}")
    return AGENTS[name.word].make(str(name), game, dict(name.parameters), keep_tree)


def _random(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:  # noqa: ARG001
    parse_parameters("random", NoParameters, parameters)
    return RandomAgent(name, game)


def _greedy(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:  # noqa: ARG001
    from dicezero.agents.greedy import GreedyAgent

    parse_parameters("greedy", NoParameters, parameters)
    return GreedyAgent(name, game)


def _optimal(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:  # noqa: ARG001
    from dicezero.agents.optimal import OptimalAgent, OptimalConfig

    return OptimalAgent(name, game, parse_parameters("optimal", OptimalConfig, parameters))


def _minimax(algorithm: str, depth: int) -> Callable[[str, Game, dict[str, str], bool], Agent]:
    """An agent of the minimax family; ``depth`` is used where the name gives neither a depth nor a budget."""

    def make(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:
        from dicezero.agents.searching import MinimaxAgent
        from dicezero.search.minimax import MinimaxConfig

        fixed: dict[str, Any] = {"algorithm": algorithm}
        if not parameters.keys() & {"depth", "max_nodes", "max_seconds"}:
            parameters = {**parameters, "depth": str(depth)}
        config = parse_parameters(algorithm, MinimaxConfig, parameters, fixed=fixed)
        return MinimaxAgent(name, game, config, keep_tree=keep_tree)

    return make


def _uct(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:
    from dicezero.agents.searching import MonteCarloAgent
    from dicezero.search.uct import UctConfig

    return MonteCarloAgent(name, game, parse_parameters("uct", UctConfig, parameters), keep_tree=keep_tree)


def _nmcts(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:
    from dicezero.agents.searching import NmctsAgent
    from dicezero.search.uct import UctConfig

    return NmctsAgent(name, game, parse_parameters("nmcts", UctConfig, parameters), keep_tree=keep_tree)


def _flat(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:
    from dicezero.agents.searching import MonteCarloAgent
    from dicezero.search.uct import FlatConfig

    config = parse_parameters("flat_mc", FlatConfig, {"final": "mean", **parameters})
    return MonteCarloAgent(name, game, config, keep_tree=keep_tree)


def _run(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:
    from dicezero.agents.learned import RunAgent, RunAgentConfig

    return RunAgent(name, game, parse_parameters("run", RunAgentConfig, parameters), keep_tree=keep_tree)


def _td(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:  # noqa: ARG001
    from dicezero.agents.learned import TdAgentConfig, td_agent

    return td_agent(name, game, parse_parameters("td", TdAgentConfig, parameters))


AGENTS: dict[str, AgentKind] = {
    "random": AgentKind("any legal move", _random),
    "greedy": AgentKind("the best-looking position one move ahead", _greedy),
    "optimal": AgentKind("plays the exact solution", _optimal),
    "minimax": AgentKind("every branch to a depth (default 4)", _minimax("minimax", 4)),
    "alphabeta": AgentKind("minimax with pruning (default depth 6)", _minimax("alphabeta", 6)),
    "expectiminimax": AgentKind("minimax with chance nodes (default depth 2)", _minimax("expectiminimax", 2)),
    "uct": AgentKind("Monte Carlo tree search (default 1000 simulations)", _uct),
    "nmcts": AgentKind("the same with the inner nodes of NMCTS at chance nodes", _nmcts),
    "flat_mc": AgentKind("play-outs after every move, no tree", _flat),
    "run": AgentKind("what dicezero train has learned: run(path=DIR,simulations=100,round=20)", _run),
    "td": AgentKind("what dicezero train td-lambda has learned: td(path=DIR)", _td),
}
