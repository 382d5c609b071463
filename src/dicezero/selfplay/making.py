"""From a network and its weights to what plays with them."""

from __future__ import annotations

from typing import cast

from dicezero.model.network import Judge, ModelPlayer, Network
from dicezero.model.weights import Weights
from dicezero.rules.spec import GameSpec
from dicezero.search.plan import Evaluate
from dicezero.selfplay.planners import ModelPlanner, Planner, RulesPlanner, Units
from dicezero.selfplay.td import AfterstatePlanner


def make_planner(
    network: Network, weights: Weights, spec: GameSpec, units: Units, *, threads: int | None = None
) -> Planner:
    """The planner of a network: over the rules for an evaluator or a judge, else in its model.

    Args:
        network: of any kind.
        weights: of the network.
        spec: of the game it plays.
        units: of its values.
        threads: of a search; all cores by default, and no result depends on it.
    """
    player = network.player(weights, threads=threads)
    if network.kind == "judge":
        return AfterstatePlanner(cast("Judge", player), spec, units)
    if network.kind == "evaluator":
        return RulesPlanner(cast("Evaluate", player), threads=threads)
    return ModelPlanner(cast("ModelPlayer", player), threads=threads)
