"""A random game that pays on the way: moves and dice pay, a side may move twice, lines differ in length."""

from __future__ import annotations

import functools

import numpy as np

from dicezero._native import mix64


class PayingGame:
    """``players`` 1 or 2; what each step pays, who moves and how long it takes hang on the actions so far."""

    def __init__(self, players: int = 2, seed: int = 0, depth: int = 4, discount: float = 1.0) -> None:
        self.players = players
        self.discount = discount
        self.seed = seed
        self.depth = depth

    def new_initial_state(self) -> PayingState:
        return PayingState(self)

    def num_distinct_actions(self) -> int:
        return 3

    def max_chance_outcomes(self) -> int:
        return 2

    def num_players(self) -> int:
        return self.players

    def observation_tensor_shape(self) -> list[int]:
        return [self.depth + 1]

    def __str__(self) -> str:
        return f"paying(players={self.players},seed={self.seed})"


class PayingState:
    """OpenSpiel's API; ``str`` leaves the score out, as a key should."""

    def __init__(self, game: PayingGame) -> None:
        self._game = game
        self._history: tuple[int, ...] = ()
        self._paid = [0.0]

    def get_game(self) -> PayingGame:
        return self._game

    def _lot(self, use: int) -> int:
        x = mix64(self._game.seed * 4 + use)
        for action in self._history:
            x = mix64(x ^ (action + 1))
        return x

    def current_player(self) -> int:
        if len(self._history) >= self._game.depth or (len(self._history) > 1 and self._lot(1) % 5 == 0):
            return -4
        if self._history and self._lot(2) % 3 == 0:
            return -1
        return self._lot(3) % self._game.players

    def is_terminal(self) -> bool:
        return self.current_player() == -4

    def is_chance_node(self) -> bool:
        return self.current_player() == -1

    def legal_actions(self) -> list[int]:
        player = self.current_player()
        return [] if player == -4 else [0, 1] if player == -1 else [0, 1, 2][: 2 + self._lot(4) % 2]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 0.25), (1, 0.75)]

    def apply_action(self, action: int) -> None:
        self._history += (action,)
        self._paid.append(self._lot(5) % 9 - 4.0)

    def clone(self) -> PayingState:
        copy = PayingState(self._game)
        copy._history, copy._paid = self._history, list(self._paid)
        return copy

    def _both(self, first: float) -> list[float]:
        return [first] if self._game.players == 1 else [first, -first]

    def rewards(self) -> list[float]:
        return self._both(self._paid[-1])

    def returns(self) -> list[float]:
        return self._both(sum(self._paid))

    def action_to_string(self, player: int, action: int) -> str:
        return f"{player}:{action}"

    def observation_tensor(self, player: int) -> list[float]:
        seen = np.zeros(self._game.depth + 1, np.float32)
        seen[: len(self._history)] = np.array(self._history) + 1
        seen[-1] = player
        return seen.tolist()

    def __str__(self) -> str:
        return f"after {self._history}"


def still_to_come(state: PayingState) -> float:
    """What player 0 gets from here on when both play perfectly, by plain recursion."""
    return _to_come(state._game.players, state._game.seed, state._game.depth, state._history)


@functools.cache
def _to_come(players: int, seed: int, depth: int, history: tuple[int, ...]) -> float:
    state = PayingState(PayingGame(players, seed, depth))
    for action in history:
        state.apply_action(action)
    player = state.current_player()
    if player == -4:
        return 0.0
    values = []
    for action in state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        values.append(child.rewards()[0] + still_to_come(child))
    if player == -1:
        return sum(p * v for (_, p), v in zip(state.chance_outcomes(), values, strict=True))
    return max(values) if player == 0 else min(values)
