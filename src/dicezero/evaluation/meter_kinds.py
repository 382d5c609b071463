"""Meters: how strong a run is, measured while it learns and in the same way ever after.

``exact`` values what is played at every decision of a solved game; ``match`` plays against a named opponent,
or without one up a ladder of opponents; ``mean_return`` plays alone. A meter measures through a runtime: the
numbers do not depend on the workers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from dicezero import _native
from dicezero.agents import AgentError
from dicezero.evaluation.arena import MOST_OPENING
from dicezero.evaluation.interval import return_interval, score_interval
from dicezero.evaluation.ladder import GAMES, GAMES_ELSEWHERE, LADDER, Rung, ladder_of
from dicezero.evaluation.played import EpisodesAlone, PairsOfGames, opponent_of
from dicezero.evaluation.yardstick import EveryDecision, yardstick_of
from dicezero.model.weights import Weights
from dicezero.rules.errors import GameError
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of
from dicezero.search.config import SearchConfig
from dicezero.selfplay.runtime import Player, Runtime
from dicezero.solve.alike import refuse_merged

PASSED = 0.9  # a score beyond this against one opponent of the ladder, and the next one is played

Measured = dict[str, float | str]
OnMeasured = Callable[[int, int], None]  # receives (things done, of how many)


class MeterError(ValueError):
    """A meter that cannot be had: an unknown name, a wrong parameter, or a game that does not suit it."""


class Meter(Protocol):
    """Measures a run's weights.

    Attributes:
        name: the text that makes the same meter again.
        keys: of what it measures, the one to draw a curve of first.
    """

    name: str
    keys: tuple[str, ...]

    def measure(
        self,
        runtime: Runtime,
        weights: Weights,
        *,
        seed: int,
        last: Mapping[str, Any] | None = None,
        on_progress: OnMeasured | None = None,
    ) -> Measured:
        """The numbers, by name.

        Args:
            runtime: does the work.
            weights: of the network that is measured.
            seed: of searches and games.
            last: what the last measurement of the same run gave: where on its ladder it is.
            on_progress: called with the progress.
        """
        ...


@dataclass(frozen=True)
class MatchConfig:
    """Games against somebody.

    Attributes:
        opponent: any agent; None goes up the ladder: random play, then UCT of 100 and of 1000 simulations. A
            game whose rules are not native has the rungs that it can afford, by counted work.
        games: of a measurement, in pairs; None is 100, or 40 where the rules are not native, and as few as 20
            where it plays UCT on the ladder. With a number the ladder has all its rungs.
        opening: random moves that both games of a pair begin with; against a deterministic program
            the games would all be the same without.
    """

    opponent: str | None = None
    games: int | None = None
    opening: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.opening <= MOST_OPENING:
            raise ValueError(f"opening={self.opening} must be in 0..{MOST_OPENING} moves")
        if self.games is not None and not 2 <= self.games <= 1_000_000:
            raise ValueError(f"games={self.games} must be in 2..1000000")


@dataclass(frozen=True)
class MeanReturnConfig:
    """Episodes played alone.

    Attributes:
        episodes: of a measurement.
    """

    episodes: int = 100

    def __post_init__(self) -> None:
        if not 2 <= self.episodes <= 1_000_000:
            raise ValueError(f"episodes={self.episodes} must be in 2..1000000")


def _explain(game: Game) -> None:
    """Says why a game of any size is not solved, where that is known."""
    try:
        refuse_merged(game)
    except GameError as error:
        raise MeterError(f"exact: {error}") from error


class ExactMeter:
    """What is played at every decision of a solved game, valued without sampling."""

    name = "exact"
    keys: tuple[str, ...]

    def __init__(self, player: Player, play: SearchConfig | None) -> None:
        spec = spec_of(player.game)
        if spec.simulator != "states":
            raise MeterError(
                f"exact cannot measure {spec.name}: its states cannot be branched; use mean_return"
            )
        yardstick = yardstick_of(player)
        if yardstick is None:
            _explain(player.game)
            other = "mean_return" if spec.players == 1 else "match"
            raise MeterError(
                f"exact cannot measure {spec.name}: it cannot be solved with 100,000 states; use {other}"
            )
        self._yardstick, self._play = yardstick, play
        self._references = (
            {"perfect_vs_random": yardstick.perfect_vs_random}
            if yardstick.scored
            else {"optimal_return": yardstick.optimal_return, "random_return": yardstick.random_return}
        )
        first = ("vs_optimal", "raw_vs_optimal", "vs_random") if yardstick.scored else ()
        self.keys = (*first, "mean_return", "raw_mean_return", *self._references, "regret")

    def measure(
        self,
        runtime: Runtime,
        weights: Weights,
        *,
        seed: int,
        last: Mapping[str, Any] | None = None,  # noqa: ARG002 - there is no ladder
        on_progress: OnMeasured | None = None,
    ) -> Measured:
        """Scores against perfect and random play, with search; against perfect play also without.

        Alone, or where returns have no bounds: the mean return beside those of perfect and random play. Left
        out where the run plays for ever, and is paid for it.
        """
        yardstick = self._yardstick
        task = EveryDecision(self._play, seed, len(yardstick.solution.positions))
        chosen = runtime.run(task, weights, on_progress=_progress(on_progress, task.count))
        network_policy, searched = (yardstick.policy(chosen[name]) for name in ("raw", "searched"))
        alone = {f"raw_{name}": value for name, value in yardstick.played(network_policy).items()}
        figures = {**self._references, **alone, **yardstick.figures(searched)}
        return {name: figures[name] for name in self.keys if name in figures}


class MatchMeter:
    """Pairs of games with the same dice and the seats swapped, against one opponent or up the ladder."""

    keys: tuple[str, ...] = ("score", "score_low", "score_high", "mean_return", "truncated", "opponent")

    def __init__(self, config: MatchConfig, player: Player, play: SearchConfig | None) -> None:
        spec = spec_of(player.game)
        if spec.players != 2:
            raise MeterError(
                f"match cannot measure {spec.name}: it has one player, so nobody to play against; "
                "use mean_return"
            )
        self._rungs = {rung.opponent: rung.games for rung in _rungs(config, player.game)}
        try:
            for opponent in self._rungs:
                opponent_of(player, opponent)
        except AgentError as error:
            raise MeterError(f"match: {error}") from error
        self._play, self._opening = play, config.opening
        changes = [] if config.opponent is None else [f"opponent={config.opponent}"]
        games = set(self._rungs.values())
        if changes or (tuple(self._rungs) == LADDER and len(games) == 1):
            changes.append(f"games={games.pop()}")
        if config.opening:
            changes.append(f"opening={config.opening}")
        self.name = f"match({','.join(changes)})" if changes else "match"

    def measure(
        self,
        runtime: Runtime,
        weights: Weights,
        *,
        seed: int,
        last: Mapping[str, Any] | None = None,
        on_progress: OnMeasured | None = None,
    ) -> Measured:
        """The score in [0, 1] with its 95 % interval, the mean return, and who the opponent was."""
        opponent = self._next(last or {})
        task = PairsOfGames(opponent, self._play, seed, self._rungs[opponent] // 2, self._opening)
        outcome = runtime.run(task, weights, on_progress=_progress(on_progress, task.count))
        returns = outcome["returns"]
        scores = (1.0 + (returns > 0.0) - (returns < 0.0)) / 2
        low, high = score_interval(scores.reshape(-1, 2).mean(axis=1).tolist())
        return {
            "score": float(scores.mean()),
            "score_low": low,
            "score_high": high,
            "mean_return": float(returns.mean()),
            "truncated": int(outcome["truncated"].sum()),
            "opponent": opponent,
        }

    def _next(self, last: Mapping[str, Any]) -> str:
        """The opponent after ``last``: the same, or the next of the ladder once it was beaten clearly."""
        opponents = tuple(self._rungs)
        if last.get("opponent") not in opponents:
            return opponents[0]
        rung = opponents.index(str(last["opponent"])) + (float(last.get("score", 0.0)) > PASSED)
        return opponents[min(rung, len(opponents) - 1)]


class MeanReturnMeter:
    """Episodes of a game for one player."""

    keys: tuple[str, ...] = ("mean_return", "mean_return_low", "mean_return_high", "mean_length", "truncated")

    def __init__(self, config: MeanReturnConfig, player: Player, play: SearchConfig | None) -> None:
        self._spec = spec_of(player.game)
        if self._spec.players != 1:
            raise MeterError(
                f"mean_return cannot measure {self._spec.name}: it has {self._spec.players} players, whose "
                "returns depend on the opponent; use match(opponent=...)"
            )
        self._episodes, self._play = config.episodes, play
        self.name = f"mean_return(episodes={config.episodes})"

    def measure(
        self,
        runtime: Runtime,
        weights: Weights,
        *,
        seed: int,
        last: Mapping[str, Any] | None = None,  # noqa: ARG002 - there is no ladder
        on_progress: OnMeasured | None = None,
    ) -> Measured:
        """The mean return with its 95 % interval, and the mean number of decisions."""
        task = EpisodesAlone(self._play, seed, self._episodes)
        outcome = runtime.run(task, weights, on_progress=_progress(on_progress, task.count))
        low, high = return_interval(outcome["returns"].tolist(), self._spec.returns)
        return {
            "mean_return": float(outcome["returns"].mean()),
            "mean_return_low": low,
            "mean_return_high": high,
            "mean_length": float(outcome["decisions"].mean()),
            "truncated": int(outcome["truncated"].sum()),
        }


def _rungs(config: MatchConfig, game: Game) -> tuple[Rung, ...]:
    """The opponent that was asked for, or the ladder."""
    games = config.games or (GAMES if _native.is_native(game) else GAMES_ELSEWHERE)
    even = -(-games // 2) * 2
    if config.opponent is not None:
        return (Rung(config.opponent, even),)
    return ladder_of(game) if config.games is None else tuple(Rung(name, even) for name in LADDER)


def _progress(on_progress: OnMeasured | None, total: int) -> Callable[[int, int], None] | None:
    return None if on_progress is None else lambda done, _: on_progress(done, total)
