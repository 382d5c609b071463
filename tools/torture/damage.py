"""Damage to every file: it is noticed, or what is read is what was written; repair never makes things up."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import made
from outcome import Budget, Outcome

from dicezero.runs.checkpoint import read_checkpoint
from dicezero.runs.errors import RunError
from dicezero.runs.folder import run_folder
from dicezero.runs.listing import summarise_run
from dicezero.runs.manifest import MANIFEST
from dicezero.runs.repair import repair_run

HOWS = ("flip", "set", "cut", "gone", "empty", "double", "zero", "swap", "other", "stale")


def batch(budget: Budget) -> Outcome:
    """Each case damages one to three files of a sound run."""
    found, seed = Outcome(), budget.seed
    with tempfile.TemporaryDirectory() as place:
        past: list[bytes] = []  # the manifests of all rounds, in their order
        sound = made.make_run(Path(place) / "sound", manifests=past)
        older = made.make_run(Path(place) / "older", rounds=4)
        right = made.said(sound)
        for number, lots in budget:
            folder = made.fresh_copy(sound, Path(place) / "spoiled")
            done = [_damage(lots, folder, older, past) for _ in range(lots.choice((1, 1, 1, 2, 3)))]
            found.cases += 1
            try:
                _judge(folder, right)
            except AssertionError as error:
                found.fail(f"seed {seed} case {number} {done}: {error}")
            except Exception as error:  # anything but a RunError is a mistake of ours
                found.fail(f"seed {seed} case {number} {done}: {type(error).__name__}: {error}")
    return found


def _damage(lots: random.Random, folder: Path, older: Path, past: list[bytes]) -> str:
    path = lots.choice(sorted(p for p in folder.iterdir() if p.is_file()))
    data, how = bytearray(path.read_bytes()), lots.choice(HOWS)
    at = lots.randrange(len(data)) if data else 0
    if how == "flip" and data:
        data[at] ^= 1 << lots.randrange(8)
    elif how == "set" and data:
        data[at] = lots.randrange(256)
    elif how == "cut":
        data = data[:at]
    elif how == "gone":
        path.unlink()
        return f"{how} {path.name}"
    elif how == "empty":
        data.clear()
    elif how == "double":
        data = data + data
    elif how == "zero" and data:
        data[at : at + 64] = bytes(len(data[at : at + 64]))
    elif how == "swap":
        other = lots.choice(sorted(p for p in folder.iterdir() if p.suffix == path.suffix))
        mine, theirs = path.read_bytes(), other.read_bytes()
        other.write_bytes(mine)
        path.write_bytes(theirs)
        return f"{how} {path.name} {other.name}"
    elif how == "stale":
        number = lots.randrange(len(past))
        (folder / MANIFEST).write_bytes(past[number])
        return f"{how} manifest of round {number}"
    elif how == "other" and (older / path.name).exists():
        data = bytearray((older / path.name).read_bytes())
    path.write_bytes(bytes(data))
    return f"{how} {path.name}"


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def _judge(folder: Path, right: dict[str, object]) -> None:
    """Data is right or refused; after a repair, what can be read is part of what was written."""
    try:
        now = made.said(folder)
    except RunError:
        now = None
        assert summarise_run(folder).state == "damaged", "refused, but listed as sound"
    if now is not None:
        assert now["config"] == right["config"], "another configuration was taken"
        if now["round"] == right["round"]:
            assert now == right, "other data was taken"
    before = _files(folder)
    try:
        with run_folder(folder, made.CONFIG, resume=True):
            found = read_checkpoint(folder)
            # A fifth round that its manifest does not know looks like one killed before its commit.
            assert found, "a run begins anew"
            assert found.round in (4, 5), "a run goes on that lost rounds"
    except RunError:
        assert _files(folder) == before, "a run that was not resumed was changed"
    try:
        repair_run(folder)
    except RunError:
        assert _files(folder) == before, "a repair that failed changed something"
        return
    now = made.said(folder)
    number = int(str(now["round"][0]))
    assert number <= 5, "a round that never was"
    assert now["config"].identity == right["config"].identity, "another run after the repair"  # type: ignore[attr-defined]
    if number == 5:
        assert now["weights"][1] == right["weights"][1], "other weights after the repair"  # type: ignore[index]
