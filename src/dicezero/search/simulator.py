"""What a learned model gives the planner: a root to start from, and steps from there.

Any object with ``step(hidden, action) -> Step`` is a simulator, whatever framework it runs on; its arrays may
be anything ``numpy.asarray`` takes. ``checked_root`` and ``checked_step`` turn them into what is searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

NEVER = -1e30  # what a logit of -inf becomes: its softmax is 0, and differences of two stay defined


@dataclass(frozen=True)
class Root:
    """B positions to search from. Values are for the player to move there."""

    hidden: Floats  # [B, H]
    policy_logits: Floats  # [B, A]
    value: Floats  # [B]
    legal: npt.NDArray[np.bool_]  # [B, A]
    player: npt.NDArray[np.int32]  # [B], who is to move


@dataclass(frozen=True)
class Step:
    """What follows M (hidden state, action) pairs. The value is for the player to move next."""

    hidden: Floats  # [M, H]
    reward: Floats  # [M], for the player who moved
    policy_logits: Floats  # [M, A]
    value: Floats  # [M]
    identity_logits: Floats | None = None  # [M, N], who acts next; NDMZ only
    chance_logits: Floats | None = None  # [M, A], the dice if chance acts next; NDMZ only


class Simulator(Protocol):
    """A learned model of a game."""

    def step(self, hidden: Floats, action: npt.NDArray[np.int32]) -> Step:
        """Takes ``action`` [M] in ``hidden`` [M, H]."""
        ...


def checked_floats(name: str, array: Any, shape: tuple[int | None, ...]) -> Floats:
    """``array`` as C-contiguous float32 of ``shape`` (None: any length); an error names the bad row.

    A logit may be -inf ("never"); nothing else may be infinite, and nothing NaN.
    """
    floats = np.asarray(array)
    if floats.dtype.kind != "f":
        raise ValueError(f"{name} has dtype {floats.dtype}; give float32")
    if floats.ndim != len(shape) or any(
        want not in (None, got) for want, got in zip(shape, floats.shape, strict=True)
    ):
        wanted = ", ".join("any" if n is None else str(n) for n in shape)
        raise ValueError(f"{name} has shape {floats.shape}; give ({wanted})")
    floats = np.ascontiguousarray(floats, np.float32)
    if name.endswith("logits"):
        floats = np.where(np.isneginf(floats), np.float32(NEVER), floats)
    if not np.isfinite(floats).all():
        row = int(np.argwhere(~np.isfinite(floats))[0][0])
        raise ValueError(
            f"{name} has a value that is not finite in row {row}; check the network's weights and inputs"
        )
    return floats


def checked_root(root: Root) -> Root:
    """The root in the planner's own types; raises ValueError naming the array, the row and the remedy."""
    logits = checked_floats("root.policy_logits", root.policy_logits, (None, None))
    rows, actions = logits.shape
    if rows == 0 or actions == 0:
        raise ValueError(f"root.policy_logits has shape {logits.shape}; give at least one row and one action")
    legal = np.asarray(root.legal)
    if legal.dtype != np.bool_ or legal.shape != (rows, actions):
        raise ValueError(f"root.legal is {legal.dtype} {legal.shape}; give bool {(rows, actions)}")
    if not legal.any(axis=1).all():
        row = int(np.argmin(legal.any(axis=1)))
        raise ValueError(
            f"root.legal has no legal action in row {row}; leave finished games out of the batch"
        )
    player = np.asarray(root.player)
    if player.dtype.kind not in "iu" or player.shape != (rows,):
        raise ValueError(f"root.player is {player.dtype} {player.shape}; give int32 {(rows,)}")
    return Root(
        hidden=checked_floats("root.hidden", root.hidden, (rows, None)),
        policy_logits=logits,
        value=checked_floats("root.value", root.value, (rows,)),
        legal=np.ascontiguousarray(legal),
        player=np.ascontiguousarray(player, np.int32),
    )


def checked_step(step: Step, *, size: int, hidden: int, actions: int, identities: int = 0) -> Step:
    """The step in the planner's own types; with ``identities`` 0 the two NDMZ arrays are ignored."""
    identity_logits = chance_logits = None
    if identities:
        if step.identity_logits is None or step.chance_logits is None:
            missing = "identity_logits" if step.identity_logits is None else "chance_logits"
            raise ValueError(f"step.{missing} is None; a model with {identities} identities must give it")
        identity_logits = checked_floats("step.identity_logits", step.identity_logits, (size, identities))
        chance_logits = checked_floats("step.chance_logits", step.chance_logits, (size, actions))
    return Step(
        hidden=checked_floats("step.hidden", step.hidden, (size, hidden)),
        reward=checked_floats("step.reward", step.reward, (size,)),
        policy_logits=checked_floats("step.policy_logits", step.policy_logits, (size, actions)),
        value=checked_floats("step.value", step.value, (size,)),
        identity_logits=identity_logits,
        chance_logits=chance_logits,
    )
