"""The folder of a run: what is in it, how a round is committed, how it is read back.

``config.json`` is the run's configuration. A round writes its games (``games-00007.npz``), where it
reanalyses what it found for older games (``fresh-00007.npz``), Adam's moments and its weights
(``optimiser-00007.safetensors``, ``weights-00007.safetensors``), its line of ``metrics.jsonl``, and then, at
one stroke, ``manifest.json``: the round and the SHA-256 sum of every file that belongs to it, the weights of
earlier rounds that are kept among them, the sum of the metrics and that of the configuration. The two JSON
files carry sums of themselves. What the manifest does not name does not exist; a run killed anywhere is found
as the last manifest left it. There is a manifest from the start, of round 0, so that one that is lost is
missed; the weights carry what it takes to make it again (``repair``). Events and the report are made from
these files. The code of a game or network of somebody's own lies beside them, ``game.py`` and ``network.py``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from dicezero.runs.config import RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.files import PACKED, read_bounded, read_unpacked, sha256, sync_folder, write_atomically
from dicezero.runs.manifest import (
    MANIFEST,
    METRICS,
    OPTIMISER,
    SHARDS,
    WEIGHTS,
    Manifest,
    new_id,
    optimiser_name,
    read_run,
    weights_name,
)
from dicezero.runs.sealed import VERSION, plain_json
from dicezero.runs.versions import versions

_MOST_METRICS_BYTES = 256 << 20
_MOST_BYTES = 8 << 30  # of weights or of a round's games
Tensors = dict[str, np.ndarray[Any, Any]]


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """The state of a run after a round; rounds count from 1, 0 is before the first."""

    round: int
    weights: Tensors
    optimiser: Tensors
    shards: tuple[str, ...]  # names of the files of games and findings in the buffer, as they came
    kept: tuple[int, ...] = ()  # rounds whose weights stay, oldest first; may end with this one


def begin(folder: Path, config: RunConfig, code: Mapping[str, bytes] | None = None) -> None:
    """Begins the run on disk; ``code`` by file name lies beside it."""
    config.write(folder)
    for name, data in (code or {}).items():
        write_atomically(folder / name, data)
    Manifest(0, (), (), versions(), {}, config.identity_sum, sha256(b""), new_id()).write(folder)


def commit(
    folder: Path,
    config: RunConfig,
    checkpoint: Checkpoint,
    sums: Mapping[str, str],
    metrics: Mapping[str, Any],
) -> dict[str, str]:
    """Makes a round last; returns the sums of all its files.

    Args:
        folder: of the run.
        config: of the run.
        checkpoint: the state; its shards have been written.
        sums: SHA-256 of each shard and of the kept rounds' weights by name.
        metrics: the round's line.
    """
    number = checkpoint.round
    shards = {name: sums[name] for name in checkpoint.shards}
    moments = save_tensors(checkpoint.optimiser, metadata={"dicezero": f"{VERSION}"})
    write_atomically(folder / optimiser_name(number), moments)
    shards[optimiser_name(number)] = sha256(moments)
    # The manifest's content but for clocks, should it be lost.
    record = {"version": VERSION, "round": number, "config": config.identity, "files": shards}
    weights = save_tensors(
        checkpoint.weights,
        # One entry: the library writes several in any order.
        metadata={"dicezero": json.dumps({"record": record, "sum": tensors_sum(checkpoint.weights, record)})},
    )
    write_atomically(folder / weights_name(number), weights)
    files = {weights_name(kept): sums[weights_name(kept)] for kept in checkpoint.kept if kept != number}
    files |= shards | {weights_name(number): sha256(weights)}
    lines = [*_metric_lines(folder, number - 1), json.dumps(dict(metrics), allow_nan=False).encode()]
    table = b"".join(line + b"\n" for line in lines)
    write_atomically(folder / METRICS, table)
    manifest = Manifest(
        number,
        checkpoint.shards,
        checkpoint.kept,
        versions(),
        files,
        config.identity_sum,
        sha256(table),
        Manifest.read(folder).id,
    )
    manifest.write(folder)
    remove_strays(folder, files)
    return files


def tensors_sum(tensors: Tensors, record: Mapping[str, Any]) -> str:
    """A sum of tensors and of the record beside them, for the file that holds both."""
    parts = [json.dumps(record, sort_keys=True)]
    for name in sorted(tensors):
        array = np.ascontiguousarray(tensors[name])
        parts.append(f"{name} {array.dtype.str} {array.shape} {sha256(array.tobytes())}")
    return sha256("\n".join(parts).encode("utf-8", "backslashreplace"))


def read_checkpoint(folder: Path) -> Checkpoint | None:
    """The last committed state, None before the first; every file is checked against the manifest.

    The shards are named, not read.

    Raises:
        RunError: a file, be it the weights of a kept round, is not what was written.
    """
    _, manifest = read_run(folder)
    number, sums = manifest.round, manifest.sums
    if not number:
        return None
    if optimiser_name(number) not in sums:
        raise RunError(
            f"{folder} can be played but not go on: what is left of it after its repair has no "
            f"{optimiser_name(number)}; train again with another --out"
        )
    for kept in manifest.kept:
        if kept != number:
            _checked_kept(folder, kept, sums)
    read_metrics(folder)
    weights = _read_tensors(folder, weights_name(number), sums)
    optimiser = _read_tensors(folder, optimiser_name(number), sums)
    return Checkpoint(number, weights, optimiser, manifest.shards, manifest.kept)


def read_weights(
    folder: Path, round_number: int | None = None, *, average: int = 1
) -> tuple[int, Tensors, str]:
    """A round, its weights and the sum of their file, checked: the last round's, or those of a kept one.

    With ``average`` it is the mean of so many rounds: this one and the kept ones next before it.
    """
    if average < 1:
        raise ValueError(f"average={average} must be at least 1")
    _, manifest = read_run(folder)
    try:
        return _read_weights(folder, manifest, round_number, average)
    except RunError:
        _, newer = read_run(folder)
        if newer == manifest:
            raise
        return _read_weights(folder, newer, round_number, average)  # a round was committed meanwhile


def _read_weights(
    folder: Path, manifest: Manifest, number: int | None, average: int
) -> tuple[int, Tensors, str]:
    if not manifest.round:
        raise RunError(f"{folder} holds no finished round yet; wait for its first, or go on with --resume")
    number = manifest.round if number is None else number
    if number not in manifest.rounds_with_weights:
        there = ", ".join(map(str, manifest.rounds_with_weights))
        raise RunError(f"{folder} has no weights of round {number}; it has those of {there}")
    rounds = [n for n in manifest.rounds_with_weights if n <= number][-average:]
    if len(rounds) < average:
        raise RunError(
            f"{folder} has the weights of {len(rounds)} rounds up to round {number}, too few to average "
            f"{average}; --keep-every of train sets how many are kept"
        )
    many = [_single_precision(_read_tensors(folder, weights_name(n), manifest.sums)) for n in rounds]
    digest = manifest.sums[weights_name(number)]
    if average == 1:
        return number, many[0], digest
    shapes = [{name: array.shape for name, array in tensors.items()} for tensors in many]
    if any(shape != shapes[0] for shape in shapes):
        raise RunError(
            f"{folder}: the weights of rounds {rounds} are not of one shape, as those of an n-tuple network; "
            "leave average out"
        )
    mean = {
        name: np.stack([tensors[name] for tensors in many]).mean(axis=0, dtype=np.float64).astype(np.float32)
        for name in many[0]
    }
    return number, mean, digest


def _single_precision(tensors: Tensors) -> Tensors:
    """Weights as networks take them: what was shipped in half precision (tools/ship_run.py) is widened."""
    return {
        name: array.astype(np.float32) if array.dtype == np.float16 else array
        for name, array in tensors.items()
    }


def read_checked(folder: Path, name: str, sums: Mapping[str, str]) -> bytes:
    """The bytes of a file of the run, if they are those that were written."""
    packed = folder / (name + PACKED)
    if packed.is_file() and not (folder / name).exists():
        data = read_unpacked(packed)
    else:
        data = read_bounded(folder / name, most_bytes=_MOST_BYTES)
    if sums.get(name) != sha256(data):
        raise RunError(
            f"{folder / name} is not what the run wrote: its SHA-256 differs from {MANIFEST}'s; "
            f"restore it from a copy, or see dicezero runs --repair {folder}"
        )
    return data


def read_metrics(folder: Path, *, rounds: int | None = None) -> list[dict[str, Any]]:
    """The lines of all committed rounds, or of the first so many; RunError where they were changed."""
    manifest = Manifest.read(folder)
    lines = _metric_lines(folder, manifest.round)
    if sha256(b"".join(line + b"\n" for line in lines)) != manifest.metrics:
        raise RunError(
            f"{folder / METRICS} is not what the run wrote: its SHA-256 differs from {MANIFEST}'s; "
            f"restore it from a copy, or see dicezero runs --repair {folder}"
        )
    return parse_metrics(lines[:rounds], folder)


def parse_metrics(lines: Sequence[bytes], folder: Path) -> list[dict[str, Any]]:
    """Lines of metrics as data; RunError where one is no round's."""
    metrics = []
    for number, line in enumerate(lines, 1):
        data = plain_json(line, f"{folder / METRICS}, line {number},")
        if not isinstance(data, dict) or data.get("round") != number:
            raise RunError(f"{folder / METRICS}, line {number} is not that of round {number}")
        metrics.append(data)
    return metrics


