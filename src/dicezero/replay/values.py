"""What a position turned out to be worth: the value's target, by outcome, n-step bootstrap or lambda-return.

The one place where a target changes sides: everything is turned into the first player's view, worked out
there, and turned back for the player who decides. A player may move twice running; no parity is counted.

One decision is one step: G = r + c + discount * G', where r is what the decision paid, c all that chance and
the end paid before the next decision, and G' the return from there. What follows a move, an afterstate or a
step of chance, belongs to the step: it is worth c + discount * G', and with r that is what the move is worth.
An episode that has terminated is worth nothing more; one that was cut off is worth what the decision at which
it was cut expects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from dicezero.selfplay.episode import Episode

ValueTargetName = Literal["outcome", "n_step", "lambda"]
Absorbing = Literal["outcome", "zero"]
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ValueTarget:
    """How the value's target is made.

    Attributes:
        kind: ``outcome`` is the return to the end; ``n_step`` the rewards of ``td_steps`` decisions and the
            search's value after them; ``lambda`` the mean of all n-step targets, weighed by
            (1 - value_lambda) value_lambda**(n - 1).
        value_lambda: of ``lambda``; 1 is the outcome, 0 the search's value at the next decision.
        td_steps: of ``n_step``, counted in decisions of either player.
        discount: what the value of the next decision counts.
        cut: what came after a move that the policy gives no weight to does not count: no target reaches past
            the decision at which it was made.
        afterstates: a decision's target is what follows it, without what it paid itself.
        absorbing: what a finished game is worth to who moved last: its ``outcome``, for models whose values
            carry it to the end and past it, or ``zero``, for those that are paid rewards.
    """

    kind: ValueTargetName = "lambda"
    value_lambda: float = 1.0
    td_steps: int = 5
    discount: float = 1.0
    cut: bool = False
    afterstates: bool = False
    absorbing: Absorbing = "outcome"

    def __post_init__(self) -> None:
        if self.kind not in get_args(ValueTargetName):
            raise ValueError(
                f"value_target={self.kind!r} is unknown; give one of {', '.join(get_args(ValueTargetName))}"
            )
        if not 0.0 <= self.value_lambda <= 1.0:
            raise ValueError(f"value_lambda={self.value_lambda} is out of range; give 0..1")
        if self.td_steps < 1:
            raise ValueError(f"td_steps={self.td_steps} must be at least 1")
        if not 0.0 < self.discount <= 1.0:
            raise ValueError(f"discount={self.discount} is out of range; give (0, 1]")


def value_targets(episode: Episode, target: ValueTarget) -> npt.NDArray[np.float32]:
    """[T], in the game's units, at a decision for the player who makes it.

    A step of chance is worth what is still to come, for the player who moved last; the final step what
    ``absorbing`` gives, or the expectation where the episode was cut off. Before the first decision nobody
    has moved and the value is 0; no sample starts there.
    """
    decisions = episode.decisions
    if not len(decisions):
        return np.zeros(len(episode), np.float32)
    sign = np.where(episode.actor[decisions] == 0, 1.0, -1.0)
    value = episode.value[decisions].astype(np.float64) * sign
    paid = np.concatenate([[0.0], np.cumsum(episode.reward, dtype=np.float64)])  # [T + 1], before each step
    ends = np.append(decisions[1:], len(episode))
    step = paid[ends] - paid[decisions]
    stray = episode.played_probability() == 0.0 if target.cut else np.zeros(len(decisions), np.bool_)
    left = float(episode.value[-1]) if episode.truncated else 0.0
    if target.kind == "n_step":
        following = _n_step(step, value, stray, left, target)
    else:
        mixed = target.value_lambda if target.kind == "lambda" else 1.0
        following = _lambda_returns(step, value, stray, left, mixed, target.discount)
    # What each step is worth: at a decision, and at chance's steps after it, which have less still to come.
    last = np.cumsum(episode.actor >= 0) - 1  # [T], the last decision up to the step
    to_come = paid[ends][last] - paid[:-1] + target.discount * following[last]
    if target.afterstates:
        to_come[decisions] -= paid[decisions + 1] - paid[decisions]
    to_come[-1] = left if episode.truncated else paid[-1] if target.absorbing == "outcome" else 0.0
    return np.where(last >= 0, to_come * sign[last], 0.0).astype(np.float32)


def mover_rewards(episode: Episode) -> npt.NDArray[np.float32]:
    """[T], what each step paid the player who moved last at or before it; player 0 before the first move."""
    decisions = episode.decisions
    if not len(decisions):
        return episode.reward
    last = np.maximum(np.cumsum(episode.actor >= 0) - 1, 0)
    sign = np.where(episode.actor[decisions] == 0, 1.0, -1.0)[last]
    return np.asarray(episode.reward * sign, np.float32)


def _lambda_returns(
    step: Doubles,
    value: Doubles,
    stray: npt.NDArray[np.bool_],
    left: float,
    value_lambda: float,
    discount: float,
) -> Doubles:
    """[D], what the next decision is taken to be worth: (1 - lambda) v' + lambda G'; all in one view."""
    following = left
    latest_first = []
    steps = zip(step[::-1].tolist(), value[::-1].tolist(), stray[::-1].tolist(), strict=True)
    for paid, here, astray in steps:
        latest_first.append(following)
        returned = paid + discount * following
        following = here if astray else (1.0 - value_lambda) * here + value_lambda * returned
    return np.array(latest_first[::-1])


def _n_step(
    step: Doubles, value: Doubles, stray: npt.NDArray[np.bool_], left: float, target: ValueTarget
) -> Doubles:
    """[D], the same by bootstrap: from the value ``td_steps`` decisions on, or at the first astray before."""
    count = len(value)
    place = np.where(stray, np.arange(count), count)
    next_stray = np.append(np.minimum.accumulate(place[::-1])[::-1], count)[1:]  # [D], the first after each
    stop = np.minimum(np.minimum(np.arange(count) + target.td_steps, next_stray), count)
    returns = np.append(value, left)[stop]
    for steps in range(target.td_steps - 1, 0, -1):  # the rewards between, the latest first
        at = np.arange(count) + steps
        inside = at < stop
        returns = np.where(
            inside, np.append(step, 0.0)[np.minimum(at, count)] + target.discount * returns, returns
        )
    return np.asarray(returns)
