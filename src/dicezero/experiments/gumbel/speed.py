"""Table 1: what a training step's worth of self-play costs by number of simulations, measured here."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from dicezero.experiments.gumbel.methods import METHODS
from dicezero.experiments.gumbel.verdict import Claim, yes_or_no
from dicezero.experiments.ndmz import Say, with_simulations
from dicezero.model.board import BoardConfig
from dicezero.presets.fitting import fitted, network_of, planner_of
from dicezero.presets.preset import Preset
from dicezero.rules import load_game
from dicezero.rules.protocol import State
from dicezero.rules.spec import spec_of
from dicezero.runs.loading import first_weights
from dicezero.selfplay.states import positions_of

GAMES = {
    "9x9 Go, a tower of 6 blocks of 64 planes": "go(board_size=9)",
    "Connect Four, dense": "connect_four",
}
# Of the paper, on TPUs.
PAPER = {
    ("muzero", 200): 1.0,
    ("full-gumbel-muzero", 200): 1.0,
    ("gumbel-muzero", 200): 1.0,
    ("gumbel-muzero", 32): 5.9,
    ("gumbel-muzero", 16): 11.3,
    ("gumbel-muzero", 8): 16.2,
    ("gumbel-muzero", 4): 24.3,
}
_TOWER = BoardConfig(channels=64, blocks=6, bottleneck=32, mixing="broadcast", mixing_every=6)
_CLAIM = Claim(
    "speed-up from fewer simulations",
    "table 1",
    "A smaller number of simulations speeds self-play up nearly in proportion.",
    "Decisions a CPU second of gumbel-muzero on 9x9 Go relative to muzero with n = 200. Confirmed if n = 200 "
    "is within 20 % of 1, and n = 32, 16, 8 and 4 are each faster than the one before and at least as fast "
    "as in the paper (5.9, 11.3, 16.2, 24.3).",
)


@dataclass(frozen=True)
class Sizes:
    """How long it is measured.

    Attributes:
        positions: searched in lock step, as self-play does.
        seconds: of CPU time for a row of the table, at least.
    """

    positions: int = 32
    seconds: float = 1.0


def measure_speed(sizes: Sizes, *, seed: int, say: Say | None = None) -> dict[str, Any]:
    """A row a game, method and number of simulations: CPU milliseconds a decision, and the speed-up."""
    rows: list[dict[str, Any]] = []
    for words, name in GAMES.items():
        game = load_game(name)
        states = _middle_games(game, sizes.positions, seed)
        slowest = 0.0
        for method, n in PAPER:
            preset = with_simulations(METHODS[method].preset, n)
            if "tower" in words:
                preset = replace(preset, architecture="board", board=_TOWER, skip="none", endings=0.0)
            taken = _cpu_seconds(preset, game, states, sizes, seed)
            slowest = slowest or taken
            rows.append(
                {
                    "game": words,
                    "method": method,
                    "simulations": n,
                    "cpu_milliseconds_a_decision": 1000 * taken,
                    "speedup": slowest / taken,
                    "paper": PAPER[method, n],
                }
            )
            if say:
                say(f"{words}: {method} n={n}, {1000 * taken:.2f} ms a decision, {slowest / taken:.1f} times")
    return {"rows": rows, "verdicts": [judge_speed(rows)]}


def judge_speed(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The verdict on table 1."""
    go = {(r["method"], r["simulations"]): r["speedup"] for r in rows if r["game"] == next(iter(GAMES))}
    fewer = [(go["gumbel-muzero", n], PAPER["gumbel-muzero", n]) for n in (32, 16, 8, 4)]
    level = all(abs(go[name, 200] - 1.0) <= 0.2 for name in ("gumbel-muzero", "full-gumbel-muzero"))
    faster = all(after > before for (before, _), (after, _) in pairwise(fewer))
    holds = level and faster and all(ours >= paper for ours, paper in fewer)
    return _CLAIM.ruled(yes_or_no(holds), {f"{name} n = {n}": speed for (name, n), speed in go.items()})


def _middle_games(game: Any, count: int, seed: int) -> list[State]:
    """Positions after twelve random moves."""
    rng = np.random.default_rng(seed)
    states: list[State] = []
    while len(states) < count:
        state = game.new_initial_state()
        for _ in range(12):
            if not state.is_terminal():
                state.apply_action(int(rng.choice(state.legal_actions())))
        if not state.is_terminal() and len(state.legal_actions()) > 1:
            states.append(state)
    return states


def _cpu_seconds(preset: Preset, game: Any, states: Sequence[State], sizes: Sizes, seed: int) -> float:
    """CPU seconds a decision on one thread, with first weights: their values do not change the work."""
    spec = spec_of(game)
    preset = fitted(preset, spec)
    planner = planner_of(preset, spec, first_weights(network_of(preset, spec), seed=seed), threads=1)
    positions = positions_of(game, spec, states)
    seeds = np.arange(len(states), dtype=np.uint64)
    planner.search(positions, replace(preset.search, simulations=1), seeds, noise=True)  # warms up
    decisions, begin = 0, time.process_time()
    while time.process_time() - begin < sizes.seconds or not decisions:
        planner.search(positions, preset.search, seeds, noise=True)
        decisions += len(states)
    return (time.process_time() - begin) / decisions
