"""Fixed policies over the decisions of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from dicezero.rules.protocol import State
from dicezero.solve.positions import Positions

PolicyFunction: TypeAlias = Callable[[State], Mapping[int, float]]


@dataclass(frozen=True, eq=False)
class Policy:
    """A policy in the form the core reads."""

    positions: Positions
    data: Literal["uniform"] | npt.NDArray[Any]  # [M] int16 actions, or [M, A] float probabilities


PolicyLike: TypeAlias = Policy | npt.NDArray[Any] | PolicyFunction


def uniform(positions: Positions) -> Policy:
    """Every legal action alike; takes no memory."""
    return Policy(positions, "uniform")


def as_policy(positions: Positions, policy: PolicyLike, *, name: str = "policy") -> Policy:
    """Any accepted form as a ``Policy``.

    Args:
        positions: the decisions it is over; M of them, A actions.
        policy: a ``Policy``; integers [M], an action each; floats [M, A], probabilities of which only those
            of legal actions are read; or a function from a state to {action: probability}, called once a
            decision. In Nannon a decision stands for both seats, so a function must not depend on the seat.
        name: how an error calls it.

    Raises:
        ValueError: a wrong shape or type. Illegal actions and sums other than 1 are found on use.
    """
    if isinstance(policy, Policy):
        if policy.positions.game != positions.game:
            raise ValueError(f"{name} belongs to {policy.positions.game}, not to {positions.game}")
        return Policy(positions, policy.data)
    if callable(policy):
        return Policy(positions, _tabulate(positions, policy, name))
    array = np.asarray(policy)
    count, width = len(positions), positions.num_actions
    if np.issubdtype(array.dtype, np.integer) and array.shape == (count,):
        if array.size and (int(array.min()) < 0 or int(array.max()) >= width):
            raise ValueError(f"{name}: actions must lie in 0..{width - 1}")
        return Policy(positions, np.ascontiguousarray(array, dtype=np.int16))
    if np.issubdtype(array.dtype, np.floating) and array.shape == (count, width):
        kept = array.dtype if array.dtype in (np.float32, np.float64) else np.dtype(np.float32)
        return Policy(positions, np.ascontiguousarray(array, dtype=kept))
    raise ValueError(
        f"{name}: {array.dtype} {list(array.shape)} does not fit; give integer actions [{count}], "
        f"float probabilities [{count}, {width}], or a function of a state"
    )


def _tabulate(positions: Positions, function: PolicyFunction, name: str) -> npt.NDArray[np.float64]:
    table = np.zeros((len(positions), positions.num_actions))
    for i in range(len(positions)):
        state = positions.state(i)
        legal = set(state.legal_actions())
        for action, probability in function(state).items():
            if action not in legal:
                raise ValueError(f"{name}: action {action} is illegal at {state}; legal: {sorted(legal)}")
            table[i, action] = probability
    return table
