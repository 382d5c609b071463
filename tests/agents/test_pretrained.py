"""The agent shipped for a game is a run, found by the name of the game and loaded like any other."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from dicezero.agents import AgentError, make_agent, pretrained
from dicezero.learner.loop import train
from dicezero.presets.settings import with_settings
from dicezero.presets.suited import preset_for
from dicezero.rules import load_game, spec_of

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


def test_a_run_may_be_shipped_in_half_precision(shipped, tmp_path, monkeypatch):
    path = Path(__file__).parents[2] / "tools" / "ship_run.py"
    spec = importlib.util.spec_from_file_location("ship_run", path)
    ship_run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(ship_run)
    state = GAME.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    values = make_agent(f"run(path={shipped})", GAME).search(state, seed=1).action_values
    monkeypatch.setattr(ship_run, "FOLDER", tmp_path / "package")
    small = ship_run.ship(shipped, "nannon", half=True)
    sizes = [next(folder.glob("weights-*")).stat().st_size for folder in (small, shipped)]
    assert sizes[0] < 0.75 * sizes[1]  # the rest is the header
    again = make_agent(f"run(path={small})", GAME).search(state, seed=1).action_values
    assert again == pytest.approx(values, abs=2e-3)
    assert again != values
