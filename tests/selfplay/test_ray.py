"""Workers on Ray: the same run as in one process, whatever becomes of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from importlib.util import find_spec

import numpy as np
import pytest
import ray_tasks
from ray_tasks import DeadlySelfPlay, FailingSelfPlay

from dicezero.learner import from_replay
from dicezero.learner.loop import train
from dicezero.presets.fitting import network_of
from dicezero.presets.registry import PRESETS
from dicezero.rules import Identity, load_game, spec_of
from dicezero.runs.checkpoint import read_checkpoint, read_metrics
from dicezero.runs.manifest import rounds_done
from dicezero.search.config import SearchConfig
from dicezero.selfplay.ray_cluster import connect, import_ray
from dicezero.selfplay.ray_runtime import RayRuntime
from dicezero.selfplay.runtime import LocalRuntime, Player, RayConfig, Recipe, RuntimeUnavailableError, chunks
from dicezero.selfplay.tasks import SelfPlay

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="pip install dicezero[ray]")

NAME = "nannon(points=4,checkers=2,sides=4)"
GAME = load_game(NAME)
SEARCH = SearchConfig(simulations=4)
PRESET = replace(
    PRESETS["gumbel-ndmz"],
    search=SEARCH,
    play=replace(SEARCH, simulations=6),
    games=20,
    batch=16,
    steps=2,
    unroll=2,
    hidden=8,
    widths=(8, 8),
    measure_every=1,
)
NETWORK = network_of(PRESET, spec_of(GAME))
PLAYER = Player(Recipe(Identity(NAME), NETWORK), GAME)
WEIGHTS = NETWORK.init(seed=1)


@pytest.fixture(scope="module")
def cluster():
    """Ray with two CPUs, started once for all tests here; runtimes use it and leave it open."""
    connection = connect(RayConfig(workers=2))
    cloudpickle = connection.ray.cloudpickle  # workers cannot import from the tests
    cloudpickle.register_pickle_by_value(ray_tasks)
    yield connection
    cloudpickle.unregister_pickle_by_value(ray_tasks)
    connection.close()


def outcome(folder):
    """What a run of two rounds is, without the clock: weights, games and measurements."""
    lines = [
        {name: value for name, value in line.items() if "seconds" not in name}
        for line in read_metrics(folder, rounds=2)
    ]
    games = {path.name: path.read_bytes() for path in folder.glob("games-*")}
    return read_checkpoint(folder).weights, games, lines


def assert_same_run(folder, other):
    (weights, games, lines), (weights2, games2, lines2) = outcome(folder), outcome(other)
    assert weights.keys() == weights2.keys()
    assert all(np.array_equal(weights[name], weights2[name]) for name in weights)
    assert games == games2
    assert len(games) == 2
    assert lines == lines2
    assert all("vs_optimal" in line for line in lines)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone") / "run"
    train(PRESET, GAME, folder, rounds=2, seed=5)
    return folder


@pytest.mark.usefixtures("cluster")
def test_one_process_one_worker_and_two_give_the_same_run(alone, tmp_path):
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        train(PRESET, GAME, folder, rounds=2, seed=5, runtime=RayConfig(workers=workers))
        assert_same_run(folder, alone)


@pytest.mark.usefixtures("cluster")
def test_a_worker_killed_in_the_middle_of_a_round_leaves_no_trace(alone, tmp_path, monkeypatch):
    marks = tmp_path / "marks"
    marks.mkdir()
    monkeypatch.setattr(from_replay, "SelfPlay", partial(DeadlySelfPlay, marks=str(marks)))
    train(PRESET, GAME, tmp_path / "run", rounds=2, seed=5, runtime=RayConfig(workers=2))
    assert len(list(marks.iterdir())) == 1
    assert_same_run(tmp_path / "run", alone)


@pytest.fixture
def runtime(cluster):
    del cluster
    made = RayRuntime(PLAYER, RayConfig(workers=1))
    yield made
    made.close()


def test_work_that_kills_every_worker_is_given_up(runtime, tmp_path):
    task = DeadlySelfPlay(SEARCH, 4, seed=0, round_index=1, marks=str(tmp_path), deaths=99)
    with pytest.raises(RuntimeUnavailableError, match="3 workers in a row died over the same chunk"):
        runtime.run(task, WEIGHTS)


def test_what_a_worker_raises_is_raised_here_and_the_next_task_is_done(runtime):
    with pytest.raises(ValueError, match="game 0 did not end") as caught:
        runtime.run(FailingSelfPlay(SEARCH, 4, seed=0, round_index=0), WEIGHTS)
    assert type(caught.value) is ValueError
    task = SelfPlay(SEARCH, 5, seed=0, round_index=0)
    found, expected = runtime.run(task, WEIGHTS), LocalRuntime(PLAYER).run(task, WEIGHTS)
    assert [r.action.tolist() for r in found] == [r.action.tolist() for r in expected]
    # One chunk at a time in the worker and one that waits: never more on the way.
    assert len(runtime.traffic.chunk_seconds) == len(chunks(task.count, task.chunk))


def test_a_cluster_without_a_free_cpu_is_said_to_be_full(cluster, runtime):
    runtime.worker_pids()
    rest = RayRuntime(PLAYER, RayConfig(workers=cluster.cores - 1))
    late = RayRuntime(PLAYER, RayConfig(workers=1, start_seconds=0.5))
    try:
        rest.worker_pids()
        with pytest.raises(RuntimeUnavailableError, match="no worker for the games of round 1 within"):
            late.run(SelfPlay(SEARCH, 2, seed=0, round_index=0), WEIGHTS)
    finally:
        rest.close()
        late.close()


def test_ctrl_c_twice_leaves_the_last_round_and_no_process(tmp_path):
    import_ray(local=True)
    import psutil  # comes with Ray

    words = ["train", "--game", NAME, "--out", str(tmp_path / "run"), "--runtime", "ray", "--workers", "1"]
    settings = ("games=4", "batch=8", "steps=1", "simulations=2", "hidden=8", "widths=8,8", "unroll=2")
    words += [word for setting in settings for word in ("--set", setting)]
    code = "import sys; from dicezero.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], stderr=subprocess.PIPE, env=dict(os.environ)
    )
    begun = time.monotonic()
    # Weights are written before the commit that makes a round last.
    while not rounds_done(tmp_path / "run") and time.monotonic() - begun < 120:
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.05)
    family = psutil.Process(process.pid).children(recursive=True)
    assert any("raylet" in member.name() for member in family)
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted" in error
    assert b"Traceback" not in error
    assert b"Ray has ended" not in error
    _, alive = psutil.wait_procs(family, timeout=20)
    assert not alive
    assert read_checkpoint(tmp_path / "run").round >= 1
