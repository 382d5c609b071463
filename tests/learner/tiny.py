"""A run small enough to be made many times, and what it consists of."""

from __future__ import annotations

import json
from dataclasses import replace

from dicezero.learner.loop import train
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game
from dicezero.runs.checkpoint import read_metrics
from dicezero.runs.manifest import MANIFEST, METRICS, Manifest
from dicezero.runs.sealed import sealed

NAME = "nannon(points=4,checkers=2,sides=4)"
GAME = load_game(NAME)
TINY = {
    "games": "6",
    "buffer_games": "14",  # rounds 4 and on drop a shard
    "batch": "16",
    "steps": "3",
    "simulations": "4",
    "play.simulations": "4",
    "hidden": "8",
    "widths": "8,8",
    "unroll": "2",
    "measure_every": "2",
}
ROUNDS = 5
PRESET = with_settings(PRESETS["gumbel-ndmz"], TINY)


def run(folder, *, rounds=ROUNDS, resume=False, seed=7, preset=PRESET, **options):
    return train(preset, GAME, folder, rounds=rounds, seed=seed, resume=resume, **options)


def words(folder, *, rounds=ROUNDS, seed=7):
    """The same on the command line, to be resumed."""
    out = ["--out", str(folder), "--seed", str(seed), "--rounds", str(rounds), "--resume"]
    settings = [word for key, value in TINY.items() for word in ("--set", f"{key}={value}")]
    return ["train", "gumbel-ndmz", "--game", NAME, *out, *settings]


def contents(folder):
    """Every byte that a run is, but the clock's."""
    clocked = (METRICS, MANIFEST, "report.html", "events.")
    kept = {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(clocked)}
    lines = read_metrics(folder)
    clocks = {name for line in lines for name in line if "seconds" in name}
    kept[MANIFEST] = replace(Manifest.read(folder), metrics="", id="")  # metrics have clocks
    return kept, [{k: v for k, v in line.items() if k not in clocks} for line in lines]


def reseal(path, change):
    """Changes a sealed file as somebody would who knows how: its own sum is right afterwards."""
    data = json.loads(path.read_text())
    del data["sum"], data["version"]
    change(data)
    path.write_bytes(sealed(data))


def copy(folder, target):
    target.mkdir()
    for path in folder.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    return target
