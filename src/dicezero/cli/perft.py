"""``dicezero perft``."""

from __future__ import annotations

import time
from dataclasses import dataclass

from tyro.conf import Positional

from dicezero.cli.console import GameName, count, emit
from dicezero.cli.load import load
from dicezero.cli.position import start
from dicezero.cli.progress import working
from dicezero.cli.sheet import Sheet
from dicezero.rules import perft


@dataclass(frozen=True)
class Perft:
    """Count the nodes of a game's tree at every depth; chance outcomes and passes are edges.

    Two implementations of the same rules have the same counts, so this is the test of a game's rules.

    Example: dicezero perft nannon --depth 8

    Example: dicezero perft chess --depth 4 --position "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
    """

    game: Positional[GameName]
    depth: int
    """How deep to count."""
    position: str | None = None
    """Where to begin, in the game's own notation (FEN, position ID) or as a serialized state."""
    json: bool = False
    """Print one JSON object: game, depth, counts, seconds, nodes_per_second."""

    def run(self) -> int:
        """Counts and prints."""
        game = load(self.game)
        begin = None if self.position is None else start(game, self.position)
        began = time.perf_counter()
        with working(f"counting {game} to depth {self.depth}", quiet=self.json):
            counts = [int(n) for n in perft(game, self.depth, begin)]
        seconds = time.perf_counter() - began
        speed = sum(counts) / seconds if seconds > 0 else 0.0
        data = {
            "game": str(game),
            "depth": self.depth,
            "counts": counts,
            "seconds": seconds,
            "nodes_per_second": speed,
        }
        table = Sheet("depth", "nodes", right=("depth", "nodes"))
        for depth, nodes in enumerate(counts):
            table.add_row(str(depth), count(nodes))
        emit(data, str(game), table, f"{seconds:.3f} s, {count(speed)} nodes a second", as_json=self.json)
        return 0
