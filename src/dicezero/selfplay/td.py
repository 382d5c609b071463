"""One-ply play over afterstates: the position after the mover's move, before the next roll or reply.

Perspective, once for all of TD(lambda): an afterstate is observed by the player who has just moved, and its
value is for that player: what the step still pays before the next decision, and that decision's value,
discounted. So the best move is the one of the largest reward plus value, and nothing is negated here; only a
target that comes from the next decision changes sides, where another player makes it (``replay.values``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.model.network import Judge
from dicezero.rules.door import checked_player
from dicezero.rules.protocol import Game, State
from dicezero.rules.spec import GameSpec
from dicezero.search.config import SearchConfig
from dicezero.selfplay.judged import JudgedConfig, JudgedMoves, judged_moves, tables_of
from dicezero.selfplay.planners import Decisions, Floats, SeedArray, Units
from dicezero.selfplay.states import Positions, frames_seen_by, network_input, turns_of


@dataclass(frozen=True)
class Afterstates:
    """The M afterstates of B positions, position by position, by the actions' ids within one.

    Where an action is only part of a turn, they are those of every way to play the turn to its end.
    """

    row: npt.NDArray[np.int32]  # [M], the position it comes from
    action: npt.NDArray[np.int32]  # [M], the move that leads to it
    observation: Floats  # [M, O], in the view of the player who moved; zeros where the game is over
    reward: npt.NDArray[np.float64]  # [M], what the move paid the player who moved; at the end the result
    over: npt.NDArray[np.bool_]  # [M], whether the game is over there


def afterstates(game: Game, spec: GameSpec, states: Sequence[State]) -> Afterstates:
    """All afterstates of choice nodes of ``game``."""
    if _native.is_native(game):
        row, action, observation, result, reward = _native.afterstates(game, list(states))
        return Afterstates(row, action, observation, reward.astype(np.float64), ~np.isnan(result))
    return reference_afterstates(game, spec, states)


def reference_afterstates(game: Game, spec: GameSpec, states: Sequence[State]) -> Afterstates:
    """The same, move by move in Python: the plain twin."""
    rows, actions, after, movers, rewards = [], [], [], [], []
    for row, state in enumerate(states):
        mover = checked_player(state, spec.players)
        for action, reached, reward in turns_of(spec, state):
            rows.append(row)
            actions.append(action)
            after.append(reached)
            movers.append(mover)
            rewards.append(reward * (1.0 if mover == 0 else -1.0))
    assert spec.observation is not None  # noqa: S101 - a preset without observations is refused earlier
    frames = frames_seen_by(game, spec, after, movers)
    return Afterstates(
        np.array(rows, np.int32),
        np.array(actions, np.int32),
        network_input(spec.observation, frames),
        np.array(rewards),
        np.array([state.is_terminal() for state in after], np.bool_),
    )


class AfterstatePlanner:
    """Plays the move whose reward and afterstate are worth most, or looks deeper; without noise."""

    afterstates = True  # records keep the afterstate of each move, not the position it was made in

    def __init__(
        self,
        judge: Judge,
        spec: GameSpec,
        units: Units,
        config: JudgedConfig | None = None,
        *,
        threads: int | None = None,
    ) -> None:
        """``config`` sets the depth, one ply by default."""
        self.judge, self.spec, self.units = judge, spec, units
        self.config, self._threads = config or JudgedConfig(), threads

    def deeper(self, config: JudgedConfig) -> AfterstatePlanner:
        """The same judge with another search."""
        return AfterstatePlanner(self.judge, self.spec, self.units, config, threads=self._threads)

    def predict(self, positions: Positions) -> tuple[Floats, Floats]:
        """What each move is worth [B, C] to the mover, -inf where illegal, and the best of each row [B]."""
        return self._table(self.moves(positions), positions.legal.shape)

    def moves(self, positions: Positions) -> JudgedMoves:
        """Every legal move and what it is worth."""
        if self.config.plies == 1 and tables_of(self.judge) is None:
            return self._one_ply(
                afterstates(positions.game, self.spec, positions.states), len(positions.states)
            )
        return judged_moves(
            positions.game,
            self.spec,
            positions.states,
            self.judge,
            self.units,
            self.config,
            threads=self._threads,
        )

    def search(
        self,
        positions: Positions,
        config: SearchConfig,  # noqa: ARG002 - its own sets the depth
        seeds: SeedArray,  # noqa: ARG002 - and there are no random numbers
        *,
        noise: bool,  # noqa: ARG002
    ) -> Decisions:
        """The greedy move; the lowest id among equals."""
        values, best = self.predict(positions)
        action = values.argmax(axis=1).astype(np.int32)
        policy = np.zeros_like(values)
        policy[np.arange(len(action)), action] = 1.0
        finite = np.isfinite(values)
        q = np.where(finite, values, np.nan).astype(np.float32)
        return Decisions(action, policy, best, finite.astype(np.int32), q)

    def _one_ply(self, afterstates: Afterstates, positions: int) -> JudgedMoves:
        """All afterstates of all positions in one batch."""
        following = np.zeros(len(afterstates.row))
        going = np.flatnonzero(~afterstates.over)
        if len(going):
            following[going] = self.judge(afterstates.observation[going])
        worth = afterstates.reward / self.units.scale + following
        leaves = np.bincount(afterstates.row[going], minlength=positions)
        return JudgedMoves(afterstates.row, afterstates.action, worth, np.ones(positions, np.int64), leaves)

    def _table(self, judged: JudgedMoves, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
        table = np.full(shape, -np.inf, np.float32)
        worth = np.where(np.isnan(judged.value), -np.inf, judged.value).astype(np.float32)
        np.maximum.at(table, (judged.row, judged.action), worth)
        # A linear layer's output may exceed any return of the game; no target bootstraps from that.
        return table, np.clip(table.max(axis=1), self.units.low, self.units.high).astype(np.float32)
