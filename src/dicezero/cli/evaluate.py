"""``dicezero evaluate``."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import RenderableType
from tyro.conf import Positional

from dicezero import _native
from dicezero.agents import Agent, make_agent
from dicezero.cli.console import emit
from dicezero.cli.film import Film, film_episode
from dicezero.cli.interrupts import report_interrupted
from dicezero.cli.layers import lookup_tables, measured_by_layers
from dicezero.cli.measured import (
    alone_lines,
    dynamics_table,
    match_lines,
    mistakes_table,
    next_to_act_table,
    phase_progress,
    strength_table,
)
from dicezero.cli.plain import one_line
from dicezero.cli.progress import bar, working
from dicezero.evaluation.alone import play_episodes
from dicezero.evaluation.arena import MatchInterrupted, MatchResult, play_match
from dicezero.evaluation.dynamics import measure_dynamics
from dicezero.evaluation.mistakes import draw_mistakes
from dicezero.evaluation.policies import planned_policy
from dicezero.evaluation.runs import LARGEST_SEARCHED, learned_model, play_config
from dicezero.evaluation.sampled import sampled_regret
from dicezero.evaluation.strength import Strength, strength
from dicezero.evaluation.trajectories import random_trajectories
from dicezero.presets.fitting import units_of
from dicezero.rules.names import Name
from dicezero.rules.spec import spec_of
from dicezero.runs.listing import summarise_run
from dicezero.runs.loading import Run, load_run
from dicezero.solve import Solution, TooLargeError, optimal, solve
from dicezero.solve.layers import has_layers

RunFolder = Annotated[Path, tyro.conf.arg(metavar="DIR")]
_HELPFUL, _HELPFUL_IN_PYTHON = 2_000_000, 100_000  # states; larger games are not solved for their luck
_SAMPLE = 2_000  # decisions searched in a game too large to search them all


@dataclass(frozen=True)
class Evaluate:
    """Measure what a run has learned: exactly where the game can be solved, by games, and its model's truth.

    Without options it plays: against --opponent, the luck of the dice taken out where the game can be solved,
    or alone where the game is for one. Scores are in [0, 1], seats averaged; 0.5 against perfect play is
    perfect; returns are as the game pays them. --exact asks for a move at every decision: scores, regret (win
    probability given away at a decision), exploitability (what the best reply wins beyond one half),
    agreement with perfect play, the costliest mistakes. --dynamics tests a learned model of the game.

    Example: dicezero evaluate runs/first --exact --draw mistakes.html
    """

    path: Positional[RunFolder]
    """The folder that dicezero train wrote."""
    exact: bool = False
    """Solve the game and measure without sampling, with search and without."""
    games: int | None = None
    """Play so many games; 200 unless --exact or --dynamics is given. With --dynamics: random games, 500."""
    opponent: str | None = None
    """Who plays against it: any agent, e.g. optimal or run(path=DIR); random by default."""
    dynamics: bool = False
    """Test a learned model: legal moves, dice, who acts next, end and value by depth of unrolling."""
    depth: int | None = None
    """Steps that --dynamics unrolls; as many as the run was trained to unroll by default."""
    sample: int | None = None
    """With --exact: search at so many decisions, sampled as play visits them, at all if the game has no more;
    by default 2000 in a game of more than 200,000."""
    simulations: int | None = None
    """Simulations of a search; 0 is the network alone; the preset's number by default."""
    plies: int | None = None
    """With games of a td-lambda run: moves looked ahead, averaging over chance in between; 1 by default."""
    round: int | None = None
    """Evaluate the checkpoint of this round; the last one by default."""
    average: int = 1
    """Average the weights of so many checkpoints, that one and those before it."""
    symmetries: bool = False
    """Average the network's answers over all symmetric forms of a position, a model's at the root."""
    mistakes: int = 10
    """With --exact: list so many of the costliest mistakes."""
    draw: Path | None = None
    """With --exact: draw the mistakes to this .svg or .html file."""
    gif: Path | None = None
    """Film an episode of an environment, of --seed, to this .gif file."""
    seed: int = 0
    """Random seed of searches and games."""
    game: str | None = None
    """Where the run has learned a game of somebody's own: path/to/file.py:Name. Its code is run."""
    trust: bool = False
    """Or run the code that lies in the run's folder."""
    json: bool = False
    """Print one JSON object: vs_optimal, vs_random, regret, exploitability, mean_return, ... as asked."""

    def run(self) -> int:
        """Measures and prints."""
        self._check()
        run = load_run(
            self.path,
            self.game,
            trust=self.trust,
            round_number=self.round,
            average=self.average,
            symmetries=self.symmetries,
        )
        if damage := summarise_run(
            self.path
        ).reason:  # of what it is not played from, or it had not been loaded
            print(one_line(f"dicezero: {damage}; the weights measured are sound"), file=sys.stderr)
        data: dict[str, Any] = {"game": run.config.game, "preset": run.config.preset.name, "round": run.round}
        data |= {} if self.average == 1 else {"average": self.average}
        data |= {"symmetries": True} if self.symmetries else {}
        shown: list[RenderableType] = [
            f"{self.path}: {data['preset']} on {data['game']}, round {run.round}, seed {self.seed}"
            + ("" if self.average == 1 else f", the mean of {self.average} kept rounds")
        ]
        playing = self.games is not None and not self.dynamics
        playing = playing or not (self.exact or self.dynamics)
        self._check_players(run)
        stopped = False
        try:
            solution = self._solved(run, needed=self.exact)
            if self.exact:
                data |= (
                    measured_by_layers(run, shown, quiet=self.json)
                    if solution is None
                    else self._exact(run, solution, shown)
                )
            if playing:
                data |= self._play(run, solution, shown)
            if self.dynamics:
                data |= self._dynamics(run, solution, shown)
        except KeyboardInterrupt as stop:
            stopped = True
            if isinstance(stop, MatchInterrupted):
                data |= self._played(stop.result, self.opponent or "random", shown)
            if len(shown) == 1:
                raise
        data["interrupted"] = stopped
        emit(data, *shown, as_json=self.json)
        return report_interrupted("what is printed was finished, the rest is missing") if stopped else 0

    def _check(self) -> None:
        for name, low in (
            ("simulations", 0),
            ("plies", 1),
            ("games", 1),
            ("sample", 2),
            ("depth", 0),
            ("mistakes", 0),
            ("average", 1),
        ):
            value = getattr(self, name)
            if value is not None and value < low:
                raise ValueError(f"--{name} {value} must be at least {low}")
        if self.draw is not None and not self.exact:
            raise ValueError("--draw draws the mistakes that --exact finds; give --exact too")
        if self.draw is not None and self.draw.suffix not in (".svg", ".html"):
            raise ValueError(f"--draw {self.draw} must end in .svg or .html")

    def _check_players(self, run: Run) -> None:
        spec = spec_of(run.game)
        if spec.players == 1 and self.opponent is not None:
            raise ValueError(f"--opponent {self.opponent}: {spec.name} has one player; leave --opponent out")

    def _solved(self, run: Run, *, needed: bool) -> Solution | None:
        """The solution; None where it is a help only, or layers will do, and the game is too large."""
        game, spec = run.game, spec_of(run.game)
        if not needed and (spec.players != 2 or spec.simulator != "states"):
            return None
        most = None if needed else _HELPFUL if _native.is_native(game) else _HELPFUL_IN_PYTHON
        with working(f"solving {game}", quiet=self.json):
            try:
                return solve(game, max_states=most)
            except ValueError as error:
                if needed and not (
                    isinstance(error, TooLargeError) and lookup_tables(run) and has_layers(game)
                ):
                    raise ValueError(
                        f"--exact needs a game that can be solved: {error}; use --games"
                    ) from error
                return None

    def _exact(self, run: Run, solution: Solution, shown: list[RenderableType]) -> dict[str, Any]:
        positions, config = solution.positions, play_config(run.config.preset, self.simulations)
        large = len(positions) > LARGEST_SEARCHED
        sample = self.sample or (_SAMPLE if large else len(positions))
        sampled = config is not None and sample < len(positions)
        with phase_progress(quiet=self.json) as on_phase:
            network = planned_policy(run.planner, positions, None, on_phase=on_phase)
            visits = solution.visits(network, optimal(solution), discounted=True) if sampled else None
            alone = strength(network, solution, mistakes=self.mistakes, visits=visits, on_phase=on_phase)
            measured: dict[str, Strength] = {"network": alone}
            data: dict[str, Any] = {}
            if config is not None and not sampled:
                policy = planned_policy(run.planner, positions, config, seed=self.seed, on_phase=on_phase)
                measured["search"] = strength(policy, solution, mistakes=self.mistakes, on_phase=on_phase)
            elif config is not None:
                assert visits is not None  # noqa: S101 - counted above
                regret = sampled_regret(
                    run.planner,
                    solution,
                    config,
                    visits=visits,
                    drawn_by="the network alone against perfect play",
                    decisions=sample,
                    seed=self.seed,
                    on_phase=on_phase,
                )
                data["sample"] = {"simulations": config.simulations, **asdict(regret)}
        policy_name = "search" if "search" in measured else "network"
        main = measured[policy_name]
        data |= {"policy": policy_name, "simulations": config.simulations if config and not sampled else 0}
        data |= asdict(main)
        if policy_name == "search":
            data["network"] = {k: v for k, v in asdict(alone).items() if k != "mistakes"}
        shown.append(strength_table(measured, data.get("sample"), data["simulations"]))
        if self.mistakes:
            shown.append(mistakes_table(main.mistakes))
        if self.draw is not None:
            title = f"{run.config.preset.name} on {run.config.game}, round {run.round}: costliest mistakes"
            draw_mistakes(self.draw, solution, main.mistakes, title=title)
            shown.append(f"drawn: {self.draw}")
        return data

    def _play(self, run: Run, solution: Solution | None, shown: list[RenderableType]) -> dict[str, Any]:
        asked: dict[str, Any] = {"simulations": self.simulations, "plies": self.plies, "round": self.round}
        asked |= {"average": self.average, "trust": self.trust or None}
        asked |= {"symmetries": "true" if self.symmetries else None}
        words = {key: str(value) for key, value in asked.items() if value is not None}
        agent = make_agent(str(Name("run", {"path": str(self.path), **words})), run.game)
        games = self.games or 200
        if self.gif is not None:  # what cannot be filmed is refused before anything is played
            Film(self.gif, run.game, self.seed)
        if spec_of(run.game).players == 1:
            return self._play_alone(run, agent, games, shown)
        opponent = make_agent(self.opponent or "random", run.game)
        with bar(f"{agent.name} - {opponent.name}", total=games, quiet=self.json) as progress:
            result = play_match(
                run.game,
                agent,
                opponent,
                games=games,
                seed=self.seed,
                solution=solution if spec_of(run.game).outcomes else None,  # no dice, no luck
                on_game=lambda played, score: progress.update(played, f"score {score:.3f}"),
            )
        return self._played(result, opponent.name, shown)

    def _played(self, result: MatchResult, opponent: str, shown: list[RenderableType]) -> dict[str, Any]:
        shown.append(match_lines(result, f"against {opponent}"))
        figures = {k: v for k, v in asdict(result).items() if not k.startswith("sprt")}
        key = {"random": "vs_random", "optimal": "vs_optimal"}.get(opponent)
        keys = {key: result.score} if key and not self.exact else {}
        return {**keys, "opponent": opponent, **figures}

    def _play_alone(
        self, run: Run, agent: Agent, episodes: int, shown: list[RenderableType]
    ) -> dict[str, Any]:
        with bar(agent.name, total=episodes, quiet=self.json) as progress:
            result = play_episodes(
                run.game,
                agent,
                episodes=episodes,
                seed=self.seed,
                on_episode=lambda over, moves: progress.update(over, f"{moves} moves"),
            )
        shown.append(alone_lines(result, "alone"))
        figures = {key: value for key, value in asdict(result).items() if value is not None}
        if self.gif is not None:
            note, paid = film_episode(self.gif, run.game, agent, seed=self.seed)
            shown.append(note)
            figures |= {"gif": str(self.gif), "gif_return": paid}
        return figures

    def _dynamics(self, run: Run, solution: Solution | None, shown: list[RenderableType]) -> dict[str, Any]:
        model = learned_model(run)
        depth = run.config.preset.unroll if self.depth is None else self.depth
        with working("testing the model", quiet=self.json):
            games = random_trajectories(run.game, games=self.games or 500, seed=self.seed, solution=solution)
            scale = units_of(run.config.preset, spec_of(run.game)).scale
            report = measure_dynamics(model, games, depth=depth, scale=scale)
        shown.append(dynamics_table(report))
        if report.next_to_act is not None:
            shown.append(next_to_act_table(report.next_to_act))
        return report.data()
