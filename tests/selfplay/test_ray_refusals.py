"""What is said where Ray cannot be had; and the book that commits each chunk once."""

from __future__ import annotations

import socket
import sys
import time
from importlib.util import find_spec

import numpy as np
import pytest

from dicezero.cli import main
from dicezero.selfplay import ray_cluster
from dicezero.selfplay.ledger import Ledger
from dicezero.selfplay.ray_cluster import check_address
from dicezero.selfplay.runtime import RayConfig, RuntimeUnavailableError, chunks


def part(value):
    return {"x": np.array([value])}


def test_a_chunk_is_committed_once():
    ledger = Ledger(2)
    assert [ledger.next(), ledger.next()] == [0, 1]
    assert ledger.commit(1, part(10))
    assert not ledger.commit(1, part(99))
    assert not ledger.done
    assert ledger.commit(0, part(20))
    assert ledger.done
    assert [int(p["x"][0]) for p in ledger.parts()] == [20, 10]


def test_lost_chunks_come_first_and_in_order_and_those_that_arrived_stay():
    ledger = Ledger(5)
    handed_out = [ledger.next() for _ in range(3)]
    ledger.commit(1, part(0))
    ledger.lose(handed_out)
    assert [ledger.next() for _ in range(4)] == [0, 2, 3, 4]
    assert not ledger.waiting
    ledger.lose([2, 3])  # only the first of these was being worked at
    ledger.lose([2])
    with pytest.raises(RuntimeUnavailableError, match="same chunk"):
        ledger.lose([2])


def test_committed_arrays_are_our_own():
    source = np.zeros(3)
    ledger = Ledger(1)
    ledger.commit(0, {"x": source})
    source[:] = 1.0
    assert not np.shares_memory(ledger.parts()[0]["x"], source)
    assert ledger.parts()[0]["x"].tolist() == [0.0, 0.0, 0.0]


def test_chunks_cover_every_number_once():
    assert [list(c) for c in chunks(7, 3)] == [[0, 1, 2], [3, 4, 5], [6]]
    assert chunks(0, 3) == []


@pytest.mark.parametrize("address", ["nowhere", "host:", "host:0", "host:99999", "ray://host"])
def test_an_address_must_be_one(address):
    with pytest.raises(RuntimeUnavailableError, match="is not host:port"):
        check_address(address)


def test_a_server_that_is_not_ray_is_refused_in_time(monkeypatch):
    monkeypatch.setattr(ray_cluster, "_PROBE_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        begun = time.monotonic()
        with pytest.raises(RuntimeUnavailableError, match="no Ray cluster answers at"):
            check_address(f"127.0.0.1:{silent.getsockname()[1]}")
        assert time.monotonic() - begun < 5.0


@pytest.mark.skipif(find_spec("ray") is None, reason="pip install dicezero[ray]")
def test_the_command_line_refuses_in_one_line_and_writes_nothing(capsys, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]  # free again a moment later
    words = ["train", "--out", str(folder), "--runtime", "ray"]
    assert main([*words, "--address", f"127.0.0.1:{port}"]) == 2
    assert main([*words, "--workers", "0"]) == 2
    assert main([*words[:3], "--workers", "2"]) == 2
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(words) == 2
    lines = capsys.readouterr().err.splitlines()
    told = [
        "no Ray cluster answers",
        "workers=0 must be",
        "give --runtime ray too",
        'pip install "dicezero[ray]"',
    ]
    assert len(lines) == len(told)
    assert all(text in line for text, line in zip(told, lines, strict=True))
    assert not folder.exists()


def test_configurations_are_checked_at_birth():
    for wrong in ({"workers": 0}, {"start_seconds": 0.0}, {"address": " "}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            RayConfig(**wrong)
