"""Measured runs: round 0, every round, and nothing lost or done twice when stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicezero.experiments.boards import Board, get_boards
from dicezero.experiments.conclusions import conclusions
from dicezero.experiments.figure import spread
from dicezero.experiments.gumbel_ndmz import trained_curve
from dicezero.experiments.meter import Meter
from dicezero.experiments.ndmz import Scale
from dicezero.experiments.training import read_lines, train_measured
from dicezero.presets.registry import get_preset
from dicezero.presets.settings import with_settings
from dicezero.runs.loading import load_run

TINY = {
    "games": "6",
    "buffer_games": "14",
    "batch": "16",
    "steps": "3",
    "simulations": "4",
    "play.simulations": "4",
    "hidden": "8",
    "widths": "8,8",
    "unroll": "2",
    "measure_every": "0",
}
PRESET = with_settings(get_preset("gumbel-ndmz"), TINY)
SMALL = Board("4-2-4", buffer_games=14, exact=True)
PLAYED = Board("4-2-4", buffer_games=14, exact=False)
METER = Meter(games=20, dynamics_games=5)


def run(folder: Path, rounds: int = 3, board: Board = SMALL, **options):
    def measure(planner, _):
        return METER.measure(board, PRESET, planner)

    return train_measured(PRESET, board.game, folder, rounds=rounds, seed=3, measure=measure, **options)


def figures(lines):
    """All but the clock's."""
    return [{k: v for k, v in line.items() if "seconds" not in k} for line in lines]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "run"
    return folder, run(folder)


def test_every_round_has_a_line_and_the_last_is_that_of_the_run(whole):
    folder, lines = whole
    assert [line["round"] for line in lines] == [0, 1, 2, 3]
    assert read_lines(folder.parent / "run.jsonl") == lines
    last = METER.measure(SMALL, PRESET, load_run(folder).planner)
    for key in ("vs_optimal", "vs_random", "network_vs_optimal", "network_vs_random", "top_move", "uniform"):
        assert lines[-1][key] == pytest.approx(last[key], abs=1e-12)
        assert 0.0 <= lines[0][key] <= 1.0
    assert len(lines[-1]["by_depth"]) == 3
    assert lines[0]["vs_optimal"] != lines[1]["vs_optimal"]


def test_a_run_stopped_while_it_is_measured_goes_on_as_if_nothing_had_been(whole, tmp_path, monkeypatch):
    calls = []
    original = Meter.measure

    def dies(self, board, preset, planner):
        calls.append(1)
        if len(calls) == 3:  # after the commit of round 2, before its line
            raise KeyboardInterrupt
        return original(self, board, preset, planner)

    monkeypatch.setattr(Meter, "measure", dies)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "run")
    monkeypatch.undo()
    assert len(read_lines(tmp_path / "run.jsonl")) == 2
    assert figures(run(tmp_path / "run")) == figures(whole[1])
    assert figures(run(tmp_path / "run")) == figures(whole[1])  # nothing is left to do


def test_fewer_rounds_may_be_measured_and_those_say_the_same(whole, tmp_path):
    wanted = [line for line in figures(whole[1]) if line["round"] != 1]
    assert len(run(tmp_path / "run", minutes=1e-9, every=2)) == 2  # 0, and 1 because the time is up
    assert figures(run(tmp_path / "run", every=2)) == figures(whole[1])
    assert figures(run(tmp_path / "other", every=2)) == wanted
    assert figures(run(tmp_path / "other", every=2)) == wanted


def test_minutes_end_a_run_after_a_round_and_more_minutes_go_on(whole, tmp_path):
    assert len(run(tmp_path / "run", minutes=1e-9)) == 2
    assert len(run(tmp_path / "run", minutes=1e-9)) == 2
    assert figures(run(tmp_path / "run", minutes=60.0)) == figures(whole[1])


def test_on_a_large_board_games_are_played_and_agree_with_the_exact_score(whole):
    planner = load_run(whole[0]).planner
    exact = METER.measure(SMALL, PRESET, planner)
    played = Meter(games=600, dynamics_games=5).measure(PLAYED, PRESET, planner)
    for key in ("vs_optimal", "vs_random", "network_vs_optimal"):
        low, high = played[f"{key}_ci95"]
        assert abs(played[key] - exact[key]) < 3.5 * (high - low) / 3.92
    alone = METER.exact_network(PLAYED, planner)
    assert alone["vs_optimal"] == pytest.approx(exact["network_vs_optimal"], abs=1e-12)


