"""The folder of a run: what is in it, how a round is committed, how it is read back.

``config.json`` says what the run is. A round writes its games (``games-00007.npz``), where it reanalyses what
it found for older games (``fresh-00007.npz``), its weights and Adam's moments
(``weights-00007.safetensors``, ``optimiser-00007.safetensors``), its line of ``metrics.jsonl``, and then, at
one stroke, ``manifest.json``: the round and the SHA-256 sum of every file that belongs to it, the
weights of earlier rounds that are kept among them. What the manifest does not name does not exist; a run
killed anywhere is found as the last manifest left it. Events and the report are made from these files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from dicezero.presets.registry import Preset
from dicezero.presets.settings import preset_from_json, preset_to_json
from dicezero.runs.files import sha256, sync_folder, write_atomically
from dicezero.runs.versions import versions

VERSION = 1
KEEP_EVERY = 10  # rounds whose weights outlast the next round, unless the run says otherwise
SHARDS = ("games-*.npz", "fresh-*.npz")
CONFIG, MANIFEST, METRICS = "config.json", "manifest.json", "metrics.jsonl"


class RunError(ValueError):
    """A folder that is no run, or a run whose files are not what it wrote."""


@dataclass(frozen=True)
class RunConfig:
    """What a run is: with preset, game, seed and the code, every weight of every round is determined.

    Attributes:
        preset: how it learns.
        game: what it learns.
        seed: of everything.
        rounds: the round to stop after; a resumed run may be given another.
        keep_every: the weights of every so many rounds are kept for good; 0 keeps the last round's only.
    """

    preset: Preset
    game: str
    seed: int
    rounds: int
    keep_every: int = KEEP_EVERY

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError(f"rounds={self.rounds} must be at least 1")
        if self.keep_every < 0:
            raise ValueError(f"keep_every={self.keep_every} must be at least 0; 0 keeps the last round only")

    def write(self, folder: Path) -> None:
        """Begins the run on disk."""
        data = {
            "version": VERSION,
            "game": self.game,
            "seed": self.seed,
            "rounds": self.rounds,
            "keep_every": self.keep_every,
            "preset": preset_to_json(self.preset),
        }
        write_atomically(folder / CONFIG, (json.dumps(data, indent=2) + "\n").encode())

    @staticmethod
    def read(folder: Path) -> RunConfig:
        """The run's configuration; RunError where there is none."""
        data = _read_json(folder, CONFIG)
        try:
            preset = preset_from_json(data["preset"])
            rounds = int(data.get("rounds", preset.rounds))
            keep_every = int(data.get("keep_every", KEEP_EVERY))
            return RunConfig(preset, str(data["game"]), int(data["seed"]), rounds, keep_every)
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"{folder / CONFIG} is not a run's configuration: {error}") from error


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """The state of a run after a round; rounds count from 1, 0 is before the first."""

    round: int
    weights: dict[str, np.ndarray[Any, Any]]
    optimiser: dict[str, np.ndarray[Any, Any]]
    shards: tuple[str, ...]  # names of the files of games and findings in the buffer, as they came
    kept: tuple[int, ...] = ()  # rounds whose weights stay, oldest first; may end with this one


