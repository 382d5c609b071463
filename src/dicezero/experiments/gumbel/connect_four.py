"""How a run on Connect Four is measured: by a perfect solver's values of its moves, and in games with it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from dicezero.evaluation.arena import play_match
from dicezero.evaluation.interval import score_interval
from dicezero.evaluation.runs import PlannerAgent
from dicezero.experiments.gumbel.learning_claims import Criterion
from dicezero.experiments.gumbel.study import Shown
from dicezero.experiments.ndmz import Scale
from dicezero.experiments.perfect import Asked, PerfectPlay, asked, state_after
from dicezero.experiments.training import Line
from dicezero.presets.fitting import fitted
from dicezero.presets.preset import Preset
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of
from dicezero.selfplay.planners import Planner, decide
from dicezero.selfplay.states import positions_of

EVALUATION = 100  # simulations of every agent when it is measured, whatever it was trained with
POSITIONS, GAMES = 600, 200  # of the test; a short run is asked about all positions too
_SEED = 7


def judge_of(out: Path, scale: Scale) -> Judge:
    """The test of all runs under ``out``."""
    games = scale.games or scale.part(GAMES, 100)
    return Judge(asked(out / "positions.json", positions=POSITIONS, games=games))


@dataclass(frozen=True)
class Judge:
    """Asks runs about the same positions and plays the same openings with each.

    Attributes:
        asked: the positions and openings.
        simulations: of the search that is measured.
    """

    asked: Asked
    simulations: int = EVALUATION
    _perfect: list[PerfectPlay] = field(default_factory=list)

    @property
    def game(self) -> Game:
        """Connect Four."""
        return self.asked.game

    @property
    def criterion(self) -> Criterion:
        """The network alone: what was learned, whatever a search makes of it."""
        words, error = "Agreement of the network alone", math.sqrt(0.25 / len(self.asked.moves))
        return Criterion("network_agreement", words, learned=0.05, margin=0.03, error=error)

    @property
    def shown(self) -> Sequence[Shown]:
        """Agreement of the network and of the search, and the score in games with the solver."""
        agrees, level = "share of positions where the outcome is kept", (self.asked.by_chance, "random moves")
        searching = f"{self.simulations} simulations when measured"
        return (
            Shown("network_agreement", "The network alone", agrees, level),
            Shown("agreement", f"With search ({searching})", agrees, level),
            Shown("score", f"Games with the solver ({searching})", "score", (0.5, "perfect play")),
        )

    def summary(self, line: Line) -> str:
        """A line in words."""
        score = f", {line['score']:.3f} against it" if "score" in line else ""
        network = f"(network {line['network_agreement']:.3f})"
        return f"keeps the outcome in {line['agreement']:.3f} {network}{score}"

    def facts(self) -> dict[str, Any]:
        """How many positions, what random moves would score there, and how far is searched."""
        return {
            "positions": len(self.asked.moves),
            "random_moves_agree": self.asked.by_chance,
            "evaluation_simulations": self.simulations,
        }

    def agreement(self, preset: Preset, planner: Planner, simulations: int, *, noise: bool = False) -> float:
        """The share of positions where the move keeps the outcome; 0 simulations is the network alone."""
        game = self.asked.game
        spec = spec_of(game)
        positions = positions_of(game, spec, self.asked.states)
        if simulations == 0:
            actions = planner.predict(positions)[0].argmax(axis=1)
        else:
            config = replace(fitted(preset, spec).play, simulations=simulations)
            seeds = np.arange(len(self.asked.states), dtype=np.uint64) + np.uint64(_SEED)
            actions = decide(planner, positions, config, seeds, noise=noise).action
        return float(self.asked.keeps([int(action) for action in actions]).mean())

    def measure(self, preset: Preset, planner: Planner, *, last: bool) -> dict[str, Any]:
        """Agreement of the network alone and with search; of the last round the score in games too."""
        begin = time.perf_counter()
        measured: dict[str, Any] = {
            "network_agreement": self.agreement(preset, planner, 0),
            "agreement": self.agreement(preset, planner, self.simulations),
        }
        if last:
            measured |= self.score(preset, planner)
        return {**measured, "seconds_evaluating": time.perf_counter() - begin}

    def score(self, preset: Preset, planner: Planner, on_game: Callable[[int], None] | None = None) -> Any:
        """What the search scores against perfect play, each opening from both seats; 0.5 is perfect."""
        game = self.asked.game
        config = replace(fitted(preset, spec_of(game)).play, simulations=self.simulations)
        agent = PlannerAgent("run", planner, config, game)
        if not self._perfect:
            self._perfect.append(PerfectPlay())
        pairs = []
        for number, opening in enumerate(self.asked.openings):
            start = state_after(game, opening)
            match = play_match(game, agent, self._perfect[0], games=2, seed=_SEED + number, start=start)
            pairs.append(match.score)
            if on_game:
                on_game(2 * number + 2)
        return {
            "score": float(np.mean(pairs)) if pairs else 0.0,
            "score_ci95": list(score_interval(pairs)),
            "games_played": 2 * len(pairs),
        }
