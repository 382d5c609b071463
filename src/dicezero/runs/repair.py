"""A run made whole again from the files that sums still vouch for.

A manifest that can be read vouches for what it names. Where it is lost, the newest weights do: they carry a
sum of themselves, what the run is, and the sums of the files of their round. What nothing vouches for is
moved to the folder ``damaged`` inside the run's.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors

from dicezero.runs.checkpoint import read_checked, read_metrics, tensors_sum
from dicezero.runs.code import GAME_CODE, NETWORK_CODE
from dicezero.runs.config import CONFIG, KEEP_EVERY, RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.files import read_bounded, sha256, write_atomically
from dicezero.runs.folder import locked
from dicezero.runs.manifest import (
    MANIFEST,
    METRICS,
    WEIGHTS,
    Manifest,
    belongings,
    new_id,
    newest_file_round,
    optimiser_name,
    shard_name,
    shard_round,
    weights_name,
)
from dicezero.runs.sealed import VERSION, plain_json, text, whole_number
from dicezero.runs.versions import versions

DAMAGED = "damaged"
_MOST_BYTES, _MOST_METRICS_BYTES = 8 << 30, 256 << 20


@dataclass(frozen=True)
class Repair:
    """What a repair came to.

    Attributes:
        round: the round that stands now.
        goes_on: whether the run can be resumed; else it can only be played.
        exact: whether it then goes on as it would have without the damage.
        notes: what was found and done, a line each; none where the run was sound.
    """

    round: int
    goes_on: bool
    exact: bool
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Weights:
    """Weights that pass their own checksum, and what they record of their round."""

    round: int
    config: RunConfig  # its number of rounds is not recorded
    files: dict[str, str]  # sums of the other files of the round
    sha256: str


@dataclass(frozen=True)
class _Claim:
    """What a run should consist of, to be compared with what is there."""

    round: int
    shards: tuple[str, ...]
    kept: tuple[int, ...]
    sums: dict[str, str]


def repair_run(folder: Path) -> Repair:
    """Makes the run in ``folder`` whole again, as far as its files are; a sound run is left as it is.

    Raises:
        RunError: nothing there can be vouched for, or a process is training there.
    """
    if not folder.is_dir():
        raise RunError(f"{folder} is no folder; give that of a run")
    if (folder / DAMAGED).is_symlink():
        raise RunError(f"{folder / DAMAGED} is a link: nothing is moved out of a run's folder; remove it")
    with locked(folder):
        notes: list[str] = []
        weights = _all_weights(folder)
        config = _config(folder, weights, notes)
        claim = _claim(folder, config, weights, notes)
        number, shards, kept = _standing(folder, claim, notes)
        table = _metrics(folder, number, notes)
        files = {*shards, *(weights_name(n) for n in {*kept, number} - {0})}
        goes_on = not number or (
            number == claim.round and _is_whole(folder, optimiser_name(number), claim.sums)
        )
        if number and goes_on:
            files.add(optimiser_name(number))
        elif number:
            notes.append(f"round {number} can be played, but the run cannot go on from it")
        if notes:
            sums = {name: claim.sums[name] for name in sorted(files)}
            write_atomically(folder / METRICS, table)
            config.write(folder)
            digest, own = sha256(table), config.identity_sum
            made = Manifest(number, shards, kept, versions(), sums, own, digest, new_id())
            made.write(folder)
            _set_aside(folder, made, notes)
        return Repair(number, goes_on, goes_on and shards == claim.shards, tuple(notes))


def _all_weights(folder: Path) -> dict[int, _Weights]:
    """Weights that vouch for themselves, by round."""
    by_round: dict[int, _Weights] = {}
    for path in sorted(folder.glob(WEIGHTS)):
        try:
            weights = _self_vouching(path)
        except (RunError, SafetensorError, LookupError, TypeError, ValueError):
            continue
        if path.name == weights_name(weights.round):
            by_round[weights.round] = weights
    return by_round


def _self_vouching(path: Path) -> _Weights:
    """What weights record of themselves; an error of any kind where they are not what was written."""
    data = read_bounded(path, most_bytes=_MOST_BYTES)
    header = plain_json(data[8 : 8 + int.from_bytes(data[:8], "little")], str(path))
    claimed = plain_json(header["__metadata__"]["dicezero"], str(path))
    record = claimed["record"]
    if record["version"] != VERSION or claimed["sum"] != tensors_sum(load_tensors(data), record):
        raise RunError(f"{path} is not what the run wrote")
    config = RunConfig.from_plain({**record["config"], "rounds": 1, "keep_every": 0})
    files = {name: text(record["files"], name, longest=64) for name in record["files"]}
    for name in files:
        if name != optimiser_name(record["round"]):
            shard_round(name)  # raises for a name that is no shard's
    return _Weights(whole_number(record, "round", low=1), config, files, sha256(data))


def _config(folder: Path, weights: Mapping[int, _Weights], notes: list[str]) -> RunConfig:
    """The configuration, from the weights where it is lost; how far to go is then the preset's number."""
    try:
        config = RunConfig.read(folder)
    except RunError as error:
        if not weights:
            raise RunError(
                f"{folder} cannot be repaired, as no weights are left that record what it was: {error}"
            ) from error
        newest = weights[max(weights)]
        rounds = max(newest.round, newest.config.preset.rounds)
        config = replace(newest.config, rounds=rounds, keep_every=KEEP_EVERY)
        notes.append(f"{CONFIG} made again from {weights_name(newest.round)}; --rounds sets how far to go")
    for name, record in ((GAME_CODE, config.source), (NETWORK_CODE, config.network)):
        if record and record.known and not _is_whole(folder, name, {name: record.sha256}):
            raise RunError(
                f"{folder / name} is lost or damaged; copy {record.file} there, the one whose SHA-256 is "
                f"{record.sha256}"
            )
    return config