@dataclass(frozen=True)
class Manifest:
    """What the last commit says there is."""

    round: int
    shards: tuple[str, ...]
    kept: tuple[int, ...]
    made_with: dict[str, str]  # versions of what made the last round
    sums: dict[str, str]  # SHA-256 by file name

    @staticmethod
    def read(folder: Path) -> Manifest:
        """The run's manifest; RunError where there is none or it is something else."""
        data = _read_json(folder, MANIFEST)
        try:
            return Manifest(
                int(data["round"]),
                tuple(map(str, data["shards"])),
                tuple(map(int, data.get("kept", ()))),
                dict(data.get("made_with", {})),
                dict(data["sha256"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"{folder / MANIFEST} is not a run's manifest: {error}") from error

    @property
    def rounds_with_weights(self) -> tuple[int, ...]:
        """The rounds that can be loaded, oldest first."""
        return tuple(sorted({*self.kept, self.round}))


def weights_name(round_number: int) -> str:
    """The file of the weights after a round."""
    return f"weights-{round_number:05d}.safetensors"


def optimiser_name(round_number: int) -> str:
    """The file of Adam's moments after a round."""
    return f"optimiser-{round_number:05d}.safetensors"


def shard_name(round_number: int) -> str:
    """The file of a round's games."""
    return f"games-{round_number:05d}.npz"


def fresh_name(round_number: int) -> str:
    """The file of what a round's reanalysis found for older games."""
    return f"fresh-{round_number:05d}.npz"


def shard_round(name: str) -> int:
    """The round of a shard, games or findings, by its name; RunError where it is no shard's."""
    found = re.fullmatch(r"(?:games|fresh)-(\d+)\.npz", name)
    if not found:
        raise RunError(f"{MANIFEST} names the shard {name!r}, which is no file of games; train again")
    return int(found[1])


def commit(
    folder: Path, checkpoint: Checkpoint, sums: Mapping[str, str], metrics: Mapping[str, Any]
) -> dict[str, str]:
    """Makes a round last; returns the sums of all its files.

    Args:
        folder: of the run.
        checkpoint: the state; its shards have been written.
        sums: SHA-256 of each shard and of the kept rounds' weights by name.
        metrics: the round's line.
    """
    number = checkpoint.round
    files = {name: sums[name] for name in checkpoint.shards}
    files |= {weights_name(kept): sums[weights_name(kept)] for kept in checkpoint.kept if kept != number}
    parts = {weights_name(number): checkpoint.weights, optimiser_name(number): checkpoint.optimiser}
    for name, tensors in parts.items():
        data = save_tensors(tensors, metadata={"format": f"dicezero-{VERSION}"})
        write_atomically(folder / name, data)
        files[name] = sha256(data)
    lines = [*_metric_lines(folder, number - 1), json.dumps(dict(metrics), allow_nan=False)]
    write_atomically(folder / METRICS, ("\n".join(lines) + "\n").encode())
    manifest = {
        "version": VERSION,
        "round": number,
        "shards": list(checkpoint.shards),
        "kept": list(checkpoint.kept),
        "made_with": versions(),
        "sha256": files,
    }
    write_atomically(folder / MANIFEST, (json.dumps(manifest, indent=2) + "\n").encode())
    remove_strays(folder, files)
    return files


def read_checkpoint(folder: Path) -> Checkpoint:
    """The last committed state, every file checked against the manifest; RunError where one does not fit.

    The shards are named, not read.
    """
    manifest = Manifest.read(folder)
    number, sums = manifest.round, manifest.sums
    weights = _read_tensors(folder, weights_name(number), sums)
    optimiser = _read_tensors(folder, optimiser_name(number), sums)
    return Checkpoint(number, weights, optimiser, manifest.shards, manifest.kept)


def read_weights(
    folder: Path, round_number: int | None = None, *, average: int = 1
) -> tuple[int, dict[str, np.ndarray[Any, Any]]]:
    """The round and its weights, checked against the manifest: the last round's, or those of a kept one.

    With ``average`` it is the mean of so many rounds: this one and the kept ones next before it.
    """
    if average < 1:
        raise ValueError(f"average={average} must be at least 1")
    manifest = Manifest.read(folder)
    number = manifest.round if round_number is None else round_number
    if number not in manifest.rounds_with_weights:
        there = ", ".join(map(str, manifest.rounds_with_weights))
        raise RunError(f"{folder} has no weights of round {number}; it has those of {there}")
    rounds = [n for n in manifest.rounds_with_weights if n <= number][-average:]
    if len(rounds) < average:
        raise RunError(
            f"{folder} has the weights of {len(rounds)} rounds up to round {number}, too few to average "
            f"{average}; --keep-every of train says how many are kept"
        )
    many = [_read_tensors(folder, weights_name(n), manifest.sums) for n in rounds]
    if average == 1:
        return number, many[0]
    return number, {
        name: np.stack([tensors[name] for tensors in many]).mean(axis=0, dtype=np.float64).astype(np.float32)
        for name in many[0]
    }


def read_checked(folder: Path, name: str, sums: Mapping[str, str]) -> bytes:
    """The bytes of a file of the run, if they are those that were written."""
    try:
        data = (folder / name).read_bytes()
    except OSError as error:
        raise RunError(
            f"{folder / name} cannot be read ({error.strerror}); restore it or train again"
        ) from error
    if sums.get(name) != sha256(data):
        raise RunError(
            f"{folder / name} is not what the run wrote: its SHA-256 differs from {MANIFEST}'s; "
            "restore it from a copy or train again"
        )
    return data


def read_metrics(folder: Path, *, rounds: int) -> list[dict[str, Any]]:
    """The lines of the first rounds."""
    try:
        lines = [json.loads(line) for line in _metric_lines(folder, rounds)]
    except ValueError as error:
        raise RunError(f"{folder / METRICS} is damaged: {error}") from error
    return [line for line in lines if isinstance(line, dict)]


def remove_strays(folder: Path, keep: Mapping[str, str]) -> None:
    """Removes files of rounds that are no longer needed or were never committed."""
    for pattern in ("weights-*.safetensors", "optimiser-*.safetensors", *SHARDS, ".*.tmp"):
        for path in folder.glob(pattern):
            if path.name not in keep:
                path.unlink(missing_ok=True)
    sync_folder(folder)


def _metric_lines(folder: Path, rounds: int) -> list[str]:
    path = folder / METRICS
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return lines[:rounds]


def _read_json(folder: Path, name: str) -> dict[str, Any]:
    path = folder / name
    if not path.is_file():
        what = (
            "holds no finished round yet" if name == MANIFEST and (folder / CONFIG).is_file() else "is no run"
        )
        raise RunError(f"{folder} {what}: there is no {name}; give a folder that dicezero train wrote")
    try:
        data = json.loads(path.read_bytes())
    except ValueError as error:
        raise RunError(f"{path} is damaged: {error}") from error
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise RunError(f"{path} is not of version {VERSION}; it was written by another dicezero")
    return data


def _read_tensors(folder: Path, name: str, sums: Mapping[str, str]) -> dict[str, np.ndarray[Any, Any]]:
    data = read_checked(folder, name, sums)
    try:
        return dict(load_tensors(data))
    except (SafetensorError, KeyError, ValueError) as error:
        raise RunError(f"{folder / name} is not a safetensors file: {error}") from error
