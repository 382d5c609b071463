"""Ships a run inside the package: ``python tools/ship_run.py runs/best backgammon``.

A third word N ships the mean of the weights of the last N kept rounds, as ``run(path=DIR,average=N)`` plays:
stronger while the learning rate is high.

The folder ``src/dicezero/pretrained/NAME`` gets what it takes to play the run's last round: configuration,
metrics, weights and a manifest of these; neither games nor the optimiser's state. The agent ``pretrained``
then plays it wherever the run's game is played.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from safetensors.numpy import save

from dicezero.agents.pretrained import FOLDER
from dicezero.runs.checkpoint import read_weights
from dicezero.runs.loading import load_run
from dicezero.runs.manifest import METRICS, read_run, weights_name

MOST_BYTES = 8 << 20  # a package is downloaded by everybody


def ship(run: Path, name: str, average: int = 1) -> Path:
    """Copies the run's last round, or a mean; ValueError where it is too large. Returns the folder."""
    config, manifest = read_run(run)
    weights = weights_name(manifest.round)
    files = {name: (run / name).read_bytes() for name in (METRICS, weights)}
    if average > 1:
        files[weights] = save(dict(read_weights(run, None, average=average)[1]))
    if len(files[weights]) > MOST_BYTES:
        raise ValueError(f"{run / weights} is larger than {MOST_BYTES} bytes; ship a smaller network")
    to = FOLDER / name
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    for file, data in files.items():
        (to / file).write_bytes(data)
    config.write(to)
    sums = {weights: hashlib.sha256(files[weights]).hexdigest()}
    replace(manifest, shards=(), kept=(), sums=sums).write(to)
    load_run(to)
    return to


if __name__ == "__main__":
    print(ship(Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:4])))
