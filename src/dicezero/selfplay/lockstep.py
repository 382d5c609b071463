"""What many games in lock step need of the rules: native for our own games, else state by state in Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.rules.protocol import Game, State
from dicezero.selfplay.planners import Positions
from dicezero.selfplay.seeds import SeedArray, extended_uniforms


class Rolls(NamedTuple):
    """Chance's part in B states."""

    row: npt.NDArray[np.int32]  # [M], the state, in ascending order; a state's rolls in their own order
    outcome: npt.NDArray[np.int32]  # [M], chance's own numbering
    player: npt.NDArray[np.int32]  # [B], who is to move then, or TERMINAL
    paid: npt.NDArray[np.float64]  # [M], what each roll paid player 0


def roll_dice(
    game: Game, states: Sequence[State], seeds: SeedArray, steps: npt.NDArray[np.int64], *, use: int
) -> Rolls:
    """Plays chance's part in every state until a player is to move or the game is over.

    A state's n-th roll is the lot of its address (seed, step + n, use).
    """
    if _native.is_native(game):
        return Rolls(*_native.roll_dice(game, list(states), seeds, steps, use))
    return reference_roll_dice(states, seeds, steps, use=use)


def reference_roll_dice(
    states: Sequence[State], seeds: SeedArray, steps: npt.NDArray[np.int64], *, use: int
) -> Rolls:
    """The same, state by state in Python."""
    rows, rolled, paid = [], [], []
    for row, state in enumerate(states):
        step = int(steps[row])
        while state.is_chance_node():
            outcomes = state.chance_outcomes()
            lot = float(extended_uniforms(seeds[row : row + 1], step, use)[0])
            outcome = outcomes[_drawn([p for _, p in outcomes], lot)][0]
            state.apply_action(outcome)
            rows.append(row)
            rolled.append(outcome)
            paid.append(_paid(state))
            step += 1
    players = [state.current_player() for state in states]
    return Rolls(
        np.array(rows, np.int32),
        np.array(rolled, np.int32),
        np.array(players, np.int32),
        np.array(paid, np.float64),
    )


def positions_of(states: Sequence[State], choices: int) -> Positions:
    """Choice nodes of one game as a planner takes them."""
    game = states[0].get_game() if hasattr(states[0], "get_game") else None
    if game is not None and _native.is_native(game):
        observation, legal = _native.observe_states(game, list(states))
        return Positions(states, observation, legal.view(np.bool_))
    return reference_positions_of(states, choices)


def reference_positions_of(states: Sequence[State], choices: int) -> Positions:
    """The same, state by state in Python."""
    observation = np.stack(
        [np.asarray(s.observation_tensor(s.current_player()), np.float32).ravel() for s in states]  # type: ignore[attr-defined]
    )
    legal = np.zeros((len(states), choices), np.bool_)
    for row, state in enumerate(states):
        legal[row, list(state.legal_actions())] = True
    return Positions(states, observation, legal)


def drawn_rows(weights: npt.NDArray[np.float32], uniforms: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    """[B] for weights [B, C]: in each row the place whose share of the total holds the row's number."""
    ends = np.cumsum(weights.astype(np.float64), axis=1)
    found = (uniforms * ends[:, -1])[:, None] < ends
    last = weights.shape[1] - 1 - (weights[:, ::-1] > 0.0).argmax(axis=1)
    place: npt.NDArray[np.intp] = np.where(found.any(axis=1), found.argmax(axis=1), last)
    return place.astype(np.int32)


def _paid(state: State) -> float:
    """What the last action or outcome paid player 0."""
    if hasattr(state, "rewards"):
        return float(state.rewards()[0])
    return float(state.returns()[0]) if state.is_terminal() else 0.0


def _drawn(weights: Sequence[float], uniform: float) -> int:
    """The position whose share of the total holds ``uniform``; one of weight zero is never drawn."""
    ends = list(accumulate(weights))
    at = uniform * ends[-1]
    last = max(i for i, weight in enumerate(weights) if weight > 0.0)
    return next((i for i, end in enumerate(ends) if at < end), last)
