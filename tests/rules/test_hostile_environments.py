"""Environments that say what no environment may say: one line each, and never a guess."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dicezero.cli.film import Film
from dicezero.rules import GameError, load_game


class Steps:
    """Three steps of two actions; ``lies`` are answers told instead."""

    def __init__(self, shape: tuple[int, ...] = (2,), dtype: Any = np.float32, **lies: Any) -> None:
        self.observation_space = SimpleNamespace(shape=shape, dtype=np.dtype(dtype))
        self.action_space = SimpleNamespace(n=2, start=0)
        self.lies, self.at = lies, 0
        self.seen = np.zeros(shape, dtype)
        self.metadata = {"render_fps": lies.get("fps", 10)}
        if "discount" in lies:
            self.discount = lies["discount"]

    def reset(self, *, seed: int) -> Any:  # noqa: ARG002
        self.at = 0
        self.seen[...] = 0
        return self.seen, self.lies.get("first_info", {})

    def step(self, action: int) -> Any:  # noqa: ARG002
        self.at += 1
        self.seen[...] = self.at  # the same buffer each time, as many environments do it
        told = {"observation": self.seen, "reward": 1.0, "terminated": self.at == 3, "truncated": False}
        return (*(self.lies.get(key, value) for key, value in told.items()), self.lies.get("info", {}))

    def render(self) -> Any:
        return self.lies.get("picture")


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("lies", "words"),
    [
        ({"reward": 10**400}, "a reward is 1000"),
        ({"reward": "1"}, "a reward is '1'"),
        ({"reward": [1.0, 2.0]}, r"a reward is \[1.0, 2.0\]"),
        ({"reward": np.array([1.0, 2.0])}, "a reward is array"),
        ({"reward": math.nan}, "a reward is nan"),
        ({"reward": Unspeakable()}, "a reward is a Unspeakable whose repr"),
        ({"reward": 1.7e308}, "the sum so far inf"),
        ({"terminated": "False"}, "terminated='False'; give True or False"),
        ({"terminated": None}, "terminated=None"),
        ({"truncated": 2}, "truncated=2"),
        ({"truncated": np.array([True, False])}, "truncated=array"),
        ({"info": None}, "info is a NoneType; give a dictionary"),
        ({"first_info": [("action_mask", [1, 1])]}, "info is a list"),
        ({"info": {"action_mask": [1]}}, r"info\['action_mask'\] is \[1\]; give 2 numbers"),
        ({"info": {"action_mask": [0, 0]}}, "allows no action"),
        ({"first_info": {"action_mask": np.zeros(2, np.int8)}}, "allows no action"),
        ({"info": {"action_mask": [1, math.nan]}}, "each 0 or 1"),
        ({"info": {"action_mask": 3}}, "each 0 or 1"),
        ({"info": {"action_mask": "11"}}, "each 0 or 1"),
        ({"info": {"action_mask": [[1], [1, 0]]}}, "each 0 or 1"),
        ({"observation": [math.nan, 0.0]}, "not finite"),
        ({"observation": [1.0]}, "shape"),
        ({"observation": "ab"}, "does not fit its observation_space"),
    ],
)
def test_a_lie_of_an_environment_is_one_line(lies: dict[str, Any], words: str) -> None:
    with pytest.raises(GameError, match=words) as caught:
        play(Steps(**lies))
    assert "\n" not in str(caught.value)


def play(environment: Any) -> Any:
    state = load_game(environment).new_initial_state()
    while not (state.is_terminal() or state.is_truncated()):
        state.apply_action(state.legal_actions()[0])
    return state


@pytest.mark.parametrize(
    ("shape", "dtype", "seen"),
    [
        ((4, 4, 3), np.uint8, np.full((4, 4, 3), 300)),
        ((4, 4, 3), np.uint8, np.full((4, 4, 3), -1)),
        ((4, 4, 3), np.uint8, np.full((4, 4, 3), 0.5)),
        ((4, 4), np.uint8, np.full((4, 4), math.nan)),
        ((4, 4, 3), np.bool_, np.full((4, 4, 3), 2)),
    ],
)
def test_no_cast_hides_values_that_are_no_bytes(shape: tuple[int, ...], dtype: Any, seen: Any) -> None:
    with pytest.raises(GameError, match=r"whole numbers in 0\.\.(255|1)"):
        play(Steps(shape, dtype, observation=seen))


def test_frames_outlive_the_buffer_they_came_in() -> None:
    state = load_game(Steps()).new_initial_state()
    first = state.observation_tensor()
    state.apply_action(0)
    assert first.tolist() == [0.0, 0.0]
    assert state.observation_tensor().tolist() == [1.0, 1.0]


def test_numpy_says_it_too() -> None:
    said = {"reward": np.float32(2), "truncated": np.bool_(False), "info": {"action_mask": np.array([0, 1])}}
    state = play(Steps(**said))
    assert state.returns() == [6.0]


@pytest.mark.parametrize("discount", ["high", None, lambda: 0.9, 0.0, 1.5, math.nan])
def test_a_discount_that_is_none_is_refused(discount: Any) -> None:
    with pytest.raises(GameError, match="discount"):
        load_game(Steps(discount=discount))


@pytest.mark.parametrize("actions", [0, -1, 10**12])
def test_too_few_or_too_many_actions_are_refused(actions: int) -> None:
    environment = Steps()
    environment.action_space = SimpleNamespace(n=actions, start=0)
    with pytest.raises(GameError, match="actions"):
        load_game(environment)


@pytest.mark.parametrize("fps", [0, -1, "fast", math.nan, 1e-9, 1e99, None])
def test_odd_rates_of_pictures_are_the_usual_one(fps: Any) -> None:
    assert load_game(Steps(fps=fps)).new_initial_state().frames_per_second == 10.0


@pytest.mark.parametrize(
    "picture", [None, np.zeros((0, 0, 3), np.uint8), "picture", np.zeros((4, 4, 4), np.uint8)]
)
def test_what_is_no_picture_is_not_filmed(picture: Any, tmp_path: Any) -> None:
    pytest.importorskip("PIL")
    with pytest.raises(ValueError, match="draws nothing, and what it shows is no picture"):
        Film(tmp_path / "a.gif", load_game(Steps(picture=picture)), seed=0)
