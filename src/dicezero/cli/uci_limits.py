"""What a chess program may spend on a move, and how an agent gets it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TypeVar

from dicezero.agents.base import Agent
from dicezero.agents.searching import MinimaxAgent

_OVERHEAD_SECONDS = 0.05  # of the pipe and of Python
_MOVES_LEFT = 30  # that a game is taken to have where the client does not send it
_NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft")


@dataclass(frozen=True)
class Limits:
    """The words after ``go``. Times in seconds; None where not sent."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    perft: int | None = None
    infinite: bool = False


def parse_limits(words: list[str], *, turn: int) -> Limits:
    """Reads the words after ``go`` for the player to move; what is not understood is passed over."""
    numbers: dict[str, int] = {}
    for key, value in itertools.pairwise(words):
        if key in _NUMBERS and value.removeprefix("-").isdigit() and value.isascii() and len(value) < 16:
            numbers[key] = int(value)
    seconds = None
    if "movetime" in numbers:
        seconds = numbers["movetime"] / 1000 - _OVERHEAD_SECONDS
    elif (clock := numbers.get(("wtime", "btime")[turn])) is not None:
        increment = numbers.get(("winc", "binc")[turn], 0)
        moves = max(1, min(_MOVES_LEFT, numbers.get("movestogo", _MOVES_LEFT)))
        share = min(clock / moves + 0.8 * increment, 0.5 * clock)
        seconds = share / 1000 - _OVERHEAD_SECONDS
    positive = {key: value for key, value in numbers.items() if value > 0}
    return Limits(
        seconds=None if seconds is None else max(0.001, seconds),
        nodes=positive.get("nodes"),
        depth=2 * positive["mate"] if "mate" in positive else positive.get("depth"),
        perft=positive.get("perft"),
        infinite=bool({"infinite", "ponder"} & set(words)),
    )


def limited(agent: Agent, limits: Limits) -> Agent:
    """The agent with the client's limits on top of its own, where it can have any."""
    if not isinstance(agent, MinimaxAgent):
        return agent
    own = agent.config.depth
    depth = limits.depth if own == "default" else _smaller(own, limits.depth)
    config = replace(
        agent.config,
        max_seconds=_smaller(agent.config.max_seconds, limits.seconds),
        max_nodes=_smaller(agent.config.max_nodes, limits.nodes),
        depth="default" if own == "default" and depth is None else depth,
    )
    return MinimaxAgent(agent.name, agent.game, config, keep_tree=agent.keep_tree)


Number = TypeVar("Number", int, float)


def _smaller(own: Number | None, asked: Number | None) -> Number | None:
    return asked if own is None else own if asked is None else min(own, asked)
