"""``dicezero uci``."""

from __future__ import annotations

import io
import os
import sys
from dataclasses import dataclass

from tyro.conf import Positional

from dicezero.cli.console import AgentName


@dataclass(frozen=True)
class Uci:
    """An agent as a chess program for cutechess, python-chess and others: UCI on stdin and stdout.

    The client's time, nodes and depth are passed on to agents that have such a limit (alphabeta);
    others search with their name's settings.

    Example: dicezero uci "alphabeta(depth=6,quiescence=8)"
    """

    agent: Positional[AgentName]
    """Who plays."""
    game: str = "chess"
    """chess or gardner_chess; the client may choose with UCI_Variant."""
    seed: int = 0
    """Random seed of the agent."""

    def run(self) -> int:
        """Answers until ``quit`` or the end of stdin."""
        from dicezero.cli.uci_server import UciServer

        server = UciServer(self.agent, self.game, seed=self.seed, out=sys.stdout)
        code = 0
        try:
            server.run(io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace"))
        except KeyboardInterrupt:
            code = 130
        if server.searching:
            # A native search cannot be stopped from here, and Python must not end around it: it would end its
            # thread in the middle of C++, which aborts the process.
            sys.stdout.flush()
            os._exit(code)
        return code
