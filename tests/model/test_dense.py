"""The dense kernels against float64, and the promise that a row's result depends on the row alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero import _native
from dicezero.model.reference import reference_activation

KERNELS = _native.dense_kernels()
ACTIVATIONS = ("identity", "relu", "selu", "tanh")


def layer(rows, inputs, outputs, seed):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, inputs)).astype(np.float32)
    w = (rng.standard_normal((inputs, outputs)) / np.sqrt(inputs)).astype(np.float32)
    return x, w, rng.standard_normal((1, outputs)).astype(np.float32)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(1, 20), st.integers(1, 70), st.integers(1, 70), st.sampled_from(ACTIVATIONS),
    st.sampled_from(KERNELS), st.integers(0, 10**6),
)  # fmt: skip
def test_equals_float64(rows, inputs, outputs, activation, kernel, seed):
    x, w, b = layer(rows, inputs, outputs, seed)
    expected = reference_activation(activation, x.astype(np.float64) @ w + b)
    found = _native.dense(x, w, b, activation=activation, kernel=kernel)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("activation", ["selu", "tanh"])
def test_activation_is_accurate_everywhere(kernel, activation):
    magnitudes = np.concatenate([np.logspace(-30, 2, 40_000), np.linspace(0.0, 20.0, 40_000)])
    x = np.concatenate([magnitudes, -magnitudes]).astype(np.float32)[:, None]
    one, zero = np.ones((1, 1), np.float32), np.zeros((1, 1), np.float32)
    found = _native.dense(x, one, zero, activation=activation, kernel=kernel)
    expected = reference_activation(activation, x.astype(np.float64))
    error = np.abs(found - expected) / np.maximum(np.abs(expected), 1e-30)
    assert error.max() < 4e-7


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_special_values(kernel, activation):
    x = np.array([[np.nan], [np.inf], [-np.inf], [0.0], [1e30], [-1e30]], np.float32)
    one, zero = np.ones((1, 1), np.float32), np.zeros((1, 1), np.float32)
    found = _native.dense(x, one, zero, activation=activation, kernel=kernel)
    expected = reference_activation(activation, x.astype(np.float64))
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(found, expected.astype(np.float32), rtol=1e-6)  # NaN only where expected


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_row_does_not_depend_on_its_batch(kernel, activation):
    x, w, b = layer(300, 61, 45, seed=1)
    alone = np.concatenate(
        [_native.dense(x[i : i + 1], w, b, activation=activation, kernel=kernel) for i in range(300)]
    )
    order = np.random.default_rng(2).permutation(300)
    for size in (*range(1, 20), 31, 32, 33, 64, 127, 128, 129, 255, 300):
        rows = order[:size]
        found = _native.dense(x[rows], w, b, activation=activation, kernel=kernel)
        np.testing.assert_array_equal(found, alone[rows])


@pytest.mark.skipif("avx512" not in KERNELS, reason="this machine has no AVX-512")
def test_fused_kernels_agree_bit_for_bit():
    x, w, b = layer(50, 61, 45, seed=3)
    avx512, avx2 = (_native.dense(x, w, b, activation="selu", kernel=k) for k in ("avx512", "avx2"))
    np.testing.assert_array_equal(avx512, avx2)


def test_unknown_names_are_refused():
    x, w, b = layer(2, 3, 4, seed=0)
    with pytest.raises(ValueError, match="activation 'gelu' is unknown; give one of"):
        _native.dense(x, w, b, activation="gelu")
    with pytest.raises(ValueError, match="kernel 'mmx' is unknown here; give one of"):
        _native.dense(x, w, b, activation="relu", kernel="mmx")
    with pytest.raises(ValueError, match="x has 2 columns; the network takes 3"):
        _native.dense(np.ascontiguousarray(x[:, :2]), w, b, activation="relu")
