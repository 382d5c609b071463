"""The agent shipped for a game is a run, found by the name of the game and loaded like any other."""

from __future__ import annotations

import pytest

from dicezero.agents import AgentError, make_agent, pretrained
from dicezero.learner.loop import train
from dicezero.presets.registry import preset_for
from dicezero.presets.settings import with_settings
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
