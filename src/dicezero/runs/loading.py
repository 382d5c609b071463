"""A finished or running run, read from its folder: the network it has and the planner it plays with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from dicezero.model.network import Network
from dicezero.model.weights import Weights
from dicezero.presets.fitting import network_of, units_of
from dicezero.rules import load_game, load_object
from dicezero.rules.protocol import Game
from dicezero.rules.spec import GameSpec, spec_of
from dicezero.runs.checkpoint import RunConfig, RunError, read_weights
from dicezero.selfplay.making import make_planner
from dicezero.selfplay.planners import Planner
from dicezero.selfplay.seeds import address_seed

_FIRST = 1 << 41  # an address no game's number reaches


@dataclass(frozen=True)
class Run:
    """What a run has learned so far."""

    config: RunConfig
    game: Game
    spec: GameSpec
    round: int
    planner: Planner


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
    spec = spec_of(own)
    network = network_of(config.preset, spec)
    try:
        weights = network.check(tensors)
    except ValueError as error:
        raise RunError(f"{folder}: {error}") from error
    units = units_of(config.preset, spec)
    return Run(config, own, spec, number, make_planner(network, weights, spec, units))


def load_named(text: str) -> Game:
    """A game by name, or ``file.py:Name``."""
    return load_game(cast("Game", load_object(text)) if ":" in text else text)
