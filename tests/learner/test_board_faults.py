"""Board networks given what they cannot use: one line that says so, exit code 2, and nothing changed."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from tiny import TINY, copy

from dicezero.cli import main
from dicezero.learner.loop import train
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game
from dicezero.runs.checkpoint import commit, read_checkpoint, read_metrics
from dicezero.runs.config import RunConfig
from dicezero.runs.manifest import Manifest
from dicezero.studio.catalog import Catalog

NAME = "tic_tac_toe"
BOARD = {k: v for k, v in TINY.items() if k not in ("hidden", "widths", "measure_every")} | {
    "architecture": "board",
    "board.channels": "4",
    "board.blocks": "1",
    "board.bottleneck": "0",
    "games": "3",
    "measure_every": "0",
}
KINDS = ["gumbel-alphazero", "gumbel-muzero"]


def made(folder, name, **other):
    train(with_settings(PRESETS[name], BOARD | other), load_game(NAME), folder, rounds=1, seed=3)
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    root = tmp_path_factory.mktemp("boards")
    return {name: made(root / name, name) for name in KINDS}


@pytest.fixture
def refused(capsys, monkeypatch):
    monkeypatch.delenv("DICEZERO_TRACEBACK", raising=False)

    def call(*line):
        capsys.readouterr()
        assert main([*map(str, line), "--json"]) == 2
        done = capsys.readouterr()
        assert done.out == ""
        assert done.err.startswith("dicezero: ")
        assert done.err.count("\n") == 1
        return done.err

    return call


def recommitted(folder, target, weights):
    """A copy of a run whose last round has these weights, every sum right."""
    copied = copy(folder, target)
    state, sums = read_checkpoint(copied), Manifest.read(copied).sums
    changed = {name: weights.get(name, array) for name, array in state.weights.items()}
    state = replace(state, weights=changed | weights)
    commit(copied, RunConfig.read(copied), state, sums, read_metrics(copied)[-1])
    return copied


def contents_of(folder):
    """All but how far the run is to go, which may be said anew."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "config.json"}


def commands(folder, name):
    """Whatever loads a run's weights."""
    agent = f"run(path={folder})"
    return [
        ["train", name, "--game", NAME, "--out", folder, "--seed", "3", "--rounds", "2", "--resume"],
        ["match", agent, "random", "--game", NAME, "--games", "2"],
        ["evaluate", folder, "--games", "2"],
        ["search", agent, "--game", NAME],
    ]


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_that_are_not_finite(runs, tmp_path, refused, name, value):
    first = sorted(key for key in read_checkpoint(runs[name]).weights if "tower" in key)[0]
    spoiled = read_checkpoint(runs[name]).weights[first].copy()
    spoiled.flat[0] = value
    folder = recommitted(runs[name], tmp_path / "run", {first: spoiled})
    before = contents_of(folder)
    for line in commands(folder, name):
        told = refused(*line)
        assert first in told
        assert "not finite" in told
    assert contents_of(folder) == before


@pytest.mark.parametrize("name", KINDS)
def test_the_checkpoint_of_another_tower(runs, tmp_path, refused, name):
    other = made(tmp_path / "other", name, **{"board.channels": "6"})
    folder = recommitted(runs[name], tmp_path / "run", read_checkpoint(other).weights)
    for line in commands(folder, name):
        told = refused(*line)
        assert "has shape" in told
        assert "the network needs" in told
    words = commands(runs[name], name)[0]
    assert "another preset" in refused(*words, "--set", "architecture=board", "--set", "board.channels=6")


@pytest.mark.parametrize("name", KINDS)
def test_weights_so_large_that_answers_are_not_finite(runs, tmp_path, refused, name):
    """Finite themselves, so that nothing is wrong with the file: the first search says so."""
    weights = {key: np.full_like(array, 3e38) for key, array in read_checkpoint(runs[name]).weights.items()}
    folder = recommitted(runs[name], tmp_path / "run", weights)
    for line in commands(folder, name):
        assert re.search("not finite|check its weights", refused(*line))


def test_planes_that_do_not_fit(tmp_path, refused):
    words = ["--out", tmp_path / "run", "--set", "architecture=board"]
    flat = refused("train", "gumbel-alphazero", "--game", "nannon", *words)
    assert "architecture=board needs planes" in flat
    large = refused("train", "gumbel-alphazero", "--game", NAME, *words, "--set", "board.channels=1000000")
    assert "board.channels" in large
    assert not (tmp_path / "run").exists()


def test_the_studio_goes_on_without_a_run_it_cannot_load(runs, tmp_path):
    name = KINDS[0]
    first = sorted(read_checkpoint(runs[name]).weights)[0]
    spoiled = np.full_like(read_checkpoint(runs[name]).weights[first], np.nan)
    (tmp_path / "runs").mkdir()
    folder = recommitted(runs[name], tmp_path / "runs" / "bad", {first: spoiled})
    catalog = Catalog([tmp_path / "runs"])
    game = catalog.game(NAME)
    with pytest.raises(ValueError, match="not finite") as told:
        catalog.agent(f"run(path={folder})", game)
    assert "\n" not in str(told.value)
