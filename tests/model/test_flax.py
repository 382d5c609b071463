"""Flax modules: dense ones equal to the native networks, board ones whatever else is in the batch."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx

from dicezero.model.config import (
    BoardConfig,
    BoardEvaluatorConfig,
    BoardModelConfig,
    EvaluatorConfig,
    ModelConfig,
)
from dicezero.model.flax_blocks import PoolBlock, make_block
from dicezero.model.flax_board import apply_board, board_shapes, board_weights
from dicezero.model.flax_mlp import mlp_modules, mlp_weights
from dicezero.model.flax_player import FlaxEvaluator, FlaxModel
from dicezero.model.mlp import NativeEvaluator, NativeModel
from dicezero.model.weights import random_weights

SMALL = BoardConfig(channels=8, blocks=2, bottleneck=4, mixing_every=2)
MODEL = BoardModelConfig((2, 6, 7), 7, board=SMALL)


@pytest.mark.parametrize(("scaling", "skip"), [("none", "none"), ("minmax", "turned"), ("none", "plain")])
def test_dense_modules_say_what_the_native_model_says(scaling, skip):
    config = ModelConfig(11, 6, hidden=10, widths=(16, 12), hidden_scaling=scaling, skip=skip)
    weights = random_weights(config, seed=3)
    modules, native = mlp_modules(config, weights), NativeModel(config, weights)
    rng = np.random.default_rng(0)
    observation, action = rng.standard_normal((5, 11)).astype(np.float32), rng.integers(6, size=5)
    hidden, policy, value = native.root(observation)
    mine = modules["representation"](jnp.asarray(observation))["hidden"]
    said = modules["prediction"](mine)
    for found, wanted in ((mine, hidden), (said["policy"], policy), (said["value"][:, 0], value)):
        np.testing.assert_allclose(found, wanted, atol=1e-5)
    step = native.step(hidden, action.astype(np.int32))
    following = modules["dynamics"](jnp.concatenate([hidden, jnp.eye(6)[action]], axis=1))
    np.testing.assert_allclose(following["hidden"], step.hidden, atol=1e-5)
    np.testing.assert_allclose(following["reward"][:, 0], step.reward, atol=1e-5)
    np.testing.assert_allclose(following["identity"], step.identity_logits, atol=1e-5)
    chance = modules["prediction"](following["hidden"])["chance"]
    np.testing.assert_allclose(chance, step.chance_logits, atol=1e-5)


def test_weights_go_to_modules_and_back():
    config = EvaluatorConfig(11, 6, widths=(16,), activation="relu")
    modules = mlp_modules(config, seed=4)
    back = mlp_weights(modules)
    for name, array in random_weights(config, seed=4).items():
        np.testing.assert_array_equal(back[name], array)
    observation = np.random.default_rng(0).standard_normal((3, 11)).astype(np.float32)
    logits, _ = NativeEvaluator(config, back)(observation, np.ones((3, 6), np.bool_))
    np.testing.assert_allclose(modules["evaluator"](observation)["policy"], logits, atol=1e-5)


@pytest.mark.parametrize(
    ("config", "index", "convolutions", "kind"),
    [
        (BoardConfig(8, 4, bottleneck=4), 0, [(1, 8, 4), (3, 4, 4), (3, 4, 4), (1, 4, 8)], "ResBlock"),
        (BoardConfig(8, 4, bottleneck=0), 0, [(3, 8, 8), (3, 8, 8)], "ResBlock"),
        (BoardConfig(8, 4), 3, [(1, 8, 8), (1, 8, 8)], "ResBlock"),
        (BoardConfig(8, 4, mixing="pooling"), 3, [(1, 8, 8)] * 3, "PoolBlock"),
        (BoardConfig(8, 4, bottleneck=0, mixing="none"), 3, [(3, 8, 8), (3, 8, 8)], "ResBlock"),
    ],
)
def test_blocks_are_those_of_the_figures(config, index, convolutions, kind):
    block = make_block(config, index, 42, nnx.Rngs(0))
    found = [tuple(p.shape) for _, p in nnx.to_flat_state(nnx.state(block, nnx.Param)) if p.ndim == 4]
    assert sorted(found) == sorted((size, size, inputs, outputs) for size, inputs, outputs in convolutions)
    assert type(block).__name__ == kind


@pytest.mark.parametrize("mixing", ["broadcast", "pooling", "none"])
def test_mixing_lets_a_far_corner_be_heard(mixing):
    config = BoardConfig(8, 4, bottleneck=0, mixing=mixing)
    block = make_block(config, 3, 36, nnx.Rngs(0))
    board = np.random.default_rng(1).standard_normal((1, 6, 6, 8)).astype(np.float32)
    corner = board.copy()
    corner[0, 5, 5] += 3.0
    norms = block.blocks if not isinstance(block, PoolBlock) else [block.local, block.pooled, block.output]
    for basic in norms:  # the normalisation alone already carries a little of everything everywhere
        basic.norm = lambda x: x
    moved = np.abs(np.asarray(block(jnp.asarray(board)) - block(jnp.asarray(corner))))[0, 0, 0].max()
    assert (moved > 1e-9) == (mixing != "none")


def test_what_is_said_of_a_row_does_not_depend_on_the_others():
    rng = np.random.default_rng(2)
    weights = board_weights(MODEL, seed=1)
    observation = rng.integers(0, 2, (11, 84)).astype(np.float32)
    player = FlaxModel(MODEL, weights, batch_rows=8)
    together = player.root(observation)
    for row in (0, 3, 10):
        alone = player.root(observation[row : row + 1])
        for a, b in zip(together, alone, strict=True):
            np.testing.assert_array_equal(a[row], b[0])
    order = rng.permutation(11)
    for a, b in zip(together, player.root(observation[order]), strict=True):
        np.testing.assert_array_equal(a[order], b)


def test_the_step_is_dynamics_and_prediction_with_ndmz_heads_where_there_are_identities():
    config = BoardModelConfig((2, 3, 3), 9, identities=4, board=SMALL, hidden_scaling="minmax")
    weights = board_weights(config, seed=1)
    player = FlaxModel(config, weights, batch_rows=4)
    hidden, _, _ = player.root(np.eye(18, dtype=np.float32)[:4])
    assert hidden.shape == (4, config.hidden)
    np.testing.assert_allclose([hidden.min(axis=1), hidden.max(axis=1)], [[0] * 4, [1] * 4], atol=1e-4)
    step = player.step(hidden, np.arange(4))
    alone = jax.jit(lambda params, x: apply_board(config, params, "dynamics", x))  # op by op it takes long
    dynamics = alone(weights, np.hstack([hidden, np.eye(9, dtype=np.float32)[:4]]))
    np.testing.assert_allclose(step.reward, dynamics["reward"][:, 0], atol=1e-5)
    np.testing.assert_allclose(step.identity_logits, dynamics["identity"], atol=1e-5)
    assert step.chance_logits.shape == (4, 9)
    assert np.abs(step.hidden[0] - step.hidden[1]).max() > 1e-3  # actions differ


def test_sizes_that_make_no_board_are_refused():
    with pytest.raises(ValueError, match=r"shape=\(34,\) is no .*architecture=mlp"):
        BoardEvaluatorConfig((34,), 8)
    with pytest.raises(ValueError, match=r"board.channels=0"):
        BoardConfig(channels=0)
    with pytest.raises(ValueError, match=r"board.mixing='some'"):
        BoardConfig(mixing="some")
    config = BoardEvaluatorConfig((2, 3, 3), 9, SMALL)
    weights = board_weights(config, seed=0)
    assert {name: array.shape for name, array in weights.items()} == board_shapes(config)
    with pytest.raises(ValueError, match="lack"):
        FlaxEvaluator(config, {k: v for k, v in weights.items() if "tower.first" not in k})
    with pytest.raises(ValueError, match="of 18 numbers each"):
        FlaxEvaluator(config, weights)(np.zeros((2, 5)), np.ones((2, 9), np.bool_))
