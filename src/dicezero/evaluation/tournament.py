"""Every agent against every other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dicezero.agents.base import Agent
from dicezero.evaluation.arena import check_two_players, play_match
from dicezero.evaluation.ratings import Rating, bradley_terry
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of
from dicezero.selfplay.seeds import address_seed


@dataclass(frozen=True)
class TournamentResult:
    """A cross-table.

    Attributes:
        names: of the n agents.
        scores: [n][n], of row against column in [0, 1]; None on the diagonal, and where it was not played.
        ratings: in the order of ``names``.
    """

    names: tuple[str, ...]
    scores: tuple[tuple[float | None, ...], ...]
    ratings: tuple[Rating, ...]


class TournamentInterrupted(KeyboardInterrupt):
    """Ctrl-C during a tournament; ``result`` is that of the pairings that were over."""

    def __init__(self, result: TournamentResult) -> None:
        super().__init__("interrupted")
        self.result = result


def play_tournament(
    game: Game,
    agents: Sequence[Agent],
    *,
    games: int,
    seed: int,
    opening: int = 0,
    on_game: Callable[[int, str], None] | None = None,
) -> TournamentResult:
    """A match of ``games`` games for every two agents; ``on_game`` gets the games played and who plays.

    Both games of a pair begin with the same ``opening`` random moves (see ``play_match``).

    Raises:
        TournamentInterrupted: Ctrl-C; it has the result of the pairings that were over.
    """
    check_two_players(spec_of(game))
    names = tuple(agent.name for agent in agents)
    if len(names) < 2:
        raise ValueError(f"a tournament needs at least two agents; got {len(names)}")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"agent {twice} is given twice; give each agent once")
    size = len(names)
    scores: list[list[float | None]] = [[None] * size for _ in names]
    done = 0
    for i in range(size):
        for j in range(i + 1, size):
            pairing = f"{names[i]} - {names[j]}"

            def on_played(played: int, _: float, base: int = done, pairing: str = pairing) -> None:
                if on_game:
                    on_game(base + played, pairing)

            match_seed = address_seed(seed, i, j)
            try:
                result = play_match(
                    game,
                    agents[i],
                    agents[j],
                    games=games,
                    seed=match_seed,
                    opening=opening,
                    on_game=on_played,
                )
            except KeyboardInterrupt as stop:
                if not done:
                    raise
                raise TournamentInterrupted(_table(names, scores, games)) from stop
            scores[i][j], scores[j][i] = result.score, 1.0 - result.score
            done += games
    return _table(names, scores, games)


def _table(names: tuple[str, ...], scores: Sequence[Sequence[float | None]], games: int) -> TournamentResult:
    """The cross-table and the ratings of those who have played, ``games`` games a pairing."""
    there = [i for i, row in enumerate(scores) if any(score is not None for score in row)]
    table = [[scores[i][j] for j in there] for i in there]
    points = [[0.0 if score is None else score * games for score in row] for row in table]
    met = [[0 if score is None else games for score in row] for row in table]
    who = tuple(names[i] for i in there)
    return TournamentResult(who, tuple(map(tuple, table)), tuple(bradley_terry(who, points, met)))
