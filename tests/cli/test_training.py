"""``dicezero train`` and ``dicezero evaluate``, and the agent that plays a run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from dicezero.agents import AgentError, make_agent
from dicezero.rules import load_game
from dicezero.solve import solve

NAME = "nannon(points=4,checkers=2,sides=4)"
TINY = ("games=5", "batch=8", "steps=2", "simulations=4", "hidden=8", "widths=8,8", "unroll=2")
SETTINGS = [word for setting in TINY for word in ("--set", setting)]


def training(folder, *, rounds=1, preset="gumbel-ndmz"):
    out = ("--out", str(folder), "--rounds", str(rounds), "--seed", "3")
    return ("train", preset, "--game", NAME, *out, *SETTINGS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from dicezero.cli import main

    made = tmp_path_factory.mktemp("cli") / "run"
    assert main([*training(made, rounds=2), "--json"]) == 0
    return made


def test_a_line_a_round_and_one_json_object(run, tmp_path):
    done = run(*training(tmp_path / "run", rounds=2), "--json")
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert [line["round"] for line in lines] == [1, 2]
    assert done.data == {"out": str(tmp_path / "run"), **lines[-1]}
    assert 0.0 < lines[-1]["vs_optimal"] < 0.5


def test_resume_needs_no_settings_again(run, tmp_path):
    assert run(*training(tmp_path / "run")).code == 0
    again = (
        "train",
        "gumbel-ndmz",
        "--game",
        NAME,
        "--out",
        str(tmp_path / "run"),
        "--seed",
        "3",
        "--resume",
    )
    assert run(*again, "--rounds", "2", "--json").data["round"] == 2


def test_evaluate_agrees_with_the_agent_asked_one_by_one(run, folder):
    """The exact score of a batch is that of the agent the command line makes, decision by decision."""
    found = run("evaluate", str(folder), "--exact", "--simulations", "0", "--json").data
    game = load_game(NAME)
    solution = solve(game)
    agent = make_agent(f"run(path={folder},simulations=0)", game)
    policy = [
        agent.search(solution.positions.state(i), seed=0).action for i in range(len(solution.positions))
    ]

    import numpy as np

    from dicezero.solve import optimal, uniform

    actions = np.array(policy)
    assert found["vs_optimal"] == pytest.approx(solution.evaluate(actions, optimal(solution)).score)
    assert found["vs_random"] == pytest.approx(solution.evaluate(actions, uniform(solution.positions)).score)
    assert found["regret"] == pytest.approx(solution.regret(actions).mean)
    assert found["exploitability"] == pytest.approx(solution.best_response(actions).exploitability)
    assert found["round"] == 2


def test_a_run_plays_matches_and_shows_its_visits(run, folder):
    spec = f"run(path={folder},simulations=12)"
    done = run("match", spec, "random", "--game", NAME, "--games", "10", "--json")
    assert done.data["games"] == 10
    found = run("search", spec, "--game", NAME, "--moves", "2", "--json").data
    assert sum(found["visits"].values()) <= 12
    assert -1.5 < found["value"] < 1.5
    sampled = run("evaluate", str(folder), "--games", "6", "--json").data
    assert sampled["games"] == 6
    assert 0.0 <= sampled["vs_random"] <= 1.0


def test_mistakes_are_one_line(refused, folder, tmp_path):
    assert "did you mean gumbel-ndmz" in refused("train", "gumbel-ndm", "--out", str(tmp_path / "x"))
    assert "--out is missing" in refused("train", "ndmz", "--game", NAME)
    assert "not key=value" in refused("train", "--out", str(tmp_path / "x"), "--set", "games")
    assert "unknown setting 'gamez'" in refused("train", "--out", str(tmp_path / "x"), "--set", "gamez=3")
    assert "give --resume" in refused(*training(folder))
    assert "another seed" in refused("train", "gumbel-ndmz", "--game", NAME, "--out", str(folder), "--resume")
    assert "is no run" in refused("evaluate", str(tmp_path))
    assert not (tmp_path / "x").exists()
    with pytest.raises(AgentError, match="has learned"):
        make_agent(f"run(path={folder})", load_game("nannon"))


def test_a_flipped_bit_is_refused(refused, run, tmp_path):
    assert run(*training(tmp_path / "run")).code == 0
    weights = next((tmp_path / "run").glob("weights-*"))
    data = bytearray(weights.read_bytes())
    data[-5] ^= 16
    weights.write_bytes(bytes(data))
    assert "SHA-256" in refused("evaluate", str(tmp_path / "run"), "--exact")


def test_ctrl_c_leaves_the_last_round(run, tmp_path):
    words = training(tmp_path / "run", rounds=100_000)
    code = "import sys; from dicezero.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], stderr=subprocess.PIPE, env=dict(os.environ)
    )
    begun = time.monotonic()
    while not (tmp_path / "run" / "report.html").exists() and time.monotonic() - begun < 240:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=240)
    assert process.returncode == 130
    assert b"interrupted; round " in err
    assert b"--resume" in err
    assert run("evaluate", str(tmp_path / "run"), "--exact", "--json").data["round"] >= 1
