"""What episodes in lock step need of the rules: native for our own games, else state by state in Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.rules.door import (
    checked_auxiliary,
    checked_clone,
    checked_frame,
    checked_legal_actions,
    checked_outcomes,
    checked_player,
    checked_returns,
    checked_rewards,
)
from dicezero.rules.memory import require_rows
from dicezero.rules.protocol import CHANCE_PLAYER, Game, State
from dicezero.rules.spec import GameSpec, ObservationSpec
from dicezero.selfplay.seeds import SeedArray, extended_uniforms

Floats = npt.NDArray[np.float32]
_DICE = 1  # the last part of an address: what the number is for


@dataclass(frozen=True)
class Positions:
    """B positions of one game with a player to move, in every form a planner may need."""

    game: Game
    states: Sequence[State]  # [B]; none where a planner is asked that looks at observations alone
    frame: npt.NDArray[Any]  # [B, ...], what the mover sees, as it is stored
    observation: Floats  # [B, O], what a network is shown: the frames stacked, flat
    legal: npt.NDArray[np.bool_]  # [B, C], over the players' actions

    def rows(self, keep: npt.NDArray[np.intp]) -> Positions:
        """Some of them."""
        states = [self.states[i] for i in keep] if self.states else []
        return Positions(self.game, states, self.frame[keep], self.observation[keep], self.legal[keep])


class Rolls(NamedTuple):
    """Chance's part in B states."""

    row: npt.NDArray[np.int32]  # [M], the state, in ascending order; a state's rolls in their own order
    outcome: npt.NDArray[np.int32]  # [M], chance's own numbering
    player: npt.NDArray[np.int32]  # [B], who is to move then, or TERMINAL
    reward: npt.NDArray[np.float64]  # [M], what each paid player 0


def start_states(game: Game, spec: GameSpec, seeds: SeedArray) -> list[State]:
    """[B], new episodes; an environment is reset with its seed, a game's dice are rolled later."""
    if spec.simulator == "episodes":
        return [game.new_initial_state(seed=int(seed)) for seed in seeds]  # type: ignore[call-arg]
    return [game.new_initial_state() for _ in seeds]


def auxiliary_targets(spec: GameSpec, ends: Sequence[State]) -> Floats | None:
    """[B, X], auxiliary targets of finished games beside their results; None where the game defines none."""
    layout = spec.auxiliary
    if layout is None or not ends:
        return None
    return np.stack([checked_auxiliary(state, layout.size) for state in ends])


def roll_dice(
    game: Game, spec: GameSpec, states: Sequence[State], seeds: SeedArray, rolled: npt.NDArray[np.int64]
) -> Rolls:
    """Plays chance's part in every state until a player is to move or the game is over.

    A state's n-th roll in all is drawn by its address (seed, n), whatever the players do; ``rolled`` [B] is
    how many it has had.
    """
    if _native.is_native(game):
        return Rolls(*_native.roll_dice(game, list(states), seeds, rolled, _DICE))
    return reference_roll_dice(spec, states, seeds, rolled)


def reference_roll_dice(
    spec: GameSpec, states: Sequence[State], seeds: SeedArray, rolled: npt.NDArray[np.int64]
) -> Rolls:
    """The same, state by state in Python."""
    rows, outcomes, rewards, players = [], [], [], []
    pays = spec.rewards == "each step"
    for row, state in enumerate(states):
        number = int(rolled[row])
        while (player := checked_player(state, spec.players)) == CHANCE_PLAYER:
            outcome = rolled_outcome(state, spec, seeds[row], number)
            before = checked_returns(state, spec.players)[0] if pays else 0.0
            state.apply_action(outcome)
            rows.append(row)
            outcomes.append(outcome)
            # OpenSpiel's 2048 repeats after an outcome the reward of the move before it: returns do not.
            ends = pays or state.is_terminal()
            rewards.append(checked_returns(state, spec.players)[0] - before if ends else 0.0)
            number += 1
        players.append(player)
    return Rolls(
        np.array(rows, np.int32), np.array(outcomes, np.int32), np.array(players, np.int32), np.array(rewards)
    )


def rolled_outcome(state: State, spec: GameSpec, seed: np.uint64, number: int) -> int:
    """The outcome of an episode's roll of that number, at the chance node ``state``."""
    outcomes = checked_outcomes(state, spec.outcomes)
    uniform = float(extended_uniforms(np.array([seed], np.uint64), number, _DICE)[0])
    return int(outcomes[_drawn([p for _, p in outcomes], uniform)][0])


def play_moves(
    game: Game, spec: GameSpec, states: Sequence[State], actions: npt.NDArray[np.int32]
) -> npt.NDArray[np.float64]:
    """Plays a move in every state; [B], what each paid player 0."""
    if _native.is_native(game):
        return np.asarray(_native.apply_moves(game, list(states), np.ascontiguousarray(actions, np.int32)))
    return reference_play_moves(spec, states, actions)


