"""The native networks against their NumPy twin and JAX; a row's answer whatever the batch and the threads."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero.model.dense import DenseEvaluator, DenseModel
from dicezero.model.dense_judge import DenseJudge
from dicezero.model.jax_player import jax_player
from dicezero.model.reference import reference_heads, reference_number, reference_root, reference_step
from dicezero.model.support import Support, transform
from dicezero.model.weights import flatten_weights
from dicezero.search.simulator import Step

NDMZ = DenseModel(observation=30, actions=14, hidden=64, widths=(48, 80))


def inputs(config, rows, seed):
    rng = np.random.default_rng(seed)
    hidden = rng.standard_normal((rows, config.hidden)).astype(np.float32)
    return hidden, rng.integers(0, config.actions, rows).astype(np.int32)


def biased(config, seed):
    """New weights whose biases are not zero either, nor any head."""
    rng = np.random.default_rng(seed)
    return {
        k: v if v.ndim == 2 and v.any() else 0.5 * rng.standard_normal(v.shape, np.float32)
        for k, v in config.init(seed=seed).items()
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


def close(support=None):
    """How near two players' arrays are: to 1e-5; values and rewards over a support in its own space.

    There a logit's rounding counts with the distance between the points.
    """

    def check(found, expected):
        tolerance = 1e-5
        if support is not None and np.ndim(found) == 1:
            found, expected = transform(np.asarray(found)), transform(np.asarray(expected))
            tolerance += 1e-6 * float(support.points[-1])
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=tolerance)

    return check


# Stretched hidden states have eight numbers at least: the range of two or three may be nearly 0, and what is
# divided by it is rounding.
configs = st.builds(
    lambda hidden, skip, hidden_scaling, **rest: DenseModel(
        hidden=hidden,
        skip="plain" if skip == "turned" and hidden % 2 else skip,
        hidden_scaling=hidden_scaling if hidden >= 8 else "none",
        **rest,
    ),
    observation=st.integers(1, 40),
    actions=st.integers(1, 20),
    hidden=st.integers(1, 40),
    identities=st.sampled_from([0, 1, 4]),
    widths=st.lists(st.integers(1, 50), min_size=1, max_size=3).map(tuple),
    activation=st.sampled_from(["identity", "relu", "selu", "tanh"]),
    hidden_scaling=st.sampled_from(["none", "minmax"]),
    skip=st.sampled_from(["none", "plain", "turned"]),
    support=st.sampled_from([None, None, Support.of(1.0), Support.of(300.0), Support.of()]),
)


@settings(max_examples=100, deadline=None)
@given(configs, st.integers(1, 150), st.integers(0, 10**6))
def test_model_equals_reference(config, rows, seed):
    weights = biased(config, seed)
    model = config.player(weights)
    hidden, action = inputs(config, rows, seed)
    assert_steps(
        model.step(hidden, action), reference_step(config, weights, hidden, action), close(config.support)
    )
    observations = np.random.default_rng(seed).standard_normal((rows, config.observation)).astype(np.float32)
    for found, expected in zip(
        model.root(observations), reference_root(config, weights, observations), strict=True
    ):
        close(config.support)(found, expected)


SUPPORT = Support.of(100.0)


@pytest.mark.parametrize(
    "network",
    [
        DenseModel(30, 14),
        DenseModel(30, 14, identities=0, skip="turned", hidden_scaling="minmax", activation="relu"),
        DenseModel(30, 14, hidden=64, widths=(48,), skip="plain", support=SUPPORT),
    ],
)
def test_the_three_forms_of_a_model_agree(network):
    weights = biased(network, 5)
    native, jitted = network.player(weights), jax_player(network, weights, batch_rows=16)
    hidden, action = inputs(network, 70, 6)
    found = native.step(hidden, action)
    assert_steps(found, reference_step(network, weights, hidden, action), close(network.support))
    assert_steps(found, jitted.step(hidden, action), close(network.support))
    observations = np.random.default_rng(7).standard_normal((9, 30)).astype(np.float32)
    root = native.root(observations)
    for other in (reference_root(network, weights, observations), jitted.root(observations)):
        for mine, theirs in zip(root, other, strict=True):
            close(network.support)(mine, theirs)


@pytest.mark.parametrize("support", [None, Support.of()])
def test_row_does_not_depend_on_batch_or_place(support):
    network = replace(NDMZ, support=support)
    model = network.player(biased(network, 1))
    hidden, action = inputs(NDMZ, 300, 2)
    whole = arrays(model.step(hidden, action))
    rng = np.random.default_rng(3)
    for size in (*range(1, 14), 31, 32, 64, 127, 128, 129, 200, 256, 257, 299, 300):
        rows = rng.permutation(300)[:size]
        for name, array in arrays(model.step(hidden[rows], action[rows])).items():
            np.testing.assert_array_equal(array, whole[name][rows], err_msg=f"{name}, {size} rows")


def test_threads_give_one_answer():
    model = NDMZ.player(biased(NDMZ, 1))
    batches = [inputs(NDMZ, 5 + 37 * i, i) for i in range(8)]
    expected = [model.step(*batch) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda i: model.step(*batches[i % 8]), range(160)))
    for i, step in enumerate(found):
        assert_steps(step, expected[i % 8], np.testing.assert_array_equal)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 40), st.integers(0, 20), st.integers(1, 150), st.sampled_from([None, SUPPORT]),
    st.integers(0, 10**6),
)  # fmt: skip
def test_evaluator_and_judge_equal_reference(observation, actions, rows, support, seed):
    options = {"widths": (33,), "activation": "tanh", "support": support}
    network = (
        DenseEvaluator(observation, actions, **options) if actions else DenseJudge(observation, **options)
    )
    weights = biased(network, seed)
    observations = np.random.default_rng(seed).standard_normal((rows, observation)).astype(np.float32)
    heads = reference_heads(network, weights, network.kind, observations)
    value = reference_number(network, heads["value"])
    player = network.player(weights)
    if actions:
        logits, found = player(observations, np.ones((rows, actions), bool))
        close()(logits, heads["policy"])
    else:
        found = player(observations)
    close(support)(found, value)


@pytest.mark.parametrize(
    "network",
    [DenseEvaluator(12, 5, (16,), support=SUPPORT), DenseEvaluator(12, 5, (16,)), DenseJudge(12, (16,))],
)
def test_the_jitted_players_say_what_the_native_ones_say(network):
    weights = biased(network, 3)
    observations = np.random.default_rng(1).standard_normal((9, 12)).astype(np.float32)
    legal = (np.ones((9, 5), np.bool_),) if network.actions else ()
    native, jitted = (
        player(observations, *legal)
        for player in (network.player(weights), jax_player(network, weights, batch_rows=4))
    )
    for mine, theirs in zip(native, jitted, strict=True):
        close(network.support)(mine, theirs)


def test_evaluator_flattens_observations():
    config = DenseEvaluator(observation=12, actions=3)
    evaluator = config.player(config.init(seed=0))
    boards = np.random.default_rng(0).standard_normal((5, 3, 4)).astype(np.float32)
    legal = np.ones((5, 3), bool)
    for mine, theirs in zip(evaluator(boards, legal), evaluator(boards.reshape(5, 12), legal), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_new_weights_are_lecun_normal_and_named_by_their_seed():
    config = DenseModel(observation=30, actions=14)
    weights = config.init(seed=4)
    assert {k: v.shape for k, v in weights.items()} == config.shapes()
    assert abs(weights["dynamics.1.weight"].std() * 16 - 1) < 0.02  # 1 / sqrt(256 inputs)
    np.testing.assert_array_equal(weights["dynamics.1.weight"], config.init(seed=4)["dynamics.1.weight"])
    assert not np.array_equal(weights["dynamics.1.weight"], config.init(seed=5)["dynamics.1.weight"])


def test_nested_weights_are_the_same_weights():
    flat = NDMZ.init(seed=0)
    nested: dict = {}
    for name, array in flat.items():
        network, layer, kind = name.split(".")
        nested.setdefault(network, {}).setdefault(layer, {})[kind] = array
    assert flatten_weights(nested).keys() == flat.keys()
    hidden, action = inputs(NDMZ, 3, 0)
    assert_steps(
        NDMZ.player(nested).step(hidden, action),
        NDMZ.player(flat).step(hidden, action),
        np.testing.assert_array_equal,
    )


def test_bad_weights_are_named():
    weights = NDMZ.init(seed=0)
    name = "dynamics.reward.weight"
    without = {k: v for k, v in weights.items() if k != name}
    with pytest.raises(ValueError, match=r"weights lack 'dynamics.reward.weight' \(1 missing\)"):
        NDMZ.check(without)
    with pytest.raises(ValueError, match="weights hold 'extra', which"):
        NDMZ.check(weights | {"extra": weights[name]})
    with pytest.raises(
        ValueError, match=r"weights\['dynamics.reward.weight'\] has dtype float64; give float32"
    ):
        NDMZ.check(weights | {name: weights[name].astype(np.float64)})
    with pytest.raises(ValueError, match=r"has shape \(1, 80\); the network needs \(80, 1\)"):
        NDMZ.check(weights | {name: weights[name].T})
    with pytest.raises(ValueError, match="not finite"):
        NDMZ.check(weights | {name: weights[name] * np.float32(np.nan)})


def test_bad_batches_are_named_and_leave_the_model_usable():
    model = NDMZ.player(NDMZ.init(seed=0))
    hidden, action = inputs(NDMZ, 4, 0)
    with pytest.raises(ValueError, match=r"action 14 is out of range; give 0..13"):
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


def test_networks_are_kept_by_what_they_are():
    assert hash(replace(NDMZ, support=Support.of(7.0))) == hash(replace(NDMZ, support=Support.of(7.0)))
    assert replace(NDMZ, support=Support.of(7.0)) != replace(NDMZ, support=Support.of(8.0))
    traits = [
        (n.kind, n.actions, n.hidden, n.identities) for n in (NDMZ, DenseEvaluator(5, 3), DenseJudge(5))
    ]
    assert traits == [("model", 14, 64, 4), ("evaluator", 3, 0, 0), ("judge", 0, 0, 0)]


def test_a_new_network_over_a_support_says_nothing():
    network = DenseModel(30, 14, support=Support.of())
    model = network.player(network.init(seed=0))
    hidden, _, value = model.root(np.random.default_rng(0).standard_normal((9, 30)).astype(np.float32))
    assert np.abs(value).max() < 1e-6
    assert np.abs(model.step(hidden, np.arange(9)).reward).max() < 1e-6
