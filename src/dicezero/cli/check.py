"""``dicezero check``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro
from tyro.conf import Positional

from dicezero.cli.console import emit, working
from dicezero.rules import check_game, load_object


@dataclass(frozen=True)
class Check:
    """Test a game you wrote: random lines, every rule of the protocol asked at every position.

    Each rule that is broken is reported with the position and a remedy; the exit code is then 1.
    The module is imported, so its code runs: check only what you trust.

    Example: dicezero check examples/pig.py:Pig
    """

    game: Positional[Annotated[str, tyro.conf.arg(metavar="MODULE:NAME")]]
    """path/to/file.py:Name or package.module:Name; a registered game's name works too."""
    games: int = 100
    """Random lines to play."""
    max_moves: int = 10_000
    """A line with more actions than this counts as one that never ends."""
    seed: int = 0
    """The same seed plays the same lines."""
    json: bool = False
    """Print one JSON object: passed, failures, games, states, ..."""

    def run(self) -> int:
        """Checks and prints; 1 if the game fails."""
        game = load_object(self.game) if ":" in self.game else self.game
        with working(f"checking {self.game}", quiet=self.json):
            report = check_game(game, games=self.games, max_moves=self.max_moves, seed=self.seed)
        emit(report.as_dict(), str(report), as_json=self.json)
        return 0 if report.passed else 1