def reference_play_moves(
    spec: GameSpec, states: Sequence[State], actions: npt.NDArray[np.int32]
) -> npt.NDArray[np.float64]:
    """The same, state by state in Python."""
    rewards = np.zeros(len(states))
    for row, (state, action) in enumerate(zip(states, actions.tolist(), strict=True)):
        state.apply_action(action)
        rewards[row] = paid(spec, state)
    return rewards


def paid(spec: GameSpec, state: State) -> float:
    """What the last action or outcome paid player 0; a game that pays at the end alone pays its return."""
    if spec.rewards == "each step":
        return checked_rewards(state, spec.players)[0]
    return checked_returns(state, spec.players)[0] if state.is_terminal() else 0.0


def turns_of(spec: GameSpec, state: State) -> Iterator[tuple[int, State, float]]:
    """(first action, position after it, what it paid player 0) of every way to play the turn to its end."""
    for action in checked_legal_actions(state, spec.actions):
        reached = checked_clone(state)
        reached.apply_action(action)
        reward = paid(spec, reached)
        partial = getattr(reached, "mid_turn", None)
        if callable(partial) and partial():
            for _, end, more in turns_of(spec, reached):
                yield action, end, reward + more
        else:
            yield action, reached, reward


def positions_of(game: Game, spec: GameSpec, states: Sequence[State]) -> Positions:
    """Choice nodes of one game as a planner takes them."""
    require_rows(len(states), spec.actions, spec.observation.size if spec.observation else 0)
    if _native.is_native(game):
        observation, legal = _native.observe_states(game, list(states))
        frame = observation.reshape(len(states), *_observation(spec).shape)
        return Positions(game, states, frame, observation, legal.view(np.bool_))
    return reference_positions_of(game, spec, states)


def reference_positions_of(game: Game, spec: GameSpec, states: Sequence[State]) -> Positions:
    """The same, state by state in Python."""
    frame = np.stack([_frame(spec, state, checked_player(state, spec.players)) for state in states])
    legal = np.zeros((len(states), spec.actions), np.bool_)
    branches = spec.simulator == "states"
    for row, state in enumerate(states):
        # An environment that has cut an episode off offers nothing: what follows is only estimated.
        if branches or not state.is_truncated():  # type: ignore[attr-defined]
            legal[row, checked_legal_actions(state, spec.actions)] = True
    seen = _observation(spec)
    stacked = frame
    if seen.stack > 1:
        stacked = np.stack([state.stacked_frames() for state in states])  # type: ignore[attr-defined]
    return Positions(game, states, frame, network_input(seen, stacked), legal)


def frames_seen_by(
    game: Game, spec: GameSpec, states: Sequence[State], players: Sequence[int]
) -> npt.NDArray[Any]:
    """[B, ...], each state in the view of its player; zeros once the game is over: its value is known."""
    seen = _observation(spec)
    if _native.is_native(game):
        observed = _native.observe_by(game, list(states), np.array(players, np.int32))
        return np.asarray(observed).reshape(len(states), *seen.shape)
    frames = np.zeros((len(states), *seen.shape), seen.dtype)
    for row, (state, player) in enumerate(zip(states, players, strict=True)):
        if not state.is_terminal():
            frames[row] = _frame(spec, state, player)
    return frames


def network_input(seen: ObservationSpec, frames: npt.NDArray[Any]) -> Floats:
    """[B, O] float32 from frames [B, ...] as they are stored; uint8 stands for 0..1."""
    flat = frames.reshape(len(frames), -1)
    if seen.dtype == "uint8":
        return flat.astype(np.float32) * np.float32(1 / 255)
    return np.ascontiguousarray(flat, np.float32)


def drawn_rows(weights: npt.NDArray[np.float32], uniforms: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    """[B] for weights [B, C]: in each row the column whose share of the total holds the row's number."""
    ends = np.cumsum(weights.astype(np.float64), axis=1)
    above = (uniforms * ends[:, -1])[:, None] < ends
    last = weights.shape[1] - 1 - (weights[:, ::-1] > 0.0).argmax(axis=1)
    place: npt.NDArray[np.intp] = np.where(above.any(axis=1), above.argmax(axis=1), last)
    return place.astype(np.int32)


def _observation(spec: GameSpec) -> ObservationSpec:
    if spec.observation is None:
        raise ValueError(
            f"{spec.name} has no observation_tensor(); a network needs observations to learn from"
        )
    return spec.observation


def _frame(spec: GameSpec, state: State, player: int) -> npt.NDArray[Any]:
    seen = _observation(spec)
    return checked_frame(state, player, seen.shape, seen.dtype)


def _drawn(weights: Sequence[float], uniform: float) -> int:
    """The position whose share of the total holds ``uniform``; one of weight zero is never drawn."""
    ends = list(accumulate(weights))
    at = uniform * ends[-1]
    last = max(i for i, weight in enumerate(weights) if weight > 0.0)
    return next((i for i, end in enumerate(ends) if at < end), last)
