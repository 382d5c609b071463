"""Ships a run inside the package: ``python tools/ship_run.py runs/best backgammon``.

A third word N ships the mean of the weights of the last N kept rounds, as ``run(path=DIR,average=N)`` plays:
stronger while the learning rate is high. ``--half`` stores them in half precision, in half the space: the
base package, NumPy included, is to stay below 100 MB (make wheel). Weights are packed by gzip. ``--play
simulations=400`` ships it with another search to play with than it was measured with in training. Measure
what is shipped, not the run.

The folder ``src/dicezero/pretrained/NAME`` gets what it takes to play the run's last round: configuration,
a brief line a round (every tenth with what it cost), weights and a manifest of these; neither games nor the
optimiser's state. The agent ``pretrained`` then plays it wherever the run's game is played.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from dicezero.agents.pretrained import FOLDER
from dicezero.presets.settings import with_settings
from dicezero.runs.checkpoint import read_metrics, read_weights
from dicezero.runs.files import MOST_SHIPPED, PACKED
from dicezero.runs.loading import load_run
from dicezero.runs.manifest import METRICS, read_run, weights_name

FIGURES = ("round", "games", "decisions", "cpu_seconds")  # of a round


def brief_metrics(run: Path) -> bytes:
    """A line a round, every tenth and the last with what it has cost; all figures belong to results."""
    rows = read_metrics(run)
    brief = []
    for row in rows:
        keys = FIGURES if row["round"] % 10 == 0 or row is rows[-1] else ("round",)
        brief.append({key: row[key] for key in keys if key in row})
    return b"".join(json.dumps(row).encode() + b"\n" for row in brief)


def ship(run: Path, name: str, average: int = 1, *, half: bool = False, play: Sequence[str] = ()) -> Path:
    """Copies the run's last round, or a mean; ValueError where it is too large. Returns the folder."""
    config, manifest = read_run(run)
    if play:
        settings = {f"play.{key}": value for key, _, value in (word.partition("=") for word in play)}
        config = replace(config, preset=with_settings(config.preset, settings), stored=None)
        manifest = replace(manifest, config=config.identity_sum)
    weights = weights_name(manifest.round)
    files = {METRICS: brief_metrics(run), weights: (run / weights).read_bytes()}
    if average > 1 or half:
        tensors = read_weights(run, None, average=average)[1]
        kind = np.float16 if half else np.float32
        files[weights] = save({name: array.astype(kind) for name, array in tensors.items()})
    if len(files[weights]) > MOST_SHIPPED:
        raise ValueError(f"{run / weights} is larger than {MOST_SHIPPED} bytes; ship a smaller network")
    to = FOLDER / name
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    (to / METRICS).write_bytes(files[METRICS])
    (to / (weights + PACKED)).write_bytes(gzip.compress(files[weights], mtime=0))
    config.write(to)
    sums = {weights: hashlib.sha256(files[weights]).hexdigest()}
    metrics = hashlib.sha256(files[METRICS]).hexdigest()
    replace(manifest, shards=(), kept=(), sums=sums, metrics=metrics).write(to)
    load_run(to)
    return to


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Ships a run inside the package.")
    parser.add_argument("run", type=Path)
    parser.add_argument("name", help="of the folder: the game's")
    parser.add_argument("average", type=int, nargs="?", default=1, help="kept rounds whose mean is shipped")
    parser.add_argument("--half", action="store_true", help="in half precision")
    parser.add_argument("--play", action="append", default=[], help="KEY=VALUE of the search it plays with")
    chosen = parser.parse_args()
    print(ship(chosen.run, chosen.name, chosen.average, half=chosen.half, play=chosen.play))
