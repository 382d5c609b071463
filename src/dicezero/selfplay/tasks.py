"""A round of self-play as a task that any runtime can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dicezero.search.config import SearchConfig
from dicezero.selfplay.episode import Episode, join_episodes, split_episodes
from dicezero.selfplay.play import play_games
from dicezero.selfplay.runtime import OnProgress, Part, Player, joined

# With 32 games in lock step a worker runs the network at full speed already; sixteen chunks leave few workers
# idle at the end of a small round.
_LARGEST_CHUNK, _FEWEST_CHUNKS = 32, 16
_TOGETHER = 2048  # games under way at once in one process: their states live in memory together


@dataclass(frozen=True)
class SelfPlay:
    """The games of one round; the arguments are those of ``play_games``."""

    search: SearchConfig
    count: int  # games
    seed: int
    round_index: int
    explore_moves: int = 0
    epsilon: float = 0.0
    fast_simulations: int = 0
    full_share: float = 0.25
    max_moves: int = 0
    opening_moves: int = 0

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
        """The games as arrays that travel."""
        played = play_games(
            player.game,
            player.planner,
            player.search(self.search),
            games=numbers,
            seed=self.seed,
            round_index=self.round_index,
            explore_moves=self.explore_moves,
            epsilon=self.epsilon,
            fast_simulations=self.fast_simulations,
            full_share=self.full_share,
            max_moves=self.max_moves,
            opening_moves=self.opening_moves,
            together=_TOGETHER,
            spec=player.spec,
            on_moves=on_progress,
        )
        return join_episodes(played)

    def moves(self, part: Part) -> int:
        """Decisions in those games."""
        return int((part["actor"] >= 0).sum())

    def join(self, parts: Sequence[Part]) -> list[Episode]:
        """The games in the order of their numbers."""
        return split_episodes(joined(parts))
