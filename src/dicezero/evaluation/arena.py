"""Two agents against each other: pairs of games with the same dice and the seats swapped.

The luck of the dice is the same for both games of a pair, so most of it cancels; the interval is computed
from the pairs, which are independent, and not from the games, which are not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dicezero.agents.base import Agent
from dicezero.evaluation.interval import score_interval
from dicezero.evaluation.streams import pick_outcome, stream_seed, stream_uniform
from dicezero.rules.protocol import Game

MAX_PLIES = 1_000_000


@dataclass(frozen=True)
class GameRecord:
    """One game as it was played.

    Attributes:
        actions: every action from the start, chance outcomes included.
        dice: the chance outcomes alone, in order.
        returns: of player 0 and player 1.
    """

    actions: tuple[int, ...]
    dice: tuple[int, ...]
    returns: tuple[float, float]


@dataclass(frozen=True)
class MatchResult:
    """What a match gave, all of it for the first agent.

    Attributes:
        games, wins, draws, losses: counts; games = wins + draws + losses.
        score: (wins + draws / 2) / games, in [0, 1].
        ci95: 95 % interval of the score, from the pairs.
        mean_plies: moves a game, passes included, chance outcomes not.
    """

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    ci95: tuple[float, float]
    mean_plies: float


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
    on_game: Callable[[int, float], None] | None = None,
) -> MatchResult:
    """Plays ``games`` games: the even ones with ``first`` as player 0, the odd ones with the seats swapped.

    Args:
        game: a game for two.
        first: whose score is reported.
        second: the opponent.
        games: how many; with an odd number the last one has no twin.
        seed: of the dice and of the agents.
        on_game: called after each game with the number played and the score so far.
    """
    require_two_players(game)
    if games < 1:
        raise ValueError(f"games={games} must be at least 1")
    scores: list[float] = []
    moves = 0
    for index in range(games):
        seat = index % 2
        seats = (first, second) if seat == 0 else (second, first)
        record = play_game(game, seats, seed=seed, pair=index // 2, game_index=index)
        moves += len(record.actions) - len(record.dice)
        mine, other = record.returns[seat], record.returns[1 - seat]
        scores.append(1.0 if mine > other else 0.0 if mine < other else 0.5)
        if on_game:
            on_game(index + 1, sum(scores) / len(scores))
    pairs = [sum(scores[i : i + 2]) / len(scores[i : i + 2]) for i in range(0, games, 2)]
    return MatchResult(
        games=games,
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        score=sum(scores) / games,
        ci95=score_interval(pairs),
        mean_plies=moves / games,
    )
