"""What the planner is asked wrongly: every refusal names the argument, its value and the remedy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from table_model import TableModel, even_network, random_model

from dicezero.model.dense import DenseModel
from dicezero.rules import load_game
from dicezero.search.config import SearchConfig
from dicezero.search.plan import Reuse, plan, plan_states
from dicezero.search.simulator import Root, Step

_ROWS, _ACTIONS = 6, 7


@pytest.fixture
def model() -> TableModel:
    return random_model(np.random.default_rng(0), states=500, actions=_ACTIONS, learned=True)


@pytest.fixture
def root(model: TableModel) -> Root:
    made = model.root(np.arange(_ROWS), np.ones((_ROWS, _ACTIONS), bool))
    return Root(made.hidden, made.policy_logits, made.value, made.legal, made.player.astype(np.int32))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("hidden", np.zeros((5, 2), np.float32), "root.hidden has shape"),
        ("hidden", np.zeros((_ROWS, 2), np.int32), "root.hidden has dtype int32"),
        ("policy_logits", np.full((_ROWS, _ACTIONS), np.nan, np.float32), "root.policy_logits .* row 0"),
        ("value", np.array([0, 0, np.nan, 0, 0, 0], np.float32), "root.value .* row 2"),
        ("legal", np.ones((_ROWS, 3), bool), "root.legal"),
        ("legal", np.arange(_ROWS)[:, None] * np.ones(_ACTIONS) > 0, "no legal action in row 0"),
    ],
)
def test_roots(model: TableModel, root: Root, field: str, value: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plan(model, replace(root, **{field: value}), SearchConfig(simulations=2), seed=0)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("value", np.nan, "step.value has a value that is not finite in row"),
        ("policy_logits", np.nan, "step.policy_logits"),
        ("reward", np.inf, "step.reward"),
        ("identity_logits", None, "step.identity_logits is None"),
    ],
)
def test_models_that_go_wrong_half_way(
    model: TableModel, root: Root, field: str, value: float | None, message: str
) -> None:
    calls = 0

    class Broken:
        def step(self, hidden: np.ndarray, action: np.ndarray) -> object:
            nonlocal calls
            calls += 1
            step = model.step(hidden, action)
            broken = None if value is None else np.full_like(getattr(step, field), value)
            return replace(step, **{field: broken}) if calls > 3 else step

    with pytest.raises(ValueError, match=message):
        plan(Broken(), root, SearchConfig(simulations=20), seed=0)  # type: ignore[arg-type]
    plan(model, root, SearchConfig(simulations=20), seed=0)  # still usable


def test_a_native_network_that_overflows() -> None:
    config = DenseModel(observation=3, actions=4, hidden=8, widths=(8,))
    huge = {name: 1e30 * weights for name, weights in config.init(seed=0).items()}
    model = config.player(huge)
    legal, player = np.ones((2, 4), bool), np.zeros(2, np.int32)
    root = Root(
        np.full((2, 8), 1e20, np.float32), *(np.zeros(n, np.float32) for n in ((2, 4), 2)), legal, player
    )
    with pytest.raises(ValueError, match=r"the network's .* in row"):
        plan(model, root, SearchConfig(simulations=4, threads=2), seed=0)


def test_the_model_s_own_exception_passes_through(root: Root) -> None:
    class Raising:
        def step(*_: np.ndarray) -> Step:
            raise RuntimeError("no such layer")

    with pytest.raises(RuntimeError, match="no such layer"):
        plan(Raising(), root, SearchConfig(simulations=4), seed=0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"simulations": 0}, "simulations=0 is out of range"),
        ({"simulations": -3}, "simulations=-3"),
        ({"root": "best"}, "root='best' is unknown; give one of 'puct'"),
        ({"discount": 0.0}, "discount=0.0"),
        ({"c_visit": -1.0}, "c_visit=-1.0"),
        ({"q_range": (1.0, 1.0)}, "q_range"),
        ({"budget": "paper", "chance": "expectation"}, "undefined"),
    ],
)
def test_configurations(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SearchConfig(**options)  # type: ignore[arg-type]


def test_seeds_noise_and_objects(model: TableModel, root: Root) -> None:
    config = SearchConfig(simulations=2)
    with pytest.raises(ValueError, match="seed=-1 is out of range"):
        plan(model, root, config, seed=-1)
    with pytest.raises(ValueError, match="give one integer, or one a row"):
        plan(model, root, config, seed=np.arange(3))
    with pytest.raises(ValueError, match="gumbel has shape"):
        plan(model, root, config, seed=0, gumbel=np.zeros((1, 2)))
    with pytest.raises(ValueError, match="no method step"):
        plan(object(), root, config, seed=0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be a SearchConfig"):
        plan(model, root, {}, seed=0)  # type: ignore[arg-type]


def test_states() -> None:
    start = load_game("nannon").new_initial_state()
    with pytest.raises(ValueError, match=r"states\[0\] is a chance node"):
        plan_states(even_network(8), [start], SearchConfig(), game=start.get_game(), seed=0)
    with pytest.raises(ValueError, match="states is empty"):
        plan_states(even_network(8), [], SearchConfig(), game=start.get_game(), seed=0)
    start.apply_action(0)
    other = load_game("tic_tac_toe").new_initial_state()
    with pytest.raises(TypeError, match="does not belong to the game"):
        plan_states(even_network(8), [start, other], SearchConfig(), game=start.get_game(), seed=0)


@pytest.mark.parametrize(
    "change", [{"players": "alternate"}, {"edges_on_need_above": 2}, {"actions": 5}, {"actions": 9}]
)
def test_trees_of_another_search_are_not_taken_over(model: TableModel, root: Root, change: dict) -> None:
    """Their rows have other sizes, and would be read past their end."""
    config = SearchConfig(simulations=20, interior="puct")
    actions = change.pop("actions", _ACTIONS)
    learned = change.get("players") != "alternate"
    other = random_model(np.random.default_rng(1), states=500, actions=actions, learned=learned)
    begin = other.root(np.arange(_ROWS), np.ones((_ROWS, actions), bool))
    begin = Root(begin.hidden, begin.policy_logits, begin.value, begin.legal, begin.player.astype(np.int32))
    trees = plan(other, begin, replace(config, **change), seed=0).tree
    with pytest.raises(ValueError, match="trees are those of another model or another kind of search"):
        plan(model, root, config, seed=0, reuse=Reuse(trees, [[(0, 0)]] * _ROWS))
