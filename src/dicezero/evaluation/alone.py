"""An agent that plays alone: what its episodes pay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from dicezero.agents.base import Agent
from dicezero.evaluation.arena import play_alone
from dicezero.evaluation.interval import return_interval
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of


@dataclass(frozen=True)
class AloneResult:
    """What episodes of a game for one player gave.

    Attributes:
        episodes: how many.
        mean_return: what an episode paid, not discounted, on average.
        mean_return_ci95: its 95 % interval.
        least_return, greatest_return: of an episode.
        mean_length: decisions an episode, chance outcomes not counted.
        truncated: episodes that were truncated: stopped before their end.
        human_normalised, human_normalised_ci95: the mean return between published ones, where there are any:
            0 is random play, 1 a person.
    """

    episodes: int
    mean_return: float
    mean_return_ci95: tuple[float, float]
    least_return: float
    greatest_return: float
    mean_length: float
    truncated: int
    human_normalised: float | None = None
    human_normalised_ci95: tuple[float, float] | None = None


def play_episodes(
    game: Game,
    agent: Agent,
    *,
    episodes: int,
    seed: int,
    on_episode: Callable[[int, int], None] | None = None,
) -> AloneResult:
    """Plays ``episodes`` episodes of a game for one; ``on_episode`` gets (episodes over, decisions made)."""
    spec = spec_of(game)
    if spec.players != 1:
        raise ValueError(
            f"{spec.name} has {spec.players} players; its returns depend on the opponent: play a match"
        )
    if episodes < 1:
        raise ValueError(f"episodes={episodes} must be at least 1")
    played = play_alone(game, agent, numbers=range(episodes), seed=seed, on_games=on_episode)
    returns = [episode.outcome for episode in played]
    mean, (low, high) = sum(returns) / episodes, return_interval(returns, spec.returns)
    normal = None if spec.human is None else partial(_between, *spec.human)
    return AloneResult(
        episodes=episodes,
        mean_return=mean,
        mean_return_ci95=(low, high),
        least_return=min(returns),
        greatest_return=max(returns),
        mean_length=sum(len(episode.decisions) for episode in played) / episodes,
        truncated=sum(episode.truncated for episode in played),
        human_normalised=None if normal is None else normal(mean),
        human_normalised_ci95=None if normal is None else (normal(low), normal(high)),
    )


def _between(zero: float, one: float, score: float) -> float:
    """The score on the scale on which ``zero`` is 0 and ``one`` is 1."""
    return (score - zero) / (one - zero)
