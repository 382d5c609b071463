"""Dense networks on the native kernels beside plain JAX: the same heads and the same gradients."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from dicezero.model.board import BoardEvaluator
from dicezero.model.dense import DenseEvaluator, DenseModel
from dicezero.model.dense_judge import DenseJudge
from dicezero.model.dense_kernels import available, on_kernels
from dicezero.model.support import Support
from dicezero.model.unroll import unrolled

pytestmark = pytest.mark.skipif(not available(), reason="JAX does not run on the CPU here")

MODELS = [
    (DenseModel(34, 16, hidden=64, widths=(128, 128)), 37, 4, True),
    (DenseModel(5, 3, 8, 0, (8,), "relu", "minmax", "turned"), 9, 3, True),
    (DenseModel(7, 5, 10, 4, (33, 17, 9), "tanh", "minmax", "plain", Support.of(100.0)), 13, 2, False),
    (DenseModel(7, 5, 11, 4, (33,), "selu", "none", "plain"), 1, 1, False),
    (DenseModel(3, 2, 6, 1, (5,), "identity", "none", "turned"), 130, 2, True),
]


def params_of(network, seed=1):
    """New weights, none of them zero."""
    rng = np.random.default_rng(seed)
    return {
        name: jnp.asarray(array if array.any() else 0.3 * rng.standard_normal(array.shape, np.float32))
        for name, array in network.init(seed=seed).items()
    }


def compared(function, params, seed=2):
    """What ``function`` of a network and parameters gives, and its gradient along a random direction."""

    def run(network):
        outputs, backward = jax.vjp(jax.jit(lambda p: function(network, p)), params)
        rng = np.random.default_rng(seed)
        along = {name: rng.standard_normal(outputs[name].shape, np.float32) for name in sorted(outputs)}
        (gradient,) = backward({name: jnp.asarray(array) for name, array in along.items()})
        return outputs, gradient

    return run


def assert_same(plain, fast):
    for found, expected in zip(fast, plain, strict=True):
        assert set(found) == set(expected)
        for name, array in expected.items():
            scale = max(1.0, float(np.abs(array).max()))
            np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=2e-5 * scale, err_msg=name)


@pytest.mark.parametrize(("network", "rows", "steps", "halved"), MODELS)
def test_an_unroll_is_that_of_plain_jax(network, rows, steps, halved):
    rng = np.random.default_rng(0)
    observation = rng.standard_normal((rows, network.observation)).astype(np.float32)
    action = rng.integers(network.actions, size=(rows, steps)).astype(np.int32)
    run = compared(lambda n, p: unrolled(n, p, observation, action, halved=halved), params_of(network))
    assert_same(run(network), run(on_kernels(network)))


@pytest.mark.parametrize("network", [DenseEvaluator(12, 5, (33, 16), "relu"), DenseJudge(12, (40,), "tanh")])
def test_a_part_is_that_of_plain_jax(network):
    x = np.random.default_rng(0).standard_normal((9, 12)).astype(np.float32)
    run = compared(lambda n, p: n.apply(p, n.kind, x), params_of(network))
    assert_same(run(network), run(on_kernels(network)))


def test_the_gradient_of_a_hidden_state_goes_through_dynamics_and_prediction():
    network = DenseModel(5, 3, hidden=10, widths=(12, 7))
    params, x = params_of(network), np.random.default_rng(0).standard_normal((6, 13), np.float32)

    def loss(n, x):
        dynamics = n.apply(params, "dynamics", x)
        prediction = n.apply(params, "prediction", dynamics["hidden"])
        return sum(jnp.sum(jnp.square(head)) for head in (dynamics | prediction).values())

    plain, fast = (np.asarray(jax.grad(lambda y, n=n: loss(n, y))(x)) for n in (network, on_kernels(network)))
    np.testing.assert_allclose(fast, plain, rtol=1e-4, atol=1e-4)


def test_a_network_on_kernels_is_the_same_network_and_others_stay_as_they_are():
    network = DenseModel(5, 3, support=Support.of(10.0))
    fast = on_kernels(network)
    assert isinstance(fast, DenseModel)
    assert vars(fast) == vars(network)
    assert fast != network  # what is compiled for one is not for the other
    assert hash(fast) == hash(on_kernels(network))
    assert on_kernels(fast) is fast
    board = BoardEvaluator((2, 3, 3), 9)
    assert on_kernels(board) is board
