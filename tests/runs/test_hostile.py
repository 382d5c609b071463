"""Folders from elsewhere with whatever in them: each is judged alone, and nothing breaks the others."""

from __future__ import annotations

import io
import json
import os
import shutil
import struct
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dicezero.cli import main
from dicezero.evaluation.interval import mean_interval
from dicezero.evaluation.match_result import _within
from dicezero.learner.loop import train
from dicezero.replay import npz as npz_reader
from dicezero.replay import shards
from dicezero.rules import load_game, spec_of
from dicezero.runs.config import RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.files import sha256
from dicezero.runs.listing import summarise_run
from dicezero.runs.loading import load_run
from dicezero.runs.sealed import sealed
from dicezero.studio.catalog import Catalog
from dicezero.studio.hall import Hall
from dicezero.studio.service import Service

GAME = "nannon(points=4,checkers=2,sides=4)"
FILES = ("config.json", "manifest.json", "metrics.jsonl")
TEXTS = {
    "deep": b"[" * 200_000,
    "deep object": b'{"a":' * 100_000,
    "huge number": b'{"version": 2, "round": 1e999}',
    "long number": b'{"version": 2, "round": ' + b"9" * 10_000 + b"}",
    "surrogate": rb'{"version": 2, "game": "\ud800"}',
    "no utf-8": b'{"version": 2, "game": "\xff\xfe"}',
    "nan": b'{"version": NaN}',
    "list": b"[2]",
    "empty": b"",
    "nul": b"\0" * 1000,
}


@pytest.fixture
def folders(untrained, tmp_path):
    """A sound run, and a copy of it to be spoiled."""
    for name in ("sound", "spoiled"):
        shutil.copytree(untrained("gumbel-alphazero", GAME), tmp_path / name)
    return tmp_path


def judged(folder):
    """The state of each run, by ``runs`` and by the studio."""
    states = {path.name: summarise_run(path).state for path in sorted(folder.iterdir())}
    catalog = Catalog([folder])
    shown = {run.name: run.damage is None for run in catalog.runs()}
    view = Service(Hall(catalog)).runs()
    json.dumps(view.model_dump(), allow_nan=False).encode()
    for run in catalog.runs():
        catalog.metrics(run.id)
    return states, shown


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("text", TEXTS)
def test_one_bad_folder_is_listed_as_damaged_beside_the_others(folders, name, text, capsys):
    (folders / "spoiled" / name).write_bytes(TEXTS[text])
    states, shown = judged(folders)
    assert states == {"sound": "finished", "spoiled": "damaged"}
    assert shown == {"sound": True, "spoiled": False}
    assert main(["runs", str(folders), "--json"]) == 0
    assert main(["runs", str(folders)]) == 0
    assert main(["evaluate", str(folders / "spoiled")]) in ((0, 2) if name == "metrics.jsonl" else (2,))
    assert "Traceback" not in capsys.readouterr().err


