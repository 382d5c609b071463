"""Two agents against each other: pairs of games with the same dice and the seats swapped.

The luck of the dice is the same for both games of a pair, so most of it cancels; the interval is computed
from the pairs, which are independent, and not from the games, which are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dicezero.agents.base import Agent
from dicezero.evaluation.interval import mean_interval, score_interval
from dicezero.evaluation.lockstep import BatchAgent, play_together
from dicezero.evaluation.luck import luck_of
from dicezero.evaluation.record import MAX_PLIES, GameRecord
from dicezero.evaluation.sprt import Sprt, SprtConfig, Verdict
from dicezero.evaluation.streams import pick_outcome, stream_seed, stream_uniform
from dicezero.rules.protocol import Game
from dicezero.solve import Solution

__all__ = ["GameRecord", "MatchResult", "play_game", "play_match", "require_two_players"]

_TOGETHER = 512  # games played at once by agents that think in batches


@dataclass(frozen=True)
class MatchResult:
    """What a match gave, all of it for the first agent.

    Attributes:
        games, wins, draws, losses: counts; games = wins + draws + losses.
        score: (wins + draws / 2) / games, in [0, 1].
        ci95: 95 % interval of the score, from the pairs.
        mean_plies: moves a game, passes included, chance outcomes not.
        adjusted_score, adjusted_ci95: the same without the luck of the dice, where a solution was given;
            unbiased like the score, and as a rule far more precise.
        variance_ratio: variance of a pair's score over that of its adjusted score: so many times as many
            games would the plain score need.
        sprt: the verdict of a sequential test, None where there was none or the games ran out before it.
        sprt_ratio: its log-likelihood ratio in the end.
    """

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    ci95: tuple[float, float]
    mean_plies: float
    adjusted_score: float | None = None
    adjusted_ci95: tuple[float, float] | None = None
    variance_ratio: float | None = None
    sprt: Verdict | None = None
    sprt_ratio: float | None = None


def require_two_players(game: Game) -> None:
    """Raises ValueError unless two play: a match needs an opponent."""
    if game.num_players() != 2:
        raise ValueError(f"{game} has {game.num_players()} player(s); a match needs a game for two")


def play_game(
    game: Game, seats: tuple[Agent, Agent], *, seed: int, pair: int = 0, game_index: int = 0
) -> GameRecord:
    """Plays one game. The n-th roll is a function of (seed, pair, n) alone, whatever the agents do."""
    state = game.new_initial_state()
    actions: list[int] = []
    dice: list[int] = []
    while not state.is_terminal():
        if len(actions) >= MAX_PLIES:
            raise ValueError(f"a game of {game} did not end within {MAX_PLIES} moves; check the game's rules")
        if state.is_chance_node():
            uniform = stream_uniform(seed, "dice", pair, len(dice))
            action = pick_outcome(state.chance_outcomes(), uniform)
            dice.append(action)
        else:
            player = state.current_player()
            agent = seats[player]
            move_seed = stream_seed(seed, "agent", game_index, len(actions))
            action = agent.search(state.clone(), seed=move_seed).action
            legal = list(state.legal_actions())
            if action not in legal:
                raise ValueError(f"agent {agent.name} played {action}, which is illegal; legal: {legal}")
        state.apply_action(action)
        actions.append(action)
    first, second = state.returns()
    return GameRecord(tuple(actions), tuple(dice), (float(first), float(second)))


def play_match(
    game: Game,
    first: Agent,
    second: Agent,
    *,
    games: int,
    seed: int,
    solution: Solution | None = None,
    sprt: SprtConfig | None = None,
    on_game: Callable[[int, float], None] | None = None,
) -> MatchResult:
    """Plays ``games`` games: the even ones with ``first`` as player 0, the odd ones with the seats swapped.

    Args:
        game: a game for two.
        first: whose score is reported.
        second: the opponent.
        games: how many; with an odd number the last one has no twin.
        seed: of the dice and of the agents.
        solution: of the game; with it the luck of the dice is taken out of a second score.
        sprt: stop as soon as this test knows its verdict, on the adjusted scores where there are any.
        on_game: called after each game with the number played and the score so far.
    """
    require_two_players(game)
    if games < 1:
        raise ValueError(f"games={games} must be at least 1")
    scores: list[float] = []
    adjusted: list[float] = []
    moves = 0
    test = Sprt(sprt) if sprt else None
    for index, record in enumerate(_records(game, first, second, games, seed)):
        seat = index % 2
        moves += len(record.actions) - len(record.dice)
        mine, other = record.returns[seat], record.returns[1 - seat]
        scores.append(1.0 if mine > other else 0.0 if mine < other else 0.5)
        if solution is not None:
            luck = luck_of(solution, record.actions)
            adjusted.append(scores[-1] - (luck if seat == 0 else -luck))
        if on_game:
            on_game(index + 1, sum(scores) / len(scores))
        if test and seat == 1 and test.add(sum((adjusted or scores)[-2:]) / 2):
            break
    pairs = _pair_means(scores)
    pairs_adjusted = _pair_means(adjusted)
    return MatchResult(
        games=len(scores),
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        score=sum(scores) / len(scores),
        ci95=score_interval(pairs),
        mean_plies=moves / len(scores),
        adjusted_score=sum(adjusted) / len(adjusted) if adjusted else None,
        adjusted_ci95=mean_interval(pairs_adjusted) if adjusted else None,
        variance_ratio=_variance(pairs) / max(_variance(pairs_adjusted), 1e-12) if adjusted else None,
        sprt=test.verdict if test else None,
        sprt_ratio=test.ratio if test else None,
    )


def _records(game: Game, first: Agent, second: Agent, games: int, seed: int) -> Iterator[GameRecord]:
    """The games in order; in lock step where an agent gains by it."""
    together = _TOGETHER if isinstance(first, BatchAgent) or isinstance(second, BatchAgent) else 1
    for start in range(0, games, together):
        indices = range(start, min(start + together, games))
        if together > 1:
            yield from play_together(game, first, second, indices=indices, seed=seed)
            continue
        seats = (first, second) if start % 2 == 0 else (second, first)
        yield play_game(game, seats, seed=seed, pair=start // 2, game_index=start)


def _pair_means(scores: list[float]) -> list[float]:
    return [sum(scores[i : i + 2]) / len(scores[i : i + 2]) for i in range(0, len(scores), 2)]


def _variance(values: list[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
