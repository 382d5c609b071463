"""``dicezero runs``: how far each run is, and whether it is sound."""

from __future__ import annotations

import json

import pytest
from tiny import NAME, copy, reseal, run

from dicezero.cli import main
from dicezero.runs.checkpoint import read_metrics
from dicezero.runs.folder import locked


@pytest.fixture
def listed(capsys):
    def call(*folders):
        assert main(["runs", *map(str, folders), "--json"]) == 0
        return {entry["path"]: entry for entry in json.loads(capsys.readouterr().out)["runs"]}

    return call


def test_states_of_runs(whole, tmp_path, listed, monkeypatch):
    copy(whole, tmp_path / "a")
    (tmp_path / "deep").mkdir()
    run(tmp_path / "deep" / "b", rounds=1)
    reseal(tmp_path / "deep" / "b" / "config.json", lambda data: data.update(rounds=3))
    bad = copy(whole, tmp_path / "c")
    shard = bad / "games-00004.npz"
    shard.write_bytes(shard.read_bytes()[:-1])
    broken = copy(whole, tmp_path / "d")
    (broken / "config.json").write_text("{")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "config.json").write_text("{}")  # some other program's

    found = listed(tmp_path)
    states = {path.removeprefix(str(tmp_path)): entry["state"] for path, entry in found.items()}
    assert states == {"/a": "finished", "/c": "damaged", "/d": "damaged", "/deep/b": "stopped"}
    first = found[str(tmp_path / "a")]
    lines = read_metrics(whole, rounds=5)
    assert (first["preset"], first["game"], first["round"], first["target"]) == ("gumbel-ndmz", NAME, 5, 5)
    assert first["score"] == lines[3]["vs_optimal"]
    assert first["minutes"] == pytest.approx(lines[4]["seconds"] / 60)
    assert (found[str(tmp_path / "deep/b")]["round"], found[str(tmp_path / "deep/b")]["target"]) == (1, 3)
    assert "games-00004.npz" in found[str(tmp_path / "c")]["reason"]
    assert "config.json" in found[str(tmp_path / "d")]["reason"]
    with locked(tmp_path / "a"):
        assert listed(tmp_path / "a")[str(tmp_path / "a")]["state"] == "running"
    monkeypatch.chdir(tmp_path)
    assert main(["runs"]) == 2  # there is no runs/ here


def test_the_table_names_the_damage(whole, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    (copy(whole, tmp_path / "run") / "weights-00005.safetensors").unlink()
    assert main(["runs", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "damaged" in out
    assert "weights-00005.safetensors cannot be read" in out
    (tmp_path / "empty").mkdir()
    assert main(["runs", str(tmp_path / "empty")]) == 0
    assert "no runs under" in capsys.readouterr().out
