"""From a network and its weights to what plays with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from dicezero.model.network import Judge, ModelPlayer, Network
from dicezero.model.network import Player as NetworkPlayer
from dicezero.model.symmetric import SymmetricEvaluator
from dicezero.model.weights import Weights
from dicezero.rules.spec import GameSpec
from dicezero.rules.symmetry import Symmetry
from dicezero.search.plan import Evaluate
from dicezero.selfplay.planners import ModelPlanner, Planner, RulesPlanner, Units
from dicezero.selfplay.td import AfterstatePlanner

_DEVICE_ROWS = 512  # of a batch: what is asked of a device in one call, the leaves of all games together


def _device_player(network: Network, weights: Weights) -> NetworkPlayer:
    from dicezero.model.jax_player import jax_player

    return jax_player(network, weights, batch_rows=_DEVICE_ROWS, native=False)


def make_planner(
    network: Network,
    weights: Weights,
    spec: GameSpec,
    units: Units,
    *,
    threads: int | None = None,
    symmetries: Sequence[Symmetry] = (),
    by_jax: bool = False,
) -> Planner:
    """The planner of a network: over the rules for an evaluator or a judge, else in its model.

    Args:
        network: of any kind.
        weights: of the network.
        spec: of the game it plays.
        units: of its values.
        threads: of a search; all cores by default, and no result depends on it.
        symmetries: over whose forms of a position the network's answers are averaged, in a model those at the
            root; none of a judge's.
        by_jax: JAX evaluates the network on its device, in large batches, and not the native core.
    """
    player = _device_player(network, weights) if by_jax else network.player(weights, threads=threads)
    if network.kind == "judge":
        return AfterstatePlanner(cast("Judge", player), spec, units)
    if network.kind == "evaluator":
        evaluator = cast("Evaluate", player)
        if symmetries:
            evaluator = SymmetricEvaluator(evaluator, symmetries)
        return RulesPlanner(evaluator, threads=threads)
    return ModelPlanner(cast("ModelPlayer", player), threads=threads, symmetries=symmetries)
