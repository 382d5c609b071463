"""One-ply play over afterstates: the position after the mover's move, before the next roll or reply.

Perspective, once for all of TD(lambda): an afterstate is observed by the player who has just moved, and its
value is for that player. So the best move is the one of the largest value and nothing is negated here; only
a target that comes from the next decision changes sides, where another player makes it (``replay.values``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.model.network import Judge
from dicezero.rules.protocol import Game, State
from dicezero.search.config import SearchConfig
from dicezero.selfplay.planners import Decisions, Floats, Positions, SeedArray
from dicezero.selfplay.play import observation_size, observed_by

_SIMULTANEOUS = -2  # OpenSpiel's player where all move at once


@dataclass(frozen=True)
class Afterstates:
    """The M afterstates of B positions, position by position, by the actions' ids within one."""

    row: npt.NDArray[np.int32]  # [M], the position it comes from
    action: npt.NDArray[np.int32]  # [M], the move that leads to it
    observation: Floats  # [M, O], in the view of the player who moved; zeros where the game is over
    result: Floats  # [M], the return of the player who moved; NaN while the game goes on
    reward: Floats  # [M], what the move paid the player who moved; the last move of a game pays its return


def afterstates(game: Game, states: Sequence[State]) -> Afterstates:
    """All afterstates of choice nodes of ``game``, natively."""
    return Afterstates(*_native.afterstates(game, list(states)))


def reference_afterstates(game: Game, states: Sequence[State]) -> Afterstates:
    """The same, move by move in Python: the plain twin."""
    rows, actions, observations, results, rewards = [], [], [], [], []
    size = observation_size(game)
    for row, state in enumerate(states):
        mover = state.current_player()
        for action in state.legal_actions():
            after = state.clone()
            after.apply_action(action)
            rows.append(row)
            actions.append(action)
            results.append(after.returns()[mover] if after.is_terminal() else np.nan)
            paid = after.rewards() if hasattr(after, "rewards") else after.returns()
            rewards.append(paid[mover] if after.is_terminal() or hasattr(after, "rewards") else 0.0)
            observations.append(observed_by([after], [mover], size)[0])
    return Afterstates(
        np.array(rows, np.int32),
        np.array(actions, np.int32),
        np.array(observations, np.float32).reshape(len(rows), size),
        np.array(results, np.float32),
        np.array(rewards, np.float32),
    )


def check_suits(game: Game) -> None:
    """Refuses what one-ply play over afterstates cannot do; ValueError says why."""
    if game.num_players() > 2:
        raise ValueError(
            f"{game} has {game.num_players()} players; td-lambda is for one or two, choose another game"
        )
    if game.new_initial_state().current_player() == _SIMULTANEOUS:
        raise ValueError(f"{game} has simultaneous moves; td-lambda needs a game in which players take turns")


class AfterstatePlanner:
    """Plays the move whose afterstate is worth most; there is no search, and no noise of its own."""

    afterstates = True  # records keep the afterstate of each move, not the position it was made in

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    def predict(self, positions: Positions) -> tuple[Floats, Floats]:
        """The afterstates' values [B, C] for the mover, -inf where illegal, and the best of each row [B]."""
        found = afterstates(positions.states[0].get_game(), positions.states)  # type: ignore[attr-defined]
        return self._table(found, positions.legal.shape)

    def search(
        self,
        positions: Positions,
        config: SearchConfig,  # noqa: ARG002 - one ply needs no settings
        seeds: SeedArray,  # noqa: ARG002 - and no lots
        *,
        noise: bool,  # noqa: ARG002
    ) -> Decisions:
        """The greedy move; the lowest id among equals."""
        values, best = self.predict(positions)
        action = values.argmax(axis=1).astype(np.int32)
        policy = np.zeros_like(values)
        policy[np.arange(len(action)), action] = 1.0
        q = np.where(positions.legal, values, np.nan).astype(np.float32)
        return Decisions(action, policy, best, positions.legal.astype(np.int32), q)

    def _table(self, found: Afterstates, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
        value = found.result.copy()
        going = np.isnan(value)
        if going.any():
            value[going] = self.judge(found.observation[going])
        table = np.full(shape, -np.inf, np.float32)
        table[found.row, found.action] = value
        # The network's last layer is linear; no position is worth more than a win.
        return table, np.clip(table.max(axis=1), -1.0, 1.0)
