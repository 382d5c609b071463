"""A fixed policy measured against the truth: scores, what it gives away, and where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero.evaluation.policies import OnPhase
from dicezero.evaluation.yardstick import Yardstick, solver_progress
from dicezero.solve import NoConvergenceError, Policy, Solution, optimal

_ROWS = 262_144  # decisions valued at a time
_TIE = 1e-9  # values closer than this, of 1 or of those beyond 1, count as equal, as in the solver


@dataclass(frozen=True)
class Mistake:
    """A decision at which a policy gives something away.

    Attributes:
        decision: its number among ``solution.positions``.
        position: the state as text.
        played, best: the actions, as text.
        loss: given away each time: score, or returns where there is no score.
        visits: times a game comes there, against perfect play, seats averaged; discounted as the game does.
        cost: loss times visits: what the mistake costs a game.
    """

    decision: int
    position: str
    played: str
    best: str
    loss: float
    visits: float
    cost: float


@dataclass(frozen=True)
class Strength:
    """A policy's worth on a solved game, without sampling.

    Scores are in [0, 1] of the range of the game's returns; there are none (None) for a single player and
    where returns have no bounds. What is given away is then in the units of the returns, else in score.

    Attributes:
        vs_optimal, vs_random: score against perfect and random play, seats averaged; 0.5 is perfect play.
        vs_optimal_seats, vs_random_seats: the same moving first, and moving second.
        mean_return: against perfect play or alone, in the game's units, seats averaged.
        optimal_return: what perfect play has instead.
        exploitability: what the best reply has beyond an even score; None for a single player.
        exploitability_return: what the best reply is paid, in the game's units.
        regret: given away at a decision with a choice, every such decision counting alike.
        regret_played: the same, each decision counting as often as a game against perfect play comes there.
        agreement: share of the decisions with a choice at which a best action is played.
        agreement_played: the same, weighted by visits.
        decisions: with a choice, in the whole game.
        decisions_played: of them that the policy meets in a game against perfect play, on average.
        mistakes: the costliest, first the worst, ties left out; the costs of all of them add up to
            0.5 - vs_optimal, or to optimal_return - mean_return where there is no score.

    Where play may never end, and so nothing can be counted by visits, ``regret_played``, ``agreement_played``
    and ``decisions_played`` are None and there are no mistakes.
    """

    vs_optimal: float | None
    vs_optimal_seats: tuple[float, ...] | None
    vs_random: float | None
    vs_random_seats: tuple[float, ...] | None
    mean_return: float
    optimal_return: float
    exploitability: float | None
    exploitability_return: float | None
    regret: float
    regret_played: float | None
    agreement: float
    agreement_played: float | None
    decisions: int
    decisions_played: float | None
    mistakes: tuple[Mistake, ...]


def strength(
    policy: Policy,
    solution: Solution,
    *,
    mistakes: int = 10,
    visits: npt.NDArray[np.float64] | None = None,
    on_phase: OnPhase | None = None,
) -> Strength:
    """Measures ``policy`` exactly.

    Args:
        policy: over the decisions of the solved game.
        solution: of the game.
        mistakes: how many to list.
        visits: ``solution.visits(policy, optimal(solution), discounted=True)``, if it is known already.
        on_phase: called with the progress of each phase.
    """
    if mistakes < 0:
        raise ValueError(f"mistakes={mistakes} must be at least 0")
    yardstick = Yardstick(solution, on_phase=on_phase)
    against_best = yardstick.against_optimal(policy)
    against_random = None if yardstick.alone else yardstick.against_random(policy)
    scored = against_random if yardstick.scored else None
    reply = None if yardstick.alone else yardstick.best_reply(policy)
    if visits is None:
        visits = _visits(policy, solution, on_phase)
    loss, choice = losses(policy, solution)
    count = int(choice.sum())
    right = choice & (loss < _TIE * max(1.0, float(np.abs(solution.values).max())))
    weight = None if visits is None else np.where(choice, visits, 0.0)
    played = None if weight is None else float(weight.sum())
    return Strength(
        vs_optimal=against_best.score if scored else None,
        vs_optimal_seats=against_best.scores if scored else None,
        vs_random=scored.score if scored else None,
        vs_random_seats=scored.scores if scored else None,
        mean_return=against_best.mean_return,
        optimal_return=yardstick.optimal_return,
        exploitability=reply.exploitability if reply else None,
        exploitability_return=reply.mean_return if reply else None,
        regret=float(loss.sum()) / max(1, count),
        regret_played=None if weight is None else float(loss @ weight) / max(played or 0.0, 1e-300),
        agreement=int(right.sum()) / max(1, count),
        agreement_played=None if weight is None else float(weight[right].sum()) / max(played or 0.0, 1e-300),
        decisions=count,
        decisions_played=played,
        mistakes=()
        if visits is None
        else _worst(policy, solution, np.where(right, 0.0, loss), visits, mistakes),
    )


def _visits(policy: Policy, solution: Solution, on_phase: OnPhase | None) -> npt.NDArray[np.float64] | None:
    """None where play may never end."""
    try:
        return solution.visits(
            policy, optimal(solution), discounted=True, progress=solver_progress("counting visits", on_phase)
        )
    except NoConvergenceError:
        return None


def losses(policy: Policy, solution: Solution) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """What is given away at each decision [M], in score where there is one, and whether there is a choice."""
    positions = solution.positions
    loss, choice = np.empty(len(positions)), np.empty(len(positions), np.bool_)
    for start, stop in positions.ranges(_ROWS):
        values = solution.decision_values(start, stop)
        best = np.nanmax(values, axis=1)
        choice[start:stop] = np.isfinite(values).sum(axis=1) > 1
        loss[start:stop] = np.maximum(best - _worth(policy, values, start, stop), 0.0)
    return solution.scale.loss(1.0) * loss, choice


def _worth(policy: Policy, values: npt.NDArray[np.float64], start: int, stop: int) -> npt.NDArray[np.float64]:
    """[stop - start], what the policy's action is worth to the mover, on average where it is random."""
    if isinstance(policy.data, str):
        return np.asarray(np.nanmean(values, axis=1))
    data = policy.data[start:stop]
    if data.ndim == 2:
        return np.asarray(np.nansum(values * data, axis=1))
    return np.asarray(np.take_along_axis(values, data[:, None].astype(np.intp), axis=1)[:, 0])


def _worst(
    policy: Policy,
    solution: Solution,
    loss: npt.NDArray[np.float64],
    visits: npt.NDArray[np.float64],
    count: int,
) -> tuple[Mistake, ...]:
    cost = loss * visits
    order = np.argsort(-cost, kind="stable")[:count]
    mistakes = []
    for index in (int(i) for i in order if cost[i] > 0.0):
        state = solution.positions.state(index)
        values = solution.decision_values(index, index + 1)[0]
        actions = [_likeliest(policy, index, values), int(np.nanargmax(values))]
        played, best = (state.action_to_string(state.current_player(), action) for action in actions)
        figures = float(loss[index]), float(visits[index]), float(cost[index])
        mistakes.append(Mistake(index, " ".join(str(state).split()), played, best, *figures))
    return tuple(mistakes)


def _likeliest(policy: Policy, index: int, values: npt.NDArray[np.float64]) -> int:
    """The action a policy plays; of several the one that loses most, as it is a list of mistakes."""
    if isinstance(policy.data, str):
        return int(np.nanargmin(values))
    row = policy.data[index]
    return int(row) if np.ndim(row) == 0 else int(np.where(np.isfinite(values), row, -1.0).argmax())
