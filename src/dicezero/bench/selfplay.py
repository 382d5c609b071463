"""Self-play with a network for boards: moves a second, and what of a round is spent outside it or waiting."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from dicezero.bench.limits import all_cores
from dicezero.bench.row import Row
from dicezero.presets.fitting import network_of, planner_of
from dicezero.presets.preset import Preset
from dicezero.presets.settings import with_settings
from dicezero.presets.suited import preset_for
from dicezero.rules import load_game, spec_of
from dicezero.selfplay.planners import RulesPlanner
from dicezero.selfplay.play import play_games

GAME = "connect_four"
PRESET = "gumbel-alphazero"
SETTINGS = {
    "architecture": "board",
    "board.channels": "32",
    "board.blocks": "4",
    "board.bottleneck": "0",
    "board.mixing": "none",
    "simulations": "16",
}
RUNS = 5


@dataclass(frozen=True)
class Round:
    """What a round of self-play took.

    Attributes:
        moves: decisions of all games.
        seconds: by the clock.
        calling: of processor time on the thread that drives the games.
        others: the same on all other threads.
        network: inside the network, summed over threads.
    """

    moves: int
    seconds: float
    calling: float
    others: float
    network: float

    @property
    def outside(self) -> float:
        """The share of a round on one thread that was not the network's; both by the clock."""
        return 1.0 - self.network / self.seconds

    def idle(self, cores: int) -> float:
        """The share of the round for which a core other than the driving one has nothing to do.

        By processor time, so that other programs on the machine do not count: a core that works as long as
        the driving thread is never idle.
        """
        return 1.0 - min(1.0, self.others / ((cores - 1) * self.calling)) if cores > 1 else 0.0


def rows(against: frozenset[str]) -> Iterator[Row]:  # noqa: ARG001 - nobody else does the same
    """Moves a second on all cores and on one, the fastest of some rounds of each, and where the time goes.

    A core's idle time is the median of the rounds: other programs lend and take it as it comes.
    """
    preset = with_settings(preset_for(PRESET, spec_of(load_game(GAME))), SETTINGS)
    cores = all_cores()
    name = f"selfplay/{preset.name} {GAME}, {preset.board.blocks}x{preset.board.channels}"
    name = f"{name}, {preset.search.simulations} simulations, {preset.games} games"
    rounds = [_round(preset, cores) for _ in range(RUNS)]
    idle = statistics.median(one.idle(cores) for one in rounds)
    yield Row(f"{name}, {cores} cores", "moves/s", max(one.moves / one.seconds for one in rounds))
    yield Row(f"{name}, {cores} cores, a core idle", "% of a round", 100.0 * idle)
    alone = min((_round(preset, 1) for _ in range(RUNS)), key=lambda one: one.seconds)
    yield Row(f"{name}, 1 core", "moves/s", alone.moves / alone.seconds)
    yield Row(f"{name}, time outside the network", "% of one thread", 100.0 * alone.outside)


def _round(preset: Preset, threads: int) -> Round:
    """A round of games with new weights."""
    game = load_game(GAME)
    spec = spec_of(game)
    weights = network_of(preset, spec).init(seed=0)
    planner = cast("RulesPlanner", planner_of(preset, spec, weights, threads=threads))
    begin, process, thread = time.perf_counter(), time.process_time(), time.thread_time()
    episodes = play_games(
        game,
        planner,
        preset.search,
        games=range(preset.games),
        seed=0,
        round_index=0,
        explore_moves=preset.explore_moves,
    )
    seconds = time.perf_counter() - begin
    calling = time.thread_time() - thread
    return Round(
        moves=sum(int((episode.actor >= 0).sum()) for episode in episodes),
        seconds=seconds,
        calling=calling,
        others=time.process_time() - process - calling,
        network=planner.spent.network_seconds,
    )
