"""Which agents a client may name: classical ones, by whitelisted parameters, within stated budgets.

Nothing that a client writes is a path: agents that read files (``run``, ``td``, ``optimal(path=...)``) can be
had by the id of a catalogued run only.
"""

from __future__ import annotations

from dicezero.agents.errors import AgentError
from dicezero.rules.names import Name, nearest, parse_int, parse_name, quote
from dicezero.rules.protocol import Game
from dicezero.studio.solutions import is_native

MAX_SIMULATIONS = 20_000
MAX_SIMULATIONS_IN_PYTHON = 1_000  # of a game whose rules are not native
MAX_RUN_SIMULATIONS = 2_000
MAX_DEPTH = {"minimax": 6, "alphabeta": 10, "expectiminimax": 4}
MAX_NODES_IN_PYTHON = 20_000
MAX_QUIESCENCE = 16

_MONTE_CARLO = ("simulations", "c", "playout", "final", "chance", "order", "root")
_MINIMAX = (
    "depth",
    "ordering",
    "chance_pruning",
    "exact_root",
    "quiescence",
    "singular_margin",
    "utility_bounds",
)
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "random": (),
    "greedy": (),
    "optimal": (),
    "uct": _MONTE_CARLO,
    "nmcts": _MONTE_CARLO,
    "flat_mc": _MONTE_CARLO,
    "minimax": _MINIMAX,
    "alphabeta": _MINIMAX,
    "expectiminimax": _MINIMAX,
}

CLIENT_AGENTS = tuple(_PARAMETERS)  # what a client may name, with parameters


def check_spec(text: str, game: Game) -> str:
    """The agent that a client's ``text`` names, as a name with all its budgets; AgentError where refused."""
    try:
        name = parse_name(text)
    except ValueError as error:
        raise AgentError(str(error)) from None
    allowed = _PARAMETERS.get(name.word)
    if allowed is None:
        names = ", ".join(_PARAMETERS)
        raise AgentError(f"unknown agent {quote(name.word)}; {nearest(name.word, _PARAMETERS)}known: {names}")
    for key in name.parameters:
        if key not in allowed:
            takes = f"it takes {', '.join(allowed)}" if allowed else "it takes none"
            raise AgentError(f"{name.word}: {quote(key)} cannot be given here; {takes}")
    return str(Name(name.word, _budgeted(name, game)))


def _budgeted(name: Name, game: Game) -> dict[str, str]:
    """The parameters with every budget written out, none above what is allowed here."""
    parameters = dict(name.parameters)
    native = is_native(game)
    if "simulations" in _PARAMETERS[name.word]:
        most = MAX_SIMULATIONS if native else MAX_SIMULATIONS_IN_PYTHON
        _at_most(name, parameters, "simulations", most, default=min(1000, most))
    elif "depth" in _PARAMETERS[name.word]:
        if not native and not getattr(
            game, "tree_is_explicit", False
        ):  # a branching factor may be anything: nodes are counted instead
            parameters["max_nodes"] = str(MAX_NODES_IN_PYTHON)
        _at_most(name, parameters, "depth", MAX_DEPTH[name.word], default=MAX_DEPTH[name.word] // 2 + 1)
        if "quiescence" in parameters:
            _at_most(name, parameters, "quiescence", MAX_QUIESCENCE, default=1)
    return parameters


def _at_most(name: Name, parameters: dict[str, str], key: str, most: int, *, default: int) -> None:
    value = parse_int(name.word, key, parameters[key]) if key in parameters else default
    if not 1 <= value <= most:
        raise AgentError(f"{name.word}: {key}={value} must be in 1..{most} here")
    parameters[key] = str(value)