# Anything JSON can say, with every sum right: whoever made the folder knew how.
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def places(data, path=()):
    """Where each value of nested data is."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from places(value, (*path, key))


@pytest.mark.parametrize("name", ["config.json", "manifest.json"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_value_anywhere_is_taken_or_refused(folders, name, data):
    path = folders / "spoiled" / name
    good = json.loads((folders / "sound" / name).read_bytes())
    del good["sum"], good["version"]
    chosen = data.draw(st.sampled_from([place for place in places(good) if place]))
    spoiled = json.loads(json.dumps(good))
    inner = spoiled
    for key in chosen[:-1]:
        inner = inner[key]
    inner[chosen[-1]] = data.draw(PLAIN)
    path.write_bytes(sealed(spoiled))
    states, shown = judged(folders)
    assert states["sound"] == "finished"
    assert shown["sound"]
    with suppress(ValueError):  # one line; anything else is a mistake of ours
        load_run(folders / "spoiled")
    shutil.copy(folders / "sound" / name, path)


def test_names_outside_the_folder_and_odd_files_are_not_read(folders):
    """A pipe would be waited on for ever, a device would fill the memory."""
    folder = folders / "spoiled"
    weights = folder / "weights-00001.safetensors"
    weights.unlink()
    os.mkfifo(weights)
    assert "no ordinary file" in summarise_run(folder).reason
    weights.unlink()
    weights.symlink_to("/dev/zero")
    assert summarise_run(folder).state == "damaged"
    weights.unlink()
    with weights.open("wb") as file:
        file.truncate(1 << 40)  # a file of holes
    assert "more than" in summarise_run(folder).reason
    data = json.loads((folders / "sound" / "manifest.json").read_bytes())
    del data["sum"], data["version"]
    data["sha256"]["../../../../dev/zero"] = "0" * 64
    (folder / "manifest.json").write_bytes(sealed(data))
    assert "its sums are not those of its files" in summarise_run(folder).reason


def test_what_a_terminal_would_obey_is_written_out(folders, capsys):
    shutil.move(folders / "spoiled", folders / "\x1b[2J\x1b]0;title\x07\u202eevil\nline")
    for words in (["runs", str(folders)], ["evaluate", str(folders / "\x1b[31mnone")]):
        main(words)
    done = capsys.readouterr()
    assert "\x1b" not in done.out + done.err
    assert "\x07" not in done.out
    assert "\u202e" not in done.out
    assert "\\x1b" in done.out


def test_the_studio_plays_the_weights_that_are_there(untrained, tmp_path):
    """A run trained anew in the same folder is another run, and nothing of the old one is shown."""
    folder = tmp_path / "run"
    shutil.copytree(untrained("gumbel-alphazero", GAME), folder)
    catalog, hall = Catalog([tmp_path]), None
    (old,) = catalog.runs()
    hall = Hall(catalog)
    game = catalog.game(GAME)
    before = hall.agent(catalog.spec(old.id, game), game)
    shutil.rmtree(folder)
    shutil.copytree(untrained("alphazero", GAME), folder)
    catalog.shelf._scanned = -1e9
    (new,) = catalog.runs()
    assert new.id != old.id
    assert new.preset == "alphazero"
    with pytest.raises(RunError):
        catalog.metrics(old.id)
    after = hall.agent(catalog.spec(new.id, game), game)
    assert after is not before
    assert after.name != before.name
    spec = catalog.spec(new.id, game)
    shutil.rmtree(folder)
    shutil.copytree(untrained("gumbel-alphazero", GAME), folder)
    with pytest.raises(ValueError, match="trained anew"):
        catalog.agent(spec, game)


def npz(**arrays):
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def test_a_shard_that_would_unpack_to_gigabytes_is_refused_unread(monkeypatch):
    """A header may say anything, and a few kilobytes of zeros unpack to what it says."""
    spec = spec_of(load_game(GAME))
    real = {name: np.zeros(3, kind) for name, kind in shards._FIELDS.items()}
    small = npz(observation=np.zeros((3, 22), np.float32), **real)
    assert npz_reader.read_arrays(small, ("observation", *real)).keys() == {"observation", *real}
    monkeypatch.setattr(npz_reader, "_array", lambda *_: pytest.fail("it was unpacked"))
    large = npz(observation=np.zeros((3, 22), np.float32), **(real | {"legal": np.zeros(1 << 22, np.int16)}))
    assert len(large) < 20_000
    with pytest.raises(ValueError, match="are not of one length"):
        shards.unpack_episodes(large, spec, name="games-00001.npz")
    monkeypatch.setattr(npz_reader, "MOST_BYTES", 1 << 20)
    huge = npz(observation=np.zeros((1 << 18, 2), np.float32), **real)
    with pytest.raises(ValueError, match="would unpack to more than 1 MiB"):
        shards.unpack_episodes(huge, spec, name="games-00001.npz")


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_shard_is_refused_in_one_line(data):
    real = {name: np.zeros(3, kind) for name, kind in shards._FIELDS.items()}
    good = npz(observation=np.zeros((3, 22), np.float32), **real)
    spoiled = bytearray(good)
    for _ in range(data.draw(st.integers(1, 4))):
        spoiled[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    with pytest.raises(ValueError, match=r"games-00001\.npz"):
        shards.unpack_episodes(bytes(spoiled), spec_of(load_game(GAME)), name="games-00001.npz")


def test_an_optimiser_without_moments_is_refused_in_one_line(folders):
    """``untrained`` has the weights in its place."""
    game = load_game(GAME)
    config = RunConfig.read(folders / "spoiled")
    with pytest.raises(RunError, match="the optimiser's state does not fit the weights: count is not"):
        train(config.preset, game, folders / "spoiled", seed=config.seed, rounds=2, resume=True)
    assert load_run(folders / "spoiled").round == 1


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-3, 4), min_size=1, max_size=6), st.integers(0, 5))
def test_the_interval_of_a_score_is_one_of_scores(adjusted, more):
    """Without its luck a game may count -2 or 3, but no mean of scores is outside [0, 1]."""
    low, high = _within(mean_interval(adjusted + adjusted[:more]), (0.0, 1.0))
    assert 0.0 <= low <= high <= 1.0


def test_tensors_that_are_none_are_refused(folders):
    """Headers that lie about lengths, and an empty optimiser, with sums that are right."""
    folder = folders / "spoiled"
    manifest = json.loads((folder / "manifest.json").read_bytes())
    del manifest["sum"], manifest["version"]
    for raw in (b"", struct.pack("<Q", 2**63) + b"{}", struct.pack("<Q", 2) + b"{}", b"\x80\x04K\x01."):
        name = "weights-00001.safetensors"
        (folder / name).write_bytes(raw)
        manifest["sha256"][name] = sha256(raw)
        (folder / "manifest.json").write_bytes(sealed(manifest))
        with pytest.raises(RunError):
            load_run(folder)
