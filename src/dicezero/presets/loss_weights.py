"""What each term of the loss counts for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class LossWeights:
    """What each term counts for in the total (all 1 in the paper), and how its gradient flows.

    Attributes:
        policy, chance, identity, value, reward: of the terms of those names.
        consistency: of the distance between the model's hidden states and those that the representation has
            for what was then seen (EfficientZero); for models that take turns. 0 leaves it out.
        auxiliary: of auxiliary targets from a game's end beside its result, where the game has them (Go:
            whose each point is, and the score), for board networks over the true rules (KataGo). 0 leaves it
            out.
        l2: c of eq. 1.
        weight_decay: w of decoupled decay: a step also takes learning rate x w x theta off theta (AdamW).
        gradient_scaling: ``muzero`` halves the gradient into every hidden state of the unroll and gives the
            K recurrent steps together the weight of the root (1 / K each); the losses reported are the same.
    """

    policy: float = 1.0
    chance: float = 1.0
    identity: float = 1.0
    value: float = 1.0
    reward: float = 1.0
    consistency: float = 0.0
    auxiliary: float = 0.0
    l2: float = 1e-4
    weight_decay: float = 0.0
    gradient_scaling: Literal["none", "muzero"] = "none"

    def __post_init__(self) -> None:
        for name, weight in vars(self).items():
            if name == "gradient_scaling":
                if weight not in ("none", "muzero"):
                    raise ValueError(f"loss.{name}={weight!r} must be none or muzero")
            elif not 0.0 <= weight <= 1e6:
                raise ValueError(f"loss.{name}={weight!r} must be in [0, 1e6]")