def test_the_papers_settings_on_each_board_and_their_share():
    small, large = get_boards("both")
    whole = Scale()
    assert (whole.preset("ndmz", small).games, whole.preset("ndmz", small).buffer_games) == (300, 4000)
    assert whole.preset("ndmz", large).buffer_games == 1000
    assert whole.preset("alphazero", large).search.simulations == 100
    ndmz = whole.preset("ndmz", small)  # Q stretched in play costs 0.013, see its page
    assert (ndmz.search.q_normalisation, ndmz.play.q_normalisation) == ("siblings", "fixed")
    assert whole.preset("ndmz", small).rounds == 100
    assert (whole.meter().games, whole.meter().dynamics_games) == (1000, 500)
    assert Scale(games=60).meter().games == 60
    part = Scale(0.05, simulations=8).preset("ndmz", small)
    assert (part.rounds, part.games, part.early_rounds, part.search.simulations) == (5, 15, 1, 8)
    for bad in (
        {"factor": 0.0},
        {"factor": 2.0},
        {"simulations": 0},
        {"minutes": 0.0},
        {"rounds": 0},
        {"games": 0},
        {"every": 0},
    ):
        with pytest.raises(ValueError, match=next(iter(bad)).replace("factor", "scale")):
            Scale(**bad)
    with pytest.raises(ValueError, match="board='8-4-6'"):
        get_boards("8-4-6")


def test_a_run_has_ended_when_its_rounds_or_its_minutes_have():
    lines = [{"round": 0, "seconds": 0.0}, {"round": 3, "seconds": 59.0}, {"round": 4, "seconds": 61.0}]
    preset = Scale(rounds=4).preset("gumbel-ndmz", get_boards("6-3-6")[0])
    for scale, ended in (
        (Scale(rounds=4), [False, False, True]),
        (Scale(minutes=1.0), [False, False, True]),
        (Scale(minutes=0.5), [False, True, True]),
    ):
        assert [scale.ended(line, preset) for line in lines] == ended


def test_only_seeds_with_every_number_ended_are_judged():
    def row(n: int, seed: int, score: float, ended: bool = True):
        return {
            "board": "6-3-6",
            "algorithm": "a",
            "simulations": n,
            "seed": seed,
            "vs_optimal": score,
            "ended": ended,
        }

    rows = [row(2, 0, 0.48), row(4, 0, 0.475), row(2, 1, 0.47), row(4, 1, 0.3, ended=False), row(2, 2, 0.4)]
    curve = trained_curve(rows, "6-3-6", "a", (2, 4))
    assert curve is not None
    assert curve["seeds"] == [0]
    assert curve["greatest_fall"] == pytest.approx(0.005)
    assert not curve["never_hurts"]
    assert trained_curve(rows, "6-3-6", "a", (2, 4, 8)) is None
    assert trained_curve(rows, "12-5-6", "a", (2, 4)) is None
    level = trained_curve([row(2, 0, 0.48), row(4, 0, 0.4785)], "6-3-6", "a", (2, 4))
    assert level is not None
    assert level["never_hurts"]


def test_spread_is_over_the_seeds_that_got_there():
    line = spread([[(0, 0.2), (1, 0.4)], [(0, 0.4)]])
    assert line.x == (0, 1)
    assert line.middle == pytest.approx((0.3, 0.4))
    assert (line.low, line.high) == ((0.2, 0.4), (0.4, 0.4))


def test_conclusions_follow_the_numbers():
    def lines(score: float, top: float | None = None):
        model = {} if top is None else {"top_move": top, "by_depth": [{"top_move": 1.0}, {"top_move": top}]}
        start = {} if top is None else {"top_move": 0.1}
        first = {"round": 0, "vs_optimal": 0.1, **start}
        unfinished = [first, {**first, "round": 1}]  # another seed, not to be judged yet
        return [[first, {"round": 2, "vs_optimal": score, **model}], unfinished]

    found = conclusions(
        {
            "12-5-6": {"ndmz": lines(0.45, 0.95), "alphazero": lines(0.46), "td-lambda": lines(0.40)},
            "6-3-6": {"ndmz": lines(0.45, 0.5), "alphazero": lines(0.49)},
        }
    )
    verdicts = {(claim["board"], claim["claim"].split(" (")[0]): claim["holds"] for claim in found}
    assert verdicts == {
        ("12-5-6", "NDMZ nears AlphaZero"): True,
        ("12-5-6", "both beat TD(lambda) clearly"): True,
        ("12-5-6", "dynamics accuracy rises with training"): True,
        ("12-5-6", "and stays high several moves deep"): True,
        ("6-3-6", "NDMZ nears AlphaZero"): False,
        ("6-3-6", "dynamics accuracy rises with training"): True,
        ("6-3-6", "and stays high several moves deep"): False,
    }
