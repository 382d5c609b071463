"""A run's folder without training: rounds of random weights, committed as a run commits them."""

from __future__ import annotations

from dicezero.presets.fitting import fitted, network_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game, spec_of
from dicezero.runs.checkpoint import Checkpoint, begin, commit
from dicezero.runs.config import RunConfig
from dicezero.runs.manifest import weights_name

NAME = "nannon(points=4,checkers=2,sides=4)"
SMALL = {"hidden": "8", "widths": "8,8", "play.simulations": "4"}


def make_run(folder, *, rounds=2, game=NAME, preset="gumbel-ndmz", target=None):
    """Rounds 1..rounds, the weights of all kept; each line of metrics has its round and a score."""
    folder.mkdir(parents=True)
    spec = spec_of(load_game(game))
    made = fitted(with_settings(PRESETS[preset], SMALL), spec)
    config = RunConfig(made, game, 7, target or rounds, 1)
    begin(folder, config)
    network, sums = network_of(made, spec), {}
    for number in range(1, rounds + 1):
        weights = network.init(seed=number)
        kept = tuple(range(1, number + 1))
        sums = commit(
            folder,
            config,
            Checkpoint(number, weights, {}, (), kept),
            {name: sums[name] for name in map(weights_name, kept[:-1])},
            {
                "round": number,
                "seconds": number * 1.5,
                "meter": "exact",
                "vs_optimal": 0.3 + 0.01 * number,
            },
        )
    return folder
