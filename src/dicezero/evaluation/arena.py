"""Agents at play: matches in pairs of games with the same dice and the seats swapped, and episodes alone.

The luck of the dice is the same for both games of a pair, so most of it cancels; the interval is computed
from the pairs, which are independent, and not from the games, which are not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dicezero.agents.base import Agent
from dicezero.evaluation.interval import mean_interval, return_interval, score_interval
from dicezero.evaluation.luck import Luck, luck_of
from dicezero.evaluation.seats import BatchAgent, OnGames, Seating, actions_of, play_seated, returns_of
from dicezero.evaluation.sprt import Sprt, SprtConfig, Verdict
from dicezero.rules.protocol import Game, State
from dicezero.rules.showing import ShownAsTable
from dicezero.rules.spec import GameSpec, spec_of
from dicezero.selfplay.episode import Episode
from dicezero.solve import Solution

__all__ = [
    "MatchInterrupted",
    "MatchResult",
    "check_two_players",
    "play_alone",
    "play_game",
    "play_match",
    "play_pairs",
]

_TOGETHER = 512  # games played at once, at the most
_MOMENT_SECONDS = 0.2  # between two reports of how far a match is


@dataclass(frozen=True)
class MatchResult(ShownAsTable):
    """What a match gave, all of it for the first agent.

    Attributes:
        games, wins, draws, losses: counts; games = wins + draws + losses.
        score: (wins + draws / 2) / games, in [0, 1].
        ci95: 95 % interval of the score, from the pairs.
        mean_return: what a game paid, on average.
        mean_return_ci95: its interval, from the pairs.
        mean_plies: moves a game, passes included, chance outcomes not.
        truncated: games that did not end in time; each counts as a draw.
        adjusted_score, adjusted_ci95: the score without the luck of the dice, where a solution was given;
            unbiased like the score, and as a rule far more precise.
        adjusted_return, adjusted_return_ci95: the same of the mean return.
        variance_ratio: variance of a pair's return over that of its adjusted return: so many times as many
            games would the plain figures need.
        sprt: the verdict of a sequential test, None where there was none or the games ran out before it.
        sprt_ratio: its log-likelihood ratio in the end.
    """

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    ci95: tuple[float, float]
    mean_return: float
    mean_return_ci95: tuple[float, float]
    mean_plies: float
    truncated: int = 0
    adjusted_score: float | None = None
    adjusted_ci95: tuple[float, float] | None = None
    adjusted_return: float | None = None
    adjusted_return_ci95: tuple[float, float] | None = None
    variance_ratio: float | None = None
    sprt: Verdict | None = None
    sprt_ratio: float | None = None


class MatchInterrupted(KeyboardInterrupt):
    """Ctrl-C during a match; ``result`` is that of the games that were over."""

    def __init__(self, result: MatchResult) -> None:
        super().__init__(f"interrupted after {result.games} games")
        self.result = result


def check_two_players(spec: GameSpec) -> None:
    """Raises ValueError unless two play: a match needs an opponent."""
    if spec.players != 2:
        raise ValueError(
            f"{spec.name} has one player, and a match needs two; measure a run of it with "
            "dicezero evaluate DIR, which plays it alone"
        )


def play_game(
    game: Game, seats: tuple[Agent, ...], *, seed: int, pair: int = 0, game_index: int = 0
) -> Episode:
    """Plays one game. The n-th roll is a function of (seed, pair, n) alone, whatever the agents do."""
    return play_seated(game, [Seating(seats, pair, game_index)], seed=seed)[0]


def play_pairs(
    game: Game,
    first: Agent,
    second: Agent,
    *,
    pairs: Sequence[int],
    seed: int,
    on_games: OnGames | None = None,
) -> list[Episode]:
    """The pairs of those numbers, two games each: in the first ``first`` is player 0, then player 1."""
    return play_seated(
        game,
        [_seating(first, second, 2 * pair + seat) for pair in pairs for seat in (0, 1)],
        seed=seed,
        on_games=on_games,
    )


def play_alone(
    game: Game, agent: Agent, *, numbers: Sequence[int], seed: int, on_games: OnGames | None = None
) -> list[Episode]:
    """The episodes of those numbers, of a game for one player."""
    seatings = [Seating((agent,), number, number) for number in numbers]
    return play_seated(game, seatings, seed=seed, on_games=on_games)


def play_match(
    game: Game,
    first: Agent,
    second: Agent,
    *,
    games: int,
    seed: int,
    solution: Solution | None = None,
    luck: Luck | None = None,
    sprt: SprtConfig | None = None,
    start: State | None = None,
    on_game: Callable[[int, float], None] | None = None,
    on_played: Callable[[int, Sequence[int]], None] | None = None,
) -> MatchResult:
    """Plays ``games`` games: the even ones with ``first`` as player 0, the odd ones with the seats swapped.

    Args:
        game: a game for two.
        first: whose score is reported.
        second: the opponent.
        games: how many; with an odd number the last one has no twin.
        seed: of the dice and of the agents.
        solution: of the game; with it the luck of the dice is taken out of a second score.
        luck: says how lucky player 0 was, for a game without a solution; the same is done with it.
        sprt: stop as soon as this test knows its verdict, on the adjusted scores where there are any.
        start: the position that every game begins from, by default the game's own.
        on_game: called after each game with the number played and the score so far.
        on_played: called after each game with its index and its actions, chance outcomes included.

    Raises:
        MatchInterrupted: Ctrl-C; it has the result of the games that were over.
    """
    spec = spec_of(game)
    check_two_players(spec)
    if games < 1:
        raise ValueError(f"games={games} must be at least 1")
    width = _width(spec, solution)
    sheet = _Sheet()
    test = Sprt(sprt) if sprt else None
    try:
        for index, episode in enumerate(_games(game, spec, first, second, games, seed, start)):
            seat = index % 2
            sheet.add(episode, returns_of(episode, spec)[seat])
            if solution is not None:
                given = luck_of(solution, actions_of(episode, spec), start=start)
            elif luck is not None:
                given = luck(actions_of(episode, spec), start)
            if solution is not None or luck is not None:
                sheet.adjust(given if seat == 0 else -given, width)
            if on_played:
                on_played(index, actions_of(episode, spec))
            if on_game:
                on_game(index + 1, _mean(sheet.scores))
            if test and seat == 1 and test.add(_mean((sheet.adjusted_scores or sheet.scores)[-2:])):
                break
    except KeyboardInterrupt as stop:
        if not sheet.scores:
            raise
        raise MatchInterrupted(sheet.result(spec.returns, test)) from stop
    return sheet.result(spec.returns, test)


class _Sheet:
    """The games of a match so far, for the first agent."""

    def __init__(self) -> None:
        self.scores: list[float] = []
        self.adjusted_scores: list[float] = []
        self._returns: list[float] = []
        self._adjusted: list[float] = []
        self._decisions = 0
        self._truncated = 0

    def add(self, episode: Episode, paid: float) -> None:
        """A game, and what it paid the first agent."""
        self.scores.append(1.0 if paid > 0.0 else 0.0 if paid < 0.0 else 0.5)
        self._returns.append(paid)
        self._decisions += len(episode.decisions)
        self._truncated += episode.truncated

    def adjust(self, luck: float, width: float) -> None:
        """Takes the luck, in returns, out of the last game; ``width`` is that of the range of returns.

        The mean of the luck is 0, so a fixed share of it can be taken from the score without bias; this
        share takes out all of it where a win, a draw and a loss are paid as far apart as they score.
        """
        self._adjusted.append(self._returns[-1] - luck)
        self.adjusted_scores.append(self.scores[-1] - luck / width)

    def result(self, returns: tuple[float, float], test: Sprt | None) -> MatchResult:
        """All of it; ``returns`` are their range."""
        pairs, adjusted = _pair_means(self._returns), _pair_means(self._adjusted)
        games, some = len(self.scores), bool(self._adjusted)
        return MatchResult(
            games=games,
            wins=self.scores.count(1.0),
            draws=self.scores.count(0.5),
            losses=self.scores.count(0.0),
            score=_mean(self.scores),
            ci95=score_interval(_pair_means(self.scores)),
            mean_return=_mean(self._returns),
            mean_return_ci95=return_interval(pairs, returns),
            mean_plies=self._decisions / games,
            truncated=self._truncated,
            adjusted_score=_mean(self.adjusted_scores) if some else None,
            adjusted_ci95=_within(mean_interval(_pair_means(self.adjusted_scores)), (0.0, 1.0))
            if some
            else None,
            adjusted_return=_mean(self._adjusted) if some else None,
            adjusted_return_ci95=_within(mean_interval(adjusted), returns) if some else None,
            variance_ratio=_variance(pairs) / max(_variance(adjusted), 1e-12) if some else None,
            sprt=test.verdict if test else None,
            sprt_ratio=test.ratio if test else None,
        )


def _games(
    game: Game,
    spec: GameSpec,
    first: Agent,
    second: Agent,
    games: int,
    seed: int,
    start: State | None,
) -> Iterator[Episode]:
    """The games in order, many at once; a game is the same however many are played beside it.

    Agents that search in batches get as many as they can, others as many as take a moment.
    """
    batches = isinstance(first, BatchAgent) or isinstance(second, BatchAgent)
    together, begin = _TOGETHER if batches else 2, 0
    while begin < games:
        seatings = [_seating(first, second, index) for index in range(begin, min(begin + together, games))]
        clock = time.perf_counter()
        yield from play_seated(game, seatings, seed=seed, spec=spec, start=start)
        if time.perf_counter() - clock < _MOMENT_SECONDS:
            together = min(2 * together, _TOGETHER)
        begin += len(seatings)


def _seating(first: Agent, second: Agent, index: int) -> Seating:
    """Game ``index`` of a match: both games of a pair have the same dice."""
    return Seating((first, second) if index % 2 == 0 else (second, first), index // 2, index)


def _width(spec: GameSpec, solution: Solution | None) -> float:
    """Of the range of returns; where the game does not say, of the values that perfect play has."""
    if spec.bounded or solution is None:
        return spec.returns[1] - spec.returns[0]
    return 2.0 * max(float(np.abs(solution.values).max()), 1e-12)


def _within(interval: tuple[float, float], bounds: tuple[float, float]) -> tuple[float, float]:
    """The part of an interval that a mean can be in: without luck a game may score beyond the bounds."""
    low, high = (min(max(end, bounds[0]), bounds[1]) for end in interval)
    return low, high


def _pair_means(values: list[float]) -> list[float]:
    return [_mean(values[i : i + 2]) for i in range(0, len(values), 2)]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _variance(values: list[float]) -> float:
    mean = _mean(values)
    return sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
