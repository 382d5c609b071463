"""The native model as the planner steps it, linear layers folded, against the same networks as they stand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero.model.dense import DenseModel
from dicezero.model.dense_player import NativeModel
from dicezero.search.config import SearchConfig
from dicezero.search.plan import Reuse, plan
from dicezero.search.simulator import Root, Step

_ROWS = 24


class Plain:
    """A native model that the planner has to call through Python: hidden state in, hidden state out."""

    def __init__(self, model: NativeModel) -> None:
        self._model = model
        self.num_identities = model.network.identities

    def step(self, hidden: np.ndarray, action: np.ndarray) -> Step:
        return self._model.step(hidden, action)


def _model(seed: int, **options: object) -> NativeModel:
    config = DenseModel(observation=6, **options)  # type: ignore[arg-type]
    rng = np.random.default_rng(seed)
    weights = {
        name: array if array.ndim == 2 else 0.3 * rng.standard_normal(array.shape, np.float32)
        for name, array in config.init(seed=seed).items()
    }
    return config.player(weights)


def _root(model: NativeModel, seed: int, rows: int = _ROWS) -> Root:
    observations = np.random.default_rng(seed).standard_normal((rows, model.network.observation), np.float32)
    hidden, logits, value = model.root(observations)
    return Root(hidden, logits, value, np.ones(logits.shape, np.bool_), np.zeros(rows, np.int32))


def _others_turn(root: Root) -> Root:
    return replace(root, player=1 - root.player)


# (hidden, widths): folded with one, two and three hidden layers, of odd sizes too, and not worth folding.
_SHAPES = [(32, (32,)), (48, (48, 48)), (61, (17, 50, 33)), (9, (70, 64))]


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(_SHAPES),
    st.sampled_from(["selu", "relu", "tanh", "identity"]),
    st.sampled_from(["roulette", "low_variance", "expectation"]),
    st.sampled_from(["alternate", "learned"]),
    st.sampled_from([("gumbel", "improved"), ("puct", "puct")]),
    st.integers(0, 10**6),
)
def test_the_folded_step_searches_as_the_networks_do(shape, activation, chance, players, rules, seed):
    hidden, widths = shape
    model = _model(seed, actions=7, hidden=hidden, widths=widths, activation=activation)
    root = _root(model, seed)
    # A fixed range: stretched to that of siblings who are nearly alike, Q would be rounding errors.
    config = SearchConfig(
        simulations=40,
        root=rules[0],
        interior=rules[1],
        chance=chance,
        players=players,
        q_normalisation="fixed",
        q_range=(-4.0, 4.0),
        threads=2,
    )
    found = plan(model, root, config, seed=seed)
    expected = plan(Plain(model), root, config, seed=seed)
    # The last bits differ: of 24 searches a few may meet a tie, or a draw, that they decide.
    same = (found.visits == expected.visits).all(axis=1)
    assert same.sum() >= _ROWS - 3
    np.testing.assert_array_equal(found.evaluations[same], expected.evaluations[same])
    scale = 1.0 + np.abs(expected.value[same])
    assert (np.abs(found.value - expected.value)[same] < 1e-4 * scale).all()
    np.testing.assert_allclose(found.policy[same], expected.policy[same], atol=1e-3)


@pytest.mark.parametrize("option", [{"hidden_scaling": "minmax"}, {"skip": "plain"}, {"skip": "turned"}])
def test_what_cannot_be_folded_is_searched_as_the_networks_do(option):
    model = _model(2, actions=6, hidden=32, widths=(32, 32), **option)
    root = _root(model, 3)
    config = SearchConfig(simulations=40, players="alternate")
    found, expected = (plan(simulator, root, config, seed=4) for simulator in (model, Plain(model)))
    np.testing.assert_array_equal(found.visits, expected.visits)
    np.testing.assert_array_equal(found.value, expected.value)  # nothing folded: bit for bit


def test_one_step_is_close_to_the_networks():
    model = _model(3, actions=5, hidden=64, widths=(64, 64), identities=0)
    root = _root(model, 4)
    config = SearchConfig(simulations=1, players="alternate")
    found = plan(model, root, config, seed=0)
    rows = np.arange(_ROWS)
    step = model.step(root.hidden, found.action)
    np.testing.assert_allclose(found.q[rows, found.action], step.reward - step.value, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("players", ["alternate", "learned"])
def test_trees_are_reused_with_what_the_model_kept(players):
    model = _model(5, actions=4, hidden=32, widths=(32, 32))
    root = _root(model, 6)
    config = SearchConfig(simulations=30, root="puct", interior="puct", players=players)
    answers = []
    for simulator in (model, Plain(model)):
        first = plan(simulator, root, config, seed=1)
        reuse = Reuse(first.tree, [[(0, int(a))] for a in first.action])
        answers.append(plan(simulator, _others_turn(root), config, seed=2, reuse=reuse))
    assert (answers[0].visits.sum(axis=1) > 30).any()  # something was kept
    assert (answers[0].visits == answers[1].visits).all(axis=1).sum() >= _ROWS - 1


def test_trees_of_another_simulator_are_refused():
    model = _model(5, actions=4, hidden=32, widths=(32, 32))
    root = _root(model, 6)
    config = SearchConfig(simulations=30, players="alternate")
    first = plan(Plain(model), root, config, seed=1)
    reuse = Reuse(first.tree, [[(0, int(a))] for a in first.action])
    with pytest.raises(ValueError, match="trees keep 32 numbers a node, this simulator 48; give trees that"):
        plan(model, _others_turn(root), config, seed=2, reuse=reuse)
    assert plan(model, root, config, seed=2).visits.shape == (_ROWS, 4)
