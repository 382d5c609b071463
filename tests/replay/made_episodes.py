"""Episodes written out by hand: two actions, three outcomes, one number to see."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dicezero.rules.spec import GameSpec, ObservationSpec
from dicezero.selfplay.episode import CHANCE, TERMINAL, Episode

SPEC = GameSpec("hand-made", players=2, actions=2, outcomes=3, observation=ObservationSpec((1,)))
NO_OP, END = 5, 6  # moves 0 1, dice 2 3 4


def made(
    actors: Sequence[int],
    actions: Sequence[int],
    values: Sequence[float],
    rewards: Sequence[float],
    *,
    first_seen: float = 0.0,
    policy: tuple[float, float] = (0.25, 0.75),
    truncated: bool = False,
) -> Episode:
    """An episode in which every step but the last is seen, as first_seen, first_seen + 1, ..."""
    actor = np.array(actors, np.int8)
    choice = actor >= 0
    count = len(actors)
    return Episode(
        observation=np.arange(count - 1, dtype=np.float32)[:, None] + np.float32(first_seen),
        observed=actor != TERMINAL,
        actor=actor,
        action=np.array(actions, np.int32),
        reward=np.array(rewards, np.float32),
        choices=np.where(choice, 2, 0).astype(np.int32),
        value=np.array(values, np.float32),
        legal=np.tile([0, 1], int(choice.sum())).astype(np.int32),
        policy=np.tile(policy, int(choice.sum())).astype(np.float32),
        truncated=truncated,
    )


# A die, player 0, a die, player 1, player 1 again, and player 1 has won.
GAME = made(
    [CHANCE, 0, CHANCE, 1, 1, TERMINAL],
    [2, 1, 4, 0, 1, END],
    [0.0, 0.2, 0.0, 0.5, 0.75, 0.0],
    [0.0, 0.0, 0.0, 0.0, -1.0, 0.0],
)
