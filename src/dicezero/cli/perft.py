"""``dicezero perft``."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rich.table import Table
from tyro.conf import Positional

from dicezero.cli.console import GameName, count, emit, working
from dicezero.cli.load import load
from dicezero.rules import perft


@dataclass(frozen=True)
class Perft:
    """Count the nodes of a game's tree at every depth; chance outcomes and passes are edges.

    Two implementations of the same rules have the same counts, so this is the test of a game's rules.

    Example: dicezero perft nannon --depth 8
    """

    game: Positional[GameName]
    """A game's name, or path/to/file.py:Name."""
    depth: int
    """How deep to count."""
    json: bool = False
    """Print one JSON object: game, depth, counts, seconds, nodes_per_second."""

    def run(self) -> int:
        """Counts and prints."""
        game = load(self.game)
        start = time.perf_counter()
        with working(f"counting {game} to depth {self.depth}", quiet=self.json):
            counts = [int(n) for n in perft(game, self.depth)]
        seconds = time.perf_counter() - start
        speed = sum(counts) / seconds if seconds > 0 else 0.0
        data = {
            "game": str(game),
            "depth": self.depth,
            "counts": counts,
            "seconds": seconds,
            "nodes_per_second": speed,
        }
        table = Table("depth", "nodes", box=None, pad_edge=False)
        for column in table.columns:
            column.justify = "right"
        for depth, nodes in enumerate(counts):
            table.add_row(str(depth), count(nodes))
        emit(data, str(game), table, f"{seconds:.3f} s, {count(speed)} nodes a second", as_json=self.json)
        return 0
