"""``dicezero evaluate``, ``match --sprt`` and ``reproduce``: what they print, and what they refuse."""

from __future__ import annotations

import json

import pytest

from dicezero.cli import main

NAME = "nannon(points=4,checkers=2,sides=4)"
TINY = ("games=5", "batch=8", "steps=2", "simulations=4", "hidden=8", "widths=8,8", "unroll=2")
SETTINGS = [word for setting in TINY for word in ("--set", setting)]


def trained(folder, preset: str, game: str = NAME):
    words = ["train", preset, "--game", game, "--out", str(folder), "--rounds", "1", *SETTINGS, "--json"]
    assert main(words) == 0
    return str(folder)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("measuring") / "model", "gumbel-ndmz")


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("measuring") / "rules", "gumbel-alphazero")


def test_exact_measures_search_and_network_and_draws(run, model, tmp_path):
    words = ("evaluate", model, "--exact", "--simulations", "3", "--mistakes", "4")
    data = run(*words, "--draw", str(tmp_path / "m.html"), "--json").data
    assert (data["policy"], data["simulations"]) == ("search", 3)
    for found in (data, data["network"]):
        assert 0.0 < found["vs_optimal"] < 0.5
        assert sum(found["vs_optimal_seats"]) / 2 == pytest.approx(found["vs_optimal"])
        assert (
            found["exploitability"] >= 0.5 - found["vs_optimal"] - 1e-9
        )  # the best reply beats perfect play
        assert 0.0 <= found["agreement"] <= 1.0
    assert data["network"]["vs_optimal"] != data["vs_optimal"]
    assert len(data["mistakes"]) == 4
    assert (tmp_path / "m.html").read_text(encoding="utf-8").count("<figure>") == 4
    text = run(*words).out
    assert "vs perfect play" in text
    assert "costliest mistakes" in text
    assert "mistakes" not in run("evaluate", model, "--exact", "--simulations", "3", "--mistakes", "0").out


def test_a_sample_of_decisions_has_an_interval_and_a_source(run, model):
    data = run("evaluate", model, "--exact", "--sample", "60", "--json").data
    sample = data["sample"]
    assert (data["policy"], sample["decisions"]) == ("network", 60)
    assert sample["regret_ci95"][0] <= sample["regret"] <= sample["regret_ci95"][1]
    assert "network alone against perfect play" in sample["drawn_by"]


def test_a_sample_as_large_as_the_game_is_the_game(run, model):
    data = run("evaluate", model, "--exact", "--sample", "14040", "--json").data
    assert data == run("evaluate", model, "--exact", "--json").data
    assert data["policy"] == "search"
    assert "sample" not in data


def test_games_against_anyone_with_luck_taken_out(run, model):
    words = ("evaluate", model, "--games", "30", "--opponent", "optimal")
    data = run(*words, "--json").data
    assert data["vs_optimal"] == data["score"]
    assert data["adjusted_ci95"][0] <= data["adjusted_score"] <= data["adjusted_ci95"][1]
    assert data["variance_ratio"] > 1.0
    assert data == run(*words, "--json").data
    assert "vs_random" in run("evaluate", model, "--games", "4", "--json").data


def test_dynamics_by_depth(run, model, rules, refused):
    data = run("evaluate", model, "--dynamics", "--games", "10", "--depth", "3", "--json").data
    assert [row["depth"] for row in data["dynamics"]["by_depth"]] == [0, 1, 2, 3]
    assert 0.0 <= data["top_move"] <= 1.0
    assert 0.0 <= data["uniform"] <= 1.0
    who = data["dynamics"]["next_to_act"]
    assert list(who) == list(who["chance"]) == ["mover", "other", "chance", "end"]
    after_the_root = sum(row["positions"] for row in data["dynamics"]["by_depth"][1:])
    assert sum(sum(row.values()) for row in who.values()) == after_the_root
    assert "who acts next" in run("evaluate", model, "--dynamics", "--games", "2").out
    assert "needs a run that learns a model" in refused("evaluate", rules, "--dynamics")


