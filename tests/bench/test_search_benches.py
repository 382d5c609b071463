"""Rows of UCT, perft and self-play: what they are named, what they count, and that shares are shares."""

from __future__ import annotations

import pytest

from dicezero.bench import perft, selfplay, uct
from dicezero.bench.workloads import WORKLOADS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game
from dicezero.rules import perft as count_lines


def test_uct_has_small_and_large_searches_and_a_second_core(monkeypatch):
    contests = [(one.game, one.simulations) for one in uct._CONTESTS]
    for game in ("tic_tac_toe", "connect_four"):
        assert {(game, 1000), (game, 100_000)} <= set(contests)
    monkeypatch.setattr(uct, "_CONTESTS", (uct._Contest("tic_tac_toe", 50, ours=1, peers=1),))
    monkeypatch.setattr(uct, "_SEVERAL", (("tic_tac_toe", 60),))
    monkeypatch.setattr(uct, "_REPETITIONS", 1)
    alone, second = uct.rows(frozenset())
    assert alone.workload == "uct/tic_tac_toe 50 simulations a search"
    assert alone.peer is None
    assert second.peer == "one thread"
    assert second.ratio is not None
    assert second.ratio > 0.0


def test_perft_counts_lines_in_bulk_and_positions_played(monkeypatch):
    monkeypatch.setattr(perft, "WORKLOADS", (perft.Workload("tic_tac_toe", depth=5),))
    lines, played = perft.rows(frozenset())
    counts = count_lines(load_game("tic_tac_toe"), 5)
    assert lines.ours / played.ours == pytest.approx(counts[-1] / sum(counts[:-1]))


def test_self_play_tells_moves_idleness_and_time_outside_the_network(monkeypatch):
    pytest.importorskip("jax")
    small = {**selfplay.SETTINGS, "games": "4", "simulations": "4", "board.blocks": "1"}
    monkeypatch.setattr(selfplay, "SETTINGS", small)
    monkeypatch.setattr(selfplay, "RUNS", 1)
    monkeypatch.setattr(selfplay, "all_cores", lambda: 2)
    both, idle, alone, outside = selfplay.rows(frozenset())
    assert "connect_four, 1x32, 4 simulations, 4 games" in both.workload
    assert both.ours > 0.0
    assert alone.ours > 0.0
    assert 0.0 <= idle.ours <= 100.0
    assert 0.0 < outside.ours < 100.0


def test_a_core_that_works_as_long_as_the_driving_thread_is_never_idle():
    round_ = selfplay.Round(moves=10, seconds=9.0, calling=4.0, others=4.0, network=3.0)
    assert round_.idle(2) == 0.0
    assert round_.idle(3) == pytest.approx(0.5)
    assert round_.idle(1) == 0.0


def test_the_preset_takes_the_settings():
    preset = selfplay.preset_for(selfplay.PRESET, selfplay.spec_of(load_game(selfplay.GAME)))
    assert with_settings(preset, selfplay.SETTINGS).board.blocks == 4


def test_they_are_listed():
    assert {"uct", "perft", "selfplay"} <= set(WORKLOADS)
