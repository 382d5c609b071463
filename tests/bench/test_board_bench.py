"""The board benchmark: its peers run the very network that we run, and its rows say what was compared."""

from __future__ import annotations

import numpy as np
import pytest

from dicezero.bench import board, board_training
from dicezero.bench.board_peers import (
    NETWORKS,
    jax_evaluate,
    make_network,
    measured_weights,
    onnx_evaluate,
    positions,
)
from dicezero.model.board_player import NativeBoardEvaluator


@pytest.mark.parametrize("name", NETWORKS)
def test_all_engines_say_the_same_of_a_position(name):
    pytest.importorskip("onnxruntime")
    network = make_network(name)
    weights = measured_weights(network)
    observations = positions(3)
    policy, value = NativeBoardEvaluator(network, weights)(observations, np.ones((3, 82), np.bool_))
    for evaluate in (onnx_evaluate(network, weights, threads=1), jax_evaluate(network, weights)):
        their_policy, their_value = evaluate(observations)
        scale = np.abs(policy).max()
        np.testing.assert_allclose(policy, their_policy, atol=1e-5 * scale)
        np.testing.assert_allclose(value, np.asarray(their_value)[:, 0], atol=1e-5 * scale)


def test_rows_stand_beside_each_peer_and_beside_one_thread(monkeypatch):
    monkeypatch.setattr(board, "NETWORKS", {"4x32": NETWORKS["4x32"]})
    monkeypatch.setattr(board, "our_rate", lambda _player, _batch, threads, **_: 100.0 * threads)
    rates = {"jax": [50.0] * 4}
    monkeypatch.setattr(board, "peer_rates", lambda peer, _name, _threads: rates.get(peer))
    for module in (board, board_training):
        monkeypatch.setattr(module, "sgemm_gflops", lambda threads: 1.0 * threads)
    monkeypatch.setattr(board, "all_cores", lambda: 2)
    monkeypatch.setattr(board_training, "_rate", lambda kind, _name: {"native": 60.0, "xla": 15.0}[kind])
    rows = list(board.rows(frozenset()))
    assert [row.peer for row in rows] == ["jax"] * 4 + [None] + ["jax"] * 4 + ["one thread"] * 4 + ["jax"] * 2
    assert {row.ratio for row in rows} == {2.0, 4.0, None}
    assert rows[4].ours == pytest.approx(1e4)  # microseconds for one of 100 positions a second
    forward = board.flops(make_network("4x32"))
    assert rows[-2].limit == pytest.approx(1e9 / (3.0 * forward))
    assert rows[0].workload == "board 4x32, batch 1, 1 thread"
    assert rows[12].workload == "board 4x32, batch 256, second thread"
    assert rows[-1].workload == "board 6x64, training, batch 256, 1 thread"


@pytest.mark.parametrize("convolutions", ["native", "xla"])
def test_a_training_step_runs_with_either_convolution(convolutions):
    assert board_training.training_rate(convolutions, "4x32", batch=2, seconds=0.0) > 0.0


def test_the_limit_counts_the_products_of_the_filtered_convolutions():
    network = make_network("6x64")
    stem, blocks = 17 * 64 * 225, 12 * 64 * 64 * 225  # nine tiles of 5 x 5 points
    heads = 2 * 64 * 4 * 81 + 324 * 82 + 324 * 64 + 64
    assert board.flops(network) == 2 * (stem + blocks + heads)
