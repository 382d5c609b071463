"""Runs of TD(lambda), and runs that reanalyse: learning is real, resuming is exact, agents play them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dicezero.agents import AgentError, make_agent
from dicezero.learner import from_replay
from dicezero.learner.loop import train
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game
from dicezero.runs import checkpoint, files, manifest
from dicezero.runs.checkpoint import read_checkpoint, read_metrics
from dicezero.runs.errors import RunError
from dicezero.runs.loading import load_run
from dicezero.runs.manifest import Manifest

NAME = "nannon(points=4,checkers=2,sides=4)"
GAME = load_game(NAME)
SMALL = {
    "games": "6",
    "buffer_games": "14",  # round 4 drops a shard
    "batch": "16",
    "steps": "3",
    "widths": "8,8",
    "measure_every": "0",
}
SEARCH = {"simulations": "4", "play.simulations": "4", "hidden": "8", "unroll": "2", "value_lambda": "0.5"}
ROUNDS = 4
REANALYSING = {
    "td-lambda": with_settings(PRESETS["td-lambda"], SMALL | {"reanalyse": "0.5", "epsilon": "0.1"}),
    "gumbel-alphazero": with_settings(PRESETS["gumbel-alphazero"], SMALL | SEARCH | {"reanalyse": "0.7"}),
}


def run(folder, preset, *, rounds=ROUNDS):
    return train(preset, GAME, folder, rounds=rounds, seed=7, resume=True)


def contents(folder):
    """Every byte that a run's state is, but the clock's."""
    kept = {path.name: path.read_bytes() for path in folder.glob("*.npz")}
    kept |= {path.name: path.read_bytes() for path in folder.glob("*.safetensors")}
    lines = read_metrics(folder)
    losses = [{k: v for k, v in line.items() if k.startswith("loss_")} for line in lines]
    return kept, losses, replace(Manifest.read(folder), metrics="", id="")


@pytest.mark.parametrize("name", REANALYSING)
def test_a_run_that_reanalyses_resumes_to_the_same_bytes(name, tmp_path, monkeypatch):
    """Every write of a round fails in turn, before it took effect."""
    preset = REANALYSING[name]
    whole, folder = tmp_path / "whole", tmp_path / "run"
    run(whole, preset)
    assert [path.name for path in sorted(whole.glob("fresh-*"))] == [f"fresh-0000{i}.npz" for i in (2, 3, 4)]

    class Killed(BaseException):
        pass

    real, calls = files.write_atomically, [0]

    def dying(path, data):
        calls[0] += 1
        if calls[0] % 8 == 0:  # seven writes to the first commit, six a round: elsewhere each time
            raise Killed
        real(path, data)

    monkeypatch.setattr(checkpoint, "write_atomically", dying)
    monkeypatch.setattr(manifest, "write_atomically", dying)
    monkeypatch.setattr(from_replay, "write_atomically", dying)
    deaths = 0
    while True:
        try:
            run(folder, preset)
            break
        except Killed:
            deaths += 1
    assert deaths >= 3
    assert contents(folder) == contents(whole)


def test_reanalyse_changes_what_is_learned_and_a_damaged_finding_is_refused(tmp_path):
    preset = REANALYSING["td-lambda"]
    run(tmp_path / "with", preset, rounds=3)
    run(tmp_path / "without", with_settings(preset, {"reanalyse": "0"}), rounds=3)
    first, second = (read_checkpoint(tmp_path / name).weights for name in ("with", "without"))
    assert any(not np.array_equal(first[name], second[name]) for name in first)
    assert not list((tmp_path / "without").glob("fresh-*"))
    path = tmp_path / "with" / "fresh-00003.npz"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(RunError, match=r"fresh-00003\.npz"):
        run(tmp_path / "with", preset)


@pytest.fixture(scope="module")
def learned(tmp_path_factory) -> Path:
    """A run of sixteen rounds on a small board."""
    folder = tmp_path_factory.mktemp("td") / "run"
    settings = {
        "games": "100",
        "buffer_games": "400",
        "widths": "64,64",
        "batch": "64",
        "measure_every": "16",
    }
    train(with_settings(PRESETS["td-lambda"], settings), GAME, folder, rounds=16, seed=3)
    return folder


def test_td_learns_a_small_game_almost_perfectly(learned):
    last = read_metrics(learned, rounds=99)[-1]
    assert last["vs_optimal"] > 0.48
    assert last["vs_optimal"] == last["raw_vs_optimal"]
    assert {name for name in last if name.startswith("loss_")} == {"loss_value", "loss_l2", "loss_total"}


def test_both_agents_play_a_run_of_td_and_take_a_win(learned):
    agents = [make_agent(f"{word}(path={learned})", GAME) for word in ("td", "run")]
    state = GAME.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.legal_actions()[-1])
            continue
        first, second = (agent.search(state, seed=1) for agent in agents)
        assert (first.action, first.value) == (second.action, second.value)
        if len(state.legal_actions()) > 1:
            assert first.action_values[first.action] == max(first.action_values.values())
            assert set(first.action_values) == set(state.legal_actions())
        winning = [a for a in state.legal_actions() if state.child(a).is_terminal()]
        assert not winning or first.action in winning
        state.apply_action(first.action)


def test_agents_refuse_what_does_not_fit(learned, tmp_path):
    with pytest.raises(AgentError, match="looks one move ahead; leave simulations out"):
        make_agent(f"run(path={learned},simulations=9)", GAME)
    run(tmp_path / "other", REANALYSING["gumbel-alphazero"], rounds=1)
    with pytest.raises(AgentError, match=r"learned by gumbel-alphazero; write run\(path="):
        make_agent(f"td(path={tmp_path / 'other'})", GAME)


def test_tic_tac_toe_is_learned_with_epsilon(tmp_path):
    game = load_game("tic_tac_toe")
    settings = {"games": "100", "buffer_games": "400", "widths": "64,64", "batch": "64", "epsilon": "0.1"}
    preset = with_settings(PRESETS["td-lambda"], settings | {"learning_rate": "0.003", "measure_every": "20"})
    last = train(preset, game, tmp_path / "run", rounds=20, seed=4)
    assert last["vs_random"] > 0.8
    assert load_run(tmp_path / "run").round == 20