def remove_strays(folder: Path, keep: Mapping[str, str]) -> None:
    """Removes files of rounds that are no longer needed or were never committed."""
    for pattern in (WEIGHTS, OPTIMISER, *SHARDS, ".*.tmp"):
        for path in folder.glob(pattern):
            if path.name not in keep:
                path.unlink(missing_ok=True)
    sync_folder(folder)


def _metric_lines(folder: Path, rounds: int) -> list[bytes]:
    """The first lines, without their ends."""
    if not rounds or not (folder / METRICS).exists():
        return []
    return read_bounded(folder / METRICS, most_bytes=_MOST_METRICS_BYTES).split(b"\n")[:-1][:rounds]


def _checked_kept(folder: Path, number: int, sums: Mapping[str, str]) -> None:
    try:
        read_checked(folder, weights_name(number), sums)
    except RunError as error:
        raise RunError(
            f"{error}; these are the kept weights of round {number}: dicezero runs --repair {folder} goes on "
            "without them"
        ) from error


def _read_tensors(folder: Path, name: str, sums: Mapping[str, str]) -> Tensors:
    data = read_checked(folder, name, sums)
    try:
        return dict(load_tensors(data))
    # Types that NumPy lacks are a KeyError, tensors of none of its shapes a ValueError.
    except (SafetensorError, LookupError, TypeError, ValueError) as error:
        raise RunError(f"{folder / name} is not a safetensors file: {error}") from error
