"""The agent shipped for a game is a run, found by the name of the game and loaded like any other."""

from __future__ import annotations

import gzip
import importlib.util
from pathlib import Path

import pytest

from dicezero.agents import AgentError, make_agent, pretrained
from dicezero.learner.loop import train
from dicezero.presets.settings import with_settings
from dicezero.presets.suited import preset_for
from dicezero.rules import load_game, spec_of
from dicezero.runs.files import MOST_SHIPPED

GAME = load_game("nannon(points=4,checkers=2,sides=4)")
SMALL = {"games": "20", "block_games": "10", "widths": "8", "measure_every": "0"}


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A package that ships a run of a small game."""
    preset = with_settings(preset_for("td-lambda", spec_of(GAME)), SMALL)
    train(preset, GAME, tmp_path / "nannon-small", rounds=1)
    monkeypatch.setattr(pretrained, "FOLDER", tmp_path)
    pretrained._shipped.cache_clear()
    yield tmp_path / "nannon-small"
    pretrained._shipped.cache_clear()


def test_it_plays_what_the_run_has_learned(shipped):
    state = GAME.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    named, run = (make_agent(text, GAME) for text in ("pretrained", f"run(path={shipped})"))
    assert named.search(state, seed=1).action_values == run.search(state, seed=1).action_values


def test_other_games_and_other_parameters_are_refused(shipped):
    with pytest.raises(AgentError, match=r"none is shipped for nannon\(points=6.*one for nannon\(points=4"):
        make_agent("pretrained", load_game("nannon"))
    with pytest.raises(AgentError, match="unknown parameter 'path'"):
        make_agent(f"pretrained(path={shipped})", GAME)


def test_what_is_shipped_can_be_loaded():
    pretrained._shipped.cache_clear()
    for name in pretrained._shipped():
        game = load_game(name)
        agent = make_agent("pretrained", game)
        state = game.new_initial_state()
        while not state.is_player_node():
            state.apply_action(state.legal_actions()[0])
        assert agent.search(state, seed=1).action in state.legal_actions()


@pytest.fixture
def ship_run(tmp_path, monkeypatch):
    """The tool, which ships into another folder."""
    path = Path(__file__).parents[2] / "tools" / "ship_run.py"
    spec = importlib.util.spec_from_file_location("ship_run", path)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    monkeypatch.setattr(tool, "FOLDER", tmp_path / "package")
    return tool


def first_values(folder):
    state = GAME.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    return make_agent(f"run(path={folder})", GAME).search(state, seed=1).action_values


def test_a_run_is_shipped_packed_and_plays_the_same(shipped, ship_run):
    packed = ship_run.ship(shipped, "nannon")
    assert [path.name for path in packed.glob("weights-*")] == ["weights-00001.safetensors.gz"]
    assert first_values(packed) == first_values(shipped)


def test_a_run_may_be_shipped_in_half_precision(shipped, ship_run):
    small = ship_run.ship(shipped, "nannon", half=True)
    sizes = [next(folder.glob("weights-*")).stat().st_size for folder in (small, shipped)]
    assert sizes[0] < 0.75 * sizes[1]  # the rest is the header
    values, again = first_values(shipped), first_values(small)
    assert again == pytest.approx(values, abs=2e-3)
    assert again != values


DAMAGED = {
    "cut off": (lambda data: data[:-20], "is cut off or holds more than"),
    "a bomb": (lambda _: gzip.compress(bytes(MOST_SHIPPED + 1)), "is cut off or holds more than"),
    "two in one": (lambda data: data + data, "is cut off or holds more than"),
    "not packed": (lambda _: b"weights", "is no file packed by gzip"),
    "other weights": (lambda data: gzip.compress(gzip.decompress(data) + b" "), "is not what the run wrote"),
    "nothing": (lambda _: b"", "is cut off or holds more than"),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_packed_weights_that_are_damaged_are_refused(kind, shipped, ship_run):
    damage, message = DAMAGED[kind]
    (weights,) = ship_run.ship(shipped, "nannon").glob("weights-*")
    weights.write_bytes(damage(weights.read_bytes()))
    with pytest.raises(ValueError, match=message):
        first_values(weights.parent)
