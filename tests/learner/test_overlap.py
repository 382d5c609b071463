"""Self-play during training: one round behind, and as exact as without."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from tiny import GAME, PRESET, TINY, contents, copy, run

from dicezero.learner import from_replay
from dicezero.learner.ahead import PlayingAhead
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.presets.suited import preset_for
from dicezero.replay.shards import unpack_episodes
from dicezero.rules import spec_of
from dicezero.runs import checkpoint, files, manifest
from dicezero.runs.checkpoint import read_metrics, read_weights
from dicezero.runs.manifest import Manifest, shard_name
from dicezero.runs.repair import repair_run
from dicezero.selfplay.runtime import LocalRuntime

OVERLAP = with_settings(PRESET, {"overlap": "true", "reanalyse": "0.5"})


@pytest.fixture(scope="module")
def overlapped(tmp_path_factory):
    folder = tmp_path_factory.mktemp("overlap") / "run"
    run(folder, rounds=4, preset=OVERLAP, keep_every=1)
    return folder


def test_games_are_played_with_the_weights_of_the_round_before(tmp_path, monkeypatch):
    played, plain = {}, LocalRuntime.run

    def listening(self, task, weights, **options):
        if "games of round" in task.what:
            played[task.round_index] = weights, threading.current_thread() is threading.main_thread()
        return plain(self, task, weights, **options)

    monkeypatch.setattr(LocalRuntime, "run", listening)
    run(tmp_path / "run", rounds=3, preset=OVERLAP, keep_every=1)
    assert sorted(played) == [0, 1, 2, 3]  # the last are for a fourth round
    assert [here for _, here in played.values()] == [True, False, False, False]
    assert played[1][0] is played[0][0]
    for index in (2, 3):
        _, kept, _ = read_weights(tmp_path / "run", index - 1)
        assert all(np.array_equal(kept[name], played[index][0][name]) for name in kept)


def test_the_round_learns_from_games_played_ahead_and_says_so(overlapped):
    lines = read_metrics(overlapped)
    assert [line["rounds_behind"] for line in lines] == [0, 1, 1, 1]
    assert all(line["seconds_overlapped"] >= 0.0 for line in lines)
    assert Manifest.read(overlapped).shards[-1] == shard_name(5)
    games = unpack_episodes((overlapped / shard_name(4)).read_bytes(), spec_of(GAME), name="games")
    assert lines[3]["decisions"] == sum(len(episode.decisions) for episode in games)
    assert "one round older" in (overlapped / "report.html").read_text()


def test_a_run_in_parts_is_the_run_at_once(overlapped, tmp_path):
    for rounds in (1, 2, 4):
        run(tmp_path / "parts", rounds=rounds, preset=OVERLAP, keep_every=1, resume=rounds > 1)
    assert contents(tmp_path / "parts") == contents(overlapped)


@pytest.mark.parametrize("after", [True, False])
def test_a_run_that_dies_at_any_write_resumes_to_the_same_bytes(overlapped, tmp_path, monkeypatch, after):
    class Killed(BaseException):
        pass

    real, calls, deaths = files.write_atomically, [0], 0

    def dying(path, data):
        calls[0] += 1
        dies = calls[0] % 11 == 0  # eight writes to the first commit, six a round: elsewhere each time
        if not dies or after:
            real(path, data)
        if dies:
            raise Killed

    for module in (checkpoint, manifest, from_replay):
        monkeypatch.setattr(module, "write_atomically", dying)
    while True:
        try:
            run(tmp_path / "run", rounds=4, preset=OVERLAP, keep_every=1, resume=True)
            break
        except Killed:
            deaths += 1
    assert deaths >= 2
    assert contents(tmp_path / "run") == contents(overlapped)


def test_a_failed_round_gives_its_games_ahead_up(tmp_path, monkeypatch):
    def failing(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(from_replay, "learn", failing)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "run", rounds=1, preset=OVERLAP)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("dicezero-ahead")]


def test_games_nobody_wants_end_at_their_next_move():
    moves, begun = [], threading.Event()

    def play(heard):
        for move in range(1_000_000):
            heard(0, move)
            moves.append(move)
            begun.set()
        return []

    def train():
        assert begun.wait(30)
        raise RuntimeError("training failed")

    with pytest.raises(RuntimeError, match="training failed"), PlayingAhead(play):
        train()
    assert len(moves) < 1_000_000


def test_what_went_wrong_in_the_games_is_told():
    def play(heard):
        heard(1, 1)
        raise ValueError("a rule is broken")

    with pytest.raises(ValueError, match="a rule is broken"), PlayingAhead(play) as ahead:
        ahead.episodes(print)


def test_a_lost_shard_of_games_ahead_can_be_repaired(overlapped, tmp_path):
    folder = copy(overlapped, tmp_path / "lost")
    (folder / shard_name(5)).unlink()
    found = repair_run(folder)
    assert (found.round, found.exact) == (4, False)
    run(folder, rounds=5, preset=OVERLAP, keep_every=1, resume=True)
    assert read_metrics(folder)[-1]["rounds_behind"] == 0


def test_online_learning_has_nothing_to_overlap():
    preset = preset_for("td-lambda", spec_of(GAME))
    with pytest.raises(ValueError, match="overlap=True must be false: online learning plays and learns at"):
        with_settings(preset, {"overlap": "true"})
    assert with_settings(PRESETS["gumbel-muzero"], TINY).overlap is False
