"""How runs are measured on games without a solver: in a match, alone, or by nothing but a tournament."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from dicezero.agents import AgentError, make_agent
from dicezero.agents.base import Agent
from dicezero.evaluation.alone import play_episodes
from dicezero.evaluation.arena import play_match
from dicezero.evaluation.luck import Luck
from dicezero.evaluation.runs import PlannerAgent, luck_by
from dicezero.experiments.gumbel.learning_claims import Criterion
from dicezero.experiments.gumbel.study import Judge, Shown
from dicezero.experiments.ndmz import Scale
from dicezero.experiments.training import Line
from dicezero.presets.fitting import fitted
from dicezero.presets.preset import Preset
from dicezero.rules import load_game
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of
from dicezero.selfplay.planners import Planner

JudgeMaker = Callable[[Path, Scale], Judge]

_SEED = 7
ELO = Criterion("elo", "Elo in a tournament of all runs of a seed", learned=200.0, margin=50.0)
RETURN = Criterion("mean_return", "Mean return of an episode", learned=2.0, margin=1.0)
POINTS = Criterion("points", "Points a game, the luck of the dice taken out", learned=0.3, margin=0.05)


@dataclass(frozen=True)
class Opponent:
    """Who may be played, if it is installed: how it is called in words, and as an agent."""

    title: str
    agent: str

    def made(self, game: Game) -> Agent | None:
        """The agent; None where it cannot be had."""
        try:
            return make_agent(self.agent, game)
        except AgentError:
            return None


@dataclass(frozen=True)
class _Playing:
    """What the judges below have in common.

    Attributes:
        name: of the game.
        simulations: of the search that is measured, whatever a run was trained with.
        games: of a measurement.
    """

    name: str
    simulations: int
    games: int

    @cached_property
    def game(self) -> Game:
        """What is learned."""
        return load_game(self.name)

    def _agent(self, preset: Preset, planner: Planner) -> Agent:
        config = replace(fitted(preset, spec_of(self.game)).play, simulations=self.simulations)
        return PlannerAgent("run", planner, config, self.game)

    def facts(self) -> dict[str, Any]:
        """How long a measurement is."""
        return {"evaluation_simulations": self.simulations, "games_measured": self.games}


@dataclass(frozen=True)
class MatchJudge(_Playing):
    """A match with the first of some opponents that is installed, in the end; Elo decides.

    Attributes:
        opponents: the one to prefer first; where none is installed, Elo stands alone.
        opening: random moves that both games of a pair begin with.
    """

    opponents: tuple[Opponent, ...] = ()
    opening: int = 4

    criterion = ELO

    @cached_property
    def playing(self) -> tuple[str, Agent] | None:
        """Who is played, by title; None where none of them is installed."""
        return _installed(self.opponents, self.game)

    @property
    def shown(self) -> Sequence[Shown]:
        """Elo, and the score in the match."""
        searching = f"{self.simulations} simulations when measured"
        elo = Shown(
            "elo", f"Among each other ({searching})", "Elo", (0.0, "the weights before training, mean")
        )
        if self.playing is None:
            return (elo,)
        return elo, Shown("score", f"Against {self.playing[0]} ({searching})", "score", (0.5, "even"))

    def measure(self, preset: Preset, planner: Planner, *, last: bool) -> dict[str, Any]:
        """The score of the last round; before that nothing."""
        begin, measured = time.perf_counter(), dict[str, Any]()
        if last and self.playing is not None:
            me, opponent = self._agent(preset, planner), self.playing[1]
            match = play_match(self.game, me, opponent, games=self.games, seed=_SEED, opening=self.opening)
            measured = {"score": match.score, "score_ci95": list(match.ci95), "games_played": match.games}
        return {**measured, "seconds_evaluating": time.perf_counter() - begin}

    def summary(self, line: Line) -> str:
        """A line in words."""
        if "score" not in line or self.playing is None:
            return "trained" if line["round"] else "begins"
        return f"{line['score']:.3f} against {self.playing[0]}"

    def facts(self) -> dict[str, Any]:
        """Who is played, and how."""
        return super().facts() | {"opponent": self.playing[1].name if self.playing else None}


@dataclass(frozen=True)
class PointsJudge(_Playing):
    """Points a game against the first of some opponents that is installed, the luck of the dice taken out.

    Attributes:
        opponents: the one to prefer first; where none is installed, the agent that is shipped.
        luck_by: whose values the luck is computed from.
    """

    opponents: tuple[Opponent, ...] = ()
    luck_by: str = "pretrained"

    criterion = POINTS

    @cached_property
    def playing(self) -> tuple[str, Agent]:
        """Who is played, by title."""
        installed = _installed(self.opponents, self.game)
        return installed or ("the shipped agent", make_agent("pretrained", self.game))

    @cached_property
    def luck(self) -> Luck:
        """Of player 0, by the values of ``luck_by``."""
        return luck_by(self.luck_by, self.game)

    @property
    def shown(self) -> Sequence[Shown]:
        """The points."""
        title = f"Against {self.playing[0]} ({self.simulations} simulations when measured)"
        return (Shown("points", title, "points a game, luck taken out", (0.0, "even")),)

    def measure(self, preset: Preset, planner: Planner, *, last: bool) -> dict[str, Any]:  # noqa: ARG002
        """Every time alike: what a run gains is measured from its first weights on."""
        begin, me = time.perf_counter(), self._agent(preset, planner)
        match = play_match(self.game, me, self.playing[1], games=self.games, seed=_SEED, luck=self.luck)
        return {
            "points": match.adjusted_return,
            "points_ci95": list(match.adjusted_return_ci95 or ()),
            "points_with_luck": match.mean_return,
            "games_played": match.games,
            "seconds_evaluating": time.perf_counter() - begin,
        }

    def summary(self, line: Line) -> str:
        """A line in words."""
        return f"{line['points']:+.3f} points a game against {self.playing[0]}"

    def facts(self) -> dict[str, Any]:
        """Who is played, and how."""
        return super().facts() | {"opponent": self.playing[1].name, "luck_by": self.luck_by}


@dataclass(frozen=True)
class AloneJudge(_Playing):
    """The mean return of episodes of a game for one player."""

    criterion = RETURN

    @property
    def shown(self) -> Sequence[Shown]:
        """The mean return."""
        title = f"{self.simulations} simulations when measured"
        return (Shown("mean_return", title, f"mean return of {self.games} episodes"),)

    def measure(self, preset: Preset, planner: Planner, *, last: bool) -> dict[str, Any]:  # noqa: ARG002
        """Every time alike."""
        begin, me = time.perf_counter(), self._agent(preset, planner)
        result = play_episodes(self.game, me, episodes=self.games, seed=_SEED)
        return {
            "mean_return": result.mean_return,
            "mean_return_ci95": list(result.mean_return_ci95),
            "games_played": result.episodes,
            "seconds_evaluating": time.perf_counter() - begin,
        }

    def summary(self, line: Line) -> str:
        """A line in words."""
        return f"mean return {line['mean_return']:.2f}"


def _installed(opponents: Sequence[Opponent], game: Game) -> tuple[str, Agent] | None:
    """The first of these that can be had, by title."""
    made = ((opponent.title, opponent.made(game)) for opponent in opponents)
    return next(((title, agent) for title, agent in made if agent is not None), None)


def match_judge(
    name: str, *, simulations: int, games: int, opponents: tuple[Opponent, ...] = ()
) -> JudgeMaker:
    """Makes the judge of a board game at a scale."""
    return lambda _, scale: MatchJudge(name, simulations, scale.games or scale.part(games, 10), opponents)


def points_judge(name: str, *, simulations: int, games: int, opponents: tuple[Opponent, ...]) -> JudgeMaker:
    """Makes the judge of a game with dice at a scale."""
    return lambda _, scale: PointsJudge(name, simulations, scale.games or scale.part(games, 40), opponents)


def alone_judge(name: str, *, simulations: int, episodes: int) -> JudgeMaker:
    """Makes the judge of a game for one at a scale."""
    return lambda _, scale: AloneJudge(name, simulations, scale.games or scale.part(episodes, 10))
