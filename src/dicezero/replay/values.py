"""What a position turned out to be worth: the value's target, by outcome, n-step bootstrap or lambda-return.

The one place where a target changes sides: everything is turned into the first player's view, worked out
there, and turned back for the player who decides. A player may move twice running; no parity is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from dicezero.selfplay.record import GameRecord

ValueTargetName = Literal["outcome", "n_step", "lambda"]
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ValueTarget:
    """How the value's target is made; there is no discount.

    Attributes:
        kind: ``outcome`` is how the game ended; ``n_step`` the search's value ``td_steps`` decisions later,
            or how the game ended before; ``lambda`` the mean of all n-step targets, weighed by
            (1 - value_lambda) value_lambda**(n - 1).
        value_lambda: of ``lambda``; 1 is the outcome, 0 the search's value at the next decision.
        td_steps: of ``n_step``, counted in decisions of either player.
        cut: what came after a move that the policy gives no weight to does not count: no target reaches past
            the decision at which it was made.
    """

    kind: ValueTargetName = "lambda"
    value_lambda: float = 1.0
    td_steps: int = 5
    cut: bool = False

    def __post_init__(self) -> None:
        if self.kind not in get_args(ValueTargetName):
            raise ValueError(
                f"value_target={self.kind!r} is unknown; give one of {', '.join(get_args(ValueTargetName))}"
            )
        if not 0.0 <= self.value_lambda <= 1.0:
            raise ValueError(f"value_lambda={self.value_lambda} is out of range; give 0..1")
        if self.td_steps < 1:
            raise ValueError(f"td_steps={self.td_steps} must be at least 1")


def value_targets(record: GameRecord, target: ValueTarget) -> npt.NDArray[np.float32]:
    """[T], at a decision for the player who makes it.

    A step of chance, or past the end, is worth what the last decision is worth, for the player who made it.
    Before the first decision nobody has moved and the value is 0; no sample starts there.
    """
    decisions = np.flatnonzero(record.actor >= 0)
    if not len(decisions):
        return np.zeros(len(record), np.float32)
    sign = np.where(record.actor[decisions] == 0, 1.0, -1.0)
    first_view = record.value[decisions].astype(np.float64) * sign
    stray = np.zeros(len(decisions), np.bool_)
    if target.cut:
        stray = record.policy[decisions, record.action[decisions]] == 0.0
    outcome = float(record.outcome[0])
    if target.kind == "lambda":
        found = _lambda_returns(first_view, stray, outcome, target.value_lambda)
    else:
        steps = target.td_steps if target.kind == "n_step" else len(decisions)
        found = _bootstrapped(first_view, stray, outcome, steps)
    # Every step takes the target of the last decision up to it; -1 is the zero before the first.
    last = np.cumsum(record.actor >= 0) - 1
    return np.asarray(np.append(found * sign, 0.0)[last], np.float32)


def _lambda_returns(
    value: Doubles, stray: npt.NDArray[np.bool_], outcome: float, value_lambda: float
) -> Doubles:
    """[D], G = (1 - lambda) v' + lambda G', from the next decision's value and target; all in one view."""
    found, following = [], outcome
    for here, astray in zip(value[::-1].tolist(), stray[::-1].tolist(), strict=True):
        found.append(following)
        following = here if astray else (1.0 - value_lambda) * here + value_lambda * following
    return np.array(found[::-1])


def _bootstrapped(value: Doubles, stray: npt.NDArray[np.bool_], outcome: float, steps: int) -> Doubles:
    """[D], the value ``steps`` decisions later, or at the first astray before, or the outcome; one view."""
    count = len(value)
    place = np.where(stray, np.arange(count), count)
    next_stray = np.append(np.minimum.accumulate(place[::-1])[::-1], count)[1:]  # [D], the first after each
    stop = np.minimum(np.minimum(np.arange(count) + steps, next_stray), count)
    return np.asarray(np.append(value, outcome)[stop])
