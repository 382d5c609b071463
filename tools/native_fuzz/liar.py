"""A game in Python whose every answer is drawn anew."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any


class Liar:
    """Answers any question, seldom rightly, never twice alike."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_: self._answer(name)

    def _answer(self, name: str) -> Any:
        rng = self._rng
        if rng.random() < 0.1:
            return rng.choice([None, "text", -5, 2**40, [], [(0, 2.0)], float("nan")])
        answers: dict[str, list[Any]] = {
            "num_players": [1, 2, 2, 2, 3],
            "num_distinct_actions": [0, 3, 3, 3],
            "max_chance_outcomes": [0, 3, 3, 3],
            "current_player": [0, 1, -1, -4, -4, 2, -2],
            "legal_actions": [[0], [0, 1], [0, 1, 2], [2, 1], [3], [-1], []],
            "chance_outcomes": [[(0, 0.5), (1, 0.5)], [(0, 1.0)], [(0, 0.5)], [(9, 1.0)]],
            "returns": [[1.0, -1.0], [0.0, 0.0], [1.0], [float("nan")] * 2],
            "rewards": [[1.0, -1.0], [0.0, 0.0], [1.0], [float("nan")] * 2],
            "observation_tensor_shape": [[0], [1], [4]],
            "observation_tensor": [[0.0], [0.0] * 4, [0.0] * 4, [0.0] * 9],
        }
        if name in ("new_initial_state", "clone", "child", "get_game"):
            return self
        return rng.choice(answers.get(name, [0, 1.0, "name", True]))
