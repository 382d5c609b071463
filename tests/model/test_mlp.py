"""The native networks against their NumPy twin and JAX; a row's answer whatever the batch and the threads."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero.model.config import EvaluatorConfig, ModelConfig
from dicezero.model.mlp import NativeEvaluator, NativeModel
from dicezero.model.reference import reference_evaluate, reference_root, reference_step
from dicezero.model.weights import check_weights, flatten_weights, random_weights, weight_shapes
from dicezero.search.simulator import Step

NDMZ = ModelConfig(observation=30, actions=14, hidden=64, widths=(48, 80))


def inputs(config, rows, seed):
    rng = np.random.default_rng(seed)
    hidden = rng.standard_normal((rows, config.hidden)).astype(np.float32)
    return hidden, rng.integers(0, config.actions, rows).astype(np.int32)


def biased(config, seed):
    """Random weights whose biases are not zero either."""
    rng = np.random.default_rng(seed)
    weights = random_weights(config, seed=seed)
    return {
        k: v if v.ndim == 2 else rng.standard_normal(v.shape).astype(np.float32) for k, v in weights.items()
    }


def arrays(step):
    return {f.name: getattr(step, f.name) for f in fields(Step)}


def assert_steps(found, expected, check):
    for name, array in arrays(expected).items():
        other = getattr(found, name)
        if array is None:
            assert other is None, name
        else:
            check(other, array)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


configs = st.builds(
    lambda hidden, skip, **rest: ModelConfig(
        hidden=hidden, skip="plain" if skip == "turned" and hidden % 2 else skip, **rest
    ),
    observation=st.integers(1, 40),
    actions=st.integers(1, 20),
    hidden=st.integers(1, 40),
    identities=st.sampled_from([0, 1, 4]),
    widths=st.lists(st.integers(1, 50), min_size=1, max_size=3).map(tuple),
    activation=st.sampled_from(["identity", "relu", "selu", "tanh"]),
    hidden_scaling=st.sampled_from(["none", "minmax"]),
    skip=st.sampled_from(["none", "plain", "turned"]),
)


@settings(max_examples=100, deadline=None)
@given(configs, st.integers(1, 150), st.integers(0, 10**6))
def test_model_equals_reference(config, rows, seed):
    weights = biased(config, seed)
    model = NativeModel(config, weights)
    hidden, action = inputs(config, rows, seed)
    assert_steps(model.step(hidden, action), reference_step(config, weights, hidden, action), close)
    observations = np.random.default_rng(seed).standard_normal((rows, config.observation)).astype(np.float32)
    for found, expected in zip(
        model.root(observations), reference_root(config, weights, observations), strict=True
    ):
        close(found, expected)


@pytest.mark.parametrize("identities", [0, 4])
def test_paper_sized_model_equals_reference_and_jax(identities):
    jax = pytest.importorskip("jax")
    from dicezero.bench.jax_network import jax_params, jax_represent, jax_step

    config = ModelConfig(observation=30, actions=14, identities=identities)
    weights = biased(config, 5)
    model = NativeModel(config, weights)
    hidden, action = inputs(config, 70, 6)
    found = model.step(hidden, action)
    assert_steps(found, reference_step(config, weights, hidden, action), close)
    params = jax_params(config, weights)
    expected = jax.jit(lambda h, a: jax_step(config, params, h, a))(hidden, action)
    for name, array in zip(arrays(found), expected, strict=True):
        if getattr(found, name) is not None:
            close(getattr(found, name), np.asarray(array))
    observations = np.random.default_rng(7).standard_normal((9, 30)).astype(np.float32)
    close(model.root(observations)[0], np.asarray(jax_represent(config, params, observations)))


def test_row_does_not_depend_on_batch_or_place():
    model = NativeModel(NDMZ, biased(NDMZ, 1))
    hidden, action = inputs(NDMZ, 300, 2)
    whole = arrays(model.step(hidden, action))
    rng = np.random.default_rng(3)
    for size in (*range(1, 14), 31, 32, 64, 127, 128, 129, 200, 256, 257, 299, 300):
        rows = rng.permutation(300)[:size]
        for name, array in arrays(model.step(hidden[rows], action[rows])).items():
            np.testing.assert_array_equal(array, whole[name][rows], err_msg=f"{name}, {size} rows")


def test_threads_give_one_answer():
    model = NativeModel(NDMZ, biased(NDMZ, 1))
    batches = [inputs(NDMZ, 5 + 37 * i, i) for i in range(8)]
    expected = [model.step(*batch) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda i: model.step(*batches[i % 8]), range(160)))
    for i, step in enumerate(found):
        assert_steps(step, expected[i % 8], np.testing.assert_array_equal)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(1, 20), st.integers(1, 150), st.integers(0, 10**6))
def test_evaluator_equals_reference(observation, actions, rows, seed):
    config = EvaluatorConfig(observation=observation, actions=actions, widths=(33,), activation="tanh")
    weights = biased(config, seed)
    observations = np.random.default_rng(seed).standard_normal((rows, observation)).astype(np.float32)
    found = NativeEvaluator(config, weights)(observations, np.ones((rows, actions), bool))
    for mine, theirs in zip(found, reference_evaluate(config, weights, observations), strict=True):
        close(mine, theirs)


def test_evaluator_flattens_observations():
    config = EvaluatorConfig(observation=12, actions=3)
    evaluator = NativeEvaluator(config, random_weights(config, seed=0))
    boards = np.random.default_rng(0).standard_normal((5, 3, 4)).astype(np.float32)
    legal = np.ones((5, 3), bool)
    for mine, theirs in zip(evaluator(boards, legal), evaluator(boards.reshape(5, 12), legal), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_random_weights_are_lecun_normal_and_named_by_their_seed():
    config = ModelConfig(observation=30, actions=14)
    weights = random_weights(config, seed=4)
    assert {k: v.shape for k, v in weights.items()} == weight_shapes(config)
    assert abs(weights["dynamics.1.weight"].std() * 16 - 1) < 0.02  # 1 / sqrt(256 inputs)
    np.testing.assert_array_equal(
        weights["dynamics.1.weight"], random_weights(config, seed=4)["dynamics.1.weight"]
    )
    assert not np.array_equal(
        weights["dynamics.1.weight"], random_weights(config, seed=5)["dynamics.1.weight"]
    )


def test_nested_weights_are_the_same_weights():
    flat = random_weights(NDMZ, seed=0)
    nested: dict = {}
    for name, array in flat.items():
        network, layer, kind = name.split(".")
        nested.setdefault(network, {}).setdefault(layer, {})[kind] = array
    assert flatten_weights(nested).keys() == flat.keys()
    hidden, action = inputs(NDMZ, 3, 0)
    assert_steps(
        NativeModel(NDMZ, nested).step(hidden, action),
        NativeModel(NDMZ, flat).step(hidden, action),
        np.testing.assert_array_equal,
    )


def test_bad_weights_are_named():
    weights = random_weights(NDMZ, seed=0)
    name = "dynamics.reward.weight"
    without = {k: v for k, v in weights.items() if k != name}
    with pytest.raises(ValueError, match=r"weights lack 'dynamics.reward.weight' \(1 missing\)"):
        check_weights(NDMZ, without)
    with pytest.raises(ValueError, match="weights hold 'extra', which"):
        check_weights(NDMZ, weights | {"extra": weights[name]})
    with pytest.raises(
        ValueError, match=r"weights\['dynamics.reward.weight'\] has dtype float64; give float32"
    ):
        check_weights(NDMZ, weights | {name: weights[name].astype(np.float64)})
    with pytest.raises(ValueError, match=r"has shape \(1, 80\); the configuration needs \(80, 1\)"):
        check_weights(NDMZ, weights | {name: weights[name].T})
    with pytest.raises(ValueError, match="not finite"):
        check_weights(NDMZ, weights | {name: weights[name] * np.float32(np.nan)})


def test_bad_batches_are_named_and_leave_the_model_usable():
    model = NativeModel(NDMZ, random_weights(NDMZ, seed=0))
    hidden, action = inputs(NDMZ, 4, 0)
    with pytest.raises(ValueError, match=r"action\[2\] = 14 is out of range; give 0..13"):
        model.step(hidden, [0, 1, 14, 2])
    with pytest.raises(ValueError, match="action has 3 rows; expected 4"):
        model.step(hidden, action[:3])
    with pytest.raises(ValueError, match="hidden has 63 columns; the network takes 64"):
        model.step(hidden[:, :63], action)
    with pytest.raises(ValueError, match=r"action is float64 \(4,\); give integers"):
        model.step(hidden, action.astype(float))
    with pytest.raises(ValueError, match="hidden has shape"):
        model.step(hidden[0], action)
    assert model.step(hidden, action).value.shape == (4,)
    assert model.step(hidden[:0], action[:0]).hidden.shape == (0, 64)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hidden": 0}, "hidden=0 must be an integer in 1"),
        ({"identities": -1}, "identities=-1 must be an integer in 0"),
        ({"widths": ()}, "at least one hidden layer"),
        ({"widths": (256, 0)}, "widths=0"),
        ({"activation": "gelu"}, "activation='gelu' is unknown; give one of identity"),
        ({"actions": True}, "actions=True"),
    ],
)
def test_config_is_checked_at_birth(change, message):
    with pytest.raises(ValueError, match=message):
        replace(NDMZ, **change)
