"""``dicezero solve`` in the words that fit how a game pays."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicezero.cli.solve import StateSearch
from dicezero.solve import Progress


def test_wins_are_said_only_where_nothing_else_is_paid(run):
    assert "first player wins  0.515736870969" in run("solve", "nannon").out
    out = run("solve", "tic_tac_toe").out
    assert "first player score 0.500000000000" in out
    assert "wins" not in out
    data = run("solve", "tic_tac_toe", "--json").data
    assert (data["value"], data["first_player_win"]) == (0.0, 0.5)


def test_payments_are_told_in_their_own_units(run):
    pytest.importorskip("pyspiel")
    game = "dots_and_boxes(num_rows=1,num_cols=2,utility_margin=true)"
    data = run("solve", game, "--json").data
    assert data["first_player_win"] == pytest.approx((data["value"] + 2) / 4)
    out = run("solve", game).out
    assert f"first player score {data['first_player_win']:.12f}" in out
    assert f"first player       {data['value']:.12g}" in out


def test_a_game_for_one_has_a_value_and_no_score(run):
    pytest.importorskip("pyspiel")
    data = run("solve", "cliff_walking(height=3,width=4)", "--json").data
    assert data["value"] == -5.0
    assert data["first_player_win"] is None
    assert "perfect play       -5" in run("solve", "cliff_walking(height=3,width=4)").out


def test_payment_without_end_is_refused_with_the_remedy(refused, tmp_path: Path):
    source = Path(__file__).parents[1] / "solve" / "graphs.py"
    file = tmp_path / "wheel.py"
    wheel = "Graph((Node(0, (0,), (1.0,)),), players=1, pays=True)"
    file.write_text(source.read_text(encoding="utf-8") + f"\n\nWHEEL = {wheel}\n", encoding="utf-8")
    assert "give the game a discount below 1, or an end" in refused("solve", f"{file}:WHEEL")


def test_the_search_for_states_shows_how_far_it_is_and_when_it_ends_at_the_latest() -> None:
    search = StateSearch(20_000_000)
    assert search.line() == "0 states found, the limit is 20,000,000"
    search.update(Progress("enumerate", 0, 0, 0.0), 10.0)
    search.update(Progress("enumerate", 100_000, 0, 0.0), 10.1)
    search.update(Progress("probe", 77, 0, 0.0), 11.3)
    rate = "100,000 states found, the limit is 20,000,000, 1,000,000 a second"
    assert search.line() == f"{rate}: all or too many in 40 s at the latest; testing whether it is too large"
    search.update(Progress("enumerate", 200_000, 0, 0.0), 11.4)  # the test's time is not the search's
    assert search.line().endswith("1,000,000 a second: all or too many in 40 s at the latest")
