"""Outside programs and agents of the studio's owner that judge moves where a game is not solved.

A client never names one: they are given on the command line, but for GNU Backgammon, which judges if it is
installed, and the agents that ship with the package.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from dicezero.agents import Agent, make_agent
from dicezero.agents.errors import AgentError
from dicezero.agents.registry import agent_kind
from dicezero.rules import identify
from dicezero.rules.names import parse_name
from dicezero.rules.protocol import Game

# Tried last, in this order, where they are installed or shipped. A learned agent values a position better
# than thousands of random play-outs; with shorter proofs than Connect Four's plays with, a grade takes a
# fraction of a second, not five. One that looks a move ahead (backgammon's) has no proofs.
INSTALLED = ("gnubg(plies=0)", "pretrained(simulations=200,proof_nodes=50000)", "pretrained")


class Judges:
    """Agents whose values are believed, by the game they fit. Safe for many threads; none is made twice."""

    def __init__(self, specs: Sequence[str] = ()) -> None:
        """``specs`` are agents of the owner's, the best first.

        Raises:
            AgentError: an unknown agent, or one without values.
        """
        for spec in specs:
            word = parse_name(spec).word
            if not agent_kind(word).values:
                raise AgentError(
                    f"--judge {spec}: {word} chooses moves and says no values; give one that does, such as "
                    "uci(command=stockfish,nodes=1000)"
                )
        self._specs = (*specs, *INSTALLED)
        self._agents: dict[str, Agent | None] = {}
        self._lock = threading.Lock()

    def of(self, game: Game) -> Agent | None:
        """The first judge that plays the game; None where there is none."""
        key = identify(game).key
        with self._lock:
            if key not in self._agents:
                self._agents[key] = self._make(game)
            return self._agents[key]

    def close(self) -> None:
        """Ends the programs."""
        with self._lock:
            for agent in self._agents.values():
                close = getattr(agent, "close", None)
                if callable(close):
                    close()
            self._agents.clear()

    def _make(self, game: Game) -> Agent | None:
        for spec in self._specs:
            try:
                return make_agent(spec, game)
            except (AgentError, ValueError):  # it plays another game, or is not installed
                continue
        return None