def _claim(folder: Path, config: RunConfig, weights: Mapping[int, _Weights], notes: list[str]) -> _Claim:
    """What the manifest lists; where it is lost, what the newest weights record."""
    own = {n: each for n, each in weights.items() if each.config.identity_sum == config.identity_sum}
    try:
        manifest = Manifest.read(folder)
        newest = newest_file_round(folder)  # one more round may have been killed before its commit
        if manifest.config == config.identity_sum and newest <= manifest.last_shard + 1:
            return _Claim(manifest.round, manifest.shards, manifest.kept, manifest.sums)
    except RunError:
        pass
    if not own:
        if any(belongings(folder)):
            raise RunError(
                f"{folder} cannot be repaired: none of its weights vouches for itself; train again"
            )
        notes.append(f"{MANIFEST} made again: no round was finished")
        return _Claim(0, (), (), {})
    last = own[max(own)]
    notes.append(f"{MANIFEST} made again from {weights_name(last.round)}")
    shards = [name for name in last.files if name.endswith(".npz")]
    shards.sort(key=lambda name: (shard_round(name), name != shard_name(shard_round(name))))
    sums = last.files | {weights_name(n): each.sha256 for n, each in own.items()}
    return _Claim(last.round, tuple(shards), tuple(sorted(own.keys() - {last.round})), sums)


def _standing(folder: Path, claim: _Claim, notes: list[str]) -> tuple[int, tuple[str, ...], tuple[int, ...]]:
    """The best round that can be vouched for, its shards, and the kept rounds."""
    whole = {name for name in claim.sums if _is_whole(folder, name, claim.sums)}
    notes += [f"{name} is lost or damaged" for name in sorted(claim.sums.keys() - whole)]
    rounds = [n for n in {*claim.kept, claim.round} - {0} if weights_name(n) in whole]
    if claim.round and not rounds:
        raise RunError(f"{folder} cannot be repaired: none of its weights is whole; train again")
    number = max(rounds, default=0)
    kept = tuple(n for n in claim.kept if n in rounds)
    if number != claim.round:
        return number, (), kept
    lost = [shard_round(name) for name in claim.shards if name not in whole]
    if not lost:
        return number, claim.shards, kept
    notes.append(f"the run goes on without the games of rounds up to {max(lost)}, so not as it would have")
    # What was found for older games names them by their place in the buffer, which is another now.
    left = [name for name in claim.shards if shard_round(name) > max(lost)]
    return number, tuple(name for name in left if name == shard_name(shard_round(name))), kept


def _metrics(folder: Path, rounds: int, notes: list[str]) -> bytes:
    """The lines of the rounds that stand; a line that is lost has its round's number alone."""
    try:
        read_metrics(folder)
    except RunError:
        notes.append(f"{METRICS} is taken as it is: nothing vouches for it")
    try:
        there = read_bounded(folder / METRICS, most_bytes=_MOST_METRICS_BYTES).split(b"\n")
    except RunError:
        there = []
    lines = []
    for number in range(1, rounds + 1):
        line = there[number - 1] if number <= len(there) else b""
        try:
            data = plain_json(line, METRICS)
        except RunError:
            data = None
        if not isinstance(data, dict) or data.get("round") != number:
            notes.append(f"{METRICS}: the line of round {number} is lost")
            line = json.dumps({"round": number}).encode()
        lines.append(line)
    return b"".join(line + b"\n" for line in lines)


def _set_aside(folder: Path, manifest: Manifest, notes: list[str]) -> None:
    """Moves what the manifest does not name out of the way; nothing is removed."""
    for path in list(belongings(folder)):
        if path.name not in manifest.sums:
            (folder / DAMAGED).mkdir(exist_ok=True)
            target = _free_place(folder / DAMAGED / path.name)
            path.rename(target)
            notes.append(f"{path.name} moved to {DAMAGED}/{target.name}")


def _free_place(path: Path) -> Path:
    """The path, or one with a number where a file of an earlier repair lies there."""
    places = (path.with_name(f"{path.name}.{number}") if number > 1 else path for number in count(1))
    return next(place for place in places if not os.path.lexists(place))


def _is_whole(folder: Path, name: str, sums: Mapping[str, str]) -> bool:
    try:
        read_checked(folder, name, sums)
    except RunError:
        return False
    return True
