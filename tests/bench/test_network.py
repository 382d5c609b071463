"""The measured limit is a plausible rate, and the rows compare the same network."""

import pytest

from dicezero.bench import limits, network
from dicezero.bench.timing import best_rate
from dicezero.model.dense import DenseModel


def test_limit_is_a_plausible_rate():
    assert 0.5 < limits.sgemm_gflops(1) < 1000
    with pytest.raises(ValueError, match="cores=0 must be at least 1"):
        limits.sgemm_gflops(0)


def test_step_flops_counts_every_product():
    config = DenseModel(observation=9, actions=3, hidden=5, identities=4, widths=(7, 11))
    dynamics = 5 * 7 + 7 * 11 + 11 * (5 + 1 + 4)
    prediction = 5 * 7 + 7 * 11 + 11 * (3 + 3 + 1)
    assert config.step_flops() == 2 * (dynamics + prediction)


def test_best_rate_takes_the_fastest_run():
    calls = []
    rate = best_rate(lambda: calls.append(1), 10, seconds=0.0, runs=4)
    assert len(calls) == 5  # one to warm up
    assert rate > 0


def test_rows_have_a_limit_and_a_peer_where_jax_is_installed(monkeypatch):
    monkeypatch.setattr(network, "BATCHES", (2,))
    monkeypatch.setattr(network, "MODEL", DenseModel(observation=4, actions=3, hidden=8, widths=(8,)))
    monkeypatch.setattr(network, "sgemm_gflops", lambda: 100.0)
    monkeypatch.setattr(network, "find_spec", lambda _name: None)
    (row,) = network.rows(frozenset())
    assert row.peer is None
    assert row.limit == pytest.approx(100e9 / network.MODEL.step_flops())
    pytest.importorskip("jax")
    (row,) = network.rows(frozenset({"jax"}))
    assert row.peer == "jax"
    assert row.ratio is not None
    assert row.ratio > 0


@pytest.mark.parametrize("name", ["gumbel_muzero_policy", "stochastic_muzero_policy"])
def test_mctx_searches_our_network(name):
    pytest.importorskip("mctx")
    from dicezero.bench.planner_peers import peer_rate

    config = DenseModel(observation=4, actions=7, hidden=8, identities=0, widths=(8,))
    rate = peer_rate(name, config, config.init(seed=0), batch=2, simulations=4, seconds=0.0)
    assert rate > 0
