"""The parts of the Gumbel paper that train, in miniature: run, measured, judged and taken up again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("bitbully")

from dicezero.experiments.figure import Panel, draw, spread
from dicezero.experiments.gumbel import evaluation, sweep
from dicezero.experiments.gumbel.ablations import ABLATIONS
from dicezero.experiments.gumbel.connect_four import Judge
from dicezero.experiments.gumbel.evaluation import judge_evaluation
from dicezero.experiments.gumbel.learning_claims import Comparison, Criterion, judge_runs
from dicezero.experiments.gumbel.methods import BASE, METHODS, Method, get_method
from dicezero.experiments.gumbel.request import Request
from dicezero.experiments.gumbel.speed import GAMES, PAPER, judge_speed
from dicezero.experiments.gumbel.studies import CONNECT_FOUR
from dicezero.experiments.gumbel.study import Job, jobs_of
from dicezero.experiments.gumbel.sweep import learn, rows_of, run_jobs
from dicezero.experiments.gumbel.sweep_figures import _in_rows, equal_minutes
from dicezero.experiments.ndmz import Scale
from dicezero.experiments.perfect import ILLEGAL, PerfectPlay, asked, make_asked, state_after
from dicezero.presets.fits import fits
from dicezero.presets.fitting import network_of, planner_of
from dicezero.rules import load_game
from dicezero.rules.spec import spec_of
from dicezero.runs.loading import first_weights

GAME = load_game("connect_four")
SCALE = Scale(0.01, rounds=2)


@pytest.fixture(scope="module")
def small():
    return make_asked(positions=25, openings=2)


@pytest.fixture
def tiny(monkeypatch, small):
    """Every method at a size of seconds, asked about few positions."""

    def judge(*_: object) -> Judge:
        return Judge(small, simulations=4)

    monkeypatch.setattr(evaluation, "judge_of", judge)
    tiny_sweep = replace(CONNECT_FOUR, judge=judge)
    tiny_loss = replace(ABLATIONS["loss"], judge=judge)

    def at(self: Method, simulations: int, scale: Scale):
        preset = original(self, simulations, scale)
        return replace(preset, games=6, buffer_games=12, batch=16, steps=3, widths=(8, 8), hidden=8, unroll=2)

    original = Method.at
    monkeypatch.setattr(Method, "at", at)
    return {"sweep": tiny_sweep, "loss": tiny_loss}


def test_the_solver_knows_connect_four():
    perfect = PerfectPlay()
    assert perfect.scores([]).tolist() == [-2, -1, 0, 1, 0, -1, -2]  # the middle wins, its neighbours draw
    full = perfect.scores([0, 0, 0, 0, 0, 0])
    assert full[0] == ILLEGAL
    assert perfect.actions([GAME.new_initial_state()], [5]) == [3]
    three = state_after(GAME, [0, 1, 0, 1, 0, 1])
    assert perfect.actions([three], [0]) == [0]  # four in a column
    assert perfect.scores([0, 1, 0, 1, 0, 1]) is perfect.scores([0, 1, 0, 1, 0, 1])


def test_positions_are_those_where_a_move_can_change_the_outcome(small, tmp_path):
    assert len(small.moves) == len(set(small.moves)) == 25
    for row, moves in zip(small.scores, small.moves, strict=True):
        legal = np.flatnonzero(row != ILLEGAL).tolist()
        assert legal == list(state_after(GAME, moves).legal_actions())
        assert len({int(np.sign(score)) for score in row[legal]}) > 1
    best = [int(row.argmax()) for row in small.scores]
    assert small.keeps(best).all()
    worst = [int(np.where(row == ILLEGAL, 127, row).argmin()) for row in small.scores]
    assert not small.keeps(worst).any()
    assert 0.0 < small.by_chance < 1.0
    path = tmp_path / "positions.json"
    first = asked(path, positions=6, games=4)
    written = path.read_bytes()
    again = asked(path, positions=6, games=4)
    assert (again.moves, again.openings) == (first.moves, first.openings)
    assert (again.scores == first.scores).all()
    assert path.read_bytes() == written
    for bad in ("[]", '{"moves": ["9"], "scores": [[0,0,0,0,0,0,0]], "openings": []}', "{"):
        path.write_text(bad)
        with pytest.raises(ValueError, match=r"positions\.json is no list of positions"):
            asked(path, positions=6, games=4)


def test_perfect_play_scores_half_against_itself_and_a_new_network_less(small):
    judge = Judge(small, simulations=4)
    preset = BASE.preset
    spec = spec_of(GAME)
    planner = planner_of(preset, spec, first_weights(network_of(preset, spec), seed=0))
    found = judge.measure(preset, planner, last=True)
    assert 0.0 <= found["network_agreement"] < 1.0
    assert found["games_played"] == 4
    assert found["score"] <= 0.5
    assert judge.measure(preset, planner, last=False).keys() == {
        "network_agreement",
        "agreement",
        "seconds_evaluating",
    }


def test_every_method_and_every_variant_is_a_preset_that_fits():
    spec = spec_of(GAME)
    variants = [method for study in ABLATIONS.values() for method in study.methods]
    for method in (*METHODS.values(), *variants):
        preset = method.at(16, Scale())
        assert fits(preset, spec) is None, method.name
        assert preset.search.simulations == 16
        assert preset.rounds == 200
        assert method.at(16, Scale(0.1)).rounds == 20
    at = {method.name: method.at(4, Scale()) for method in variants}
    assert at["replacement"].search.root == at["replacement"].play.root == "gumbel_with_replacement"
    assert at["simple-loss"].policy_loss == "simple"
    assert at["raw-value"].search.completed_q == "raw"
    assert at["sampled-interior"].search.interior == "improved_sampled"
    assert at["m-2"].search.max_considered_actions == 2
    assert at["no-exploration"].explore_moves == 0
    assert at["c-scale-0.01"].search.c_scale == 0.01
    # What tells the methods of a family apart is their search alone.
    plain = replace(METHODS["alphazero"].preset, search=BASE.preset.search, play=BASE.preset.play)
    assert replace(plain, name=BASE.preset.name) == BASE.preset
    names = [method.name for method in variants]
    claimed = {c.first for a in ABLATIONS.values() for c in a.comparisons}
    claimed |= {c.second for a in ABLATIONS.values() for c in a.comparisons}
    assert claimed <= set(names)
    with pytest.raises(ValueError, match="algorithms: unknown"):
        get_method("gumbel-alphazer")


def test_a_sweep_goes_on_where_it_stopped_and_then_has_nothing_to_do(tmp_path, monkeypatch, small, tiny):
    request = Request(tmp_path, ("alphazero", "gumbel-muzero"), (2,), (0,), SCALE)
    calls = []
    measure = Judge.measure

    def dies(self, preset, planner, *, last):
        calls.append(preset.name)
        if len(calls) == 5:  # the second run, after its first round
            raise KeyboardInterrupt
        return measure(self, preset, planner, last=last)

    monkeypatch.setattr(Judge, "measure", dies)
    with pytest.raises(KeyboardInterrupt):
        learn(request, tiny["sweep"])
    part = json.loads((tmp_path / "sweep.json").read_text(encoding="utf-8"))
    assert (part["runs_ended"], part["runs_wanted"]) == (1, 2)
    monkeypatch.setattr(Judge, "measure", measure)
    done = learn(request, tiny["sweep"])
    assert done["runs_ended"] == done["runs_wanted"] == 2
    data = json.loads((tmp_path / "sweep.json").read_text(encoding="utf-8"))
    assert {"command", "versions", "machine", "hours", "verdicts", "positions"} <= data.keys()
    for row in data["rows"]:
        assert [line["round"] for line in row["lines"]] == [0, 1, 2]
        assert [line["games"] for line in row["lines"]] == [0, 6, 12]
        assert row["lines"][-1]["score"] <= 0.5
    assert (tmp_path / "sweep.png").stat().st_size > 10_000
    assert (tmp_path / "sweep-curves.png").stat().st_size > 10_000
    whole = tmp_path / "whole"
    jobs = jobs_of([get_method("gumbel-muzero")], (2,), (0,))
    run_jobs(whole, jobs, SCALE, Judge(small, simulations=4), None)
    mine = [row for row in data["rows"] if row["method"] == "gumbel-muzero"]
    assert [line["agreement"] for line in rows_of(whole, jobs, SCALE)[0]["lines"]] == [
        line["agreement"] for line in mine[0]["lines"]
    ]
    monkeypatch.setattr(sweep, "train_measured", lambda *_, **__: pytest.fail("nothing is left to do"))
    assert learn(request, tiny["sweep"])["ends"] == done["ends"]


def test_an_ablation_and_the_evaluation_share_runs_with_the_sweep(tmp_path, tiny):
    said: list[str] = []
    request = Request(tmp_path, (), (2,), (0,), SCALE, said.append)
    result = learn(request, tiny["loss"])
    assert {end["method"] for end in result["ends"]} == {BASE.name, "simple-loss", "raw-value"}
    assert (tmp_path / "loss.png").stat().st_size > 10_000
    trained = len(said)
    found = evaluation.evaluation(request)
    assert [claim["where"] for claim in found["verdicts"]] == ["figure 9"]
    assert not any("round" in line for line in said[trained:])  # the run was there
    assert sum("played with" in line for line in said) == 7
    assert evaluation.evaluation(request) == found
    assert sum("played with" in line for line in said) == 7  # every number was there


def line(agreement: float, seconds: float = 1.0, round_number: int = 1):
    return {"round": round_number, "cpu_seconds": seconds, "network_agreement": agreement}


def row(method: str, n: int, seed: int, before: float, after: float, *, ended: bool = True, seconds=10.0):
    lines = [line(before, 0.0, 0), line(after, seconds)]
    return {"method": method, "simulations": n, "seed": seed, "ended": ended, "lines": lines}


def test_claims_are_decided_by_intervals():
    comparison = Comparison("x", "figure 2", "says", "better", "a", "b", (2, 4))
    by = Criterion("network_agreement", "Agreement", learned=0.05, margin=0.03, error=(0.25 / 600) ** 0.5)

    def ruling(gaps: list[float], kind: str = "better", n: int = 2, ended: bool = True) -> str | None:
        rows = [row("a", n, seed, 0.4, 0.5 + gap, ended=ended) for seed, gap in enumerate(gaps)]
        rows += [row("b", n, seed, 0.4, 0.5) for seed in range(len(gaps))]
        found = judge_runs([replace(comparison, kind=kind)], rows, by)
        return found[0]["verdict"] if found else None

    assert ruling([0.1, 0.11, 0.12]) == "confirmed"
    assert ruling([-0.1, -0.11, -0.12]) == "refuted"
    assert ruling([0.1, -0.1, 0.05]) == "not decidable"
    assert ruling([0.1]) == "confirmed"
    assert ruling([0.03]) == "not decidable"
    assert ruling([0.0, 0.01, -0.01], "not worse") == "confirmed"
    assert ruling([-0.1, -0.11, -0.12], "not worse") == "refuted"
    assert ruling([0.1, 0.11, 0.1], "learns") == "confirmed"
    assert ruling([-0.1, -0.11, -0.1], "learns") == "refuted"
    assert ruling([-0.1, -0.11, -0.1], "fails to learn") == "confirmed"
    assert ruling([0.1], n=8) is None
    assert ruling([0.1], ended=False) is None
    assert "more than 0.05 over" in replace(comparison, kind="learns").claim(by).criterion


def test_an_interval_of_the_measurement_decides_where_there_are_few_seeds():
    comparison = Comparison("x", "figure 2", "says", "better", "a", "b", (2,))
    by = Criterion("elo", "Elo", learned=200.0, margin=50.0)

    def ruling(gap: float, half: float) -> str:
        rows = [row("a", 2, 0, 0.0, 0.0), row("b", 2, 0, 0.0, 0.0)]
        for found, elo in zip(rows, (gap, 0.0), strict=True):
            found["lines"][-1] |= {"elo": elo, "elo_ci95": [elo - half, elo + half]}
        return judge_runs([comparison], rows, by)[0]["verdict"]

    assert ruling(100.0, 60.0) == "confirmed"  # 60 * sqrt(2) is 85
    assert ruling(100.0, 80.0) == "not decidable"  # 113
    assert ruling(-100.0, 60.0) == "refuted"
    unmeasured = [row("a", 2, 0, 0.0, 0.0), row("b", 2, 0, 0.0, 0.0)]
    assert judge_runs([comparison], unmeasured, by) == []


def test_equal_minutes_cut_at_the_shortest_run():
    short, long = row("a", 2, 0, 0.4, 0.5, seconds=6.0), row("b", 2, 0, 0.4, 0.6, seconds=12.0)
    minutes, cut = equal_minutes([short, long, row("c", 2, 0, 0.4, 0.9, seconds=1.0, ended=False)])
    assert minutes == pytest.approx(0.1)
    assert [len(found["lines"]) for found in cut] == [2, 1]
    assert equal_minutes([]) == (0.0, [])


def test_jobs_come_seed_by_seed_and_live_apart():
    jobs = jobs_of([BASE, METHODS["muzero"]], (16, 2), (0, 1))
    assert [(job.seed, job.simulations) for job in jobs[:3]] == [(0, 2), (0, 2), (0, 16)]
    assert len({job.folder(Path("x")) for job in jobs}) == len(jobs) == 8
    assert Job(BASE, 2, 1).title == "gumbel-alphazero n=2 seed 1"


def test_more_thinking_and_noise_are_judged():
    def rows(scores: list[float], noisy: float):
        return [
            {
                "trained": 2,
                "seed": 0,
                "simulations": n,
                "agreement": score,
                "agreement_with_noise": noisy if n == 100 else None,
            }
            for n, score in zip((0, 16, 100), scores, strict=True)
        ]

    assert [c["verdict"] for c in judge_evaluation(rows([0.5, 0.6, 0.7], 0.69))] == ["confirmed"] * 2
    assert [c["verdict"] for c in judge_evaluation(rows([0.5, 0.7, 0.6], 0.4))] == ["refuted"] * 2


def test_table_1_is_judged_by_the_papers_own_numbers():
    def rows(factor: float):
        go = next(iter(GAMES))
        return [
            {"game": go, "method": m, "simulations": n, "speedup": s if s == 1.0 else factor * s}
            for (m, n), s in PAPER.items()
        ]

    assert judge_speed(rows(1.1))["verdict"] == "confirmed"
    assert judge_speed(rows(0.9))["verdict"] == "refuted"


def test_curves_of_many_numbers_stand_in_rows_that_can_be_read(tmp_path):
    line = {"a": spread([[(0.0, 1.0), (1.0, 2.0)]])}
    panels = [Panel(f"{half} {n}", "x", "y", line) for half in ("games", "time") for n in range(7)]
    across, placed = _in_rows(panels)
    titles = [panel.title if panel else "" for panel in placed]
    assert across == 4
    assert titles[:5] == ["games 0", "games 1", "games 2", "games 3", "time 0"]
    assert titles[8:] == ["games 4", "games 5", "games 6", "", "time 4", "time 5", "time 6", ""]
    assert _in_rows(panels[:4])[0] == 2
    assert draw(tmp_path / "curves.png", placed, columns=across, same_y=True)
