"""The Gumbel paper's sweep on other games, in miniature: rated, measured, and taken up where it stopped."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dicezero.cli import main
from dicezero.experiments.gumbel import rated
from dicezero.experiments.gumbel.judges import (
    AloneJudge,
    MatchJudge,
    Opponent,
    PointsJudge,
    alone_judge,
    match_judge,
)
from dicezero.experiments.gumbel.ledger import filled, known_rows
from dicezero.experiments.gumbel.methods import Method
from dicezero.experiments.gumbel.rated import elo_of
from dicezero.experiments.gumbel.reproduce import PARTS, reproduce_gumbel
from dicezero.experiments.gumbel.request import Request
from dicezero.experiments.gumbel.studies import BACKGAMMON, GARDNER, GO, MINATAR, STUDIES
from dicezero.experiments.gumbel.study import Rated
from dicezero.experiments.gumbel.sweep import learn
from dicezero.experiments.ndmz import Scale
from dicezero.model.board import BoardConfig
from dicezero.presets.fits import fits
from dicezero.presets.fitting import fitted, network_of, planner_of
from dicezero.presets.suited import preset_for
from dicezero.rules import load_game
from dicezero.rules.spec import spec_of
from dicezero.runs.loading import first_weights

SMALL_GO = "go(board_size=3)"
SCALE = Scale(0.01, rounds=1, games=4)


def small(method: Method) -> Method:
    board = BoardConfig(channels=4, blocks=1, bottleneck=0, mixing="none")
    sizes = {"games": 4, "buffer_games": 8, "batch": 8, "steps": 2, "board": board}
    return replace(method, preset=replace(method.preset, **sizes))


@pytest.fixture
def study():
    return replace(
        GO,
        methods=tuple(small(method) for method in GO.methods[:2]),
        others=(),
        judge=match_judge(SMALL_GO, simulations=2, games=4, opponents=(Opponent("nobody", "gnu_goes"),)),
        rated=Rated(games=4, opening=1, simulations=2),
    )


def test_every_study_fits_its_game():
    games = {"go": "go(board_size=9)", "gardner": "gardner_chess", "backgammon": "backgammon"}
    for study in (GO, GARDNER, BACKGAMMON):
        spec = spec_of(load_game(games[study.name]))
        for method in (*study.methods, *study.others):
            preset = method.at(16, Scale())
            assert fits(preset, spec) is None, (study.name, method.name)
            assert preset.search.simulations == 16
        first, second = (fitted(method.at(2, Scale()), spec) for method in study.methods[:2])
        # What tells the methods of a family apart is their search alone.
        assert replace(first, search=second.search, play=second.play) == second
        assert (first.search.root, second.search.root) == ("puct", "gumbel")
    trained = preset_for("gumbel-alphazero", spec_of(load_game("backgammon")))
    assert BACKGAMMON.others[0].preset == replace(trained, rounds=40, measure_every=0, play=trained.search)
    assert (
        trained.value_lambda > 0.9 > preset_for("gumbel-alphazero", spec_of(load_game("nannon"))).value_lambda
    )
    assert GO.simulations == (2, 4, 8, 16, 32, 50, 200)
    assert GARDNER.simulations == (2, 16, 50)


def test_minatar_is_learned_by_the_presets_of_small_planes():
    pytest.importorskip("minatar")
    judge = MINATAR.judge(Path(), Scale())
    spec = spec_of(judge.game)
    for method in MINATAR.methods:
        preset = method.at(2, Scale())
        assert fits(preset, spec) is None
        assert (preset.epsilon, preset.reuse, preset.games, preset.max_moves) == (0.05, 8.0, 32, 1_000)
    assert [method.preset.explore_moves for method in MINATAR.methods] == [1_000_000, 4]


def test_elo_is_counted_from_the_first_weights():
    played = [
        {"first": "first-alphazero-0", "second": "a", "games": 100, "score": 0.1},
        {"first": "first-alphazero-0", "second": "b", "games": 100, "score": 0.5},
        {"first": "a", "second": "b", "games": 100, "score": 0.9},
    ]
    found = elo_of(["first-alphazero-0", "a", "b"], played)
    assert found["first-alphazero-0"].elo == pytest.approx(0.0)
    assert found["b"].elo == pytest.approx(0.0, abs=1e-6)
    assert found["a"].elo == pytest.approx(381.7, abs=15.0)  # odds of nine to one, less a virtual draw


def test_a_tournament_goes_on_where_it_stopped(tmp_path, monkeypatch, study):
    request = Request(tmp_path, (), (2,), (0,), SCALE)
    match, calls = rated.play_match, []

    def dies(*args, **kwargs):
        calls.append(kwargs["seed"])
        if len(calls) == 3:
            raise KeyboardInterrupt
        return match(*args, **kwargs)

    monkeypatch.setattr(rated, "play_match", dies)
    with pytest.raises(KeyboardInterrupt):
        learn(request, study)
    part = json.loads((tmp_path / "go.json").read_text(encoding="utf-8"))
    assert part["runs_ended"] == 2
    assert all("elo" not in row["lines"][-1] for row in part["rows"])  # half a tournament rates nobody
    found = learn(request, study)
    assert len(calls) == 7  # of two runs and what each began with; the third pairing is played again
    assert len(set(calls)) == 6
    assert found["runs_ended"] == found["runs_wanted"] == 2
    data = json.loads((tmp_path / "go.json").read_text(encoding="utf-8"))
    for row in data["rows"]:
        low, high = row["lines"][-1]["elo_ci95"]
        assert low < row["lines"][-1]["elo"] < high
    heads = [row["lines"][0]["elo"] for row in data["rows"]]
    assert sum(heads) == pytest.approx(0.0, abs=1e-6)
    assert heads[0] != heads[1]  # the same weights, each with the search of its method
    assert data["opponent"] is None
    assert data["pairings"] == {"games": 4, "opening": 1, "simulations": 2}
    assert (tmp_path / "go.png").stat().st_size > 10_000
    assert learn(request, study)["ends"] == found["ends"]
    assert len(calls) == 7


def test_a_tournament_is_played_again_where_a_run_was_trained_anew(tmp_path, monkeypatch, study):
    request = Request(tmp_path, ("gumbel-alphazero",), (2,), (0,), SCALE)
    learn(request, study)
    monkeypatch.setattr(rated, "_weights", lambda *_: "others")
    calls = []
    match = rated.play_match
    monkeypatch.setattr(rated, "play_match", lambda *a, **k: calls.append(1) or match(*a, **k))
    learn(request, study)
    assert len(calls) == 1


def test_an_opponent_that_is_not_installed_makes_room():
    judge = MatchJudge(SMALL_GO, 2, 4, (Opponent("a program", 'gtp(command="no_such_program")'),))
    assert judge.playing is None
    assert [shown.key for shown in judge.shown] == ["elo"]
    judge = MatchJudge(
        SMALL_GO, 2, 4, (Opponent("a", 'gtp(command="no_such_program")'), Opponent("chance", "random"))
    )
    assert judge.playing is not None
    assert judge.playing[0] == "chance"
    fallback = PointsJudge("backgammon", 2, 2, (Opponent("a", "nobody_at_all"),))
    assert fallback.playing[0] == "the shipped agent"


def test_points_are_those_of_the_match_without_the_luck():
    judge = PointsJudge("backgammon", 1, 4, (Opponent("chance", "random"),))
    preset = BACKGAMMON.methods[1].at(2, Scale())
    spec = spec_of(judge.game)
    planner = planner_of(preset, spec, first_weights(network_of(preset, spec), seed=0))
    found = judge.measure(preset, planner, last=False)
    low, high = found["points_ci95"]
    assert low <= found["points"] <= high
    assert found["points"] != found["points_with_luck"]
    assert judge.criterion.error_of(found) > 0.0


def test_returns_are_measured_alone():
    pytest.importorskip("minatar")
    judge = alone_judge("gymnasium(id=MinAtar/Breakout-v1)", simulations=1, episodes=50)(Path(), SCALE)
    assert isinstance(judge, AloneJudge)
    preset = MINATAR.methods[1].at(2, Scale())
    spec = spec_of(judge.game)
    planner = planner_of(preset, spec, first_weights(network_of(preset, spec), seed=0))
    found = judge.measure(preset, planner, last=False)
    assert found["games_played"] == 4
    assert found["mean_return"] >= 0.0
    assert f"{found['mean_return']:.2f}" in judge.summary(found)


def test_a_ledger_makes_what_is_missing_and_keeps_the_rest(tmp_path):
    path, made = tmp_path / "rows.json", []

    def make(address):
        made.append(address["n"])
        if address["n"] == 3:
            raise KeyboardInterrupt
        return {"square": address["n"] ** 2, "seconds": 1.0}

    wanted = [{"n": n} for n in (1, 2, 3)]
    with pytest.raises(KeyboardInterrupt):
        filled(path, wanted, make, seeds=[0])
    assert [row["square"] for row in known_rows(path, wanted)] == [1, 4]
    assert [row["square"] for row in filled(path, wanted[1:2], make, seeds=[0])] == [4]
    assert made == [1, 2, 3]
    filled(path, [{"n": 5}], make, seeds=[0])
    assert [row["square"] for row in known_rows(path, [{"n": 5}, *wanted])] == [25, 1, 4]
    assert json.loads(path.read_text(encoding="utf-8"))["hours"] == pytest.approx(3 / 3600)


def test_an_unknown_part_says_what_was_meant(tmp_path, capsys):
    assert main(["reproduce", "gumbel", "--parts", "gardener", "--out", str(tmp_path / "x")]) == 2
    said = capsys.readouterr().err
    assert "parts: unknown 'gardener'" in said
    assert "did you mean gardner?" in said
    assert not (tmp_path / "x").exists()
    assert {"go", "gardner", "minatar", "backgammon", "blocks"} <= PARTS.keys()
    assert PARTS.keys() > STUDIES.keys()


def test_a_method_that_a_part_has_not_is_refused_before_anything_is_written(tmp_path):
    request = Request(tmp_path / "x", ("alphazero",), (2,), (0,), SCALE)
    with pytest.raises(ValueError, match="algorithms: minatar has no alphazero; give muzero"):
        reproduce_gumbel(request, ("minatar",))
    assert not (tmp_path / "x").exists()
    assert [method.name for method in GO.chosen(("muzero",))] == ["muzero"]
    assert np.all([method.name in ("alphazero", "gumbel-alphazero") for method in BACKGAMMON.chosen(())])
