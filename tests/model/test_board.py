"""Board networks: the paper's blocks, and answers that do not depend on what else is in the batch."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx

from dicezero.model.board import BoardConfig, BoardEvaluator, BoardModel
from dicezero.model.board_blocks import make_block
from dicezero.model.board_flax import board_structure
from dicezero.model.jax_player import JaxModel
from dicezero.model.support import Support

SMALL = BoardConfig(channels=8, blocks=2, bottleneck=4, mixing_every=2)
MODEL = BoardModel((2, 6, 7), 7, board=SMALL)


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
    moved = np.abs(np.asarray(block(jnp.asarray(board)) - block(jnp.asarray(corner))))[0, 0, 0].max()
    assert (moved > 1e-9) == (mixing != "none")


def test_what_is_said_of_a_row_does_not_depend_on_the_others():
    rng = np.random.default_rng(2)
    weights = MODEL.init(seed=1)
    observation = rng.integers(0, 2, (11, 84)).astype(np.float32)
    player = JaxModel(MODEL, weights, batch_rows=8)
    together = player.root(observation)
    for row in (0, 3, 10):
        alone = player.root(observation[row : row + 1])
        for a, b in zip(together, alone, strict=True):
            np.testing.assert_array_equal(a[row], b[0])
    order = rng.permutation(11)
    for a, b in zip(together, player.root(observation[order]), strict=True):
        np.testing.assert_array_equal(a[order], b)


def test_the_step_is_dynamics_and_prediction_with_ndmz_heads_where_there_are_identities():
    config = BoardModel((2, 3, 3), 9, identities=4, board=SMALL, hidden_scaling="minmax")
    weights = config.init(seed=1)
    player = JaxModel(config, weights, batch_rows=4)
    hidden, _, _ = player.root(np.eye(18, dtype=np.float32)[:4])
    assert hidden.shape == (4, config.hidden)
    np.testing.assert_allclose([hidden.min(axis=1), hidden.max(axis=1)], [[0] * 4, [1] * 4], atol=1e-4)
    step = player.step(hidden, np.arange(4))
    alone = jax.jit(lambda params, x: config.apply(params, "dynamics", x))  # op by op it takes long
    dynamics = alone(weights, np.hstack([hidden, np.eye(9, dtype=np.float32)[:4]]))
    np.testing.assert_allclose(step.reward, dynamics["reward"][:, 0], atol=1e-5)
    np.testing.assert_allclose(step.identity_logits, dynamics["identity"], atol=1e-5)
    assert step.chance_logits.shape == (4, 9)
    assert np.abs(step.hidden[0] - step.hidden[1]).max() > 1e-3  # actions differ


def test_sizes_that_make_no_board_are_refused():
    with pytest.raises(ValueError, match=r"shape=\(34,\) is no .*architecture=mlp"):
        BoardEvaluator((34,), 8)
    with pytest.raises(ValueError, match=r"board.channels=0"):
        BoardConfig(channels=0)
    with pytest.raises(ValueError, match=r"board.mixing='some'"):
        BoardConfig(mixing="some")
    config = BoardEvaluator((2, 3, 3), 9, SMALL)
    weights = config.init(seed=0)
    assert {name: array.shape for name, array in weights.items()} == config.shapes()
    with pytest.raises(ValueError, match="lack"):
        config.player({k: v for k, v in weights.items() if "tower.first" not in k})
    with pytest.raises(ValueError, match="of 18 numbers each"):
        config.player(weights)(np.zeros((2, 5)), np.ones((2, 9), np.bool_))


def test_a_new_network_over_a_support_says_nothing_of_any_position():
    network = BoardModel((2, 3, 3), 9, board=SMALL, support=Support.of(100.0))
    weights = network.init(seed=1)
    assert weights["prediction.heads.value.output.kernel"].shape == (64, len(network.support))
    player = network.player(weights)
    hidden, _, value = player.root(np.eye(18, dtype=np.float32)[:4])
    np.testing.assert_allclose(value, 0.0, atol=1e-5)
    np.testing.assert_allclose(player.step(hidden, np.arange(4)).reward, 0.0, atol=1e-5)


@pytest.mark.parametrize("mixing", ["none", "pooling", "broadcast"])
@pytest.mark.parametrize("bottleneck", [0, 4])
@pytest.mark.parametrize("halvings", [0, 2])
def test_shapes_are_those_of_the_flax_modules_in_their_order(mixing, bottleneck, halvings):
    board = BoardConfig(
        channels=8, blocks=11, bottleneck=bottleneck, mixing=mixing, mixing_every=2, halvings=halvings
    )
    networks = [
        BoardEvaluator((3, 6, 7), 5, board),
        BoardEvaluator((3, 6, 7), 5, board, Support.of(20.0), (2, 1)),
        BoardModel((3, 6, 7), 5, 4, board),
        BoardModel((3, 6, 7), 5, 0, board, "minmax", Support.of(20.0)),
    ]
    for network in networks:
        assert list(network.shapes().items()) == list(board_structure(network)[1].items())
