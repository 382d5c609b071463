"""The learning rows: FLOPs are counted honestly, and every stage of a round is there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dicezero.bench import learning
from dicezero.model.dense import DenseModel
from dicezero.presets.registry import PRESETS


def test_training_flops_counts_every_product():
    config = DenseModel(observation=9, actions=3, hidden=5, widths=(7, 11))
    representation = 9 * 7 + 7 * 11 + 11 * 5
    dynamics = 5 * 7 + 7 * 11 + 11 * (5 + 1 + 4)
    prediction = 5 * 7 + 7 * 11 + 11 * (3 + 3 + 1)
    forward = 2 * 10 * (representation + 2 * dynamics + 3 * prediction)
    unneeded = 2 * 10 * 9 * 7  # the gradient of the observation
    assert learning.training_flops(config, batch=10, unroll=2) == 3 * forward - unneeded


def test_rows_have_a_limit_a_share_and_the_split_of_a_round(monkeypatch):
    small = replace(
        PRESETS["ndmz"],
        games=4,
        batch=8,
        unroll=1,
        hidden=8,
        widths=(8,),
        early_rounds=0,
        search=replace(PRESETS["ndmz"].search, simulations=4),
        play=replace(PRESETS["ndmz"].play, simulations=4),
    )
    monkeypatch.setattr(learning, "GAME", "nannon(points=4,checkers=2,sides=4)")
    network = DenseModel(observation=6, actions=5, hidden=8, widths=(8,))
    monkeypatch.setattr(learning, "WORKLOADS", (learning.Workload("small", network, batch=8, unroll=1),))
    monkeypatch.setattr(learning, "all_cores", lambda: 1)
    monkeypatch.setattr(learning, "ROUNDS", 2)
    monkeypatch.setattr(learning, "SELFPLAY", ("ndmz",))
    monkeypatch.setattr(learning, "PRESETS", {"ndmz": small})
    step, speed, outside, whole, *stages = learning.rows(frozenset())
    assert step.limit_share is not None
    assert 0.0 < step.limit_share < 1.0
    assert speed.ours > 0.0
    assert 0.0 < outside.ours < 100.0
    assert [row.workload.rpartition(": ")[2] for row in stages] == [
        "selfplay",
        "learning",
        "measuring",
        "commit",
    ]
    assert whole.ours == pytest.approx(np.sum([row.ours for row in stages]))
    assert all(row.ours > 0.0 for row in stages)
