"""Tests of runs' dynamics and matches between their rounds, as the learn view asks for them."""

from __future__ import annotations

import asyncio

import pytest
from made_run import NAME, make_run

from dicezero.studio.catalog import Catalog
from dicezero.studio.checkpoints import MATCH_GAMES, DynamicsTests, compare


def test_every_kept_round_is_tested_once_newest_first(tmp_path):
    make_run(tmp_path / "a", rounds=3)
    offer = Catalog([tmp_path]).runs()[0]
    tests = DynamicsTests()
    seen = []
    while (number := tests.missing(offer)) is not None:
        seen.append(number)
        tests.test(offer, number)
    assert seen == [3, 2, 1]
    lines = tests.known(offer.id)
    assert [line["round"] for line in lines] == [1, 2, 3]
    for line in lines:
        assert 0 <= line["top_move"] <= 1
        assert 0 <= line["uniform"] <= 1


def test_a_run_without_a_model_is_left_alone(tmp_path):
    make_run(tmp_path / "a", rounds=1, preset="gumbel-alphazero")
    offer = Catalog([tmp_path]).runs()[0]
    tests = DynamicsTests()
    tests.test(offer, 1)
    assert tests.missing(offer) is None
    assert tests.known(offer.id) == []


def test_weights_that_have_gone_leave_a_gap(tmp_path):
    folder = make_run(tmp_path / "a", rounds=2)
    offer = Catalog([tmp_path]).runs()[0]
    for path in folder.glob("weights-00001*"):
        path.unlink()
    tests = DynamicsTests()
    tests.test(offer, 1)
    assert tests.known(offer.id) == [{"round": 1}]
    assert tests.missing(offer) == 2


def test_two_rounds_play_a_match_with_the_luck_taken_out(tmp_path):
    make_run(tmp_path / "a", rounds=2)
    catalog = Catalog([tmp_path])
    run = catalog.runs()[0].id
    there = compare(catalog, NAME, f"{run}@1", f"{run}@2")
    back = compare(catalog, NAME, f"{run}@2", f"{run}@1")
    assert there.games == MATCH_GAMES
    assert there.adjusted_score is not None
    assert there.score + back.score == pytest.approx(1)
    with pytest.raises(ValueError, match="no weights of that round"):
        compare(catalog, NAME, f"{run}@1", f"{run}@7")
    with pytest.raises(ValueError, match="has learned"):
        compare(catalog, "nannon", f"{run}@1", f"{run}@2")


def test_a_page_too_many_is_refused_and_nothing_else():
    from dicezero.studio.page.crowd import Crowd

    async def inner(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    def status(limit, path):
        sent = []

        async def send(message):
            sent.append(message)

        asyncio.run(Crowd(inner, limit=limit)({"type": "http", "path": path}, None, send))
        return sent[0]["status"]

    assert status(0, "/") == 503
    assert status(0, "/api/v1/catalog") == 200
    assert status(10**6, "/") == 200
