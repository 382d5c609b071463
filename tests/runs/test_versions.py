"""Folders of other versions: with fewer settings they go on, unknown ones and other formats are refused."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "learner"))
sys.path.insert(0, str(Path(__file__).parents[2] / "tools" / "torture"))

import made
import tiny

from dicezero.agents.pretrained import FOLDER
from dicezero.cli import main
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import preset_from_json, preset_to_json
from dicezero.runs import config as run_config
from dicezero.runs.config import RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.folder import run_folder
from dicezero.runs.listing import summarise_run
from dicezero.runs.loading import load_run
from dicezero.runs.manifest import Manifest, read_run
from dicezero.runs.repair import repair_run
from dicezero.runs.sealed import sealed, sum_of

# What an earlier version did not have, at every depth; each has its default in the runs below.
NEW = (
    ("endings",),
    ("block_games",),
    ("tuples",),
    ("loss", "weight_decay"),
    ("search", "edges_on_need_above"),
)


def forget(preset):
    """The preset as a version wrote it that did not have ``NEW``."""
    data = preset_to_json(preset)
    for *place, name in NEW:
        inner = data
        for key in place:
            inner = inner[key]
        del inner[name]
    return data


@pytest.fixture
def earlier(monkeypatch):
    """Writes configurations as the earlier version did, until it is called."""
    monkeypatch.setattr(run_config, "preset_to_json", forget)
    return lambda: monkeypatch.setattr(run_config, "preset_to_json", preset_to_json)


def test_a_run_of_a_version_with_fewer_settings_opens_and_goes_on_exactly(earlier, tmp_path):
    tiny.run(tmp_path / "straight", rounds=2)
    tiny.run(tmp_path / "run", rounds=1)
    earlier()
    assert "endings" not in json.loads((tmp_path / "run" / "config.json").read_bytes())["preset"]
    assert summarise_run(tmp_path / "run").state == "finished"
    assert load_run(tmp_path / "run").config.preset == RunConfig.read(tmp_path / "straight").preset
    tiny.run(tmp_path / "run", rounds=2, resume=True)
    assert tiny.contents(tmp_path / "run") == tiny.contents(tmp_path / "straight")


@pytest.mark.parametrize("lost", ["manifest.json", "config.json"])
def test_it_is_repaired_as_it_was(earlier, tmp_path, lost):
    run = made.make_run(tmp_path / "run", rounds=3)
    earlier()
    right = made.said(run)
    (run / lost).unlink()
    assert repair_run(run).round == 3
    assert made.said(run)["weights"] == right["weights"]
    with run_folder(run, replace(made.CONFIG, rounds=12), resume=True) as settled:
        made.do_round(run, 4, Manifest.read(run).sums, config=settled)
    config, manifest = read_run(run)
    assert (config.rounds, manifest.round, "endings" in config.identity["preset"]) == (12, 4, False)


def test_a_changed_digit_is_refused_still(earlier, tmp_path):
    run = made.make_run(tmp_path / "run", rounds=1)
    earlier()
    path = run / "config.json"
    good = path.read_bytes()
    path.write_bytes(good.replace(b'"learning_rate": 0.00', b'"learning_rate": 0.01', 1))
    assert path.read_bytes() != good
    with pytest.raises(RunError, match="changed or damaged"):
        read_run(run)
    path.write_bytes(good)
    tiny.reseal(path, lambda data: data["preset"].update(learning_rate=0.5))
    with pytest.raises(RunError, match="game, seed or preset were changed"):
        read_run(run)
    path.write_bytes(good)
    tiny.reseal(path, lambda data: data["preset"].update(endings=0.0))
    with pytest.raises(RunError, match="game, seed or preset were changed"):
        read_run(run)


PLACES = ((), ("preset",), ("preset", "play"), ("preset", "board"), ("preset", "search", "puct"))


@pytest.mark.parametrize("place", PLACES)
def test_a_setting_of_a_later_version_is_refused_by_name(tmp_path, place):
    run = made.make_run(tmp_path / "run", rounds=1)

    def add(data):
        for key in place:
            data = data[key]
        data["warp"] = 9

    tiny.reseal(run / "config.json", add)
    data = json.loads((run / "config.json").read_bytes())
    identity = {key: data[key] for key in data if key in ("game", "seed", "preset", "warp")}
    tiny.reseal(run / "manifest.json", lambda manifest: manifest.update(config=sum_of(identity)))
    with pytest.raises(RunError, match="'warp' is no"):
        read_run(run)
    assert summarise_run(run).state == "damaged"


def test_a_preset_reads_back_with_any_setting_left_out():
    """Each stands at its default then; what has none must be there."""
    for preset in PRESETS.values():
        data = preset_to_json(preset)
        for name in data:
            fewer = {key: value for key, value in data.items() if key != name}
            if name in ("name", "kind", "search", "play"):
                with pytest.raises((LookupError, TypeError)):
                    preset_from_json(fewer)
            else:
                with suppress(ValueError):  # a default that does not go with the rest
                    assert preset_to_json(preset_from_json(fewer)).keys() == data.keys()


def test_the_shipped_run_is_of_one_piece_whatever_presets_have_got_since():
    for folder in FOLDER.iterdir():
        if (folder / "config.json").exists():
            config, manifest = read_run(folder)
            assert config.identity_sum == manifest.config


def unversioned(data):
    return (json.dumps({key: data[key] for key in data if key not in ("version", "sum")}) + "\n").encode()


OTHER = {
    "format 1": lambda data: (json.dumps({**data, "version": 1}) + "\n").encode(),
    "format 3": lambda data: sealed({**data, "version": 3}),
    "no version": unversioned,
    "version as text": lambda data: sealed({**data, "version": "2"}),
    "version true": lambda data: sealed({**data, "version": True}),
    "version nested": lambda data: sealed({**data, "version": {"a": [2] * 1000}}),
}


@pytest.mark.parametrize("files", [["config.json"], ["manifest.json"], ["config.json", "manifest.json"]])
@pytest.mark.parametrize("form", OTHER)
def test_a_folder_of_another_format_is_refused_in_one_line(tmp_path, capsys, files, form):
    run = made.make_run(tmp_path / "run", rounds=2)
    for name in files:
        data = json.loads((run / name).read_bytes())
        del data["sum"]
        (run / name).write_bytes(OTHER[form](data))
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    agent = f"run(path={run})"
    for words in (
        ["evaluate", str(run)],
        ["match", agent, "random", "--game", made.GAME, "--games", "2"],
        ["train", made.PRESET.name, "--game", made.GAME, "--out", str(run), "--resume"],
    ):
        assert main(words) == 2, words
        lines = capsys.readouterr().err.strip().splitlines()
        assert len(lines) == 1, (words, lines)
        assert "format" in lines[0]
        assert len(lines[0]) < 400
    assert summarise_run(run).state == "damaged"
    assert {path.name: path.read_bytes() for path in run.iterdir()} == before
