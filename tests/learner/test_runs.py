"""Runs: one seed one result, nothing lost when killed, nothing foreign taken in."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from tiny import GAME, PRESET, ROUNDS, TINY, contents, copy, reseal, run

from dicezero.agents import AgentError, make_agent
from dicezero.learner import from_replay
from dicezero.learner.loop import TrainingError, train
from dicezero.model.reference import reference_root
from dicezero.presets.registry import PRESETS, get_preset
from dicezero.presets.settings import preset_from_json, preset_to_json, with_settings
from dicezero.replay.shards import unpack_episodes
from dicezero.rules import load_game, spec_of
from dicezero.runs import checkpoint, files, manifest
from dicezero.runs.checkpoint import read_checkpoint, read_metrics
from dicezero.runs.errors import RunError
from dicezero.runs.folder import locked
from dicezero.runs.loading import load_run


def test_one_seed_one_result_and_another_another(whole, tmp_path):
    run(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(whole)
    run(tmp_path / "other", seed=8, rounds=1)
    first, second = read_checkpoint(whole).weights, read_checkpoint(tmp_path / "other").weights
    assert any(not np.array_equal(first[name], second[name]) for name in first)


def test_what_a_run_leaves_behind(whole):
    names = sorted(path.name for path in whole.iterdir())
    assert names.pop(1).startswith("events.out.tfevents.")
    assert names == [
        "config.json",
        "games-00003.npz",
        "games-00004.npz",
        "games-00005.npz",
        "manifest.json",
        "metrics.jsonl",
        "optimiser-00005.safetensors",
        "report.html",
        "weights-00005.safetensors",
    ]
    lines = read_metrics(whole, rounds=99)
    assert [line["round"] for line in lines] == [1, 2, 3, 4, 5]
    assert ["vs_optimal" in line for line in lines] == [False, True, False, True, False]
    assert {"loss_policy", "loss_chance", "loss_identity", "loss_value", "loss_reward", "loss_l2"} <= lines[
        0
    ].keys()


@pytest.mark.parametrize("after", [True, False])
def test_a_run_that_dies_at_any_write_resumes_to_the_same_bytes(whole, tmp_path, monkeypatch, after):
    """Each write of a round fails in turn, before or after it took effect: games, weights, ..., manifest."""

    class Killed(BaseException):
        pass

    folder = tmp_path / "run"
    real, calls = files.write_atomically, [0]

    def dying(path, data):
        calls[0] += 1
        dies = calls[0] % 7 == 0  # six writes to the first commit, five a round: elsewhere each time
        if dies and not after:
            raise Killed
        real(path, data)
        if dies:
            raise Killed

    monkeypatch.setattr(checkpoint, "write_atomically", dying)
    monkeypatch.setattr(manifest, "write_atomically", dying)
    monkeypatch.setattr(from_replay, "write_atomically", dying)
    deaths = 0
    while True:
        try:
            run(folder, resume=True)
            break
        except Killed:
            deaths += 1
    assert deaths >= 4
    assert contents(folder) == contents(whole)


def test_kept_rounds_stay_and_play_as_they_did(whole, tmp_path):
    folder = tmp_path / "run"
    run(folder, rounds=3, keep_every=2)
    second = load_run(folder, round_number=2)
    run(folder, resume=True)  # keep_every is the run's own now
    names = sorted(path.name for path in folder.glob("weights-*"))
    assert names == [f"weights-0000{number}.safetensors" for number in (2, 4, 5)]
    run(tmp_path / "two", rounds=2)
    for name, array in read_checkpoint(tmp_path / "two").weights.items():
        assert np.array_equal(checkpoint.read_weights(folder, 2)[1][name], array)
    agent = make_agent(f"run(path={folder},round=2,simulations=0)", GAME)
    assert agent.run.round == second.round == 2
    assert load_run(folder).round == 5
    with pytest.raises(RunError, match="no weights of round 3; it has those of 2, 4, 5"):
        load_run(folder, round_number=3)
    run(folder, rounds=6, resume=True, keep_every=3)
    assert checkpoint.Manifest.read(folder).rounds_with_weights == (2, 4, 6)
    assert checkpoint.read_weights(whole, 5)[0] == 5


def test_kept_rounds_can_be_averaged(tmp_path):
    folder = tmp_path / "run"
    run(folder, rounds=4, keep_every=2)
    second, fourth = (checkpoint.read_weights(folder, number)[1] for number in (2, 4))
    mean = {name: ((array.astype(np.float64) + fourth[name]) / 2) for name, array in second.items()}
    found = load_run(folder, round_number=4, average=2)
    seen = np.ones((1, found.planner.model.network.observation), np.float32)
    expected = reference_root(found.planner.model.network, mean, seen)
    np.testing.assert_allclose(found.planner.model.root(seen)[0], expected[0], atol=1e-6)
    agent = make_agent(f"run(path={folder},average=2)", GAME)
    np.testing.assert_array_equal(agent.run.planner.model.root(seen)[0], found.planner.model.root(seen)[0])
    assert not np.allclose(load_run(folder).planner.model.root(seen)[0], expected[0], atol=1e-6)
    with pytest.raises(RunError, match="weights of 2 rounds up to round 4, too few to average 3"):
        load_run(folder, average=3)
    with pytest.raises(AgentError, match="average=0 must be at least 1"):
        make_agent(f"run(path={folder},average=0)", GAME)


def test_a_run_can_be_searched_otherwise_than_its_preset_plays(whole, tmp_path):
    deepest = {}
    for depth in (1, 3):
        words = f"run(path={whole},simulations=200,max_depth={depth},c_scale=2)"
        agent = make_agent(words, GAME, keep_tree=True)
        state = GAME.new_initial_state()
        state.apply_action(state.legal_actions()[-1])
        deepest[depth] = _height(agent.search(state, seed=1).tree)
    assert deepest[1] < deepest[3]
    sure = make_agent(f"run(path={whole},c_scale=0)", GAME)
    assert sure._search == replace(PRESET.play, c_scale=0.0)
    with pytest.raises(AgentError, match="max_depth=-1"):
        make_agent(f"run(path={whole},max_depth=-1)", GAME)
    for preset, why in (("ndmz", "c_scale=1.0 is of Gumbel's search"), ("td-lambda", "leave c_scale out")):
        folder = tmp_path / preset
        run(folder, rounds=1, preset=with_settings(PRESETS[preset], TINY))
        with pytest.raises(AgentError, match=why):
            make_agent(f"run(path={folder},c_scale=1)", GAME)
    with pytest.raises(AgentError, match="leave max_depth out"):
        make_agent(f"run(path={tmp_path / 'td-lambda'},max_depth=0)", GAME)


def _height(node):
    return 1 + max(map(_height, node.children), default=0)


def test_progress_is_told_and_does_not_disturb(whole, tmp_path):
    heard = []
    run(tmp_path / "run", on_progress=heard.append)
    assert contents(tmp_path / "run") == contents(whole)
    second = [now for now in heard if now.round == 2]
    stages = list(dict.fromkeys(now.stage for now in second))
    assert stages == ["self-play", "training", "measuring"]
    played = [now for now in second if now.stage == "self-play"]
    line = read_metrics(whole, rounds=2)[1]
    assert (played[-1].done, played[-1].total, played[-1].moves) == (6, 6, line["decisions"])
    trained = [now.done for now in second if now.stage == "training"]
    assert (trained[0], trained[-1]) == (0, 3)  # steps are made several at a time
    measured = [now for now in second if now.stage == "measuring"]
    assert measured[-1].done == measured[-1].total > 0


def test_simulations_are_those_of_decisions_with_a_choice(whole):
    line = read_metrics(whole, rounds=5)[4]
    games = unpack_episodes((whole / "games-00005.npz").read_bytes(), spec_of(GAME), name="")
    searched = sum(int((game.choices > 1).sum()) for game in games)
    assert line["simulations"] == 4 * searched
    assert 0 < searched < line["decisions"]
    measured = read_metrics(whole, rounds=5)[3]
    assert 0.3 < measured["vs_random"] < measured["perfect_vs_random"] < 1.0


def test_more_rounds_later_are_the_same_as_at_once(whole, tmp_path):
    run(tmp_path / "run", rounds=2)
    run(tmp_path / "run", rounds=ROUNDS, resume=True)
    assert contents(tmp_path / "run") == contents(whole)


@pytest.mark.parametrize(
    "name", ["weights-00005.safetensors", "optimiser-00005.safetensors", "games-00004.npz"]
)
@pytest.mark.parametrize("damage", ["flip", "cut", "gone"])
def test_a_damaged_file_is_refused_by_name(whole, tmp_path, name, damage):
    folder = copy(whole, tmp_path / "run")
    data = bytearray((folder / name).read_bytes())
    if damage == "gone":
        (folder / name).unlink()
    else:
        data[len(data) // 2] ^= 1
        (folder / name).write_bytes(bytes(data) if damage == "flip" else bytes(data[: len(data) // 2]))
    with pytest.raises(RunError, match=name):
        run(folder, rounds=6, resume=True)
    if name.startswith("weights"):
        with pytest.raises(RunError, match=name):
            load_run(folder)


def test_a_pickle_with_a_right_sum_is_not_opened(whole, tmp_path):
    folder = copy(whole, tmp_path / "run")
    name = "weights-00005.safetensors"
    (folder / name).write_bytes(b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00\x8c\x07dropped\x94.")
    digest = files.sha256((folder / name).read_bytes())
    reseal(folder / "manifest.json", lambda data: data["sha256"].update({name: digest}))
    with pytest.raises(RunError, match="not a safetensors file"):
        load_run(folder)


def test_another_game_version_or_setting_is_refused(whole, tmp_path):
    with pytest.raises(RunError, match="not tic_tac_toe"):
        load_run(whole, load_game("tic_tac_toe"))
    with pytest.raises(RunError, match="another seed"):
        run(whole, resume=True, seed=8)
    with pytest.raises(RunError, match="another preset"):
        run(whole, resume=True, preset=replace(PRESET, batch=17))
    with pytest.raises(RunError, match="--resume"):
        run(whole)
    with pytest.raises(RunError, match="is no run"):
        load_run(tmp_path)
    folder = copy(whole, tmp_path / "run")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"version": 99}))
    with pytest.raises(RunError, match="is of format 99, and this dicezero reads format 2: train again"):
        load_run(folder)


def test_a_loss_that_is_not_finite_names_the_round_and_leaves_the_last_one(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    run(folder, rounds=2)
    before = contents(folder)
    real = from_replay.Trainer.steps

    def spoiled(self, batch, **options):
        return real(self, replace(batch, value=batch.value * np.float32(np.nan)), **options)

    monkeypatch.setattr(from_replay.Trainer, "steps", spoiled)
    with pytest.raises(TrainingError, match="round 3: the loss term 'value' is nan"):
        run(folder, resume=True)
    monkeypatch.undo()
    run(folder, rounds=2, resume=True)  # removes the games of the round that was dropped
    assert contents(folder) == before


def test_presets_survive_json_and_settings_are_checked():
    for preset in PRESETS.values():
        assert preset_from_json(json.loads(json.dumps(preset_to_json(preset)))) == preset
    with pytest.raises(ValueError, match="gumbel-ndmz"):
        get_preset("gumbel-ndmzz")
    with pytest.raises(ValueError, match=r"unknown setting 'simulation'.*simulations"):
        with_settings(PRESET, {"simulation": "3"})
    with pytest.raises(ValueError, match="games='many'"):
        with_settings(PRESET, {"games": "many"})
    with pytest.raises(ValueError, match="batch=0"):
        with_settings(PRESET, {"batch": "0"})
    assert with_settings(PRESET, {"loss.value": "0.5"}).loss.value == 0.5


def test_gumbel_alphazero_learns_a_small_game_almost_perfectly(tmp_path):
    settings = {"games": "100", "batch": "128", "widths": "64,64", "measure_every": "12", "rounds": "12"}
    preset = with_settings(PRESETS["gumbel-alphazero"], settings)
    last = train(preset, GAME, tmp_path / "run", seed=1)
    assert last["vs_optimal"] > 0.49


def test_the_folder_of_a_run_is_kept_for_one_process(whole):
    with locked(whole), pytest.raises(RunError, match="another process"):
        run(whole, resume=True, rounds=9)


@pytest.mark.parametrize("name", ["alphazero", "ndmz"])
def test_epochs_pass_over_the_buffer(name, tmp_path, monkeypatch):
    """The papers' schedule: five passes a round, then one, every decision as often as any other."""
    settings = {"games": "4", "batch": "8", "simulations": "4", "play.simulations": "4", "unroll": "2"}
    small = {"widths": "8,8", "hidden": "8", "early_rounds": "1", "measure_every": "0"}
    preset = with_settings(PRESETS[name], settings | small)
    drawn, real = [], from_replay.Replay.batch

    def watched(self, chosen, **settings):
        drawn.append((self.decisions, chosen))
        return real(self, chosen, **settings)

    monkeypatch.setattr(from_replay.Replay, "batch", watched)
    train(preset, GAME, tmp_path / "run", rounds=2)
    for passes, count in ((5, drawn[0][0]), (1, drawn[-1][0])):
        chosen = np.concatenate([c for total, c in drawn if total == count])
        times = np.bincount(chosen, minlength=count)
        assert len(chosen) == passes * -(-count // 8) * 8
        assert passes <= times.max() <= passes + 1 + passes * 8 // count
        assert times.min() >= passes
