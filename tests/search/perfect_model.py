"""A learned model without error: every table computed from a game's true rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from table_model import TableModel, TableRoot

_NEVER = -1e9


@dataclass(frozen=True)
class PerfectModel:
    """A small game as tables over its S positions, plus one sink for illegal actions.

    The unified action set: choice actions, then chance outcomes, then no-op and end.

    Attributes:
        number: position of a state's key() in the tables.
        states: [S] the states.
        legal: [S, A] choice actions that may be taken.
        following: [S + 1, A].
        value: [S] under best play, for player 0.
    """

    number: dict[Any, int]
    states: list[Any]
    legal: np.ndarray
    following: np.ndarray
    value: np.ndarray
    chance: np.ndarray

    def model(self, root_player: int) -> TableModel:
        """The model as seen from roots where ``root_player`` is to move."""
        size, actions = self.following.shape
        player = np.array([state.current_player() for state in self.states])
        mover = _last_movers(self, player)
        value = np.where(mover == 0, self.value, -self.value)
        identity = np.full((size, 4), -50.0)
        column = np.select([player == -1, player == -4], [2, 3], player ^ root_player)
        identity[np.arange(size - 1), column] = 50.0
        identity[-1, 3] = 50.0
        logits = np.where(self.legal, 0.0, _NEVER)
        with np.errstate(divide="ignore"):
            chance = np.maximum(np.log(self.chance), _NEVER)
        return TableModel(
            following=self.following,
            reward=np.zeros((size, actions), np.float32),
            policy_logits=np.vstack([logits, np.zeros(actions)]).astype(np.float32),
            value=np.append(value, -1.0).astype(np.float32),
            identity_logits=identity.astype(np.float32),
            chance_logits=np.vstack([chance, np.zeros(actions)]).astype(np.float32),
        )

    def root(self, model: TableModel, states: list[Any]) -> TableRoot:
        """The roots of a batch of choice states with one mover."""
        numbers = np.array([self.number[state.key()] for state in states])
        return model.root(numbers, self.legal[numbers])

    def action_values(self, state: Any) -> dict[int, float]:
        """Each legal action's value for the player to move."""
        row = self.number[state.key()]
        sign = 1.0 if state.current_player() == 0 else -1.0
        return {a: sign * float(self.value[self.following[row, a]]) for a in state.legal_actions()}


def build_perfect_model(start: Any) -> PerfectModel:
    """Enumerates what can be reached from ``start`` and solves it by value iteration."""
    choices = start.get_game().num_distinct_actions()
    actions = choices + start.get_game().max_chance_outcomes() + 2
    number, states, rows = {start.key(): 0}, [start], []
    for state in states:  # grows while it is walked: breadth first
        row: dict[int, int] = {}
        for action in state.legal_actions():
            child = state.child(action)
            if child.key() not in number:
                number[child.key()] = len(states)
                states.append(child)
            row[action + (choices if state.is_chance_node() else 0)] = number[child.key()]
        rows.append(row)
    size = len(states)
    following = np.full((size + 1, actions), size)
    legal = np.zeros((size, actions), bool)
    probability = np.zeros((size, actions))
    for index, (state, row) in enumerate(zip(states, rows, strict=True)):
        for action, child_index in row.items():
            following[index, action] = child_index
        if state.is_chance_node():
            for outcome, p in state.chance_outcomes():
                probability[index, choices + outcome] = p
        else:
            legal[index, list(row)] = True
    value = _solve(states, legal, following[:-1], probability)
    return PerfectModel(number, states, legal, following, value, probability)


def _solve(
    states: list[Any], legal: np.ndarray, following: np.ndarray, probability: np.ndarray
) -> np.ndarray:
    player = np.array([state.current_player() for state in states])
    value = np.array([state.returns()[0] if state.is_terminal() else 0.0 for state in states])
    dice, own, other = (np.flatnonzero(player == who) for who in (-1, 0, 1))
    for _ in range(2000):
        before = value.copy()
        padded = np.append(value, 0.0)
        value[dice] = (probability[dice] * padded[following[dice]]).sum(axis=1)
        padded = np.append(value, 0.0)
        value[own] = np.where(legal[own], padded[following[own]], -np.inf).max(axis=1)
        value[other] = np.where(legal[other], padded[following[other]], np.inf).min(axis=1)
        if np.abs(value - before).max() < 1e-12:
            return value
    raise AssertionError("value iteration did not converge")


def _last_movers(perfect: PerfectModel, player: np.ndarray) -> np.ndarray:
    """[S] for whom the network's value is: the player to move, else the one who moved last."""
    last = np.where(player >= 0, player, 0)
    for index in range(len(player)):  # parents come before children, but for cycles: those agree
        for child in np.unique(perfect.following[index]):
            if child < len(player) and player[child] < 0:
                last[child] = last[index]
    return last