def test_mistakes_of_the_user_are_named(refused, model, tmp_path):
    assert "--sample 1" in refused("evaluate", model, "--exact", "--sample", "1")
    assert "give --exact too" in refused("evaluate", model, "--draw", "m.svg")
    assert "must end in .svg or .html" in refused("evaluate", model, "--exact", "--draw", "m.png")
    assert "unknown experiment" in refused("reproduce", "chess", "--out", str(tmp_path))
    assert "8-4-6" in refused("reproduce", "ndmz", "--board", "8-4-6", "--out", str(tmp_path))
    assert "whole numbers" in refused("reproduce", "ndmz", "--seeds", "a,b", "--out", str(tmp_path))
    out = ("--out", str(tmp_path), "--runs", model)
    assert "neither board of the paper" in refused("reproduce", "gumbel-ndmz", *out)
    assert "belong to the experiment gumbel-ndmz" in refused("reproduce", "ndmz", *out)


def test_mistakes_in_asking_for_the_gumbel_paper_are_named_and_nothing_is_written(refused, tmp_path):
    out = ("--out", str(tmp_path / "new"))
    assert "unknown 'speeed'; did you mean speed?" in refused(
        "reproduce", "gumbel", "--parts", "speeed", *out
    )
    assert "did you mean alphazero" in refused("reproduce", "gumbel", "--algorithms", "alphazer", *out)
    assert "do not belong" in refused("reproduce", "gumbel", "--board", "6-3-6", *out)
    assert "simulations=0" in refused("reproduce", "gumbel", "--simulations", "0", *out)
    assert "--parts belongs" in refused("reproduce", "ndmz", "--parts", "speed", *out)
    assert not (tmp_path / "new").exists()


def test_the_bandits_of_the_gumbel_paper_are_judged_and_drawn_once(run, tmp_path):
    words = ("reproduce", "gumbel", "--parts", "bandits", "--scale", "0.001", "--out", str(tmp_path))
    first = run(*words, "--json").data
    verdicts = {claim["name"]: claim["verdict"] for claim in first["parts"]["bandits"]["verdicts"]}
    assert verdicts["policy improvement"] == verdicts["figure 1"] == "confirmed"
    written = (tmp_path / "bandits.json").read_bytes()
    pytest.importorskip("matplotlib")
    for name in ("figure-1", "bandit-improvement", "bandit-regret", "bandit-targets"):
        assert (tmp_path / f"{name}.png").stat().st_size > 10_000
    assert "section 3.4, figure 1, figure 1: confirmed" in run(*words).out
    assert (tmp_path / "bandits.json").read_bytes() == written


def test_a_sequential_test_ends_a_match(run):
    words = ("match", "optimal", "random", "--game", "nannon", "--sprt", "0,60", "--adjust")
    data = run(*words, "--json").data
    assert data["sprt"] == "H1"
    assert data["games"] < 400
    assert data["adjusted_score"] == pytest.approx(0.694, abs=0.1)
    assert "H1: +60 Elo" in run(*words).out
    assert run("match", "random", "random", "--game", "nannon", "--json").data["games"] == 100


def test_reproduce_trains_measures_and_draws_and_then_has_nothing_to_do(run, tmp_path):
    out = ("--out", str(tmp_path), "--board", "6-3-6", "--scale", "0.01", "--rounds", "1")
    words = ("reproduce", "ndmz", "--algorithms", "alphazero", "--seeds", "0", "--simulations", "2", *out)
    first = run(*words, "--json").data
    scores = first["boards"]["6-3-6"]["algorithms"]["alphazero"]
    assert scores["rounds"] == [1]
    result = json.loads((tmp_path / "ndmz.json").read_text(encoding="utf-8"))
    assert result["seeds"] == [0]
    assert {"command", "hours", "versions", "machine"} <= result.keys()
    assert [line["round"] for line in result["rounds"]["6-3-6"]["alphazero"][0]] == [0, 1]
    assert result["boards"]["6-3-6"]["perfect_vs_random"] == pytest.approx(0.694359, abs=5e-7)
    pytest.importorskip("matplotlib")
    assert (tmp_path / "figure-2a.png").stat().st_size > 10_000
    assert run(*words, "--json").data == first
    made = str(tmp_path / "runs" / "6-3-6-alphazero-0")
    words = ("reproduce", "gumbel-ndmz", "--runs", made, "--simulations", "0,2", "--out", str(tmp_path))
    curves = run(*words, "--variants", "chance=roulette", "chance=low_variance", "--json").data["curves"]
    assert [curve["variant"] for curve in curves] == ["chance=roulette", "chance=low_variance"]
    for curve in curves:
        assert [point["simulations"] for point in curve["points"]] == [0, 2]
        assert curve["points"][0]["vs_optimal"] == pytest.approx(scores["network_vs_optimal"][0], abs=1e-12)
    assert curves[0]["points"][1] != curves[1]["points"][1]
    wrong = run(*words, "--variants", "low_variance")
    assert wrong.code == 2
    assert "must be NAME=VALUE" in wrong.err
    assert (tmp_path / "thinking.png").exists()


