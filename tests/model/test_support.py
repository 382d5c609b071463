"""The value transform and the two-hot code: there and back, in NumPy, in JAX and natively."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero import _native
from dicezero.model.support import Support, transform, untransform

SUPPORT = Support.of()


def textbook_inverse(y):
    """As the MuZero paper's appendix F writes it, in double precision."""
    e = 0.001
    return np.sign(y) * (((np.sqrt(1 + 4 * e * (np.abs(y) + 1 + e)) - 1) / (2 * e)) ** 2 - 1)


@settings(max_examples=300, deadline=None)
@given(st.floats(-1e9, 1e9))
def test_the_transform_is_the_papers_and_its_inverse_undoes_it(x):
    y = np.sign(x) * (np.sqrt(abs(x) + 1) - 1) + 0.001 * x
    assert transform(x) == pytest.approx(y, rel=1e-9, abs=1e-9)
    assert untransform(y) == pytest.approx(textbook_inverse(y), rel=1e-9, abs=1e-9)
    assert untransform(transform(x)) == pytest.approx(x, rel=1e-12)


def test_single_precision_loses_no_digits():
    x = np.concatenate([np.logspace(-6, 4.6, 2000), [0.0]])
    x = np.concatenate([x, -x]).astype(np.float32)
    for found in (untransform(transform(x)), np.asarray(jax.jit(lambda v: untransform(transform(v)))(x))):
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, x, rtol=1e-6)


def test_the_grid_is_symmetric_even_near_zero_and_ends_at_the_limit():
    points = SUPPORT.points
    np.testing.assert_array_equal(points, -points[::-1])
    middle = len(points) // 2
    np.testing.assert_array_equal(points[middle - 20 : middle + 21], np.arange(-20, 21))
    far = points[middle + 20 :]
    assert (far[1:] / far[:-1]).min() > 1.10
    assert (far[1:] / far[:-1]).max() < 1.1201
    assert points[-1] == pytest.approx(transform(50_000.0), rel=1e-6)
    assert len(points) < 100
    assert Support.of(1.0).points.tolist() == pytest.approx([-transform(1.0), 0.0, transform(1.0)])


@settings(max_examples=200, deadline=None)
@given(st.floats(0.5, 1e6), st.lists(st.floats(-1.0, 1.0), min_size=1, max_size=20))
def test_a_code_is_two_neighbours_whose_mean_is_the_number(limit, shares):
    support, values = Support.of(limit), limit * np.array(shares)
    code = support.encode(values)
    assert code.shape == (len(values), len(support))
    np.testing.assert_allclose(code.sum(axis=1), 1.0, atol=1e-6)
    for row in code:
        places = np.flatnonzero(row)
        assert len(places) <= 2
        assert places[-1] - places[0] <= 1
    np.testing.assert_allclose(support.mean(code), values, rtol=1e-5, atol=1e-5 * min(1.0, limit))


def test_jax_says_what_numpy_says():
    values = np.linspace(-50_000.0, 50_000.0, 1001).astype(np.float32)
    code = SUPPORT.encode(values)
    np.testing.assert_allclose(jax.jit(SUPPORT.encode)(jnp.asarray(values)), code, atol=1e-5)
    logits = np.random.default_rng(0).standard_normal((50, len(SUPPORT))).astype(np.float32)
    want = SUPPORT.decode(logits.astype(np.float64))
    np.testing.assert_allclose(jax.jit(SUPPORT.decode)(jnp.asarray(logits)), want, rtol=1e-4, atol=1e-3)


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(_native.dense_kernels()),
    st.sampled_from([0.5, 10.0, 50_000.0]),
    st.floats(0.0, 30.0),
    st.integers(0, 10**6),
)
def test_native_networks_decode_as_the_support_does(kernel, limit, spread, seed):
    support = Support.of(limit)
    bins = len(support)
    logits = (spread * np.random.default_rng(seed).standard_normal((7, bins))).astype(np.float32)
    layers = [(np.eye(bins, dtype=np.float32), np.zeros((1, bins), np.float32))]
    net = _native.MlpEvaluator(layers, activation="relu", support=support.points.tolist(), kernel=kernel)
    _, found = net.evaluate(logits, np.ones((7, 0), np.bool_))
    # The weights of the points are exact to 1e-7, so their mean is to that of the largest point.
    want = support.decode(logits.astype(np.float64))
    np.testing.assert_allclose(transform(found), transform(want), rtol=1e-5, atol=3e-7 * support.points[-1])


def test_numbers_beyond_the_limit_are_refused_and_have_no_code():
    support = Support.of(100.0)
    support.check([100.0, -100.0, 0.0])
    for bad in (100.5, -101.0, np.nan, np.inf):
        with pytest.raises(ValueError, match=r"beyond value_limit=100; give a larger one: --set value_limit"):
            support.check(np.array([1.0, bad]))
    assert np.isnan(support.encode(np.array([100.5, -101.0, np.nan]))).all()
    assert np.isfinite(support.encode(np.array([100.0, -100.0], np.float32))).all()
    for limit in (0.0, -1.0, np.inf, np.nan, 1e13):
        with pytest.raises(ValueError, match="value_limit="):
            Support.of(limit)


def test_native_supports_are_checked():
    layers = [(np.eye(3, dtype=np.float32), np.zeros((1, 3), np.float32))]
    with pytest.raises(ValueError, match="support has 1 point; give two or more, or none"):
        _native.MlpEvaluator(layers, activation="relu", support=[0.0])
    with pytest.raises(ValueError, match="last layer has 3 columns; the value alone takes 5"):
        _native.MlpEvaluator(layers, activation="relu", support=[-2.0, -1.0, 0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="support has 2000 points; give at most 1024"):
        _native.MlpEvaluator(layers, activation="relu", support=np.arange(2000.0).tolist())
