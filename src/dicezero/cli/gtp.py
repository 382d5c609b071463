"""``dicezero gtp``."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass

from tyro.conf import Positional

from dicezero.cli.console import AgentName


@dataclass(frozen=True)
class Gtp:
    """An agent as a Go program for GoGui, Sabaki and others: the Go Text Protocol on stdin and stdout.

    The client chooses board size and komi; --game sets them until then. Positional superko and area
    scoring are the rules; all stones on the board in the end count as alive.

    Example: dicezero gtp "uct(simulations=1000)" --game "go(board_size=9)"
    """

    agent: Positional[AgentName]
    """Who plays."""
    game: str = "go"
    """The board until the client sets another."""
    seed: int = 0
    """Random seed of the agent; the client may give another with set_random_seed."""

    def run(self) -> int:
        """Answers until ``quit`` or the end of stdin."""
        from dicezero.cli.gtp_server import GtpServer

        server = GtpServer(self.agent, self.game, seed=self.seed)
        server.run(io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace"), sys.stdout)
        return 0