def test_each_number_of_simulations_is_trained_and_judged_over_the_seeds(run, tmp_path):
    out = ("--out", str(tmp_path), "--board", "6-3-6", "--scale", "0.01", "--rounds", "2", "--every", "2")
    words = ("reproduce", "gumbel-ndmz", "--algorithms", "gumbel-ndmz", "--simulations", "2,4", *out)
    data = run(*words, "--seeds", "0,1", "--json").data
    scores = {(row["simulations"], row["seed"]): row["vs_optimal"] for row in data["rows"]}
    assert len(set(scores.values())) == 4
    (curve,) = data["trained"]
    assert curve["seeds"] == [0, 1]
    for point in curve["points"]:
        of_seeds = [scores[point["simulations"], seed] for seed in (0, 1)]
        assert point["vs_optimal"] == pytest.approx(sum(of_seeds) / 2, abs=1e-12)
        assert (point["least"], point["greatest"]) == (min(of_seeds), max(of_seeds))
    fall = curve["points"][0]["vs_optimal"] - curve["points"][1]["vs_optimal"]
    assert curve["greatest_fall"] == pytest.approx(max(0.0, fall), abs=1e-12)
    assert curve["never_hurts"] == (fall <= 0.002)
    lines = (tmp_path / "runs" / "6-3-6-gumbel-ndmz-n2-0.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["round"] for line in lines] == [0, 2]  # --every 2
    assert "6-3-6 gumbel-ndmz, seeds 0, 1: 2: " in run(*words, "--seeds", "0,1").out
    assert "every=0" in run(*words[:-1], "0").err


def test_kept_rounds_are_averaged_on_the_command_line(run, refused, tmp_path):
    words = ("train", "gumbel-ndmz", "--game", NAME, "--out", str(tmp_path / "run"), "--keep-every", "1")
    assert run(*words, "--rounds", "2", *SETTINGS).code == 0
    measured = ("evaluate", str(tmp_path / "run"), "--exact", "--simulations", "0", "--json")
    found = [run(*measured, *more).data for more in (("--average", "2"), (), ("--round", "1"))]
    assert [data["round"] for data in found] == [2, 2, 1]
    assert found[0]["average"] == 2
    assert len({data["vs_optimal"] for data in found}) == 3
    assert "too few to average 3" in refused("evaluate", str(tmp_path / "run"), "--average", "3")
    assert "--average 0 must be at least 1" in refused("evaluate", str(tmp_path / "run"), "--average", "0")


def test_analyse_tells_errors_and_luck_of_a_file_apart(run, refused, tmp_path):
    file = tmp_path / "games.jsonl"
    assert run("match", "optimal", "random", "--game", NAME, "--games", "6", "--save", str(file)).code == 0
    data = run("analyse", str(file), "--judge", "optimal", "--worst", "3", "--json").data
    players = {row["name"]: row for row in data["players"]}
    assert players["optimal"]["performance_rating"] == pytest.approx(0.0, abs=1e-9)
    assert players["random"]["error_rate"] == pytest.approx(2.0 * players["random"]["performance_rating"])
    assert players["random"]["error_rate"] > 1.0
    assert [row["player"] for row in data["worst"]] == ["random"] * 3
    for game in data["games"]:
        assert game["result_without_luck"] == pytest.approx(game["result"] - game["luck"])
    shown = run("analyse", str(file), "--judge", "optimal").out
    assert "performance rating" in shown
    assert "without the luck of the dice" in shown
    assert "is no file of games" in refused("analyse", str(tmp_path / "games.txt"))
    assert "cannot be read" in refused("analyse", str(tmp_path / "other.jsonl"))
    assert "does not value" in refused("analyse", str(file), "--judge", "uct(simulations=1)")
    assert "--worst -1 must be at least 0" in refused("analyse", str(file), "--worst", "-1")
