"""Native board networks: what the Flax modules say, whatever the batch, its order and the thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero import _native
from dicezero.model.board import BoardConfig, BoardEvaluator, BoardModel
from dicezero.model.board_convolution import convolved, xla_convolutions
from dicezero.model.board_player import NativeBoardEvaluator, NativeBoardModel
from dicezero.model.jax_player import jax_player
from dicezero.model.support import Support

KERNELS = _native.dense_kernels()
BASIC = BoardConfig(channels=24, blocks=2, bottleneck=0, mixing="none")
MIXED = BoardConfig(channels=20, blocks=3, bottleneck=12, mixing_every=3)
POOLED = BoardConfig(channels=33, blocks=2, bottleneck=0, mixing="pooling", mixing_every=2)


def drawn_weights(network, seed=1):
    """Weights of a network that has learned something: new ones say nothing in half of their layers."""
    rng = np.random.default_rng(seed)
    weights = network.init(seed=seed)
    for name, array in weights.items():
        fan_in = np.prod(array.shape[:-1]) if array.ndim > 1 else 100.0
        weights[name] = (array + rng.standard_normal(array.shape) / np.sqrt(fan_in)).astype(np.float32)
    return weights


def close(found, wanted):
    for ours, theirs in zip(found, wanted, strict=True):
        assert (ours is None) == (theirs is None)
        if ours is not None:
            np.testing.assert_allclose(ours, theirs, atol=1e-5 * max(1.0, np.abs(theirs).max()))


@pytest.mark.parametrize(
    ("shape", "board"),
    [
        ((17, 9, 9), BASIC),  # tiles of 3x3
        ((2, 6, 7), MIXED),  # of 3x4
        ((12, 8, 8), POOLED),  # of 4x4
        ((3, 3, 3), MIXED),
        ((5, 1, 2), BASIC),
        ((4, 21, 34), BoardConfig(8, 1, bottleneck=4, halvings=2)),
    ],
)
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_evaluator_says_what_its_modules_say(shape, board, kernel):
    network = BoardEvaluator(shape, 9, board)
    weights = drawn_weights(network)
    observation = np.random.default_rng(0).standard_normal((5, *shape)).astype(np.float32)
    legal = np.ones((5, 9), np.bool_)
    native = NativeBoardEvaluator(network, weights, kernel=kernel)
    with xla_convolutions():
        close(native(observation, legal), jax_player(network, weights, batch_rows=5)(observation, legal))


@pytest.mark.parametrize(
    ("shape", "board", "identities", "scaling", "support"),
    [
        ((2, 6, 7), MIXED, 0, "none", None),
        ((2, 3, 3), POOLED, 4, "minmax", Support.of(30.0)),
        ((4, 24, 24), BoardConfig(16, 2, halvings=2), 0, "minmax", None),
    ],
)
def test_the_model_says_what_its_modules_say(shape, board, identities, scaling, support):
    network = BoardModel(shape, 8, identities, board, scaling, support)
    weights = drawn_weights(network)
    native, jitted = NativeBoardModel(network, weights), jax_player(network, weights, batch_rows=6)
    rng = np.random.default_rng(3)
    observation = rng.standard_normal((6, network.observation)).astype(np.float32)
    root, action = native.root(observation), rng.integers(8, size=6)
    with xla_convolutions():
        close(root, jitted.root(observation))
        ours, theirs = native.step(root[0], action), jitted.step(root[0], action)
    names = ("hidden", "reward", "policy_logits", "value", "identity_logits", "chance_logits")
    close([getattr(ours, name) for name in names], [getattr(theirs, name) for name in names])


@settings(max_examples=15, deadline=None)
@given(
    sides=st.tuples(st.integers(1, 19), st.integers(1, 19)),
    board=st.sampled_from([BASIC, MIXED, POOLED]),
    kernel=st.sampled_from(KERNELS),
    rows=st.integers(1, 70),
    seed=st.integers(0, 1000),
)
def test_no_bit_of_a_row_depends_on_the_batch_its_order_or_the_thread(sides, board, kernel, rows, seed):
    network = BoardEvaluator((3, *sides), 5, board)
    rng = np.random.default_rng(seed)
    player = NativeBoardEvaluator(network, drawn_weights(network, seed), kernel=kernel)
    observation = rng.standard_normal((rows, network.observation)).astype(np.float32)
    legal = np.ones((rows, 5), np.bool_)
    together = player(observation, legal)
    order = rng.permutation(rows)
    shuffled = player(observation[order], legal)
    with ThreadPoolExecutor(4) as pool:
        alone = list(pool.map(lambda i: player(observation[i : i + 1], legal[:1]), range(rows)))
    for k in range(2):
        np.testing.assert_array_equal(together[k][order], shuffled[k])
        np.testing.assert_array_equal(together[k], np.concatenate([answer[k] for answer in alone]))


@pytest.mark.parametrize(
    ("shape", "outputs", "skips"),
    [((5, 6, 7, 32), 32, True), ((3, 9, 9, 17), 40, False), ((2, 8, 8, 3), 3, True)],
)
def test_a_convolution_and_its_gradients_are_those_of_xla(shape, outputs, skips):
    rng = np.random.default_rng(4)
    x, bias = rng.standard_normal(shape).astype(np.float32), rng.standard_normal(outputs).astype(np.float32)
    kernel = rng.standard_normal((3, 3, shape[3], outputs)).astype(np.float32) / np.float32(
        3 * shape[3] ** 0.5
    )
    skip, chosen = rng.standard_normal((2, *shape[:3], outputs)).astype(np.float32)
    given = (x, kernel, bias, skip) if skips else (x, kernel, bias)

    def loss(*arrays):
        return (convolved(*arrays) * chosen).sum()

    def gradients():  # a function of its own, so that it is traced anew
        return jax.jit(jax.value_and_grad(lambda *arrays: loss(*arrays), argnums=range(len(given))))(*given)

    value, ours = gradients()
    with xla_convolutions():
        their_value, theirs = gradients()
    np.testing.assert_allclose(value, their_value, rtol=1e-5)
    close(ours, theirs)


@pytest.mark.skipif(not {"avx2", "avx512"} <= set(KERNELS), reason="needs a machine with both")
@pytest.mark.parametrize(("shape", "board"), [((17, 9, 9), BASIC), ((2, 6, 7), MIXED), ((12, 8, 8), POOLED)])
def test_avx2_and_avx512_say_the_same_to_the_bit(shape, board):
    network = BoardEvaluator(shape, 9, board)
    weights = drawn_weights(network)
    observation = np.random.default_rng(0).standard_normal((5, *shape)).astype(np.float32)
    first, second = (
        NativeBoardEvaluator(network, weights, kernel=kernel)(observation, np.ones((5, 9), np.bool_))
        for kernel in ("avx2", "avx512")
    )
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a, b)


def test_what_does_not_fit_is_refused_in_one_line():
    network = BoardEvaluator((2, 6, 7), 7, MIXED)
    weights = network.init(seed=0)
    other = BoardEvaluator((2, 6, 7), 7, BASIC).init(seed=0)
    with pytest.raises(ValueError, match=r"^weights (lack|hold) '.*'.*$"):
        network.player(other)
    with pytest.raises(ValueError, match=r"not finite"):
        network.player(weights | {"evaluator.tower.first.bias": np.full(20, np.nan, np.float32)})
    with pytest.raises(ValueError, match=r"has shape \(4, 3, 6, 7\); give \[rows, ...\] of 84 numbers"):
        network.player(weights)(np.zeros((4, 3, 6, 7)), np.ones((4, 7)))
    with pytest.raises(ValueError, match="legal has 6 columns"):
        network.player(weights)(np.zeros((4, 2, 6, 7)), np.ones((4, 6)))
    model = BoardModel((2, 3, 3), 9, board=MIXED)
    player = model.player(model.init(seed=0))
    with pytest.raises(ValueError, match=r"action 9 is out of range; give 0..8"):
        player.step(np.zeros((2, model.hidden)), [0, 9])
    with pytest.raises(ValueError, match="hidden has 5 columns"):
        player.step(np.zeros((2, 5)), [0, 1])


def test_the_native_towers_check_their_arrays_themselves():
    head = (False, [(np.ones((4, 2), np.float32), np.zeros((1, 2), np.float32))] * 2)
    kernel, bias = np.zeros((3, 3, 2, 4), np.float32), np.zeros(4, np.float32)
    for tower, message in [
        ([], "a tower has no blocks"),
        ([(True, [("convolution", [kernel, bias])])], "2 planes into 4; give as many"),
        ([(False, [("convolution", [kernel[:2], bias])])], r"has shape \[2, 3, 2, 4\]"),
        ([(False, [("convolution", [kernel])])], "has 1 arrays; it needs more"),
        ([(False, [("dilated", [kernel, bias])])], "layer 'dilated' is unknown"),
        (
            [(False, [("broadcast", [np.zeros((9, 8), np.float32), np.zeros(9, np.float32)])])],
            r"need \[9, 9\]",
        ),
        (
            [(False, [("convolution", [kernel, bias])])],
            "first layer takes 4 numbers, but its 2 planes have 18",
        ),
    ]:
        with pytest.raises(ValueError, match=message):
            _native.BoardEvaluator((2, 3, 3), tower, [head, head])
