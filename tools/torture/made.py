"""A small run's folder, made without training, and what it says."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np

from dicezero.presets.fitting import network_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game, spec_of
from dicezero.runs.checkpoint import Checkpoint, begin, commit, read_metrics, read_weights
from dicezero.runs.config import RunConfig
from dicezero.runs.files import sha256, write_atomically
from dicezero.runs.manifest import MANIFEST, read_run, shard_name

GAME = "nannon(points=4,checkers=2,sides=4)"
PRESET = with_settings(PRESETS["gumbel-alphazero"], {"widths": "4"})
CONFIG = RunConfig(PRESET, GAME, 3, 9, 2)


def do_round(
    folder: Path, number: int, sums: dict[str, str], *, config: RunConfig = CONFIG
) -> dict[str, str]:
    """Plays, learns and commits round ``number``, in name only; the same number gives the same bytes."""
    data = np.random.default_rng(number).bytes(200)
    write_atomically(folder / shard_name(number), data)
    sums = {**sums, shard_name(number): sha256(data)}
    shards = tuple(shard_name(n) for n in range(max(1, number - 2), number + 1))
    kept = tuple(n for n in range(2, number + 1, 2))
    weights = network_of(PRESET, spec_of(load_game(GAME))).init(seed=number)
    line = {"round": number, "seconds": 1.5 * number, "vs_optimal": 0.3}
    return commit(folder, config, Checkpoint(number, weights, weights, shards, kept), sums, line)


def make_run(folder: Path, rounds: int = 5, *, manifests: list[bytes] | None = None) -> Path:
    """A run of so many rounds; ``manifests`` gets the manifest of each, that of the beginning first."""
    folder.mkdir(parents=True)
    begin(folder, CONFIG)
    sums: dict[str, str] = {}
    past = manifests if manifests is not None else []
    past.append((folder / MANIFEST).read_bytes())
    for number in range(1, rounds + 1):
        sums = do_round(folder, number, sums)
        past.append((folder / MANIFEST).read_bytes())
    return folder


def said(folder: Path) -> dict[str, Any]:
    """All that the run says of itself and has learned; ValueError where something is wrong with it."""
    config, manifest = read_run(folder)
    number, weights, digest = read_weights(folder)
    return {
        "config": config,
        "round": (number, manifest.shards, manifest.kept),
        "metrics": read_metrics(folder),
        "weights": (digest, {name: array.tobytes() for name, array in weights.items()}),
    }


def fresh_copy(source: Path, target: Path) -> Path:
    """The folder again, whatever was there."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    return target
