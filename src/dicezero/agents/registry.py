"""Agents by name: ``random``, ``alphabeta(depth=6)``, ... in the grammar of games' names.

The parameters of an agent are the fields of its algorithm's configuration, so there is one list of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_type_hints

from dicezero.agents.base import Agent
from dicezero.agents.errors import AgentError
from dicezero.agents.parameters import is_plain, parse_parameters, unknown_parameter
from dicezero.agents.simple import NoParameters, RandomAgent
from dicezero.rules.errors import GameError
from dicezero.rules.fields import FieldRecord, field_records
from dicezero.rules.names import Name, nearest, parse_name, quote
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of

if TYPE_CHECKING:
    from dicezero.search.minimax import Algorithm


@dataclass(frozen=True)
class AgentKind:
    """A kind of agent.

    Attributes:
        summary: what it does, in a line.
        make: makes one from (name, game, parameters, keep_tree).
        config: gives the dataclass whose fields are its parameters, or one with the kind's own defaults.
        fixed: fields of that which belong to the kind and cannot be given.
        branches: whether it copies states to look ahead, which an environment's cannot be.
        values: whether it values positions, beside choosing a move.
    """

    summary: str
    make: Callable[[str, Game, dict[str, str], bool], Agent]
    config: Callable[[], Any] = lambda: NoParameters
    fixed: tuple[str, ...] = ()
    branches: bool = True
    values: bool = True


def make_agent(spec: str, game: Game, *, keep_tree: bool = False) -> Agent:
    """The agent that ``spec`` names, for ``game``.

    Args:
        spec: such as ``"random"`` or ``"uct(simulations=1000)"``.
        game: what it is to play.
        keep_tree: its results carry the searched tree, where it has one.

    Raises:
        AgentError: the name, a parameter or a trait of the game does not fit; the message says which.
    """
    name = parse_agent(spec)
    kind = agent_kind(name.word)
    if kind.branches and spec_of(game).simulator != "states":
        raise AgentError(
            f"{name.word} cannot play {game}: it looks ahead, and this has simulator=episodes (it can be "
            "reset and stepped, not branched); use random or run(path=DIR)"
        )
    return kind.make(str(name), game, dict(name.parameters), keep_tree)


def parse_agent(spec: str) -> Name:
    """The parts of an agent's name, once its word and its keys are known; nothing is made or loaded.

    Raises:
        AgentError: the word or a key is unknown; the message says what was meant.
    """
    try:
        name = parse_name(spec)
    except GameError as error:
        raise AgentError(str(error)) from None
    keys = [record.name for record in agent_parameters(name.word)]
    for key in name.parameters:
        if key not in keys:
            raise unknown_parameter(name.word, key, keys)
    return name


def agent_kind(word: str) -> AgentKind:
    """The kind of agent of that name; AgentError where there is none."""
    if word not in AGENTS:
        names = ", ".join(AGENTS)
        raise AgentError(f"unknown agent {quote(word)}; {nearest(word, AGENTS)}known: {names}")
    return AGENTS[word]


def agent_parameters(word: str) -> list[FieldRecord]:
    """What an agent of that name takes."""
    kind = agent_kind(word)
    made = kind.config()
    config, defaults = (made, None) if isinstance(made, type) else (type(made), made)
    types = get_type_hints(config)
    return [
        record
        for record in field_records(config, of=defaults)
        if record.name not in kind.fixed and is_plain(types[record.name])
    ]


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


def _minimax(algorithm: Algorithm) -> Callable[[str, Game, dict[str, str], bool], Agent]:
    """An agent of the minimax family."""

    def make(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:
        from dicezero.agents.searching import MinimaxAgent
        from dicezero.search.minimax import MinimaxConfig

        config = parse_parameters(algorithm, MinimaxConfig, parameters, fixed={"algorithm": algorithm})
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
    from dicezero.agents.learned import RunAgent
    from dicezero.agents.learned_config import RunAgentConfig

    return RunAgent(name, game, parse_parameters("run", RunAgentConfig, parameters), keep_tree=keep_tree)


def _pretrained(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:
    from dicezero.agents.pretrained import PretrainedConfig, pretrained_agent

    config = parse_parameters("pretrained", PretrainedConfig, parameters, fixed={"path": ""})
    return pretrained_agent(name, game, config, keep_tree=keep_tree)


def _td(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:  # noqa: ARG001
    from dicezero.agents.learned import TdAgentConfig, td_agent

    return td_agent(name, game, parse_parameters("td", TdAgentConfig, parameters))


def _gnubg(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:  # noqa: ARG001
    from dicezero.agents.gnubg import GnubgAgent, GnubgConfig

    return GnubgAgent(name, game, parse_parameters("gnubg", GnubgConfig, parameters))


def _gnubg_config() -> Any:
    from dicezero.agents.gnubg import GnubgConfig

    return GnubgConfig()


def _gtp(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:  # noqa: ARG001
    from dicezero.agents.gtp import GtpAgent, GtpConfig

    return GtpAgent(name, game, parse_parameters("gtp", GtpConfig, parameters))


def _uci(name: str, game: Game, parameters: dict[str, str], keep_tree: bool) -> Agent:  # noqa: ARG001
    from dicezero.agents.uci import UciAgent, UciConfig

    return UciAgent(name, game, parse_parameters("uci", UciConfig, parameters))


def _gtp_config() -> Any:
    from dicezero.agents.gtp import GtpConfig

    return GtpConfig


def _uci_config() -> Any:
    from dicezero.agents.uci import UciConfig

    return UciConfig


def _optimal_config() -> Any:
    from dicezero.agents.optimal import OptimalConfig

    return OptimalConfig


def _uct_config() -> Any:
    from dicezero.search.uct import UctConfig

    return UctConfig()


def _flat_config() -> Any:
    from dicezero.search.uct import FlatConfig

    return FlatConfig(final="mean")


def _run_config() -> Any:
    from dicezero.agents.learned_config import RunAgentConfig

    return RunAgentConfig


def _pretrained_config() -> Any:
    from dicezero.agents.pretrained import PretrainedConfig

    return PretrainedConfig()


def _td_config() -> Any:
    from dicezero.agents.learned import TdAgentConfig

    return TdAgentConfig


def _minimax_kind(algorithm: Algorithm, summary: str) -> AgentKind:
    def config() -> Any:
        from dicezero.search.minimax import MinimaxConfig

        return MinimaxConfig(algorithm)

    return AgentKind(summary, _minimax(algorithm), config, fixed=("algorithm",))


AGENTS: dict[str, AgentKind] = {
    "random": AgentKind("any legal move", _random, branches=False, values=False),
    "greedy": AgentKind("the best-looking position one move ahead", _greedy),
    "optimal": AgentKind("plays the exact solution", _optimal, _optimal_config),
    "minimax": _minimax_kind("minimax", "every branch to a depth (default 4 plies)"),
    "alphabeta": _minimax_kind("alphabeta", "minimax with pruning (default 6 plies)"),
    "expectiminimax": _minimax_kind("expectiminimax", "minimax with chance nodes (default 2 plies)"),
    "uct": AgentKind("Monte Carlo tree search (default 1000 simulations)", _uct, _uct_config),
    "nmcts": AgentKind(
        "Monte Carlo tree search with the inner nodes of NMCTS at chance nodes", _nmcts, _uct_config
    ),
    "flat_mc": AgentKind("rollouts after every move, no tree", _flat, _flat_config),
    "run": AgentKind("what dicezero train has learned", _run, _run_config, branches=False),
    "pretrained": AgentKind(
        "what is shipped for this game", _pretrained, _pretrained_config, fixed=("path",), branches=False
    ),
    "td": AgentKind("what dicezero train td-lambda has learned", _td, _td_config),
    "gnubg": AgentKind("GNU Backgammon, a program of its own", _gnubg, _gnubg_config),
    "gtp": AgentKind("a Go program that speaks GTP, such as GNU Go", _gtp, _gtp_config, values=False),
    "uci": AgentKind("a chess program that speaks UCI, such as Stockfish", _uci, _uci_config),
}
