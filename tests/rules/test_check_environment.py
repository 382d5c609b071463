"""``check`` for environments, and for games that pay on the way."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from dicezero.rules import check_game


class Walk:
    """Step right or left along a line of five; ends at either end."""

    observation_space = SimpleNamespace(shape=(1,), dtype="float32", low=[0.0], high=[5.0])

    def __init__(self, *, secret: bool = False, endless: bool = False, broken: bool = False) -> None:
        gymnasium = pytest.importorskip("gymnasium")
        self.observation_space = gymnasium.spaces.Box(0.0, 5.0, (1,))
        self.action_space = gymnasium.spaces.Discrete(2)
        self.secret, self.endless, self.broken = secret, endless, broken
        self.at = 2

    def reset(self, *, seed: int | None = None) -> tuple[Any, dict[str, Any]]:
        self.rng = random.Random(None if self.secret else seed)
        self.at = self.rng.choice([1, 2, 3])
        return self._seen(), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self.broken and self.at == 3:
            raise ZeroDivisionError
        self.at = min(4, max(0, self.at + 2 * action - 1))
        over = self.at in (0, 4) and not self.endless
        return self._seen(), float(self.at == 4), over, False, {}

    def _seen(self) -> Any:
        import numpy as np

        return np.array([self.at], np.float32)


def test_a_sound_environment_passes():
    report = check_game(Walk(), games=20)
    assert report.passed, report
    assert report.games == 20


@pytest.mark.parametrize(
    ("kind", "rule"), [("secret", "same_seed"), ("endless", "every_episode_ends"), ("broken", "runs")]
)
def test_each_fault_of_an_environment_is_named(kind: str, rule: str):
    report = check_game(Walk(**{kind: True}), games=50, max_moves=200)
    assert [failure.rule for failure in report.failures] == [rule]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("observation", "an observation does not fit its observation_space"),
        ("reward", "a reward is None"),
        ("state", "7 is not in Discrete(5)"),
    ],
)
def test_what_an_environment_says_wrongly_is_named(answer: str, words: str):
    gymnasium = pytest.importorskip("gymnasium")

    class Wrong(Walk):
        def __init__(self) -> None:
            super().__init__()
            if answer == "state":
                self.observation_space = gymnasium.spaces.Discrete(5)
            if answer == "observation":
                self.observation_space = gymnasium.spaces.Dict({"at": gymnasium.spaces.Discrete(5)})

        def step(self, action: int) -> tuple[Any, Any, bool, bool, Any]:
            seen, reward, *rest = super().step(action)
            return seen, None if answer == "reward" else reward, *rest

        def _seen(self) -> Any:
            return 7 if answer == "state" else super()._seen()

    (failure,) = check_game(Wrong(), games=5).failures
    assert words in failure.happened


class Paying:
    """One player, three steps of 2; says each payment wrongly where it is told to."""

    def __init__(self, wrong: bool) -> None:
        self.wrong = wrong

    def new_initial_state(self) -> PayingState:
        return PayingState(self.wrong)

    def num_distinct_actions(self) -> int:
        return 1

    def max_chance_outcomes(self) -> int:
        return 0

    def num_players(self) -> int:
        return 1


class PayingState:
    def __init__(self, wrong: bool, steps: int = 0) -> None:
        self.wrong, self.steps = wrong, steps

    def current_player(self) -> int:
        return -4 if self.is_terminal() else 0

    def is_terminal(self) -> bool:
        return self.steps == 3

    def is_chance_node(self) -> bool:
        return False

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [0]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return []

    def apply_action(self, action: int) -> None:
        self.steps += 1 + action

    def clone(self) -> PayingState:
        return PayingState(self.wrong, self.steps)

    def rewards(self) -> list[float]:
        return [3.0 if self.wrong else 2.0]

    def returns(self) -> list[float]:
        return [2.0 * self.steps]

    def action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        return "on"

    def __str__(self) -> str:
        return str(self.steps)


def test_rewards_add_up_to_returns():
    assert check_game(Paying(wrong=False), games=2).passed
    report = check_game(Paying(wrong=True), games=2)
    assert [failure.rule for failure in report.failures] == ["rewards"]
    assert "added up to [3.0], returns() is [2.0]" in report.failures[0].happened
