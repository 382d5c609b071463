"""A run that has lost files: nothing is deleted, and ``dicezero runs --repair`` keeps what sums vouch for."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from dicezero.cli import main
from dicezero.presets.fitting import network_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game, spec_of
from dicezero.runs.checkpoint import Checkpoint, begin, commit, read_checkpoint, read_metrics
from dicezero.runs.config import RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.files import sha256
from dicezero.runs.folder import run_folder
from dicezero.runs.listing import summarise_run
from dicezero.runs.loading import load_run
from dicezero.runs.manifest import Manifest, shard_name, weights_name
from dicezero.runs.repair import repair_run

NAME = "nannon(points=4,checkers=2,sides=4)"
PRESET = with_settings(PRESETS["gumbel-alphazero"], {"widths": "4"})
CONFIG = RunConfig(PRESET, NAME, 3, 9, 2)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Five rounds of a run, those of even number kept, the games of the last three there."""
    folder = tmp_path_factory.mktemp("repair") / "run"
    folder.mkdir()
    begin(folder, CONFIG)
    network, sums = network_of(PRESET, spec_of(load_game(NAME))), {}
    for number in range(1, 6):
        data = f"games of round {number}".encode()
        (folder / shard_name(number)).write_bytes(data)
        sums[shard_name(number)] = sha256(data)
        shards = tuple(shard_name(n) for n in range(max(1, number - 2), number + 1))
        kept = tuple(n for n in (2, 4) if n <= number)
        weights = network.init(seed=number)
        line = {"round": number, "seconds": 1.5 * number, "vs_optimal": 0.3}
        sums = commit(folder, CONFIG, Checkpoint(number, weights, weights, shards, kept), sums, line)
    return folder


@pytest.fixture
def run(made, tmp_path):
    return shutil.copytree(made, tmp_path / "run")


def contents(folder):
    names = (path for path in folder.iterdir() if path.is_file() and path.name != "manifest.json")
    return {path.name: path.read_bytes() for path in names}


def same_state(folder, made):
    mine, other = Manifest.read(folder), Manifest.read(made)
    return (mine.round, mine.shards, mine.kept, mine.sums) == (
        other.round,
        other.shards,
        other.kept,
        other.sums,
    )


def resume(folder):
    with run_folder(folder, CONFIG, resume=True):
        return read_checkpoint(folder)


@pytest.mark.parametrize("damage", ["gone", "cut", "empty", "deep"])
def test_a_lost_manifest_is_refused_and_made_again(run, made, damage):
    path = run / "manifest.json"
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes({"cut": data[:-30], "empty": b"", "deep": b"[" * 100_000}[damage])
    before = contents(run)
    with pytest.raises(RunError, match=r"runs --repair|is damaged"):
        resume(run)
    assert contents(run) == before
    assert summarise_run(run).state == "damaged"
    found = repair_run(run)
    assert (found.round, found.goes_on, found.exact) == (5, True, True)
    assert same_state(run, made)
    assert contents(run) == before
    assert resume(run).round == 5
    assert repair_run(run).notes == ()


def test_a_lost_configuration_is_made_again(run, made):
    (run / "config.json").unlink()
    with pytest.raises(RunError, match=r"has lost its config.json.*runs --repair"):
        resume(run)
    (run / "manifest.json").unlink()
    assert repair_run(run).exact
    assert same_state(run, made)
    config = RunConfig.read(run)
    assert (config.identity, config.rounds) == (CONFIG.identity, PRESET.rounds)
    assert resume(run).round == 5


def test_damaged_kept_weights_are_told_on_resume_and_dropped_by_repair(run):
    (run / weights_name(2)).write_bytes(b"x")
    with pytest.raises(RunError, match=r"weights-00002.*kept weights of round 2: .*--repair"):
        resume(run)
    found = repair_run(run)
    assert found.exact
    assert "weights-00002.safetensors is lost or damaged" in found.notes
    assert Manifest.read(run).kept == (4,)
    assert (run / "damaged" / weights_name(2)).read_bytes() == b"x"
    assert resume(run).kept == (4,)


def test_lost_games_leave_a_run_that_goes_on_with_fewer(run):
    (run / shard_name(4)).unlink()
    found = repair_run(run)
    assert (found.goes_on, found.exact) == (True, False)
    assert resume(run).shards == (shard_name(5),)


@pytest.mark.parametrize("lost", ["weights-00005.safetensors", "optimiser-00005.safetensors"])
@pytest.mark.parametrize("manifest", [True, False])
def test_a_lost_last_round_leaves_one_to_play(run, lost, manifest):
    (run / lost).unlink()
    if not manifest:
        (run / "manifest.json").unlink()
    found = repair_run(run)
    number = 4 if lost.startswith("weights") else 5
    assert (found.round, found.goes_on) == (number, False)
    assert load_run(run).round == number
    assert [line["round"] for line in read_metrics(run)] == list(range(1, number + 1))
    with pytest.raises(RunError, match="can be played but not go on"):
        resume(run)


def test_lines_of_metrics_that_are_lost_are_told(run):
    lines = (run / "metrics.jsonl").read_text().splitlines()
    lines[2] = "{"
    (run / "metrics.jsonl").write_text("\n".join(lines))
    with pytest.raises(RunError, match=r"metrics.jsonl is not what the run wrote"):
        resume(run)
    assert "metrics.jsonl: the line of round 3 is lost" in repair_run(run).notes
    assert [len(line) for line in read_metrics(run)] == [3, 3, 1, 3, 3]
    assert resume(run).round == 5


