"""``dicezero evaluate``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import tyro
from tyro.conf import Positional

from dicezero.agents import make_agent
from dicezero.cli.console import bar, emit, working
from dicezero.evaluation.arena import play_match
from dicezero.learner.measure import Yardstick
from dicezero.learner.run import Run, load_run
from dicezero.solve import solve

RunFolder = Annotated[Path, tyro.conf.arg(metavar="DIR")]


@dataclass(frozen=True)
class Evaluate:
    """Measure what a run has learned: exactly where the game can be solved, or by games against random play.

    Scores are in [0, 1], seats averaged. Exactly: against perfect play (0.5 is perfect) and random play; what
    a decision gives away on average (regret); what the best reply wins beyond one half (exploitability).

    Example: dicezero evaluate runs/first --exact --json
    """

    path: Positional[RunFolder]
    """The folder that dicezero train wrote."""
    exact: bool = False
    """Solve the game and measure without sampling."""
    games: int | None = None
    """Play so many games against random play; 200 unless --exact is given."""
    simulations: int | None = None
    """Of a search; 0 is the network alone; as many as the preset says by default."""
    seed: int = 0
    """Of the searches and the games."""
    json: bool = False
    """Print one JSON object: vs_optimal, vs_random, regret, exploitability as asked, round, ..."""

    def run(self) -> int:
        """Measures and prints."""
        if self.simulations is not None and self.simulations < 0:
            raise ValueError(f"--simulations {self.simulations} must be at least 0")
        run = load_run(self.path)
        data: dict[str, Any] = {"game": run.config.game, "preset": run.config.preset.name, "round": run.round}
        if self.exact:
            data |= self._exact(run)
        games = self.games if self.games is not None or self.exact else 200
        if games is not None:
            data |= self._sampled(run, games, exact=self.exact)
        lines = [f"{name:<15} {value:.6f}" for name, value in data.items() if isinstance(value, float)]
        head = f"{self.path}: {data['preset']} on {data['game']}, round {run.round}"
        emit(data, "\n".join([head, *lines]), as_json=self.json)
        return 0

    def _exact(self, run: Run) -> dict[str, float]:
        with working(f"solving {run.config.game}", quiet=self.json):
            yardstick = Yardstick(solve(run.game))
        if self.simulations == 0:
            policy = yardstick.raw_policy(run.planner)
        else:
            search = run.config.preset.play
            search = replace(search, simulations=self.simulations or search.simulations)
            with working("searching every decision", quiet=self.json):
                policy = yardstick.search_policy(run.planner, search, seed=self.seed)
        return {
            "vs_optimal": yardstick.vs_optimal(policy),
            "vs_random": yardstick.vs_random(policy),
            "regret": yardstick.solution.regret(policy).mean,
            "exploitability": yardstick.solution.best_response(policy).exploitability,
        }

    def _sampled(self, run: Run, games: int, *, exact: bool) -> dict[str, Any]:
        thinks = "" if self.simulations is None else f",simulations={self.simulations}"
        agent = make_agent(f"run(path={self.path}{thinks})", run.game)
        opponent = make_agent("random", run.game)
        with bar(f"{agent.name} - random", total=games, quiet=self.json) as progress:
            result = play_match(
                run.game,
                agent,
                opponent,
                games=games,
                seed=self.seed,
                on_game=lambda played, score: progress.update(played, f"score {score:.3f}"),
            )
        key = "vs_random_sampled" if exact else "vs_random"
        return {key: result.score, "ci95": list(result.ci95), "games": games}
