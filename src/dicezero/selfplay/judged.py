"""Expectimax over a judge of afterstates: every move, every outcome of chance, the best reply, and so on.

One ply is the move whose reward and afterstate are worth most. Games that offer it are searched natively
(``cpp/search/judged.h``); ``reference_moves`` is the plain twin, and what all others are searched by.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.model.network import Judge
from dicezero.rules.door import checked_clone, checked_outcomes, checked_player
from dicezero.rules.protocol import CHANCE_PLAYER, Game, State
from dicezero.rules.spec import GameSpec
from dicezero.selfplay.planners import Units, available_cores
from dicezero.selfplay.states import frames_seen_by, network_input, paid, turns_of


@dataclass(frozen=True)
class JudgedConfig:
    """How far to look.

    Attributes:
        plies: moves ahead; between two of them chance is averaged over.
        candidates: moves of a decision that are looked at deeper, the best at one ply; 0 is all.
        rare: outcomes less likely than this share of the likeliest are answered at one ply.
    """

    plies: int = 1
    candidates: int = 0
    rare: float = 0.0

    def __post_init__(self) -> None:
        if not 1 <= self.plies <= 20:
            raise ValueError(f"plies={self.plies} must be in 1..20")
        if self.candidates < 0:
            raise ValueError(f"candidates={self.candidates} must be at least 0; 0 looks at all moves")
        if not 0.0 <= self.rare <= 1.0:
            raise ValueError(f"rare={self.rare} must be in [0, 1]")


@dataclass(frozen=True)
class JudgedMoves:
    """The M ways to play a turn from B positions, position by position, by the actions' ids within one.

    Where an action is only part of a turn, every way to play it to its end is one.
    """

    row: npt.NDArray[np.int32]  # [M], the position
    action: npt.NDArray[np.int32]  # [M]
    value: npt.NDArray[np.float64]  # [M], to the mover, scaled; NaN for a move that was no candidate
    nodes: npt.NDArray[np.int64]  # [B], positions looked at
    leaves: npt.NDArray[np.int64]  # [B], afterstates judged


def tables_of(judge: Judge) -> _native.Tuples | None:
    """The tables that a native search reads without Python; None for any other judge."""
    native = getattr(judge, "native", None)
    return native if isinstance(native, _native.Tuples) else None


def judged_moves(
    game: Game,
    spec: GameSpec,
    states: Sequence[State],
    judge: Judge,
    units: Units,
    config: JudgedConfig,
    *,
    threads: int | None = None,
) -> JudgedMoves:
    """What every legal move of choice nodes is worth; by all cores, and no answer depends on ``threads``."""
    search = getattr(game, "judged", None) if _native.is_native(game) else None
    if search is None:
        return reference_moves(game, spec, states, judge, units, config)
    return JudgedMoves(
        *search(
            tables_of(judge) or judge,
            list(states),
            plies=config.plies,
            candidates=config.candidates,
            rare=config.rare,
            scale=units.scale,
            threads=available_cores() if threads is None else threads,
        )
    )


def reference_moves(
    game: Game,
    spec: GameSpec,
    states: Sequence[State],
    judge: Judge,
    units: Units,
    config: JudgedConfig,
) -> JudgedMoves:
    """The same, node by node in Python."""
    search = _Reference(game, spec, judge, units, config)
    rows: list[int] = []
    actions: list[int] = []
    values: list[float] = []
    nodes, leaves = [], []
    for row, state in enumerate(states):
        search.nodes = search.leaves = 0
        scored = search.decide(state, config.plies)
        rows += [row] * len(scored)
        actions += [action for action, _ in scored]
        values += [value for _, value in scored]
        nodes.append(search.nodes)
        leaves.append(search.leaves)
    return JudgedMoves(
        np.array(rows, np.int32),
        np.array(actions, np.int32),
        np.array(values, np.float64),
        np.array(nodes, np.int64),
        np.array(leaves, np.int64),
    )


class _Reference:
    """Without batches and without a cache."""

    def __init__(self, game: Game, spec: GameSpec, judge: Judge, units: Units, config: JudgedConfig) -> None:
        self.game, self.spec, self.judge, self.units, self.config = game, spec, judge, units, config
        self.nodes = self.leaves = 0

    def decide(self, state: State, plies: int) -> list[tuple[int, float]]:
        """What every way to play the turn is worth to the mover; NaN where it was no candidate."""
        self.nodes += 1
        mover = checked_player(state, self.spec.players)
        ways = [
            (action, after, _sign(mover) * reward / self.units.scale)
            for action, after, reward in turns_of(self.spec, state)
        ]
        filtering = 0 < self.config.candidates < len(ways)
        worth = [math.nan] * len(ways)
        if plies == 1 or filtering:
            worth = [reward + self._judged(after, mover) for _, after, reward in ways]
        if plies > 1:
            order = sorted(range(len(ways)), key=lambda i: -worth[i]) if filtering else list(range(len(ways)))
            chosen = set(order[: self.config.candidates] if filtering else order)
            worth = [
                reward + _sign(mover) * self._following(after, plies - 1) if i in chosen else math.nan
                for i, (_, after, reward) in enumerate(ways)
            ]
        return [(action, value) for (action, _, _), value in zip(ways, worth, strict=True)]

    def _reward(self, state: State) -> float:
        """Of the last action, to player 0, scaled."""
        return float(paid(self.spec, state)) / self.units.scale

    def _judged(self, after: State, mover: int) -> float:
        if after.is_terminal():
            return 0.0
        assert self.spec.observation is not None  # noqa: S101 - a preset without observations is refused
        self.leaves += 1
        frames = frames_seen_by(self.game, self.spec, [after], [mover])
        return float(self.judge(network_input(self.spec.observation, frames))[0])

    def _following(self, state: State, plies: int) -> float:
        """What is to come after a move, to player 0: the next decision is a step later."""
        if state.is_terminal():
            return 0.0
        if (player := state.current_player()) != CHANCE_PLAYER:
            values = [value for _, value in self.decide(state, plies) if not math.isnan(value)]
            return self.spec.discount * _sign(player) * max(values)
        self.nodes += 1
        outcomes = checked_outcomes(state, self.spec.outcomes)
        likeliest = max(probability for _, probability in outcomes)
        total = 0.0
        for outcome, probability in outcomes:
            following = checked_clone(state)
            following.apply_action(outcome)
            depth = 1 if probability < self.config.rare * likeliest else plies
            total += probability * (self._reward(following) + self._following(following, depth))
        return total


def _sign(player: int) -> float:
    return 1.0 if player == 0 else -1.0
