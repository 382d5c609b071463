"""Search measured on a sample of decisions, where the game has too many to search them all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero.evaluation.interval import mean_interval
from dicezero.evaluation.policies import Decisions, OnPhase, network_actions, search_actions
from dicezero.search.config import SearchConfig
from dicezero.selfplay.planners import Planner
from dicezero.solve import Solution

_TIE = 1e-9


@dataclass(frozen=True)
class SampledRegret:
    """What a search gives away at decisions drawn as often as play comes to them.

    Attributes:
        decisions: how many were drawn, with a choice each.
        drawn_by: whose play the decisions are of.
        regret: win probability given away at one of them, on average.
        regret_ci95: its interval.
        agreement: share at which a best action is played.
        network_regret: of the network alone at the same decisions.
        gain_ci95: interval of ``network_regret - regret``, from the differences at the same decisions.
    """

    decisions: int
    drawn_by: str
    regret: float
    regret_ci95: tuple[float, float]
    agreement: float
    network_regret: float
    gain_ci95: tuple[float, float]


def sampled_regret(
    planner: Planner,
    solution: Solution,
    config: SearchConfig,
    *,
    visits: npt.NDArray[np.float64],
    drawn_by: str,
    decisions: int,
    seed: int,
    on_phase: OnPhase | None = None,
) -> SampledRegret:
    """Searches at ``decisions`` decisions drawn (with replacement) in proportion to ``visits``.

    Args:
        planner: who searches.
        solution: of the game.
        config: of the search.
        visits: [M], how often play comes to each decision; forced ones are left out.
        drawn_by: in words, whose visits they are.
        decisions: how many to draw.
        seed: of the draw and of the searches.
        on_phase: called with the progress.
    """
    if decisions < 2:
        raise ValueError(f"decisions={decisions} must be at least 2 for an interval")
    chosen = _draw(solution, visits, decisions, seed)
    values = np.concatenate([solution.decision_values(int(i), int(i) + 1) for i in chosen])
    best = np.nanmax(values, axis=1)

    def loss(actions: npt.NDArray[np.int16]) -> npt.NDArray[np.float64]:
        played = np.take_along_axis(values, actions[:, None].astype(np.intp), axis=1)[:, 0]
        return np.asarray(solution.scale.loss(1.0) * (best - played))

    rows = Decisions(solution.positions)
    searched = loss(search_actions(planner, rows, config, chosen, seed=seed, on_phase=on_phase))
    alone = loss(network_actions(planner, rows, chosen))
    return SampledRegret(
        decisions=decisions,
        drawn_by=drawn_by,
        regret=float(searched.mean()),
        regret_ci95=mean_interval(searched.tolist()),
        agreement=float((searched < _TIE).mean()),
        network_regret=float(alone.mean()),
        gain_ci95=mean_interval((alone - searched).tolist()),
    )


def _draw(
    solution: Solution, visits: npt.NDArray[np.float64], decisions: int, seed: int
) -> npt.NDArray[np.int64]:
    """[decisions] numbers of decisions with a choice."""
    positions = solution.positions
    ends = np.empty(len(positions))
    total = 0.0
    for start, stop in positions.ranges(262_144):
        choice = positions.legal(start, stop).sum(axis=1) > 1
        ends[start:stop] = total + np.cumsum(np.where(choice, visits[start:stop], 0.0))
        total = float(ends[stop - 1])
    draws = np.random.default_rng(seed).random(decisions) * total
    return np.asarray(np.searchsorted(ends, draws, side="right"), np.int64)
