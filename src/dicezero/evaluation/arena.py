"""Agents at play: matches in pairs of games with the same dice and the seats swapped, and episodes alone.

The luck of the dice is the same for both games of a pair, so most of it cancels; the interval is computed
from the pairs, which are independent, and not from the games, which are not.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from dicezero.agents.base import Agent
from dicezero.agents.engine_process import EngineError
from dicezero.agents.errors import AgentError
from dicezero.evaluation.luck import Luck, luck_of
from dicezero.evaluation.match_result import MatchResult, MatchSheet, mean
from dicezero.evaluation.money import MoneyRules
from dicezero.evaluation.seats import BatchAgent, OnGames, Seating, actions_of, play_seated, returns_of
from dicezero.evaluation.sprt import Sprt, SprtConfig
from dicezero.rules.notation.moves import Double
from dicezero.rules.protocol import Game, State
from dicezero.rules.spec import GameSpec, spec_of
from dicezero.selfplay.episode import Episode
from dicezero.solve import Solution

__all__ = [
    "MatchBrokenOffError",
    "MatchInterrupted",
    "MatchResult",
    "check_two_players",
    "play_alone",
    "play_game",
    "play_match",
    "play_pairs",
]

MOST_OPENING = 1_000  # random moves before a game
_TOGETHER = 512  # games played at once, at the most
_TOGETHER_OUTSIDE = 32  # the same with a program outside, which may die and take them with it
_MOMENT_SECONDS = 0.2  # between two reports of how far a match is


class MatchInterrupted(KeyboardInterrupt):
    """Ctrl-C during a match; ``result`` is that of the games that were over."""

    def __init__(self, result: MatchResult) -> None:
        super().__init__(f"interrupted after {result.games} games")
        self.result = result


class MatchBrokenOffError(AgentError):
    """An agent failed in the middle of a match; ``result`` is that of the games that were over."""

    def __init__(self, result: MatchResult, why: str) -> None:
        super().__init__(why)
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
    opening: int = 0,
    on_games: OnGames | None = None,
) -> list[Episode]:
    """The pairs of those numbers, two games each: in the first ``first`` is player 0, then player 1.

    Both games of a pair begin with the same ``opening`` random moves.
    """
    return play_seated(
        game,
        [_seating(first, second, 2 * pair + seat) for pair in pairs for seat in (0, 1)],
        seed=seed,
        opening=opening,
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
    money: MoneyRules | None = None,
    sprt: SprtConfig | None = None,
    start: State | None = None,
    opening: int = 0,
    on_game: Callable[[int, float], None] | None = None,
    on_played: Callable[[int, Sequence[int], Sequence[Double]], None] | None = None,
) -> MatchResult:
    """Plays ``games`` games: the even ones with ``first`` as player 0, the odd ones with the seats swapped.

    Args:
        game: a game for two.
        first: whose score is reported.
        second: the opponent.
        games: how many; with an odd number the last one has no twin.
        seed: of the dice and of the agents.
        solution: of the game; with it the luck of the dice is taken out of a second score.
        luck: computes how lucky player 0 was, for a game without a solution; the same is done with it.
        money: plays for money with a doubling cube; it knows the luck itself, in place of ``luck``.
        sprt: stop as soon as this test knows its verdict, on the adjusted scores where there are any.
        start: the position that every game begins from, by default the game's own.
        opening: random moves that both games of a pair begin with, others for every pair: deterministic
            agents play the same two games over and over without.
        on_game: called after each game with the number played and the score so far.
        on_played: called after each game with its index, its actions, chance outcomes included, and how the
            cube was turned.

    Raises:
        MatchInterrupted: Ctrl-C; it has the result of the games that were over.
        MatchBrokenOffError: an agent failed, such as a program that died; it has the same.
    """
    spec = spec_of(game)
    check_two_players(spec)
    if games < 1:
        raise ValueError(f"games={games} must be at least 1")
    if not 0 <= opening <= MOST_OPENING:
        raise ValueError(f"opening={opening} must be in 0..{MOST_OPENING} moves")
    if money is not None:
        money.check((first, second))
    returns = spec.returns if money is None else (-math.inf, math.inf)  # a cube knows no bounds
    width = _width(spec, solution)
    sheet = MatchSheet()
    test = Sprt(sprt) if sprt else None
    try:
        for index, episode in enumerate(_games(game, spec, first, second, games, seed, start, opening)):
            seat = index % 2
            paid, actions = returns_of(episode, spec)[0], actions_of(episode, spec)
            gained, decisions, doubles = None, None, tuple[Double, ...]()
            if money is not None:
                agents = _seating(first, second, index).agents
                settled = money.settle(actions, agents, paid, start=start)
                paid, actions, doubles = settled.paid, list(settled.actions), settled.doubles
                gained, decisions = settled.luck if money.knows_luck else None, settled.decisions
            elif solution is not None:
                gained = luck_of(solution, actions, start=start)
            elif luck is not None:
                gained = luck(actions, start)
            sheet.add(episode, paid if seat == 0 else -paid, decisions=decisions)
            if gained is not None:
                sheet.adjust(gained if seat == 0 else -gained, width)
            if on_played:
                on_played(index, actions, doubles)
            if on_game:
                on_game(index + 1, mean(sheet.scores))
            if test and seat == 1 and test.add(mean((sheet.adjusted_scores or sheet.scores)[-2:])):
                break
    except KeyboardInterrupt as stop:
        if not sheet.scores:
            raise
        raise MatchInterrupted(sheet.result(returns, test)) from stop
    except (AgentError, EngineError) as failure:
        if not sheet.scores:
            raise
        raise MatchBrokenOffError(sheet.result(returns, test), str(failure)) from failure
    return sheet.result(returns, test)


def _games(
    game: Game,
    spec: GameSpec,
    first: Agent,
    second: Agent,
    games: int,
    seed: int,
    start: State | None,
    opening: int,
) -> Iterator[Episode]:
    """The games in order, many at once; a game is the same however many are played beside it.

    Agents that search in batches get as many as they can, others as many as take a moment.
    """
    batches = isinstance(first, BatchAgent) or isinstance(second, BatchAgent)
    outside = any(hasattr(agent, "close") for agent in (first, second))
    most = _TOGETHER_OUTSIDE if outside else _TOGETHER
    together, begin = most if batches else 2, 0
    while begin < games:
        seatings = [_seating(first, second, index) for index in range(begin, min(begin + together, games))]
        clock = time.perf_counter()
        yield from play_seated(game, seatings, seed=seed, spec=spec, start=start, opening=opening)
        if time.perf_counter() - clock < _MOMENT_SECONDS:
            together = min(2 * together, most)
        begin += len(seatings)


def _seating(first: Agent, second: Agent, index: int) -> Seating:
    """Game ``index`` of a match: both games of a pair have the same dice."""
    return Seating((first, second) if index % 2 == 0 else (second, first), index // 2, index)


def _width(spec: GameSpec, solution: Solution | None) -> float:
    """Of the range of returns; where the game states none, of the values that perfect play has."""
    if spec.bounded or solution is None:
        return spec.returns[1] - spec.returns[0]
    return 2.0 * max(float(np.abs(solution.values).max()), 1e-12)
