"""Games that break the rules of the protocol, one way each, some way into the game."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


class Honest:
    """Two players roll a coin and add 1 or 2; whoever passes ten wins."""

    def __init__(
        self, lie: Callable[[HonestState, str, Any], Any] | None = None, name: str = "honest"
    ) -> None:
        self.lie = lie
        self.name = name

    def new_initial_state(self) -> HonestState:
        return HonestState(self)

    def num_distinct_actions(self) -> int:
        return 3

    def max_chance_outcomes(self) -> int:
        return 2

    def num_players(self) -> int:
        return 2

    def observation_tensor_shape(self) -> list[int]:
        return [4]

    def __str__(self) -> str:
        return self.name


class HonestState:
    """What it answers goes through the game's lie."""

    def __init__(self, game: Honest) -> None:
        self.game = game
        self.score, self.turn, self.coin, self.moves = [0, 0], 0, -1, 0

    def _say(self, method: str, truth: Any) -> Any:
        return truth if self.game.lie is None or self.moves < 2 else self.game.lie(self, method, truth)

    def get_game(self) -> Honest:
        return self.game

    def current_player(self) -> int:
        player = -4 if max(self.score) > 4 else -1 if self.coin < 0 else self.turn
        return self._say("current_player", player)

    def is_terminal(self) -> bool:
        return max(self.score) > 4

    def is_chance_node(self) -> bool:
        return not self.is_terminal() and self.coin < 0

    def legal_actions(self) -> list[int]:
        truth = [] if self.is_terminal() else [0, 1] if self.coin < 0 else [0, 1 + self.coin]
        return truth if self.coin < 0 else self._say("legal_actions", truth)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self._say("chance_outcomes", [(0, 0.5), (1, 0.5)])

    def apply_action(self, action: int) -> None:
        self.moves += 1
        if self.coin < 0:
            self.coin = action
        else:
            self.score[self.turn] += 1 + action
            self.turn, self.coin = 1 - self.turn, -1

    def clone(self) -> HonestState:
        copy = HonestState(self.game)
        copy.score, copy.turn, copy.coin, copy.moves = list(self.score), self.turn, self.coin, self.moves
        return copy

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0, 0.0]
        return self._say("returns", [1.0, -1.0] if self.score[0] > 4 else [-1.0, 1.0])

    def action_to_string(self, player: int, action: int) -> str:
        return f"{player}:{action}"

    def observation_tensor(self, player: int) -> list[float]:
        return self._say("observation_tensor", [*map(float, self.score), float(self.turn), float(player)])

    def __str__(self) -> str:
        return f"score {self.score} turn {self.turn} coin {self.coin}"


LIES: dict[str, tuple[str, Any]] = {
    "player 2": ("current_player", 2),
    "player 77": ("current_player", 77),
    "player -2": ("current_player", -2),
    "player -3": ("current_player", -3),
    "a player that is no number": ("current_player", "me"),
    "a player beyond 32 bits": ("current_player", 2**40),
    "an action beyond the last": ("legal_actions", [0, 3]),
    "an action far beyond": ("legal_actions", [0, 2**31 - 1]),
    "an action beyond 64 bits": ("legal_actions", [2**70]),
    "a negative action": ("legal_actions", [-1, 0]),
    "a very negative action": ("legal_actions", [-(2**31)]),
    "100000 actions": ("legal_actions", list(range(100_000))),
    "an action twice": ("legal_actions", [0, 0, 1]),
    "actions out of order": ("legal_actions", [2, 0]),
    "no action": ("legal_actions", []),
    "no list of actions": ("legal_actions", 5),
    "actions that are texts": ("legal_actions", ["a"]),
    "actions that are None": ("legal_actions", None),
    "a sum below 1": ("chance_outcomes", [(0, 0.5), (1, 0.4)]),
    "a sum above 1": ("chance_outcomes", [(0, 0.7), (1, 0.7)]),
    "a negative probability": ("chance_outcomes", [(0, 1.5), (1, -0.5)]),
    "a probability that is NaN": ("chance_outcomes", [(0, 0.5), (1, math.nan)]),
    "a probability that is infinite": ("chance_outcomes", [(0, 0.5), (1, math.inf)]),
    "an outcome beyond the last": ("chance_outcomes", [(0, 0.5), (2, 0.5)]),
    "a negative outcome": ("chance_outcomes", [(-1, 0.5), (0, 0.5)]),
    "an outcome twice": ("chance_outcomes", [(0, 0.5), (0, 0.5)]),
    "no outcome": ("chance_outcomes", []),
    "outcomes without probabilities": ("chance_outcomes", [0, 1]),
    "returns that are NaN": ("returns", [math.nan, math.nan]),
    "returns that are infinite": ("returns", [math.inf, -math.inf]),
    "one return for two": ("returns", [1.0]),
    "three returns for two": ("returns", [1.0, -1.0, 0.0]),
    "no returns": ("returns", []),
    "returns of None": ("returns", None),
    "returns that do not cancel out": ("returns", [1.0, 1.0]),
    "an observation too short": ("observation_tensor", [0.0]),
    "an observation too long": ("observation_tensor", [0.0] * 4000),
    "an observation that is NaN": ("observation_tensor", [math.nan] * 4),
    "an array too long": ("observation_tensor", np.zeros(4000, np.float32)),
}


def lying_games() -> Iterator[tuple[str, str, Honest]]:
    """(name, the method that lies, the game)."""
    for name, (method, answer) in LIES.items():

        def lie(_: HonestState, asked: str, truth: Any, method: str = method, answer: Any = answer) -> Any:
            return answer if asked == method and truth != -4 else truth

        yield name, method, Honest(lie, name)

    state = {"flip": 0}

    def change(_: HonestState, asked: str, truth: Any) -> Any:
        if asked != "legal_actions":
            return truth
        state["flip"] += 1
        return truth if state["flip"] % 2 else truth[:1]

    yield "actions that change", "legal_actions", Honest(change, "actions that change")
