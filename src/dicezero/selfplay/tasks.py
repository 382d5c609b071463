"""A round of self-play as a task that any runtime can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dicezero.search.config import SearchConfig
from dicezero.selfplay.play import play_games
from dicezero.selfplay.record import FIELDS, GameRecord
from dicezero.selfplay.runtime import OnProgress, Part, Player, joined

# With 32 games in lock step a worker runs the network at full speed already; sixteen chunks leave few workers
# idle at the end of a small round.
_LARGEST_CHUNK, _FEWEST_CHUNKS = 32, 16


@dataclass(frozen=True)
class SelfPlay:
    """The games of one round; the arguments are those of ``play_games``."""

    search: SearchConfig
    count: int  # games
    seed: int
    round_index: int
    explore_moves: int = 0
    epsilon: float = 0.0

    @property
    def what(self) -> str:
        """Their name in messages."""
        return f"games of round {self.round_index + 1}"

    @property
    def chunk(self) -> int:
        """Games that one worker plays in lock step."""
        fours = max(_FEWEST_CHUNKS // 4, -(-self.count // (4 * _LARGEST_CHUNK)))
        return -(-self.count // (4 * fours))  # a multiple of four chunks: two or four workers end together

    def do(self, player: Player, numbers: range, on_progress: OnProgress | None = None) -> Part:
        """The games, all steps one after another, and how many steps each has."""
        records = play_games(
            player.game,
            player.planner,
            player.search(self.search),
            games=numbers,
            seed=self.seed,
            round_index=self.round_index,
            explore_moves=self.explore_moves,
            epsilon=self.epsilon,
            on_moves=on_progress,
        )
        part: Part = {name: np.concatenate([getattr(r, name) for r in records]) for name in FIELDS}
        part["steps"] = np.array([len(record) for record in records], np.int64)
        return part

    def moves(self, part: Part) -> int:
        """Decisions in those games."""
        return int((part["actor"] >= 0).sum())

    def join(self, parts: Sequence[Part]) -> list[GameRecord]:
        """The games in the order of their numbers."""
        arrays = joined(parts)
        ends = np.cumsum(arrays.pop("steps")).tolist()
        bounds = list(zip([0, *ends[:-1]], ends, strict=True))
        return [GameRecord(**{name: array[a:b] for name, array in arrays.items()}) for a, b in bounds]
