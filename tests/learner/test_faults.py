"""What can go wrong with a run, made to happen: one line, an exit code, and the last good state intact."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from tiny import ROUNDS, contents, copy, reseal, run, words

from dicezero.cli import main
from dicezero.learner import training
from dicezero.runs.files import sha256
from dicezero.runs.loading import load_run
from dicezero.runs.manifest import Manifest


@pytest.fixture(scope="module")
def half(tmp_path_factory):
    """The run after three of its rounds."""
    folder = tmp_path_factory.mktemp("faults") / "half"
    run(folder, rounds=3)
    return folder


@pytest.fixture
def refused(capsys, monkeypatch):
    """Runs a command that must fail; returns its one line."""
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


def assert_resumes(folder, whole):
    """Round 3 stands, can be played, and leads to the same end as if nothing had happened."""
    assert load_run(folder).round == 3
    assert main([*words(folder), "--json"]) == 0
    assert contents(folder) == contents(whole)


@contextmanager
def small_disk(place, *, options="size=1m"):
    """A disk of its own at ``place``; skips the test where the machine does not let us have one."""
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], capture_output=True)
    if made.returncode:
        pytest.skip(f"no disk can be mounted here: {made.stderr.decode().strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.skipif(shutil.which("mount") is None, reason="no disk can be mounted here")
def test_a_full_disk(half, whole, tmp_path, refused):
    with small_disk(tmp_path / "disk") as disk:
        folder = copy(half, disk / "run")
        free = shutil.disk_usage(disk).free
        filler = disk / "filler"
        filler.write_bytes(b"\0" * (free - 3 * 4096))
        line = refused(*words(folder))
        assert "No space left on device; round 3 stands" in line
        assert "--resume" in line
        filler.unlink()
        assert_resumes(folder, whole)


@pytest.mark.parametrize("limit", [1000, 4500])
def test_a_file_that_may_not_grow(half, whole, tmp_path, refused, limit):
    """The same without a disk of our own: the kernel refuses writes past a size, early or late in a round."""
    folder = copy(half, tmp_path / "run")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        line = refused(*words(folder))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "File too large; round 3 stands" in line
    assert str(folder) in line
    assert_resumes(folder, whole)


def test_a_read_only_folder(half, whole, tmp_path, refused):
    if os.geteuid():
        folder = copy(half, tmp_path / "run")
        folder.chmod(0o555)
        assert "Permission denied; round 3 stands" in refused(*words(folder))
        folder.chmod(0o755)
        assert_resumes(folder, whole)
        return
    with small_disk(tmp_path / "disk") as disk:  # root may write in every folder but that of a disk
        folder = copy(half, disk / "run")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        assert "Read-only file system; round 3 stands" in refused(*words(folder))
        assert "cannot be written: Read-only file system" in refused(*words(disk / "new"))
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        assert_resumes(folder, whole)


@pytest.mark.parametrize("name", ["weights-00003.safetensors", "games-00002.npz"])
@pytest.mark.parametrize("damage", ["flip", "cut"])
def test_damaged_files(half, whole, tmp_path, refused, name, damage):
    folder = copy(half, tmp_path / "run")
    data = (folder / name).read_bytes()
    middle = len(data) // 2
    flipped = data[:middle] + bytes([data[middle] ^ 8]) + data[middle + 1 :]
    (folder / name).write_bytes(flipped if damage == "flip" else data[:-20])
    line = refused(*words(folder))
    assert name in line
    assert "SHA-256" in line
    (folder / name).write_bytes(data)  # a copy is put back
    assert_resumes(folder, whole)


@pytest.mark.parametrize("change", ["round", "sum", "shard", "order", "shape", "text", "version"])
def test_a_manifest_that_does_not_match(half, whole, tmp_path, refused, change):
    folder = copy(half, tmp_path / "run")
    path = folder / "manifest.json"
    good = path.read_bytes()

    def changed(data):
        if change == "round":
            data["round"] = 2
        elif change == "sum":
            data["sha256"]["optimiser-00003.safetensors"] = "0" * 64
        elif change == "shard":
            data["shards"].append("games-00009.npz")
        elif change == "order":
            data["shards"].reverse()
        elif change == "shape":
            del data["shards"]
        elif change == "version":
            data["version"] = 1

    reseal(path, changed)
    if change == "text":
        path.write_bytes(b"{")
    line = refused(*words(folder))
    assert str(folder) in line
    if change not in ("text", "version"):  # and by somebody who does not know of the sum
        data = json.loads(good)
        changed(data)
        path.write_text(json.dumps(data))
        assert "not what the run wrote" in refused(*words(folder))
    path.write_bytes(good)
    assert_resumes(folder, whole)


def test_a_checkpoint_of_another_game(half, whole, tmp_path, refused):
    other = tmp_path / "other"
    settings = [*words(other, rounds=1)]
    settings[settings.index("--game") + 1] = "nannon(points=5,checkers=2,sides=5)"
    assert main([*settings, "--json"]) == 0
    folder = copy(half, tmp_path / "run")
    settings[settings.index("--out") + 1] = str(folder)
    assert "another game" in refused(*settings)
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    for path in other.iterdir():  # all of the other run but what it says of itself
        if path.name != "config.json":
            (folder / path.name).write_bytes(path.read_bytes())
    line = refused(*words(folder))
    assert f"{folder}: " in line
    assert "config.json is not that of the run" in line
    for path in folder.iterdir():
        path.unlink()
    for name, data in kept.items():
        (folder / name).write_bytes(data)
    assert_resumes(folder, whole)


class Bomb:
    """Leaves a trace if it is ever unpickled."""

    def __init__(self, trace):
        self.trace = trace

    def __reduce__(self):
        return os.mkdir, (str(self.trace),)


@pytest.mark.parametrize(
    "name", ["weights-00003.safetensors", "optimiser-00003.safetensors", "games-00003.npz"]
)
def test_a_pickle_in_disguise_is_never_opened(half, whole, tmp_path, refused, name):
    """Its sum is right: whoever put it there changed the manifest too."""
    import pickle

    folder = copy(half, tmp_path / "run")
    good, manifest = (folder / name).read_bytes(), (folder / "manifest.json").read_bytes()
    if name.endswith(".npz"):
        np.savez(folder / name, observation=np.array([Bomb(tmp_path / "trace")], object))
    else:
        (folder / name).write_bytes(pickle.dumps(Bomb(tmp_path / "trace")))
    digest = sha256((folder / name).read_bytes())
    reseal(folder / "manifest.json", lambda data: data["sha256"].update({name: digest}))
    assert name in refused(*words(folder))
    assert not (tmp_path / "trace").exists()
    (folder / name).write_bytes(good)
    (folder / "manifest.json").write_bytes(manifest)
    assert_resumes(folder, whole)


def test_a_loss_that_is_not_a_number(half, whole, tmp_path, refused, monkeypatch):
    folder = copy(half, tmp_path / "run")
    real, calls = training.Trainer.steps, [0]

    def spoiled(self, batch, *, count, learning_rate):
        calls[0] += 1
        if calls[0] == 2:  # the second step of round 5
            rows, value = len(batch.value) // count, batch.value.copy()
            value[rows : 2 * rows] = np.nan
            batch = replace(batch, value=value)
        return real(self, batch, count=count, learning_rate=learning_rate)

    monkeypatch.setattr(training.Trainer, "steps", spoiled)
    assert "round 5: the loss term 'value' is nan" in refused(*words(folder))
    monkeypatch.undo()
    assert Manifest.read(folder).round == 4
    assert load_run(folder).round == 4
    assert main([*words(folder), "--json"]) == 0
    assert contents(folder) == contents(whole)


def test_a_second_ctrl_c_does_not_wait_for_native_code():
    """An hour of native work that never looks for signals: the first is heard, the second obeyed."""
    code = (
        "import hashlib\n"
        "from dicezero.cli.interrupts import Interrupts\n"
        "with Interrupts(lambda: print('heard', flush=True)):\n"
        "    said = False\n"
        "    while True:\n"
        "        try:\n"
        "            if not said:\n"
        "                said = True\n"
        "                print('ready', flush=True)\n"
        "            hashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)\n"
        "        except KeyboardInterrupt:  # it came between the print and the native call\n"
        "            pass\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(2)
        assert process.stdout.readline() == "heard\n"
        assert process.poll() is None
        process.send_signal(2)
        assert process.wait(timeout=120) == 130
    finally:
        process.kill()
        process.communicate()


def wait_for_round(process, number):
    """Reads until the round's own line: before it may come lines of the round under way."""
    for line in process.stderr:
        if line.startswith(f"round {number} strength"):
            return
    raise AssertionError(f"the process ended before round {number}")


def test_ctrl_c_twice_leaves_the_last_round(half, whole, tmp_path):
    folder = copy(half, tmp_path / "run")
    code = "import sys; from dicezero.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words(folder, rounds=100_000)], stderr=subprocess.PIPE, text=True
    )
    wait_for_round(process, 4)
    process.send_signal(2)
    process.send_signal(2)
    process.communicate(timeout=240)
    assert process.returncode == 130
    stands = Manifest.read(folder).round
    assert stands >= 4
    assert load_run(folder).round == stands
    run(folder, rounds=stands + 1, resume=True)
    assert load_run(folder).round == stands + 1
    if stands + 1 == ROUNDS:
        assert contents(folder)[0].keys() == contents(whole)[0].keys()