def test_nothing_that_vouches_is_refused(run, tmp_path):
    for path in run.glob("weights-*"):
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        path.write_bytes(bytes(data))
    before = contents(run)
    with pytest.raises(RunError, match="none of its weights is whole"):
        repair_run(run)
    (run / "manifest.json").unlink()
    with pytest.raises(RunError, match="none of its weights vouches for itself"):
        repair_run(run)
    assert contents(run) == before
    with pytest.raises(RunError, match="is no folder"):
        repair_run(tmp_path / "nowhere")


def test_the_command_repairs_what_is_damaged_and_nothing_else(run, made, tmp_path, capsys):
    shutil.copytree(made, tmp_path / "sound")
    (run / "manifest.json").unlink()
    assert main(["runs", str(tmp_path), "--repair", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["repairs"]
    assert (row["path"], row["round"], row["exact"], row["error"]) == (str(run), 5, True, None)
    assert main(["runs", str(tmp_path), "--repair"]) == 0
    assert "no damaged runs under" in capsys.readouterr().out
    for path in run.glob("*.safetensors"):
        path.write_bytes(b"")
    assert main(["runs", str(tmp_path), "--repair"]) == 1
    assert "not repaired" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["config.json", "manifest.json", "metrics.jsonl"])
def test_one_changed_digit_is_noticed_everywhere(run, name):
    """The learning rate, a round, a score: whichever digit it is."""
    rng, path = np.random.default_rng(0), run / name
    good = path.read_bytes()
    digits = [i for i, byte in enumerate(good) if chr(byte).isdigit()]
    for place in rng.choice(digits, 8, replace=False):
        data = bytearray(good)
        data[place] = ord("0") + (data[place] - ord("0") + 1) % 10
        path.write_bytes(bytes(data))
        with pytest.raises(RunError):
            resume(run)
        assert summarise_run(run).state == "damaged"
        if name != "metrics.jsonl":
            with pytest.raises(RunError):
                load_run(run)
        path.write_bytes(good)
    assert resume(run).round == 5


def test_what_fails_before_its_first_round_leaves_nothing(tmp_path):
    out = tmp_path / "a" / "b"

    def fail():
        with run_folder(out, CONFIG, resume=False, code={"game.py": b"x"}):
            assert (out / "game.py").exists()
            (out / "games-00001.npz").write_bytes(b"x")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not (tmp_path / "a").exists()
    out.mkdir(parents=True)
    with pytest.raises(KeyboardInterrupt), run_folder(out, CONFIG, resume=True):
        raise KeyboardInterrupt
    assert out.is_dir()
    assert not any(out.iterdir())
    (out / "mine.txt").write_text("x")
    with pytest.raises(RunError, match="not empty and no run"), run_folder(out, CONFIG, resume=True):
        pass
    assert (out / "mine.txt").exists()


def test_a_run_that_was_killed_before_its_first_round_does_not_block_the_next(tmp_path):
    begin(tmp_path, CONFIG)
    (tmp_path / "games-00001.npz").write_bytes(b"x")
    with run_folder(tmp_path, RunConfig(PRESET, NAME, 4, 9), resume=False):
        assert RunConfig.read(tmp_path).seed == 4
        assert read_checkpoint(tmp_path) is None
    (tmp_path / "manifest.json").unlink()
    (tmp_path / "games-00001.npz").unlink()
    with run_folder(tmp_path, CONFIG, resume=False):
        assert RunConfig.read(tmp_path).seed == 3


def test_runs_of_the_old_format_are_refused_in_one_line(tmp_path, capsys):
    (tmp_path / "config.json").write_text(
        json.dumps({"version": 1, "game": "nannon", "seed": 0, "preset": {}})
    )
    (tmp_path / "manifest.json").write_text(json.dumps({"version": 1, "round": 3}))
    for words in (["evaluate", tmp_path], ["train", "--out", tmp_path, "--resume"], ["report", tmp_path]):
        assert main([*map(str, words)]) == 2
        line = capsys.readouterr().err
        assert "is of format 1, and this dicezero reads format 2: train again" in line
        assert line.count("\n") == 1


def test_what_an_earlier_repair_set_aside_is_not_replaced(run):
    (run / weights_name(4)).write_bytes(b"first")
    repair_run(run)
    (run / weights_name(4)).write_bytes(b"second")
    (run / "manifest.json").write_bytes(b"")
    repair_run(run)
    aside = sorted((run / "damaged").glob(f"{weights_name(4)}*"))
    assert [path.read_bytes() for path in aside] == [b"first", b"second"]


def test_nothing_is_moved_out_of_the_folder(run, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / weights_name(4)).write_bytes(b"somebody else's")
    (run / "damaged").symlink_to(other)
    (run / weights_name(4)).write_bytes(b"damaged")
    with pytest.raises(RunError, match="damaged is a link"):
        repair_run(run)
    assert (other / weights_name(4)).read_bytes() == b"somebody else's"
    assert (run / weights_name(4)).read_bytes() == b"damaged"


@pytest.mark.parametrize("name", ["metrics.jsonl", shard_name(3)])
def test_a_measurement_tells_what_else_is_damaged(run, capsys, name):
    """What is measured are the weights, and they are sound."""
    words = ["evaluate", str(run), "--games", "2", "--json"]
    assert main(words) == 0
    assert capsys.readouterr().err == ""
    (run / name).write_bytes((run / name).read_bytes()[:-1])
    assert main(words) == 0
    told = capsys.readouterr().err
    assert name in told
    assert told.endswith("; the weights measured are sound\n")
    assert told.count("\n") == 1
