"""A fixed policy measured against the truth: scores, what it gives away, and where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero.evaluation.policies import Tell
from dicezero.solve import Policy, Progress, ProgressCallback, Solution, optimal, uniform

_ROWS = 262_144  # decisions valued at a time
_TIE = 1e-9  # utilities closer than this count as equal, as in the solver


@dataclass(frozen=True)
class Mistake:
    """A decision at which a policy gives something away.

    Attributes:
        decision: its number among ``solution.positions``.
        position: the state as text.
        played, best: the actions, as text.
        loss: win probability given away each time.
        visits: times a game comes there, against perfect play, seats averaged.
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
    """A policy's worth on a solved game, without sampling; probabilities and scores in [0, 1].

    Attributes:
        vs_optimal, vs_random: score against perfect and random play, seats averaged; 0.5 is perfect play.
        vs_optimal_seats, vs_random_seats: the same moving first, and moving second.
        exploitability: what the best reply scores beyond one half.
        regret: win probability given away at a decision with a choice, every such decision counting alike.
        regret_played: the same, each decision counting as often as a game against perfect play comes there.
        agreement: share of the decisions with a choice at which a best action is played.
        agreement_played: the same, weighted by visits.
        decisions: with a choice, in the whole game.
        decisions_played: of them that the policy meets in a game against perfect play, on average.
        mistakes: the costliest, first the worst; the costs of all of them add up to 0.5 - vs_optimal.
    """

    vs_optimal: float
    vs_optimal_seats: tuple[float, ...]
    vs_random: float
    vs_random_seats: tuple[float, ...]
    exploitability: float
    regret: float
    regret_played: float
    agreement: float
    agreement_played: float
    decisions: int
    decisions_played: float
    mistakes: tuple[Mistake, ...]


def strength(
    policy: Policy,
    solution: Solution,
    *,
    mistakes: int = 10,
    visits: npt.NDArray[np.float64] | None = None,
    tell: Tell | None = None,
) -> Strength:
    """Measures ``policy`` exactly.

    Args:
        policy: over the decisions of the solved game.
        solution: of the game.
        mistakes: how many to list.
        visits: ``solution.visits(policy, optimal(solution))``, if it is known already.
        tell: hears what is going on.
    """
    if mistakes < 0:
        raise ValueError(f"mistakes={mistakes} must be at least 0")
    best = optimal(solution)
    against_best = solution.evaluate(policy, best, progress=_progress("against perfect play", tell))
    against_random = solution.evaluate(
        policy, uniform(solution.positions), progress=_progress("against random play", tell)
    )
    reply = solution.best_response(policy, progress=_progress("best reply", tell))
    if visits is None:
        visits = solution.visits(policy, best, progress=_progress("counting visits", tell))
    loss, choice = losses(policy, solution)
    weight = np.where(choice, visits, 0.0)
    played, count = float(weight.sum()), int(choice.sum())
    right = choice & (loss < _TIE)
    return Strength(
        vs_optimal=against_best.score,
        vs_optimal_seats=against_best.scores,
        vs_random=against_random.score,
        vs_random_seats=against_random.scores,
        exploitability=reply.exploitability,
        regret=float(loss.sum()) / max(1, count),
        regret_played=float(loss @ weight) / max(played, 1e-300),
        agreement=int(right.sum()) / max(1, count),
        agreement_played=float(weight[right].sum()) / max(played, 1e-300),
        decisions=count,
        decisions_played=played,
        mistakes=_worst(policy, solution, loss, visits, mistakes),
    )


def losses(policy: Policy, solution: Solution) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Win probability given away at each decision [M], and whether there is a choice [M]."""
    positions = solution.positions
    loss, choice = np.empty(len(positions)), np.empty(len(positions), np.bool_)
    for start, stop in positions.ranges(_ROWS):
        values = solution.decision_values(start, stop)
        best = np.nanmax(values, axis=1)
        choice[start:stop] = np.isfinite(values).sum(axis=1) > 1
        loss[start:stop] = np.maximum(best - _worth(policy, values, start, stop), 0.0)
    return solution.scale.loss(1.0) * loss, choice


def _worth(policy: Policy, values: npt.NDArray[np.float64], start: int, stop: int) -> npt.NDArray[np.float64]:
    """[stop - start], what the policy's action is worth to the mover, on average where it draws lots."""
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
    found = []
    for index in (int(i) for i in order if cost[i] > 0.0):
        state = solution.positions.state(index)
        values = solution.decision_values(index, index + 1)[0]
        actions = [_likeliest(policy, index, values), int(np.nanargmax(values))]
        played, best = (state.action_to_string(state.current_player(), action) for action in actions)
        figures = float(loss[index]), float(visits[index]), float(cost[index])
        found.append(Mistake(index, " ".join(str(state).split()), played, best, *figures))
    return tuple(found)


def _likeliest(policy: Policy, index: int, values: npt.NDArray[np.float64]) -> int:
    """The action a policy plays; of several the one that loses most, as it is a list of mistakes."""
    if isinstance(policy.data, str):
        return int(np.nanargmin(values))
    row = policy.data[index]
    return int(row) if np.ndim(row) == 0 else int(np.where(np.isfinite(values), row, -1.0).argmax())


def _progress(phase: str, tell: Tell | None) -> ProgressCallback | None:
    def hear(progress: Progress) -> None:
        if tell:
            tell(phase, progress.done, progress.total)

    return hear if tell else None
