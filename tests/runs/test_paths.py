"""Folders of any name: every agent and command that is given one opens that one."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dicezero.agents import make_agent
from dicezero.cli import evaluate, main
from dicezero.rules import load_game
from dicezero.rules.names import Name

GAME = "nannon(points=4,checkers=2,sides=4)"
# Bytes, as a file system has them: Python's names of files may hold lone surrogates.
NAMES = st.binary(min_size=1, max_size=40).map(lambda raw: raw.replace(b"/", b"").replace(b"\0", b""))


@pytest.fixture
def place(untrained, tmp_path):
    """Makes a run in a folder of a given name; every other folder is gone."""
    made = untrained("gumbel-alphazero", GAME)

    def make(name):
        folder = tmp_path / "runs"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copytree(made, folder / name)
        return folder / name

    return make


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NAMES.filter(lambda raw: raw not in (b"", b".", b"..")))
@example(b"a,simulations=3")
@example(b'"')
@example(b"\\")
@example(b" (a) ")
@example(b"\xff\n\x1b[2J")
def test_a_run_in_a_folder_of_any_name_plays(place, raw):
    folder = place(os.fsdecode(raw))
    agent = make_agent(str(Name("run", {"path": str(folder), "simulations": "0"})), load_game(GAME))
    assert agent.simulations == 0
    assert agent.run.round == 1


def test_evaluate_measures_the_folder_it_is_given(untrained, tmp_path, monkeypatch, capsys):
    """A comma in its name once led to the run before the comma."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(untrained("gumbel-alphazero", GAME), "a")
    shutil.copytree(untrained("td-lambda", GAME), "a,average=1")
    agents = []
    monkeypatch.setattr(
        evaluate, "make_agent", lambda *words: agents.append(make_agent(*words)) or agents[-1]
    )
    assert main(["evaluate", "a,average=1", "--games", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["preset"] == "td-lambda"
    assert [str(agent.run.folder) for agent in agents if hasattr(agent, "run")] == ["a,average=1"]
    spec = 'run(path="a,average=1")'
    assert main(["match", spec, "random", "--game", GAME, "--games", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agents"][0] == spec
