"""A game's spec, made from whatever it is: native, OpenSpiel's, a Python object, an environment."""

from __future__ import annotations

import math
import runpy
from pathlib import Path

import numpy as np
import pytest

from dicezero.rules import GameError, load_game, spec_of
from dicezero.rules.spec import GameSpec

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_native_game_says_all_of_it():
    spec = spec_of(load_game("connect_four"))
    assert (spec.players, spec.actions, spec.outcomes, spec.turns) == (2, 7, 0, "alternate")
    assert spec.returns == (-1.0, 1.0)
    assert spec.observation is not None
    assert spec.observation.layout == "planes"
    assert spec.observation.input_shape == (2, 6, 7)


def test_openspiels_traits_are_translated():
    pyspiel = pytest.importorskip("pyspiel")
    pig = spec_of(load_game("pig(winscore=20)"))
    assert (pig.turns, pig.rewards, pig.outcomes) == ("any", "end", 6)  # who rolls again moves twice running
    assert spec_of(load_game("breakthrough(rows=5,columns=5)")).turns == "alternate"
    alone = spec_of(load_game(pyspiel.load_game("2048")))
    assert (alone.players, alone.rewards, alone.bounded) == (1, "each step", True)


def test_a_python_game_that_says_nothing_of_its_payoffs_is_unbounded():
    pig = runpy.run_path(str(EXAMPLES / "pig.py"))["Pig"]()
    spec = spec_of(load_game(pig))
    assert spec.returns == (-math.inf, math.inf)
    assert spec.scale == 1.0
    assert (spec.turns, spec.rewards, spec.simulator) == ("any", "end", "states")
    assert spec.as_dict()["returns"] == [None, None]


def test_a_spec_that_contradicts_itself_is_refused():
    with pytest.raises(GameError, match="min_utility"):
        GameSpec("x", 2, 3, 0, returns=(1.0, -1.0))
    with pytest.raises(GameError, match="num_players"):
        GameSpec("x", 3, 3, 0)
    with pytest.raises(GameError, match="discount"):
        GameSpec("x", 1, 3, 0, discount=0.0)


def test_an_environment_is_reset_and_stepped_by_its_seed():
    pytest.importorskip("gymnasium")
    game = load_game("gymnasium(id=CartPole-v1,discount=0.99)")
    spec = spec_of(game)
    assert (spec.simulator, spec.rewards, spec.discount, spec.max_length) == (
        "episodes",
        "each step",
        0.99,
        500,
    )
    first, second = (game.new_initial_state(seed=5) for _ in range(2))  # type: ignore[call-arg]
    for _ in range(5):
        first.apply_action(1)
        second.apply_action(1)
    assert np.array_equal(first.observation_tensor(), second.observation_tensor())  # type: ignore[attr-defined]
    assert first.returns() == [5.0]
    with pytest.raises(GameError, match="simulator=episodes"):
        first.clone()


class Corridor:
    """Any object with reset and step: walk right three times for a reward of 1."""

    def __init__(self, wrong: str = "") -> None:
        import gymnasium

        self.observation_space = gymnasium.spaces.Box(-1.0, 1.0, (1,))
        self.action_space = gymnasium.spaces.Discrete(2, start=3)
        self.wrong = wrong

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, dict[str, object]]:
        del seed
        self.place = 0
        return np.zeros(1, np.float32), {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, object]]:
        self.place += action == 4
        if self.wrong == "raises":
            raise RuntimeError("out of order")
        size = 2 if self.wrong == "shape" else 1
        seen = np.full(size, np.nan if self.wrong == "nan" else self.place / 3, np.float32)
        return seen, float("inf") if self.wrong == "reward" else 0.0, self.place == 3, False, {}


def test_any_object_with_reset_and_step_is_a_game():
    pytest.importorskip("gymnasium")
    state = load_game(Corridor()).new_initial_state()  # type: ignore[arg-type]
    for _ in range(3):
        assert state.legal_actions() == [0, 1]  # whatever number the space starts with
        state.apply_action(1)
    assert state.is_terminal()
    assert state.legal_actions() == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [("raises", "out of order"), ("shape", "shape"), ("nan", "not finite"), ("reward", "reward is inf")],
)
def test_an_environment_that_misbehaves_is_named(wrong: str, said: str):
    pytest.importorskip("gymnasium")
    state = load_game(Corridor(wrong)).new_initial_state()  # type: ignore[arg-type]
    with pytest.raises(GameError, match=said):
        state.apply_action(1)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gymnasium", "id is missing"),
        ("gymnasium(id=CartPole-v11)", "did you mean"),
        ("gymnasium(id=Pendulum-v1)", "Discrete"),
        ("gymnasium(id=CartPole-v1,discount=2)", "discount"),
        ("gymnasium(id=CartPole-v1,stack=0)", "stack"),
        ("gymnasium(id=CartPole-v1,nonsense=1)", "cannot be made"),
    ],
)
def test_a_bad_name_of_an_environment_says_what_is_wrong(name: str, said: str):
    pytest.importorskip("gymnasium")
    with pytest.raises(GameError, match=said):
        load_game(name)
