"""Games that a run plays to be measured, as tasks that any runtime can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dicezero.agents import Agent, make_agent
from dicezero.evaluation.arena import play_alone, play_pairs
from dicezero.evaluation.runs import PlannerAgent
from dicezero.evaluation.seats import returns_of
from dicezero.search.config import SearchConfig
from dicezero.selfplay.episode import Episode
from dicezero.selfplay.runtime import OnProgress, Part, Player, joined


def opponent_of(player: Player, name: str) -> Agent:
    """The agent of that name for the player's game, made once."""
    return player.keep(f"agent {name}", lambda: make_agent(name, player.game))


def _agent(player: Player, play: SearchConfig | None) -> PlannerAgent:
    """The run as it plays: its search without noise, or without ``play`` the network alone."""
    config = None if play is None else player.search(play)
    return PlannerAgent("run", player.planner, config, player.game)


def _lengths(episodes: Sequence[Episode]) -> Part:
    return {
        "decisions": np.array([len(episode.decisions) for episode in episodes], np.int64),
        "truncated": np.array([episode.truncated for episode in episodes], np.bool_),
    }


@dataclass(frozen=True)
class PairsOfGames:
    """A task: pairs of games against an opponent, the same dice in both, the seats swapped.

    A part has ``returns`` [games], of the run, ``decisions`` [games] and ``truncated`` [games]; games 2n and
    2n + 1 are pair n.
    """

    opponent: str
    play: SearchConfig | None
    seed: int
    count: int  # pairs
    opening: int = 0  # random moves that both games of a pair begin with

    chunk = 16
    what = "pairs of games to be measured"

    def do(self, player: Player, numbers: range, on_progress: OnProgress | None = None) -> Part:
        """Plays the pairs of those numbers."""
        episodes = play_pairs(
            player.game,
            _agent(player, self.play),
            opponent_of(player, self.opponent),
            pairs=numbers,
            seed=self.seed,
            opening=self.opening,
            on_games=None if on_progress is None else lambda games, moves: on_progress(games // 2, moves),
        )
        paid = [returns_of(episode, player.spec)[index % 2] for index, episode in enumerate(episodes)]
        return {"returns": np.array(paid), **_lengths(episodes)}

    def moves(self, part: Part) -> int:
        """Decisions of both sides."""
        return int(part["decisions"].sum())

    def join(self, parts: Sequence[Part]) -> Part:
        """All games, pair by pair."""
        return joined(parts)


@dataclass(frozen=True)
class EpisodesAlone:
    """A task: episodes of a game for one player.

    A part has ``returns`` [episodes], ``decisions`` [episodes] and ``truncated`` [episodes].
    """

    play: SearchConfig | None
    seed: int
    count: int  # episodes

    chunk = 16
    what = "episodes to be measured"

    def do(self, player: Player, numbers: range, on_progress: OnProgress | None = None) -> Part:
        """Plays the episodes of those numbers."""
        agent = _agent(player, self.play)
        episodes = play_alone(player.game, agent, numbers=numbers, seed=self.seed, on_games=on_progress)
        return {"returns": np.array([episode.outcome for episode in episodes]), **_lengths(episodes)}

    def moves(self, part: Part) -> int:
        """Decisions."""
        return int(part["decisions"].sum())

    def join(self, parts: Sequence[Part]) -> Part:
        """All episodes, one after another."""
        return joined(parts)
