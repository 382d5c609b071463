"""A finished or running run, read from its folder: the network it has and the planner it plays with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from dicezero.model.network import Judge, ModelPlayer, Network
from dicezero.model.weights import Weights
from dicezero.rules import load_game, load_object
from dicezero.rules.protocol import Game
from dicezero.runs.checkpoint import RunConfig, RunError, read_weights
from dicezero.search.plan import Evaluate
from dicezero.selfplay.planners import ModelPlanner, Planner, RulesPlanner
from dicezero.selfplay.seeds import address_seed
from dicezero.selfplay.td import AfterstatePlanner

_FIRST = 1 << 41  # an address no game's number reaches


@dataclass(frozen=True)
class Run:
    """What a run has learned so far."""

    config: RunConfig
    game: Game
    round: int
    planner: Planner


def make_planner(network: Network, weights: Weights, *, threads: int | None = None) -> Planner:
    """The planner of a network: over the rules for an evaluator or a judge, else in its model.

    ``threads`` of a search; all cores by default, and no result depends on it.
    """
    player = network.player(weights, threads=threads)
    if network.kind == "judge":
        return AfterstatePlanner(cast("Judge", player))
    if network.kind == "evaluator":
        return RulesPlanner(cast("Evaluate", player), threads=threads)
    return ModelPlanner(cast("ModelPlayer", player), threads=threads)


def first_weights(network: Network, *, seed: int) -> Weights:
    """What a run of that seed begins with."""
    return network.init(seed=address_seed(seed, _FIRST))


def load_run(
    path: str | Path, game: Game | None = None, *, round_number: int | None = None, average: int = 1
) -> Run:
    """A round of a run, every byte of its weights checked.

    Args:
        path: the folder that ``train`` wrote.
        game: what the run is to play, if that has been loaded; it must be the run's own.
        round_number: a round whose weights are kept; the last committed one by default.
        average: so many rounds whose weights are kept, that one and those before it, count alike.

    Raises:
        RunError: no run, damaged, or of another game.
    """
    folder = Path(path)
    config = RunConfig.read(folder)
    own = load_named(config.game)
    if game is not None and str(own) != str(game):
        raise RunError(f"{folder} has learned {config.game}, not {game}; give --game {config.game!r}")
    number, tensors = read_weights(folder, round_number, average=average)
    network = config.preset.network(own)
    try:
        weights = network.check(tensors)
    except ValueError as error:
        raise RunError(f"{folder}: {error}") from error
    return Run(config, own, number, make_planner(network, weights))


def load_named(text: str) -> Game:
    """A game by name, or ``file.py:Name``."""
    return load_game(cast("Game", load_object(text)) if ":" in text else text)
