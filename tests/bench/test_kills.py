"""A run killed again and again ends as the one left alone; the long version is dicezero.bench.kills."""

from __future__ import annotations

from dicezero.bench.kills import CASES, KillCase, differences, measure_kills
from dicezero.runs.manifest import METRICS, Manifest

SMALLER = {"games": 6, "steps": 3, "batch": 8, "simulations": 4, "hidden": 8, "widths": "8,8"}


def test_killed_three_times_and_none_the_worse(tmp_path):
    case = KillCase("gumbel-ndmz", {**CASES["gumbel-ndmz"], **SMALLER}, rounds=30)
    found = measure_kills(case, kills=3, seed=4, folder=tmp_path)
    assert found["kills"] == 3
    assert found["differences"] == []
    assert Manifest.read(tmp_path / "killed").round == 30
    assert Manifest.read(tmp_path / "killed").kept == (5, 10, 15, 20, 25, 30)
    assert len(list((tmp_path / "killed").glob("events.*"))) == 1

    # The comparison itself sees one flipped bit, one figure and one file.
    weights = tmp_path / "killed" / "weights-00010.safetensors"
    data = weights.read_bytes()
    weights.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    metrics = tmp_path / "killed" / METRICS
    metrics.write_text(metrics.read_text().replace('"games": 6', '"games": 7', 1))
    (tmp_path / "killed" / "games-00030.npz").unlink()
    assert differences(tmp_path / "whole", tmp_path / "killed") == [
        "games-00030.npz",
        "weights-00010.safetensors",
        METRICS,
    ]
