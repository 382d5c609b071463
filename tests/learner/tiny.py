"""A run small enough to be made many times, and what it consists of."""

from __future__ import annotations

from dicezero.learner.loop import train
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game
from dicezero.runs.checkpoint import METRICS, read_metrics

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
    clocked = (METRICS, "report.html", "events.")
    kept = {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(clocked)}
    lines = read_metrics(folder, rounds=1000)
    clocks = {name for line in lines for name in line if "seconds" in name}
    return kept, [{k: v for k, v in line.items() if k not in clocks} for line in lines]


def copy(folder, target):
    target.mkdir()
    for path in folder.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    return target
